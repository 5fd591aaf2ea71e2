"""Which column is which: as the user says, else by common names, and every guess stated."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from accord.errors import ColumnError, OptionError
from accord.ratings.codebook import Codebook
from accord.ratings.column_languages import NAMES_ELSEWHERE, TEXTS_ELSEWHERE, plain_name
from accord.ratings.table import OPTIONAL_COLUMNS, REQUIRED_COLUMNS
from accord.records import dataclass
from accord.words import shown_names

__all__ = ["KNOWN_NAMES", "LANGUAGE_NAMES", "TELLING_NAMES", "TEXT_NAMES", "ColumnMap", "map_columns", "text_columns"]

_ENGLISH: Mapping[str, tuple[str, ...]] = {
    "item": ("item", "item_id", "items", "unit", "unit_id", "example", "example_id", "instance", "instance_id", "task",
             "task_id", "sample", "sample_id", "hit", "hit_id", "question_id", "pair_id", "subject", "id"),
    "rater": ("rater", "rater_id", "raters", "annotator", "annotator_id", "annotator_name", "judge", "judge_id",
              "worker", "worker_id", "user", "user_id", "username", "coder", "coder_id", "assessor", "assessor_id",
              "evaluator", "evaluator_id", "observer", "reviewer", "expert", "participant", "participant_id",
              "respondent", "respondent_id", "rater_name", "judge_name", "coder_name",
              "evaluator_name", "reviewer_name", "assessor_name", "participant_name", "user_name", "worker_name",
              "person", "translator", "crowdworker", "login", "prolific_id", "prolific_pid",
              "response_id", "email_address", "your_name"),
    "value": ("value", "rating", "score", "label", "answer", "judgement", "judgment", "grade", "response", "annotation",
              "category", "raw_score", "choice", "mark", "raw", "da_score", "direct_assessment"),
    "criterion": ("criterion", "criteria", "dimension", "aspect", "metric", "attribute", "quality_dimension"),
    "system": ("system", "system_id", "sys", "sys_id", "model", "model_id", "mt_system", "system_name",
               "model_name", "engine", "mt_engine"),
    "document": ("document", "document_id", "doc", "doc_id", "docid"),
    "segment": ("segment", "segment_id", "seg", "seg_id", "sentence_id", "sent_id", "sentence",
                "doc_seg_id", "global_seg_id"),
    "scenario": ("scenario",),
    "condition": ("condition",),
    "group": ("group", "rater_group"),
    "phase": ("phase",),
    "round": ("round",),
    "guideline": ("guideline",),
    "language_pair": ("language_pair", "langpair", "lang_pair", "lp", "language_direction", "languages"),
    "occasion": ("occasion", "repeat", "retest", "session", "run"),
    "role": ("role", "item_type"),
    "kind": ("kind", "rater_kind", "rater_type", "annotator_kind", "annotator_type", "judge_kind", "judge_type",
             "evaluator_kind", "evaluator_type", "worker_type", "human_or_model", "human_or_llm", "human_or_ai"),
    "batch": ("batch", "batch_id"),
    "time_s": ("time_s", "seconds", "duration", "duration_s", "lead_time", "work_time_in_seconds"),
    "comment": ("comment", "comments", "remark", "remarks", "note", "notes"),
    "order": ("order", "position"),
}  # fmt: skip

KNOWN_NAMES: Mapping[str, tuple[str, ...]] = {
    role: (*names, *NAMES_ELSEWHERE.get(role, ())) for role, names in _ENGLISH.items()
}
"""Contract name -> names people use for it, the best first; compared without case, accents, blanks and signs."""

TEXT_NAMES = (
    "source", "src", "source_text", "target", "tgt", "target_text", "text", "reference", "ref", "reference_text",
    "hypothesis", "hyp", "translation", "output", "mt", "mt_output", "system_output", "machine_translation",
    "candidate", "post_edit", "postedit", "context", "prompt", "response_text",
    "sentence_text", "segment_text", "source_segment", "target_segment", "summary", "article",
)  # fmt: skip
"""Names that people use for columns that hold a text of the item; compared as the others."""

LANGUAGE_NAMES = (
    ("src_lang", "source_lang", "source_language", "src_language", "lang_src", "language_source"),
    ("tgt_lang", "target_lang", "target_language", "tgt_language", "trg_lang", "lang_tgt", "language_target"),
)
"""Names that people use for the language of the source, and of the target."""

_ITEM_PARTS = ("language_pair", "document", "segment", "system")
_CONTRACT = (*REQUIRED_COLUMNS, *OPTIONAL_COLUMNS)


@dataclass(frozen=True)
class ColumnMap:
    """Contract name -> the user's column (several for an item made of parts); and what was guessed."""

    columns: Mapping[str, tuple[str, ...]]
    guesses: tuple[str, ...] = ()

    def rest(self, names: Sequence[str]) -> list[str]:
        """The user's columns that play no part yet."""
        used = {name for parts in self.columns.values() for name in parts}
        return [name for name in names if name not in used]

    def told(self, codebook: Codebook, names: Sequence[str]) -> Codebook:
        """The codebook with what the columns tell: what names an item, which hold its texts, and what was guessed."""
        item = codebook.item
        role_of = {part: role for role, parts in self.columns.items() if role != "item" for part in parts}
        parts = self.columns.get("item", ())
        if item.named_by == ("item",) and len(parts) > 1 and all(part in role_of for part in parts):
            item = replace(item, named_by=tuple(dict.fromkeys(role_of[part] for part in parts)))
        if not item.cluster and "document" in self.columns:
            item = replace(item, cluster="document")
        texts = [name for name in text_columns(self.rest(names)) if name not in item.texts]
        guesses = [*codebook.guesses, *self.guesses]
        if texts and not item.texts:
            item = replace(item, texts=tuple(texts))
            guesses += [f"column {name!r} is taken as a text of the item" for name in texts]
        return replace(codebook, item=item, guesses=tuple(dict.fromkeys(guesses)))

    def without_value(self, columns: Sequence[str]) -> "ColumnMap":
        """The same where these columns hold the values: a guess that one of them is the value was premature."""
        if not set(self.columns.get("value", ())) & set(columns):
            return self
        left = {role: parts for role, parts in self.columns.items() if role != "value"}
        return ColumnMap(left, tuple(words for words in self.guesses if not words.endswith(" is taken as value")))


def map_columns(names: Sequence[str], given: Mapping[str, str | Sequence[str]]) -> ColumnMap:
    """Find a column for each contract name; what is not found is left out."""
    chosen = {role: _existing(role, asked, names) for role, asked in given.items()}
    taken = {name for parts in chosen.values() for name in parts}
    plain = {plain_name(name): name for name in reversed(names) if name not in taken}
    guesses = []
    for role, keys in _PLAIN_NAMES.items():
        if role in chosen or plain.keys().isdisjoint(keys):
            continue
        found = next(plain[key] for key in keys if key in plain)
        if found in taken:
            continue
        chosen[role] = (found,)
        taken.add(found)
        if plain_name(found) != plain_name(role):
            guesses.append(f"column {found!r} is taken as {role}")
    if "language_pair" not in chosen and (pair := _two_languages(plain, taken)):
        chosen["language_pair"] = pair
        guesses.append(f"the language pair is taken to be {' + '.join(pair)}")
    parts = [name for part in _ITEM_PARTS for name in chosen.get(part, ())]
    if "item" not in chosen and parts and parts != list(chosen.get("language_pair", ())):
        chosen["item"] = tuple(parts)
        guesses.append(f"an item is taken to be {' + '.join(parts)}")
    return ColumnMap(chosen, tuple(guesses))


def _two_languages(plain: Mapping[str, str], taken: Collection[str]) -> tuple[str, ...]:
    """The columns of the language of the source and of the target, where there are both."""
    found = [next((plain[name] for name in names if name in plain), None) for names in _PLAIN_LANGUAGES]
    both = tuple(name for name in found if name is not None and name not in taken)
    return both if len(both) == 2 else ()


def language_columns(names: Sequence[str]) -> tuple[str, ...]:
    """Those of these columns that say the languages: the one of the pair, or those of source and target; or none."""
    plain = {plain_name(name): name for name in reversed(names)}
    pair = next((plain[key] for key in _PLAIN_NAMES["language_pair"] if key in plain), None)
    return (pair,) if pair is not None else _two_languages(plain, ())


def text_columns(names: Sequence[str]) -> tuple[str, ...]:
    """Those of these columns that are named like a text of the item."""
    return tuple(name for name in names if plain_name(name) in _PLAIN_TEXTS)


def _existing(role: str, asked: str | Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    if role not in _CONTRACT:
        raise OptionError(f"{role!r} is not a column of ratings. Known: {', '.join(_CONTRACT)}.")
    wanted = (asked,) if isinstance(asked, str) else tuple(asked)
    if len(wanted) == 1 and wanted[0] not in names and "+" in wanted[0]:
        wanted = tuple(part.strip() for part in wanted[0].split("+"))
    for name in wanted:
        if name not in names:
            near = get_close_matches(name, names, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise ColumnError(
                f"There is no column {name!r} to take as {role}.{hint} The columns are: {shown_names(names)}."
            )
    return wanted


_PLAIN_NAMES = {role: tuple(map(plain_name, aliases)) for role, aliases in KNOWN_NAMES.items()}
_PLAIN_LANGUAGES = tuple(tuple(map(plain_name, names)) for names in LANGUAGE_NAMES)
_PLAIN_TEXTS = frozenset(map(plain_name, (*TEXT_NAMES, *TEXTS_ELSEWHERE)))
TELLING_NAMES = _PLAIN_TEXTS.union(*_PLAIN_NAMES.values(), *_PLAIN_LANGUAGES)
"""Names that say what a column is, without case, accents, blanks and signs."""

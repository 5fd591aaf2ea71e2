"""What study.toml may say: one model a table, every field with the words its reference page shows."""

from datetime import date, datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from accord.design.criterion import COMPARING, Criterion
from accord.design.scale import Direction, Level, Scale, Value

__all__ = [
    "AnalysisPlan", "Assignment", "Completion", "Consent", "Controls", "Cost", "CriterionSettings", "Exclusion",
    "ExpectedMark", "Group", "Guidelines", "Languages", "People", "Phase", "Practice", "Questionnaire",
    "RaterQuestion", "Scenario",
    "Severity", "Statement", "StudySettings", "TestSet",
]  # fmt: skip

Key = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", max_length=80)]
"""A short name that is safe in files, columns and addresses."""

Answer = int | float | str
Count = Annotated[int, Field(ge=0)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    @classmethod
    def by_default(cls) -> Self:
        """The table as it is when study.toml does not hold it."""
        return cls.model_validate({})


class Languages(_Part):
    """The languages of the texts, as codes such as en or pt-BR."""

    source: str | None = Field(None, description="Language of the source texts.")
    target: str = Field(description="Language of the texts that are judged.")


class Severity(_Part):
    """How grave an error is, and what it costs."""

    key: Key = Field(description="Short name used in the tables.")
    label: str = Field("", description="What raters read; the key if empty.")
    weight: float = Field(1.0, ge=0, description="Penalty points of one such error.")


class CriterionSettings(_Part):
    """One thing that raters are asked."""

    key: Key = Field(description="Short name; the `criterion` column of the ratings.")
    question: str = Field(min_length=1, description="What raters read above the answers.")
    kind: Literal["scale", "slider", "number", "categories", "spans", "pairwise", "post_edit", "ranking"] = Field(
        description="How it is answered."
    )
    level: Level | None = Field(
        None, strict=False, description="Level of measurement. Must be declared for `scale`; the kind fixes the others."
    )
    values: tuple[Answer, ...] = Field(
        (), strict=False, description="The answers of a scale in order, or the error categories."
    )
    labels: tuple[str, ...] = Field((), strict=False, description="What raters read, one for each value.")
    low: float | None = Field(None, description="Lowest value of a slider; of a number, 0 if left out.")
    high: float | None = Field(None, description="Highest value of a slider; of a number, none if left out.")
    per: Literal["word"] | None = Field(
        None,
        description="Number: the ratings hold it for each word of the text that is judged (each character where a "
        "script has no spaces).",
    )
    low_label: str = Field("", description="Words at the low end.")
    high_label: str = Field("", description="Words at the high end.")
    anchors: dict[str, str] = Field(
        default_factory=dict, description='Words beside some slider values, as in `66 = "most meaning kept"`.'
    )
    best: Literal["high", "low"] | None = Field(
        None,
        description="Which end of the scale is the good one. Needed before anything is called better: "
        "without it no winner is named. Marked errors, edits and ranks are low by themselves.",
    )
    definition: str = Field("", description="What the criterion means, for the report.")
    unit: str = Field("", description="What is counted or measured, as in `errors per word`.")
    threshold: float | None = Field(None, description="Value from which a text passes.")
    several: bool = Field(False, description="Categories: more than one may be chosen.")
    repeated: bool = Field(False, description="Categories: one may be counted more than once.")
    none_label: str = Field("", description="Categories: words for 'nothing to mark'.")
    severities: tuple[Severity, ...] = Field((), strict=False, description="Spans: how grave an error may be.")
    weights: dict[str, float] = Field(
        default_factory=dict,
        description="Spans: penalty of a `severity/category`; the most specific one wins over the severity's own.",
    )
    sides: tuple[Literal["target", "source"], ...] = Field(
        ("target",), strict=False, description="Spans: texts that can be marked."
    )
    omissions: bool = Field(False, description="Spans: 'something is missing' can be marked.")
    max_spans: int | None = Field(None, ge=1, description="Spans: most that are asked for in one text.")
    prefilled: str = Field(
        "",
        description="Spans: a file in the study folder with marks that stand there before the rater begins, of a model "
        "or of an earlier round: .jsonl, or what `accord export --judgements --systems` writes.",
    )
    ties: bool = Field(True, description="Pairwise and ranking: equal is an answer.")
    scenarios: tuple[Key, ...] = Field((), strict=False, description="Scenarios that ask it; all if empty.")
    required: bool = Field(True, description="Raters must answer; if false, an empty answer is recorded as such.")
    comment: bool = Field(False, description="Raters may add a comment to this answer.")
    help: str = Field("", description="One or two sentences shown on demand.")
    consult: tuple[Literal["source", "reference", "post_edit", "context"], ...] | None = Field(
        None,
        strict=False,
        description="What may be looked at for this question, of what the scenario shows: the page hides the rest "
        "while the question is in hand. All of it if left out.",
    )

    @property
    def once_per_task(self) -> bool:
        """Whether it compares the systems shown, and so is asked once rather than for each of them."""
        return self.kind in COMPARING

    @property
    def measured(self) -> Level:
        """The level of measurement, fixed by the kind where it is not the user's to say."""
        if self.kind == "scale":
            return self.level or Level.NOMINAL
        return _LEVELS[self.kind]

    @property
    def direction(self) -> Direction:
        """Which end is good, fixed by the kind where it is not the user's to say; unknown where nobody said."""
        if self.kind in _LOW_IS_GOOD:
            return Direction.LOW
        return Direction(self.best) if self.best else Direction.UNKNOWN

    def meaning(self) -> Criterion:
        """What the criterion means to whoever reads its ratings."""
        return Criterion(
            key=self.key, question=self.question, definition=self.definition, unit=self.unit, kind=self.kind,
            scale=self.scale(), threshold=self.threshold, several=self.kind == "categories" and self.several,
        )  # fmt: skip

    def scale(self) -> Scale:
        """The answers as the ratings table knows them."""
        values: tuple[Value, ...] = tuple(float(v) if isinstance(v, int) else v for v in self.values)
        declared = self.kind == "scale"
        labels: dict[Value, str] = dict(zip(values, self.labels, strict=False))
        low, high = (None, None) if self.per else (self.low, self.high)  # the ends are those of the count
        return Scale(
            self.measured, values if declared else (), labels if declared else {}, low, high, declared,
            direction=self.direction,
        )  # fmt: skip


_LOW_IS_GOOD = ("spans", "post_edit", "ranking")
"""Fewer errors, fewer edits, and rank 1 are good."""

_LEVELS = {
    "slider": Level.INTERVAL, "number": Level.RATIO, "categories": Level.NOMINAL, "spans": Level.RATIO,
    "pairwise": Level.NOMINAL, "post_edit": Level.RATIO, "ranking": Level.ORDINAL,
}  # fmt: skip


class Scenario(_Part):
    """What raters see while they answer."""

    key: Key = Field(description="Short name; the `scenario` column of the ratings.")
    kind: Literal["random-sentence", "sentence-in-context", "document"] = Field(
        description="One sentence alone, each sentence of a document in turn, or one answer for a whole document."
    )
    title: str = Field("", description="What raters read at the top of the page.")
    instruction: str = Field("", description="One or two sentences under the title.")
    show: tuple[Literal["source", "reference", "post_edit", "context"], ...] = Field(
        ("source",), strict=False, description="What is shown beside the text that is judged."
    )
    systems: int = Field(1, ge=1, le=10, description="How many systems are shown side by side.")
    reference: Key | None = Field(None, description="Which reference is shown, where the items hold several.")
    after: Key | None = Field(
        None, description="Scenario whose document has just been judged: this one follows it, document by document."
    )
    seconds_per_item: float | None = Field(None, gt=0, description="Expected time of one task here.")
    layout: Literal["document", "segment"] | None = Field(
        None,
        description="Sentences in context, one system: `document` has the whole text on one page and each sentence is "
        "judged in its place; `segment` has the questions of one sentence beside the text. Left out, a text with at "
        "most three questions per sentence is a `document`.",
    )


class Group(_Part):
    """Raters who are treated alike."""

    key: Key = Field(description="Short name; the `group` column of the ratings.")
    title: str = Field("", description="Words for the organiser.")
    raters: int | None = Field(None, ge=1, description="How many; an equal share if left out.")
    show: tuple[Literal["source", "reference", "post_edit", "context"], ...] | None = Field(
        None, strict=False, description="What this group sees instead of what the scenario shows."
    )
    reference: Key | None = Field(None, description="Which reference this group sees.")


class TestSet(_Part):
    """A part of the items, by documents."""

    __test__ = False  # a name of the field, not a test of pytest's

    key: Key = Field(description="Short name; the `condition` of a Latin square is built on it.")
    documents: tuple[str, ...] = Field(
        (), strict=False, description="Its documents; where all test sets leave this out, documents are dealt evenly."
    )


class Phase(_Part):
    """A round of work, in order. Raters get to it when it is open."""

    key: Key = Field(description="Short name; the `phase` column of the ratings.")
    title: str = Field("", description="What raters read.")
    opens: Literal["at-once", "organiser", "finished"] | None = Field(
        None,
        description="`organiser`: when the organiser opens it. `finished`: when everybody has finished the phases "
        "before. `at-once`: with the first. The first phase opens at once, later ones by the organiser.",
    )
    opens_on: datetime | date | None = Field(
        None, description="Day, or day and time, on which it opens by itself, as in `2027-03-01`."
    )
    message: str = Field("", description="What raters read while they wait for it.")
    documents: tuple[str, ...] = Field(
        (), strict=False, description="Documents kept back for this phase; no other phase shows them."
    )
    keep_back: Count = Field(0, description="So many documents, drawn at random, are kept back for this phase.")
    reserve: bool = Field(False, description="It may never be needed: raters are not told to wait for it.")
    again: Key | None = Field(
        None, description="An earlier phase: each rater judges the own items of that phase once more (test and retest)."
    )

    @property
    def has_own_documents(self) -> bool:
        """Whether material is kept back for it."""
        return bool(self.documents or self.keep_back)


class Controls(_Part):
    """Items that check the raters: how many each gets in each scenario and phase, and how far from their originals."""

    repeats: Count = Field(0, description="Items shown twice, for the agreement of raters with themselves.")
    degraded: Count = Field(0, description="Items shown again with some words replaced; they must be scored lower.")
    references: Count = Field(0, description="Human references shown as if they were system output.")
    gold: Count = Field(0, description="Items with a known answer (columns `gold:CRITERION` of the items).")
    attention: Count = Field(0, description="Items with a phrase that does not belong there.")
    per: Literal["rater", "batch"] = Field("rater", description="Whether the counts are for a rater or for each batch.")
    batch: int | None = Field(None, ge=1, description="Ordinary items in a batch (a HIT); one batch if left out.")
    blocks: int = Field(10, ge=2, description="Parts of a batch over which control items are spread evenly.")
    spacing: int = Field(5, ge=0, description="Blocks between an item and its copy.")

    @property
    def total(self) -> int:
        return self.repeats + self.degraded + self.references + self.gold + self.attention


class Assignment(_Part):
    """Who judges what."""

    design: Literal[
        "crossed", "incomplete-blocks", "nested", "latin-square", "complementary-halves", "minimum-overlap"
    ] = Field("crossed", description="How items and raters meet; see the page on designs.")
    raters: int = Field(ge=1, le=1_000_000, description="Raters in all.")
    ratings_per_item: int | None = Field(
        None, ge=1, description="Raters of each item (incomplete-blocks, nested; 1 in minimum-overlap)."
    )
    overlap: int | None = Field(None, ge=0, description="Items that all raters share (minimum-overlap).")
    systems_per_input: int | None = Field(
        None, ge=1, description="Take this many systems for each document, each system equally often."
    )
    source_once: bool = Field(False, description="No rater sees the same source in two systems.")
    hand_on_after: float | None = Field(None, gt=0, description="Hours of silence until crowd work is handed on.")
    order: Literal["random", "fixed"] = Field("random", description="Random: an order of its own for each rater.")


class Statement(_Part):
    """A sentence of the questionnaire."""

    key: Key = Field(description="Short name.")
    text: str = Field(min_length=1, description="What raters read.")
    scenarios: tuple[Key, ...] = Field((), strict=False, description="Scenarios it is asked for; all if empty.")
    choices: tuple[str, ...] = Field((), strict=False, description="Answers in words instead of the numbers.")
    low_label: str = Field("", description="Words at the low end, where they differ from the others'.")
    high_label: str = Field("", description="Words at the high end, where they differ from the others'.")


class Questionnaire(_Part):
    """What is asked after the work."""

    low: int = Field(1, description="Lowest answer.")
    high: int = Field(6, description="Highest answer.")
    low_label: str = Field("", description="Words at the low end.")
    high_label: str = Field("", description="Words at the high end.")
    per_scenario: bool = Field(
        True, description="Asked at the end: once for each scenario the rater worked in, or once for all."
    )
    statements: tuple[Statement, ...] = Field((), strict=False, description="The statements, in order.")


class Guidelines(_Part):
    """What raters must read first."""

    file: str = Field("guidelines.md", description="Markdown file in the study folder.")
    version: str = Field("1", description="Stamped on every judgement; raise it when the text changes.")


class ExpectedMark(_Part):
    """A mark that a practice item asks for."""

    text: str = Field(min_length=1, description="The words to mark, as they stand in the text; the first such place.")
    side: Literal["target", "source"] = Field("target", description="The text they stand in.")
    severity: Key | None = Field(None, description="How grave it is; any if left out.")
    category: Answer | None = Field(None, description="What kind of error it is; any if left out.")


class Practice(_Part):
    """An item raters try first; it never counts."""

    pair: str = Field(
        "",
        description="Language pair it is for, as in `en-de`: studies in other languages do not show it. Empty: any.",
    )
    source: str = Field("", description="Source text.")
    target: str = Field(min_length=1, description="Text to be judged.")
    reference: str = Field("", description="Reference, if one is shown.")
    criterion: Key = Field(description="The criterion that is practised; one that compares texts cannot be.")
    expected: tuple[Answer, ...] = Field(
        (),
        strict=False,
        description="Answers that are right: one of them, of categories all of them (or `no-error`), of a slider or a "
        "number what lies between them (around one number of a slider a tenth of its length); if empty, none is named.",
    )
    marks: tuple[ExpectedMark, ...] | None = Field(
        None, strict=False, description="Spans: the marks that are right, none if it is an empty list; any if left out."
    )
    feedback: str = Field("", description="What raters read after their answer.")

    def text_of(self, side: str) -> str:
        """The text that is marked on a side."""
        return self.source if side == "source" else self.target


class Consent(_Part):
    """What raters agree to before they start."""

    text: str = Field(min_length=1, description="What raters read.")
    required: bool = Field(True, description="Nobody starts without it.")
    ethics_approval: str = Field("", description="Number or name of the approval.")


class Exclusion(_Part):
    """A rule, declared before collection, by which ratings will be left out."""

    rule: Literal[
        "degraded_not_lower", "repeats_differ", "gold_wrong", "attention_failed", "too_fast", "constant_run",
        "no_variation", "incomplete",
    ] = Field(description="What is looked at.")  # fmt: skip
    limit: float | None = Field(None, description="Its limit: a p-value, a share, seconds or a length.")
    reason: str = Field("", description="Why, in words for the report.")


class AnalysisPlan(_Part):
    """What will be looked at first, declared before collection; kept with a hash when the first rater is invited."""

    criterion: Key | None = Field(None, description="The criterion that decides.")
    coefficient: str = Field("", description="The coefficient that decides, by its key: `krippendorff_alpha`.")
    comparison: str = Field("", description="What is compared: `system`, `scenario`, `group`, or another column.")
    unit: Literal["item", "document", "rater", "pair", "rater-and-item", "rater-and-document"] | None = Field(
        None, description="What is resampled for intervals and tests."
    )
    confidence: float | None = Field(None, gt=0.5, lt=1, description="Confidence level of the intervals.")
    reliability: float | None = Field(None, gt=0, le=1, description="Value of the coefficient that is enough.")
    hypothesis: str = Field("", description="What is expected, in words.")
    exclusions: str = Field(
        "", description="Who or what will be left out, in words, beside the rules in `[[exclusions]]`."
    )


class People(_Part):
    """Who the raters are and how they work, as a reader of the report must know it."""

    recruitment: str = Field("", description="How raters were found.")
    background: str = Field("", description="Who they are: profession, experience, native language.")
    training: str = Field("", description="What they were taught beside guidelines and practice.")
    independence: str = Field("", description="Whether they worked alone, and how that was made sure.")
    pay: str = Field("", description="What they got, where `per_hour` in `[cost]` does not say it.")


class Cost(_Part):
    """What the work costs."""

    per_hour: float = Field(0.0, ge=0, description="Pay of one rater for one hour.")
    currency: str = Field("EUR", description="Currency of the pay.")
    seconds_per_item: float = Field(30.0, gt=0, description="Expected time of one task, unless its scenario says.")
    minutes_fixed: float = Field(
        0.0, ge=0, description="Reading guidelines, practice and questionnaire, once per rater."
    )


class Completion(_Part):
    """What raters get at the end."""

    message: str = Field("", description="What raters read.")
    code: str = Field("", description="Completion code to copy.")
    url: str = Field("", pattern=r"^(https://.*)?$", description="Address to return to, as Prolific gives it.")


class RaterQuestion(_Part):
    """What is asked about the rater before the work: experience, native language."""

    key: Key = Field(description="Short name.")
    question: str = Field(min_length=1, description="What raters read.")
    choices: tuple[str, ...] = Field((), strict=False, description="Answers to choose from; free text if empty.")
    required: bool = Field(False, description="Raters must answer.")


NO_ERROR = "no-error"
"""The cell of a text in which no category was marked, and what a practice item expects that has none."""

_MOST_QUESTIONS_IN_PLACE = 3
"""More than that under each sentence would part the sentences of a text too far."""

UI_LANGUAGES = ("en", "pt", "es", "de", "zh-hans", "ar")
"""Languages in which the pages for raters speak."""


class StudySettings(_Part):
    """The whole of study.toml."""

    title: str = Field(min_length=1, description="Title of the study.")
    description: str = Field("", description="One paragraph for the report.")
    seed: int = Field(ge=0, description="Seed of everything random: the same seed gives the same plan.")
    items: str = Field("items.tsv", description="File of items: .tsv or .jsonl.")
    ui_language: str = Field("en", description=f"Language of buttons and messages: {', '.join(UI_LANGUAGES)}.")
    sampling: str = Field("", description="How the items were chosen, for the report.")
    anonymous: bool = Field(True, description="Exports hold pseudonyms instead of names.")
    languages: Languages = Field(description="Languages of the texts.")
    criteria: tuple[CriterionSettings, ...] = Field(strict=False, min_length=1, description="What is asked.")
    scenarios: tuple[Scenario, ...] = Field(strict=False, min_length=1, description="What is shown.")
    assignment: Assignment = Field(description="Who judges what.")
    groups: tuple[Group, ...] = Field((), strict=False, description="Groups of raters.")
    test_sets: tuple[TestSet, ...] = Field((), strict=False, description="Parts of the items.")
    phases: tuple[Phase, ...] = Field((), strict=False, description="Rounds of work.")
    controls: Controls = Field(default_factory=Controls.by_default, description="Items that check the raters.")
    questionnaire: Questionnaire | None = Field(None, description="Asked after the work.")
    guidelines: Guidelines = Field(default_factory=Guidelines.by_default, description="What raters must read first.")
    practice: tuple[Practice, ...] = Field((), strict=False, description="Items to try first.")
    consent: Consent | None = Field(None, description="What raters agree to.")
    exclusions: tuple[Exclusion, ...] = Field((), strict=False, description="Rules declared before collection.")
    analysis: AnalysisPlan | None = Field(None, description="The plan of analysis, declared before collection.")
    people: People = Field(default_factory=People.by_default, description="Who the raters are.")
    cost: Cost = Field(default_factory=Cost.by_default, description="Time and money.")
    completion: Completion = Field(default_factory=Completion.by_default, description="What raters get at the end.")
    rater_questions: tuple[RaterQuestion, ...] = Field((), strict=False, description="Asked about the rater.")

    translations: dict[str, dict[str, str]] = Field(
        default_factory=dict,
        description="What raters read on the pages of work in other languages, as in "
        '`[translations.pt]` with lines `"How good is it?" = "Quão bom é?"`.',
    )

    def spoken(self, text: str, language: str) -> str:
        """A text of the study in a language; as it was written where there is no translation."""
        return self.translations.get(language.lower(), {}).get(text, text)

    def criterion(self, key: str) -> CriterionSettings:
        return next(criterion for criterion in self.criteria if criterion.key == key)

    def scenario(self, key: str) -> Scenario:
        return next(scenario for scenario in self.scenarios if scenario.key == key)

    def asked_in(self, scenario: str) -> tuple[CriterionSettings, ...]:
        """The criteria of a scenario, in the order of the file."""
        return tuple(c for c in self.criteria if not c.scenarios or scenario in c.scenarios)

    def layout_of(self, key: str) -> str:
        """How the pages show a scenario; practice is shown as the work will be."""
        shown = [scenario for scenario in self.scenarios if scenario.key == key]
        if not shown:
            return "document" if any(self.layout_of(one.key) == "document" for one in self.scenarios) else "segment"
        scenario = shown[0]
        if scenario.kind != "sentence-in-context" or scenario.systems > 1:
            return "segment"
        few = len(self.asked_in(key)) <= _MOST_QUESTIONS_IN_PLACE
        return scenario.layout or ("document" if few else "segment")

    @property
    def language_pair(self) -> str:
        """As in ``en-de``; of a study without sources the one language."""
        return "-".join(filter(None, (self.languages.source, self.languages.target)))

    def tutorial(self) -> list[int]:
        """The practice items of the study's own language pair, by their places in the file."""
        return [place for place, practice in enumerate(self.practice) if practice.pair in ("", self.language_pair)]

    def statements_of(self, scenario: str) -> tuple[Statement, ...]:
        """The questionnaire of a scenario, in the order of the file."""
        if self.questionnaire is None:
            return ()
        return tuple(s for s in self.questionnaire.statements if not s.scenarios or scenario in s.scenarios)

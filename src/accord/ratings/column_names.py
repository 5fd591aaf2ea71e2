"""What the name of a column gives away: a criterion, a judge, both, or something that is no rating at all."""

import re
from collections.abc import Collection, Sequence

from accord.patterns import pattern
from accord.ratings.header_scales import without_scale

__all__ = [
    "are_raters", "counts_errors", "criteria_within", "grid_parts", "is_about_respondent", "is_clear_total",
    "is_compared", "is_count", "is_criterion",
    "is_form_sign", "is_metadata", "is_question", "is_rater", "is_system", "is_total", "rater_and_criterion",
    "total_beside_words",
]  # fmt: skip

_CRITERIA = (
    "fluency", "adequacy", "accuracy", "grammar", "grammaticality", "style", "coherence", "cohesion", "relevance",
    "quality", "overall", "overall quality", "clarity", "meaning", "meaning preservation", "terminology",
    "informativeness", "naturalness", "faithfulness", "factuality", "consistency", "comprehension", "comprehensibility",
    "readability", "usefulness", "fidelity", "correctness", "completeness", "tone",
    "politeness", "simplicity", "engagement",
    "engagingness", "helpfulness", "harmlessness", "truthfulness", "toxicity", "similarity", "understandability",
    "appropriateness", "creativity", "conciseness", "word choice", "word order", "lexical choice", "spelling",
    "punctuation", "register", "formatting", "idiomaticity", "intelligibility", "acceptability", "wortwahl",
    "wortstellung", "rechtschreibung", "ortografía", "ortografia", "léxico",
    "flüssigkeit", "sprachfluss", "adäquatheit", "genauigkeit",
    "verständlichkeit", "grammatik", "stil", "qualität", "fluidez", "adecuación", "precisión", "claridad", "gramática",
    "estilo", "calidad", "fluidité", "adéquation", "exactitude", "précision", "clarté", "grammaire", "qualité",
    "fedeltà", "scorrevolezza", "accuratezza", "chiarezza", "qualità", "adeguatezza", "terminologie", "terminología",
    "fluência", "adequação", "precisão", "clareza", "qualidade", "流畅度", "流畅性",
    "忠实度", "准确性", "质量", "الطلاقة", "الدقة", "الوضوح", "الجودة",
)  # fmt: skip
_PERSON = (
    r"(?:rater|annotator|annot|judge|coder|worker|user|expert|reviewer|rev|evaluator|assessor|translator|participant|"
    r"bewerter(?:in)?|gutachter(?:in)?|juez|evaluador(?:a)?|anotador(?:a)?|avaliador(?:a)?|évaluateur|évaluatrice|annotateur|annotatrice|juge|valutatore|annotatore|"
    r"评分员|评委|标注员|المقيم)"
)
_RATER = pattern(r"(?:rater|annotator|annot|judge|coder|worker|user|expert|rev|reviewer|r|a|j|c)[\W_]*\d+\Z", re.I)
_NUMBERED = rf"(?:{_PERSON}[\W_]*(?:\d+|[A-Za-z])|[rajce]\d+)"
_SIGN = r"[\s_.:/|\-\u2013\u2014]+"
_RATER_FIRST = pattern(rf"({_NUMBERED})(?:{_SIGN}|\s*[(\[])(.+?)[)\]]?\Z", re.I)
_RATER_LAST = pattern(rf"(.+?)(?:{_SIGN}|\s*[(\[])({_NUMBERED})[)\]]?\Z", re.I)
_METADATA = pattern(
    r"(?:^|[\W_])(?:id|ids|nr|no|num|number|index|idx|time|times|timestamp|date|seconds?|secs?|sec|duration|minutes?|ms|"
    r"words?|chars?|characters?|tokens?|length|len|count|age|year|page|line|row|order|position|batch|hit|clicks?|latitude|"
    r"longitude|progress|ip|ipaddress|status|finished|reward|approvals?|bonus|bleu|chrf|comet|ter|bertscore|bleurt|"
    r"meteor|rouge|logprob|prob|probability|perplexity|errors?|major|minor|zeit|datum|dauer|alter|fecha|hora|edad|data|"
    r"idade|时间|日期|年龄|الوقت|العمر|التاريخ)(?:$|[\W_])",
    re.I,
)
_ERRORS = pattern(
    r"(?:^|[\W_])(?:errors?|mistakes?|issues?|major|minor|critical|penalt(?:y|ies)|fehler(?:zahl|anzahl)?|errores|erros|"
    r"erreurs?|errori)(?:$|[\W_])|错误|أخطاء",
    re.I,
)
_COUNT = pattern(
    r"(?:(?:number|no|nr|num|count|total) (?:of )?)?(?:errors?|mistakes?|issues?|penalt(?:y|ies)|points)"
    r"(?: (?:count|number|total|points))?|count|total|fehler(?:zahl|anzahl)?|anzahl|errores|erros|错误数?"
)
_CLEAR_TOTAL = (
    r"(?:sub ?totals?|grand totals?|total (?:general|geral|général)|totale complessivo|std ?dev|st ?dev|stdabw|std abw|"
    r"standard ?abweichung|standard deviation|desviación (?:estándar|típica)|desvio padrão|deviazione standard|"
    r"gesamtergebnis|teilergebnis|zwischensumme|gesamtsumme|mittelwert|sous total|subtotale|小计|合计|总计)"
)
"""Summaries that mean nothing else, whatever stands behind them."""
_TOTAL_WORD = (
    rf"(?:{_CLEAR_TOTAL}|total|totals|sum|mean|means|average|averages|avg|median|std|sd|"
    r"variance|summe|gesamt|durchschnitt|mittel|ø|suma|promedio|media|mediana|desviación|soma|"
    r"média|moyenne|somme|médiane|écart type|totale|somma|总分|平均|平均值|平均分|المجموع|المتوسط)"
)
_TOTAL = pattern(
    rf"(?:(?:grand|overall|row|column) )?{_TOTAL_WORD}"
    r"(?: (?:score|scores|rating|ratings|value|points|wert|punkte|punktzahl|note|dev|deviation))?"
)
_STARTS_CLEAR = pattern(rf"{_CLEAR_TOTAL}(?: |\Z)")
_BESIDE_WORDS = pattern(rf"{_TOTAL_WORD} .|.*. {_TOTAL_WORD}\Z", re.S)
_STEMS = (
    "total sum mean average avg media std sd dev varian standard gesamt ergebnis durchschnitt mittel "
    "ø promedio desv soma média moyenne somm médiane écart overall 总 平均 小计 合计 المجموع المتوسط"
)
TOTAL_STEMS = tuple(_STEMS.split())
"""One of these is part of every name of a summary: a million names without any are soon passed over."""
_FORM_SIGNS = frozenset({
    "timestamp", "zeitstempel", "marca temporal", "carimbo de data/hora", "horodateur", "informazioni cronologiche",
    "时间戳记", "时间戳", "طابع زمني", "startdate", "enddate", "recordeddate", "responseid", "submission id",
    "started at", "completed at", "start time", "completion time",
})  # fmt: skip
_ABOUT_RESPONDENT = pattern(
    r"how old are you|\b(?:your|years of) (?:age|experience)\b|\bgender\b|are you a native|\byour (?:native|first) "
    r"language|mother tongue|experience (?:in|with|as)\b|\byour (?:proficiency|level of|knowledge of|command of)|"
    r"how (?:well|often|long) (?:do|have) you|wie alt sind|\bihr alter\b|geschlecht|muttersprache|berufserfahrung|"
    r"sprachkenntnisse|\bsu edad\b|género|lengua materna|experiencia (?:en|con)|\bsua idade\b|língua materna|"
    r"experiência (?:em|com)|quel âge|langue maternelle|expérience (?:en|de|avec)|quanti anni ha|lingua madre|"
    r"esperienza (?:in|con|di)|年龄|性别|母语|经验|العمر|الجنس|اللغة الأم|الخبرة",
    re.I,
)
_SYSTEM = pattern(r"(?:sys|system|model|mt|engine|output|hyp|translation)[\s_.-]?(?:\d{1,2}|[A-H])\Z", re.I)
_COMPARED = pattern(r"(?:(?:first|second|left|right)(?: (?:system|model))?|(?:system|model|option) [ab12])\Z")
_QUESTION = pattern(
    r"(?:q|qn|question|frage|pregunta|pergunta|questão|questione|domanda|问题|题|سؤال)[\s_.:-]*\d+\Z", re.I
)
_PART = pattern(r"(.+?)\s*\[([^\[\]]+)\]\s*\Z", re.S)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", " ", name).strip().casefold()


_PLAIN_CRITERIA = frozenset(map(_plain, _CRITERIA))
_NAMED_CRITERION = pattern(
    "|".join(
        # Chinese parts no words: there a criterion may stand anywhere.
        re.escape(word) if word[0] >= "\u4e00" else rf"(?<![^\W\d_]){re.escape(word)}(?![^\W\d_])"
        for word in sorted(_CRITERIA, key=len, reverse=True)
    ),
    re.I,
)


def is_criterion(name: str) -> bool:
    """Whether a column is named like a criterion, with or without «score» or a scale in brackets behind it."""
    bare = re.sub(r"\s*[(\[].*?[)\]]\s*\Z", "", name)
    plain = _plain(bare)
    return plain in _PLAIN_CRITERIA or re.sub(r" (?:score|rating|scale)\Z", "", plain) in _PLAIN_CRITERIA


def is_rater(name: str) -> bool:
    """Whether a column is named like a rater: judge 1, R2."""
    return bool(_RATER.match(name.strip()))


def are_raters(names: Sequence[str], telling: Collection[str]) -> bool:
    """Whether columns can only be raters by their names: judge 1, R2; or plain words that tell nothing: ann, Ben."""
    if all(map(_RATER.match, names)):
        return True
    plain = [name for name in names if name.isascii() and name.isalpha() and name in (name.title(), name.lower())]
    words = [name.lower() for name in plain]
    told = _PLAIN_CRITERIA | _FORM_SIGNS
    return len(words) == len(names) and not any(
        word in telling or word in told or _METADATA.search(word) or _TOTAL.fullmatch(word) for word in words
    )


def is_system(name: str) -> bool:
    """Whether a column is named like a system: sysA, System 2, model_b, MT1."""
    return bool(_SYSTEM.match(name.strip()))


def is_compared(name: str) -> bool:
    """Whether a column names one of two systems that are compared: first, system_b, Left system."""
    return bool(_COMPARED.match(_plain(name)))


def is_metadata(name: str) -> bool:
    """Whether a column is named like something that is measured or counted, not judged."""
    return bool(_METADATA.search(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)))


def counts_errors(name: str) -> bool:
    """Whether a column is named like errors that somebody may have counted: Errors, major_errors, Fehleranzahl."""
    return bool(_ERRORS.search(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)))


def is_count(name: str) -> bool:
    """Whether a column is named like a count of errors, which may be the rating where nothing else is."""
    return bool(_COUNT.fullmatch(_plain(name)))


def is_form_sign(name: str) -> bool:
    """Whether a column is one that forms and surveys write beside the answers."""
    return name.strip().casefold() in _FORM_SIGNS


def is_question(name: str) -> bool:
    """Whether a column is a numbered question: Q1, Question 2, Frage 3."""
    return bool(_QUESTION.match(name.strip()))


def is_about_respondent(name: str) -> bool:
    """Whether a question asks who answers (age, experience, languages) and not for a judgement."""
    return bool(_ABOUT_RESPONDENT.search(name)) and not is_criterion(name)


def is_total(name: str) -> bool:
    """Whether a row or column is named like a summary of the others: Total, Average score, Mittelwert, Ø."""
    return any(map((plain := _plain(name)).__contains__, TOTAL_STEMS)) and bool(_TOTAL.fullmatch(plain))


def is_clear_total(name: str) -> bool:
    """Whether a name begins with a word that means nothing but a summary: Subtotal doc 1, Total general, Std.-Abw."""
    return bool(_STARTS_CLEAR.match(_plain(name)))


def total_beside_words(name: str) -> bool:
    """Whether a name begins or ends with a word for a summary: Total doc 1, doc 1 Average; Total eclipse too."""
    return any(map((plain := _plain(name)).__contains__, TOTAL_STEMS)) and bool(_BESIDE_WORDS.match(plain))


def rater_and_criterion(name: str) -> tuple[str, str] | None:
    """«Judge 1 Fluency», «fluency_r2», «Fluency (Annotator A)», «Ana fluency» in its two parts; None if it has none."""
    name = name.strip()
    name = without_scale(name) if name.endswith((")", "]")) else name
    if match := _RATER_FIRST.match(name):
        return match[1].strip(), match[2].strip()
    if match := _RATER_LAST.match(name):
        return match[2].strip(), match[1].strip()
    words = [word for word in re.split(_SIGN, name) if word]
    for cut in range(1, len(words)):
        first, last = " ".join(words[:cut]), " ".join(words[cut:])
        if is_criterion(last) and not is_criterion(first):
            return first, last
        if is_criterion(first) and not is_criterion(last):
            return last, first
    return None


def _stem_and_part(names: Sequence[str]) -> list[tuple[str, str]]:
    """The question and its part in brackets, as forms name the rows of a grid; no question where there is no part."""
    found = [_PART.match(name.strip()) for name in names]
    return [
        (re.sub(r"\s+", " ", match[1]).strip(), match[2].strip()) if match else ("", name.strip())
        for match, name in zip(found, names, strict=True)
    ]


def criteria_within(names: Sequence[str]) -> list[tuple[str, str]]:
    """The criterion and the item of questions such as «Rate the fluency of sentence 1»; none if not all are so.

    Each names one criterion, and the same questions are asked about each of two criteria or more.
    """
    found = [list(_NAMED_CRITERION.finditer(name)) for name in names]
    if any(len({match[0].casefold() for match in matches}) != 1 for matches in found):
        return []
    parts = [
        (matches[0][0].casefold(), " ".join(_NAMED_CRITERION.sub(" ", name).split()).strip(" -_:.|/[]()"))
        for name, matches in zip(names, found, strict=True)
    ]
    criteria, items = {criterion for criterion, _ in parts}, {item for _, item in parts}
    if len(criteria) < 2 or len(items) < 2 or len(set(parts)) != len(parts) or len(parts) != len(criteria) * len(items):
        return []
    spelled = {matches[0][0].casefold(): matches[0][0] for matches in reversed(found)}
    return [(spelled[criterion], item) for criterion, item in parts]


def grid_parts(names: Sequence[str]) -> list[tuple[str, str]]:
    """The criterion and the item of each question: of a grid the question is the criterion and its rows the items.

    It is the other way round where every item has a grid of its own, «Text 1 [Fluency]», «Text 2 [Fluency]», ...
    """
    parts = _stem_and_part(names)
    stems, rows = {stem for stem, _ in parts if stem}, {row for stem, row in parts if stem}
    alike = {re.sub(r"\d+|[\"“”„«»'‘’].*", "", stem) for stem in stems}
    of_items = all(map(is_criterion, rows)) or (len(alike) == 1 < len(stems) and len(stems) > len(rows))
    if not of_items or len(stems) < 2 or any(map(is_criterion, stems)):
        return parts
    if len([stem for stem, _ in parts if stem]) != len(stems) * len(rows):
        return parts
    return [(row, stem) if stem else (stem, row) for stem, row in parts]

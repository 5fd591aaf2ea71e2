"""Words of answers whose order everybody knows, in the languages of the pages, French and Italian; low to high."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

__all__ = ["is_none_an_answer", "known_order", "known_orders", "no_answer_words", "plain_word"]

_ORDERS = {
    "agreement": (
        "strongly disagree|completely disagree|totally disagree < disagree < somewhat disagree|slightly disagree|"
        "rather disagree|mostly disagree < neutral|neither agree nor disagree|neither|undecided < somewhat agree|"
        "slightly agree|rather agree|mostly agree < agree < strongly agree|completely agree|totally agree",
        "stimme überhaupt nicht zu|stimme gar nicht zu|trifft überhaupt nicht zu|trifft gar nicht zu|lehne stark ab < "
        "stimme nicht zu|trifft nicht zu|lehne ab < stimme eher nicht zu|trifft eher nicht zu|lehne eher ab < "
        "neutral|teils teils|teils/teils|teils-teils|weder noch|unentschieden < "
        "stimme eher zu|trifft eher zu < stimme zu|trifft zu < stimme voll und ganz zu|stimme voll zu|"
        "stimme vollkommen zu|stimme völlig zu|trifft voll und ganz zu|trifft voll zu|trifft völlig zu",
        "totalmente en desacuerdo|muy en desacuerdo|completamente en desacuerdo < en desacuerdo < "
        "algo en desacuerdo|parcialmente en desacuerdo < neutral|ni de acuerdo ni en desacuerdo|indeciso|indiferente < "
        "algo de acuerdo|parcialmente de acuerdo < de acuerdo < totalmente de acuerdo|muy de acuerdo|"
        "completamente de acuerdo",
        "discordo totalmente|discordo plenamente|discordo completamente < discordo < discordo parcialmente|"
        "discordo em parte < neutro|não concordo nem discordo|nem concordo nem discordo|indiferente < "
        "concordo parcialmente|concordo em parte < concordo < concordo totalmente|concordo plenamente|"
        "concordo completamente",
        "pas du tout d'accord|tout à fait en désaccord|totalement en désaccord|fortement en désaccord < pas d'accord|"
        "en désaccord < plutôt pas d'accord|plutôt en désaccord < neutre|ni d'accord ni pas d'accord|"
        "ni en accord ni en désaccord|sans opinion|indécis < plutôt d'accord|assez d'accord < d'accord < "
        "tout à fait d'accord|entièrement d'accord|totalement d'accord|fortement d'accord",
        "totalmente in disaccordo|completamente in disaccordo|molto in disaccordo < in disaccordo < "
        "abbastanza in disaccordo|parzialmente in disaccordo < neutrale|né d'accordo né in disaccordo|indifferente < "
        "abbastanza d'accordo|parzialmente d'accordo < d'accordo < totalmente d'accordo|completamente d'accordo|"
        "molto d'accordo",
        "非常不同意|完全不同意|强烈不同意 < 不同意 < 有点不同意|比较不同意|不太同意 < "
        "中立|一般|不确定|既不同意也不反对 < 有点同意|比较同意 < 同意 < 非常同意|完全同意|强烈同意",
        "أعارض بشدة|لا أوافق بشدة|غير موافق بشدة|لا أوافق إطلاقا < أعارض|لا أوافق|غير موافق < محايد < أوافق|موافق < "
        "أوافق بشدة|موافق بشدة|أوافق تماما",
    ),
    "quality": (
        "very poor|very bad|terrible|awful < poor|bad < fair|acceptable|average|ok|okay|mediocre < good < very good < "
        "excellent|perfect",
        "sehr schlecht < schlecht < mittel|mittelmäßig|mäßig|ok|okay|in ordnung|akzeptabel|annehmbar|"
        "durchschnittlich < gut < sehr gut < ausgezeichnet|hervorragend|perfekt",
        "muy malo|muy mala|pésimo|pésima < malo|mala < regular|aceptable < bueno|buena < muy bueno|muy buena < "
        "excelente|perfecto|perfecta",
        "péssimo|péssima|muito ruim|muito mau|muito má < ruim|mau|má < regular|razoável|aceitável < bom|boa < "
        "muito bom|muito boa < ótimo|ótima|excelente|perfeito|perfeita",
        "très mauvais|très mauvaise|très faible < mauvais|mauvaise|faible|médiocre < moyen|moyenne|passable|acceptable|"
        "correct|correcte < bon|bonne|bien < très bon|très bonne|très bien < excellent|excellente|parfait|parfaite",
        "pessimo|pessima < scarso|scarsa|cattivo|cattiva < sufficiente|accettabile|discreto|discreta < buono|buona < "
        "molto buono|molto buona < ottimo|ottima|eccellente|perfetto|perfetta",
        "很差|非常差|极差 < 差|较差 < 一般|中等|中|尚可 < 好|较好|良好|良 < 很好|非常好 < 优秀|优|极好|完美",
        "سيئ جدا|سيء جدا < سيئ|سيء|ضعيف < مقبول|متوسط < جيد < جيد جدا < ممتاز",
    ),
    "frequency": (
        "never < rarely|seldom|almost never < sometimes|occasionally < often|frequently < usually|very often|"
        "almost always < always",
        "nie|niemals < selten < manchmal|gelegentlich < oft|häufig < meistens|sehr oft < immer",
        "nunca < rara vez|raramente|casi nunca < a veces|algunas veces < a menudo|frecuentemente|con frecuencia < "
        "casi siempre < siempre",
        "nunca < raramente|quase nunca < às vezes|por vezes|algumas vezes < frequentemente|muitas vezes < "
        "quase sempre < sempre",
        "jamais < rarement < parfois|quelquefois|de temps en temps < souvent < très souvent|presque toujours < "
        "toujours",
        "mai < raramente < a volte|qualche volta < spesso < quasi sempre < sempre",
        "从不|从来不 < 很少|偶尔 < 有时|有时候 < 经常|常常 < 总是|一直",
        "أبدا|مطلقا < نادرا < أحيانا < غالبا < دائما",
    ),
    "amount": (
        "not at all < slightly|a little|a bit < moderately|somewhat|partly|partially < very|very much|a lot|mostly|"
        "largely < extremely|completely|fully|entirely|totally",
        "gar nicht|überhaupt nicht < wenig|kaum|ein wenig < mittelmäßig|teilweise|etwas < ziemlich|stark < "
        "sehr|sehr stark|völlig",
        "nada < poco|un poco < algo|moderadamente < mucho|bastante < muchísimo|totalmente",
        "nada < pouco|um pouco < moderadamente|mais ou menos < muito|bastante < extremamente|totalmente",
        "pas du tout < un peu|peu < moyennement|partiellement < beaucoup|assez < tout à fait|complètement|énormément",
        "完全没有|一点也不 < 有一点|稍微 < 中等|一般 < 比较|很 < 非常|极其",
    ),
    "height": (
        "very low < low < medium|moderate|average < high < very high",
        "sehr niedrig|sehr gering < niedrig|gering < mittel < hoch < sehr hoch",
        "muy bajo|muy baja < bajo|baja < medio|media|moderado|moderada < alto|alta < muy alto|muy alta",
        "muito baixo|muito baixa < baixo|baixa < médio|média|moderado|moderada < alto|alta < muito alto|muito alta",
        "很低|非常低 < 低|较低 < 中|中等 < 高|较高 < 很高|非常高",
        "منخفض جدا < منخفض < متوسط < عال|مرتفع < عال جدا|مرتفع جدا",
    ),
    "likelihood": (
        "very unlikely|extremely unlikely < unlikely|somewhat unlikely < neutral|neither likely nor unlikely < "
        "likely|somewhat likely < very likely|extremely likely",
        "sehr unwahrscheinlich < unwahrscheinlich < neutral|vielleicht < wahrscheinlich < sehr wahrscheinlich",
    ),
    "satisfaction": (
        "very dissatisfied|very unsatisfied < dissatisfied|unsatisfied < neutral|"
        "neither satisfied nor dissatisfied < satisfied < very satisfied",
        "sehr unzufrieden < unzufrieden < neutral|teils teils < zufrieden < sehr zufrieden",
        "muy insatisfecho|muy insatisfecha < insatisfecho|insatisfecha < neutral < satisfecho|satisfecha < "
        "muy satisfecho|muy satisfecha",
        "muito insatisfeito|muito insatisfeita < insatisfeito|insatisfeita < neutro < satisfeito|satisfeita < "
        "muito satisfeito|muito satisfeita",
        "très insatisfait|très insatisfaite < insatisfait|insatisfaite < neutre < satisfait|satisfaite < "
        "très satisfait|très satisfaite",
        "非常不满意|很不满意 < 不满意 < 一般|中立 < 满意 < 非常满意|很满意",
        "غير راض إطلاقا|غير راض جدا < غير راض < محايد < راض < راض جدا",
    ),
    "meaning": ("none < little < some < much < most < all|everything",),
    "fluency": ("incomprehensible < disfluent|dysfluent < non-native < good < flawless|native",),
}  # fmt: skip

_NO_ANSWERS = (
    "don't know|dont know|do not know|i don't know|dk|not sure|unsure|can't say|cannot say|can't tell|cannot tell|"
    "can't judge|cannot judge|can't rate|cannot rate|unable to judge|unable to say|unable to rate|no answer|no opinion|"
    "no rating|no response|not rated|not answered|not applicable|not available|does not apply|prefer not to say|"
    "prefer not to answer|skip|skipped|missing|unknown|unrated|unanswered|refused|blank",
    "weiß nicht|weiss nicht|weiß ich nicht|ich weiß nicht|keine angabe|keine angaben|keine antwort|keine meinung|"
    "nicht beurteilbar|nicht bewertbar|kann ich nicht beurteilen|nicht bewertet|nicht zutreffend|unbekannt|entfällt|"
    "übersprungen|fehlt",
    "no sé|no se|no sabe|no lo sé|ns/nc|ns|nc|no contesta|sin respuesta|no aplica|no procede|no puedo juzgar|"
    "sin opinión",
    "não sei|não sabe|não se aplica|sem resposta|não respondeu|ns/nr|prefiro não responder|sem opinião",
    "je ne sais pas|ne sait pas|nsp|sans réponse|pas de réponse|non applicable|sans objet|non renseigné",
    "non so|non saprei|nessuna risposta|non applicabile|nessuna opinione",
    "不知道|不清楚|不适用|无法判断|不好说|未回答|未作答|无回答|拒绝回答|缺失|跳过",
    "لا أعرف|لا أدري|لا أعلم|لا ينطبق|لا إجابة|بدون إجابة|لا جواب|لا رأي",
)  # fmt: skip
"""Words by which people say that they give no answer, in the languages of the pages, French and Italian."""


def plain_word(text: str) -> str:
    """A word without case, accents of Arabic, doubled blanks and points at its end, to be compared with others."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'")
    bare = "".join(letter for letter in folded if not "\u064b" <= letter <= "\u0652")
    return re.sub(r"\s+", " ", bare).strip(" .!;,\u3002")


def _positions(order: str) -> dict[str, int]:
    steps = enumerate(order.split("<"))
    return {plain_word(word): place for place, step in steps for word in step.split("|")}


@cache
def known_orders() -> tuple[tuple[str, dict[str, int]], ...]:
    """What the words speak of, and the place of each word, for every order that is known."""
    return tuple((kind, _positions(order)) for kind, orders in _ORDERS.items() for order in orders)


@cache
def _no_answers() -> frozenset[str]:
    return frozenset(plain_word(word) for words in _NO_ANSWERS for word in words.split("|"))


def no_answer_words(texts: Sequence[str]) -> list[str]:
    """«don't know» and its like where the others are numbers or words of a known order, so that it can be none of them.

    Among labels such as yes and no it is an answer like the others.
    """
    words = [text for text in texts if not text[:1].isdigit() and plain_word(text) in _no_answers()]
    others = [text for text in texts if text not in words] if words else []
    numeric = sum(text[:1].isdigit() or text[1:2].isdigit() for text in others)
    if len(others) > 1 and (2 * numeric > len(others) or (len(others) > 2 and known_order(others) is not None)):
        return words
    return []


def is_none_an_answer(texts: Sequence[str]) -> bool:
    """Whether «none» is an answer and not the word for no answer.

    It is the low end of some orders (none, little, much, most, all), and a label like others (minor, major, none) where
    it is written as they are. «None» among small letters and «none» among numbers are what programs write for nothing.
    """
    given = [text for text in texts if text]
    nones = [text for text in given if plain_word(text) == "none"]
    if not nones:
        return False
    others = [text for text in given if text not in nones]
    is_label = len(others) > 1 and not any(character.isdigit() for text in others for character in text)
    return known_order(given) is not None or (is_label and all(_is_written_like(none, others) for none in nones))


def _is_written_like(word: str, others: Sequence[str]) -> bool:
    """Whether most of the others begin with a letter of the same case, and go on in it."""
    alike = sum(other[:2].islower() if word.islower() else other[:1].isupper() for other in others)
    return 2 * alike > len(others)


def known_order(texts: Sequence[str]) -> tuple[str, list[int]] | None:
    """What these words speak of and the place of each in its order; None unless one order has them all."""
    words = [plain_word(text) for text in texts]
    for kind, places in known_orders():
        if words and all(word in places for word in words):
            found = [places[word] for word in words]
            # Two words for one step (bad, poor) are two steps to whoever uses both; nobody knows which is lower.
            return (kind, found) if len(set(found)) == len(set(words)) else None
    return None

"""In which language texts are, as far as their letters and commonest words tell it; a guess for a person to look at."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice

__all__ = ["guessed_language"]

_SCRIPTS = {
    "ja": re.compile("[\u3041-\u30ff]"),
    "zh": re.compile("[\u4e00-\u9fff]"),
    "ko": re.compile("[\uac00-\ud7af]"),
    "uk": re.compile("[іїєґІЇЄҐ]"),
    "ru": re.compile("[ыэёЫЭЁ]"),
    "el": re.compile("[\u0370-\u03ff]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "fa": re.compile("[پچژگ]"),
    "ar": re.compile("[\u0600-\u06ff]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
}
"""Letters that one of the languages we know has alone, or before the next ones are asked: kana come before Han."""
_COMMON = {
    "en": "the of and to is that it for was with as by this are have from not my you he she they be at which",
    "de": "der die das und ist nicht ein eine zu den mit von im auf für sich des dem auch es wir ich wird sind",
    "fr": "le les et est un une que dans pour qui sur pas au avec ce il du nous vous sont cette des elle aux",
    "es": "el los las en un una es por con para del se su al lo como más pero sus fue este está qué",
    "pt": "os as do da em um uma para com não por mais dos na ao foi são seu você isso está pelo",
    "it": "il di che un una per non con del della sono gli nel si più anche questo dei alla ha delle",
    "nl": "de het een en van is dat niet op te voor met zijn die aan er ook als bij naar wordt deze hij",
    "pl": "nie na się że do to jest jak po ale za od tak czy przez są był tego które oraz",
    "cs": "se na je že do jsou jako by ale pro jeho po tak který jsem nebo byl také podle",
    "sv": "och att det en som är av för på den med inte till ett om har var kan jag han ska eller vid",
    "fi": "ja on ei se että oli hän mutta ovat kuin myös tai joka kun niin sen mitä olen tämä ole voi",
    "tr": "ve bir bu da için ile çok daha ne gibi olarak var ama kadar sonra ya mi olan değil her en",
    "ro": "și în nu cu este pe din care sunt mai pentru că fi au fost ce dar lui prin după",
    "hu": "az és hogy nem egy is ez van meg volt de csak mint már ha vagy azt lesz még el ki",
}
_KNOWN = {language: frozenset(words.split()) for language, words in _COMMON.items()}
"""None of one letter: these stand in too many languages, and in lists."""
_ENOUGH = 2
_AHEAD = 1.5
"""The best guess has so many times the common words of the next one; else nobody can tell."""
_MOST_TEXTS = 300


def guessed_language(texts: Iterable[str]) -> str:
    """The code of the language, or nothing where these texts could be in another one as well."""
    read = [text.casefold() for text in islice(texts, _MOST_TEXTS) if text.strip()]
    for code, own in _SCRIPTS.items():
        if sum(bool(own.search(text)) for text in read) > len(read) / 2:
            return code
    counts: Counter[str] = Counter()
    for word in re.findall(r"[^\W\d_]+", "\n".join(read)):
        counts.update(language for language, words in _KNOWN.items() if word in words)
    ranked = counts.most_common(2)
    if not ranked or ranked[0][1] < _ENOUGH:
        return ""
    runner_up = ranked[1][1] if len(ranked) > 1 else 0
    return ranked[0][0] if ranked[0][1] >= _AHEAD * runner_up else ""

"""Whatever a person reads on a page is in all six languages; a new phrase without a translation fails here."""

import ast
import gettext
import re
from functools import cache
from html.parser import HTMLParser

import pytest

READ_BY_RATERS = ["access.py", "invitations.py", "questionnaire.py", "security.py", "views/entry.py", "views/rater.py"]
"""Python files whose sentences reach a rater's page."""
SHOWN_TO_ORGANISERS = [
    "organiser/apart.py", "organiser/asking.py", "organiser/names.py", "organiser/opening.py", "organiser/pace.py",
    "organiser/phase_pages.py", "templatetags/humanly.py", "workspace/home.py", "workspace/plan_drawn.py",
]  # fmt: skip
"""Python files all of whose sentences are a page's own; what the library says stays English and is marked so."""
SENTENCE = re.compile(r"^[A-Z][a-z]*['’]?[a-z]* [\w{%]")
"""How a sentence of English begins; names of keys and headers do not."""


@pytest.fixture(scope="module")
def home(collecting):
    from django.conf import settings

    return settings.LOCALE_PATHS[0].parent


def phrases_in_python(path):
    """First arguments of gettext, and whatever looks like a sentence but is not one of them."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    asked, plain = set(), set()
    spoken = {"_", "gettext", "ngettext", "gettext_lazy"}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for call in calls:
        if isinstance(call.func, ast.Name) and call.func.id in spoken and isinstance(call.args[0], ast.Constant):
            asked.add(call.args[0].value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SENTENCE.match(node.value):
            plain.add(node.value)
    said_of_code = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    docs = {node.value for node in said_of_code if isinstance(node, ast.Constant)}
    return asked, plain - asked - docs


def phrases_in_page(path):
    """As Django's own makemessages finds them."""
    from django.utils.translation.template import templatize

    code = templatize(path.read_text(encoding="utf-8"))
    calls = re.findall(r"""(?:ngettext|gettext|_)\((u?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))""", code)
    return {ast.literal_eval(found) for found in calls}


class Words(HTMLParser):
    """What is written in a page outside of gettext, and not marked as English: texts, and attributes read out."""

    SPOKEN = {"aria-label", "title", "placeholder", "alt"}

    def __init__(self):
        super().__init__()
        self.found, self.inside = set(), []

    def handle_starttag(self, tag, attributes):
        self.inside.append((tag, ("lang", "en") in attributes or tag in ("kbd", "code")))
        self.found |= {value for name, value in attributes if name in self.SPOKEN and self.reads(value)}

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if not any(is_said_so for _, is_said_so in self.inside) and self.reads(data):
            self.found.add(data.strip())

    @staticmethod
    def reads(text):
        return bool(re.search(r"[^\W\d_]{2,}", text or ""))


def catalogue(home, language):
    folder = {"zh-hans": "zh_Hans"}.get(language, language)
    with (home / "locale" / folder / "LC_MESSAGES" / "django.mo").open("rb") as file:
        return gettext.GNUTranslations(file)._catalog


@cache
def all_phrases(home):
    """Asked of each language, found once."""
    python = {phrase for path in home.rglob("*.py") for phrase in phrases_in_python(path)[0]}
    return python | {phrase for path in home.glob("templates/*/**/*.html") for phrase in phrases_in_page(path)}


@pytest.mark.parametrize("language", ["pt", "es", "de", "zh-hans", "ar"])
def test_every_phrase_of_every_page_is_translated(home, language):
    asked = all_phrases(home)
    known = catalogue(home, language)
    known |= {key[0]: value for key, value in known.items() if isinstance(key, tuple)}
    assert len(asked) > 130
    assert sorted(phrase for phrase in asked if not known.get(phrase)) == []


@pytest.mark.parametrize("language", ["pt", "es", "de", "zh-hans", "ar"])
def test_a_translation_has_the_same_gaps_to_fill_in(home, language):
    gaps = re.compile(r"\{\w+\}|%\(\w+\)[sd]")
    for phrase, told in catalogue(home, language).items():
        if phrase and isinstance(phrase, str):
            assert set(gaps.findall(phrase)) == set(gaps.findall(told)), (phrase, told)


@pytest.mark.parametrize("file", [*READ_BY_RATERS, *SHOWN_TO_ORGANISERS])
def test_no_sentence_in_the_code_behind_a_page_is_only_english(home, file):
    assert phrases_in_python(home / file)[1] == set()


NOT_WRITTEN = r"{% blocktranslate.*?{% endblocktranslate %}|{% block body_class %}.*?{% endblock %}"


NAMES = {
    "API",
    "API –",
    "Accord",
    "– Accord",
    "study.toml – Accord",
    "study.toml",
    "/ study.toml",
    "Prolific",
    "en",
    "de",
    "Markdown:",
    "https://",
}
"""What is called the same in every language."""


@pytest.mark.parametrize("room", ["accord", "organiser", "workspace"])
def test_no_page_holds_a_word_outside_of_gettext(home, room):
    pages = sorted((home / "templates" / room).rglob("*.html"))
    assert len(pages) > 10
    for path in pages:
        text = re.sub(NOT_WRITTEN, "", path.read_text(encoding="utf-8"), flags=re.S)
        words = Words()
        words.feed(re.sub(r"{%.*?%}|{{.*?}}", "", text, flags=re.S))
        assert words.found - NAMES == set(), path.name


def test_scripts_say_only_phrases_that_exist_and_no_sentence_of_their_own(home):
    from accord.server.phrases import phrases

    code = {path.name: path.read_text(encoding="utf-8") for path in (home / "static" / "accord").glob("*.js")}
    without_comments = {name: re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", text, flags=re.S) for name, text in code.items()}
    whole = "\n".join(without_comments.values())
    known = phrases()
    assert {key for key in re.findall(r'say\("(\w+)"', whole) if key not in known} == set()
    built = ("state_", "comment_", "source", "reference", "post_edit", "target", "context")
    assert [key for key in known if f'"{key}"' not in whole and not key.startswith(built)] == []
    for name, text in without_comments.items():
        literals = re.findall(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`', text)
        assert [one or other for one, other in literals if SENTENCE.match(one or other)] == [], name


@pytest.mark.parametrize("room", ["organiser", "workspace"])
def test_scripts_of_organisers_say_nothing_of_their_own(home, room):
    for path in (home / "static" / room).glob("*.js"):
        text = re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.S)
        assert re.findall(r'(?:textContent|innerText|title) = "[^"]', text) == [], path.name
        assert [one for one in re.findall(r'"([^"\n]*)"', text) if SENTENCE.match(one)] == [], path.name


LANGUAGES = {"": "en", "de-AT,en;q=0.5": "de", "fr,es;q=0.8,en;q=0.2": "es", "zh-CN": "zh-hans", "fr": "en"}


@pytest.mark.parametrize("header, language", LANGUAGES.items(), ids=["none", "nearest", "second", "script", "unknown"])
def test_organisers_read_what_their_browser_asks_for(client, header, language):
    page = client.get("/organiser/login", headers={"accept-language": header}).content.decode()
    assert f'<html lang="{language}"' in page


def test_what_an_organiser_chose_goes_before_what_the_browser_asks_for(client):
    client.cookies["accord_language"] = "ar"
    page = client.get("/organiser/login", headers={"accept-language": "de"}).content.decode()
    assert '<html lang="ar" dir="rtl">' in page


def test_raters_read_what_the_study_says_whatever_their_browser_asks_for(client):
    page = client.get("/", headers={"accept-language": "de"}).content.decode()
    assert '<html lang="en"' in page


def test_an_address_that_leads_nowhere_is_told_in_the_reader_s_language(client):
    client.cookies["accord_language"] = "de"
    answer = client.get("/nowhere")
    assert answer.status_code == 404 and "Diese Seite gibt es nicht" in answer.content.decode()


def test_a_fault_of_ours_is_told_in_words_and_says_nothing_of_its_cause(client, monkeypatch):
    from accord.server.views import entry

    monkeypatch.setattr(entry, "rater_of", lambda request: 1 / 0)
    client.raise_request_exception = False
    answer = client.get("/")
    assert answer.status_code == 500
    assert "Nothing saved is lost" in answer.content.decode() and "ZeroDivision" not in answer.content.decode()


def test_a_study_may_name_exactly_the_languages_that_the_pages_speak(collecting):
    from django.conf import settings

    from accord.design.study import UI_LANGUAGES

    assert tuple(code for code, _ in settings.LANGUAGES) == UI_LANGUAGES

"""What a protocol brings along is seen in the wizard and can be changed there: rules, times, languages, its words."""

import re
from html import unescape

import pytest

from accord.design.load import load_study
from accord.design.preset import preset_settings
from served_workspace import Workspace

ENGLISH = ["The committee will meet on Monday to discuss the budget.", "You should not put the knives with the forks."]
GERMAN = ["Der Ausschuss tritt am Montag zusammen und berät die Zahlen.", "Sie sollten die Messer nicht weglegen."]
TABLE = "source\tone\ttwo\n" + "".join(
    f"{ENGLISH[n % 2]} {n}\t{GERMAN[n % 2]} {n}\t{n} {GERMAN[n % 2]}\n" for n in range(36)
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    server = Workspace(tmp_path_factory.mktemp("workspace"), is_forked=True)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def owner(workspace):
    return workspace.owner()


def begun(owner, protocol, texts=TABLE):
    """The key of a new draft with these texts in it."""
    owner.post("/new", {"protocol": protocol})
    key = owner.url.split("/")[-2]
    owner.post(f"/new/{key}/texts", {"what": "table", "pasted": texts})
    assert owner.status == 200
    return key


def settings_of(workspace, key):
    return load_study(workspace.folder / key).settings


def guidelines_form(workspace, key, **more):
    return {"text": (workspace.folder / key / "guidelines.md").read_text(), **more}


def switched(page):
    """The rules of the form, with what a browser would send of each."""
    rows = re.findall(r'name="rule-(\w+)" value="yes"( checked)?', page)
    assert len(rows) == 8
    limits = dict(re.findall(r'name="(limit-\w+)" [^>]*value="([^"]*)"', page))
    return {"rules": "shown", **limits, **{f"rule-{rule}": "yes" for rule, is_on in rows if is_on}}


def test_rules_that_leave_raters_out_are_shown_switched_and_named_before_the_launch(workspace, owner):
    key = begun(owner, "direct-assessment")
    before = settings_of(workspace, key).exclusions
    assert [one.rule for one in before] == ["degraded_not_lower", "too_fast", "constant_run", "no_variation"]
    page = owner.get(f"/new/{key}/guidelines")
    assert "Rules that leave raters out of every number: 4" in page
    form = guidelines_form(workspace, key, **switched(page))
    owner.post(f"/new/{key}/guidelines", form)
    assert settings_of(workspace, key).exclusions == before, "a form that nobody touched changes nothing"
    del form["rule-too_fast"]
    owner.post(f"/new/{key}/guidelines", form | {"limit-constant_run": "12", "rule-incomplete": "yes"})
    now = {one.rule: one.limit for one in settings_of(workspace, key).exclusions}
    assert now == {"degraded_not_lower": 0.05, "constant_run": 12, "no_variation": None, "incomplete": None}
    reasons = {one.rule: one.reason for one in settings_of(workspace, key).exclusions}
    assert reasons["constant_run"] == "", "it said «more than eight» beside a limit of twelve"
    assert "lower than the originals" in reasons["degraded_not_lower"], "what nobody changed keeps its reason"
    launch = owner.get(f"/new/{key}/launch")
    assert "more equal answers in a row than: 12" in launch and "Does not finish the work" in launch
    assert "Is too fast" not in launch
    # A rule of the protocol comes back with the protocol's limit and reason.
    owner.post(f"/new/{key}/guidelines", guidelines_form(workspace, key, **switched(page)))
    again = {one.rule: one for one in settings_of(workspace, key).exclusions}
    assert again["too_fast"] == next(one for one in before if one.rule == "too_fast")


def test_a_rule_without_its_control_items_is_refused_by_the_name_it_has_on_the_page(workspace, owner):
    key = begun(owner, "direct-assessment")
    form = guidelines_form(workspace, key, **switched(owner.get(f"/new/{key}/guidelines")))
    page = unescape(owner.post(f"/new/{key}/guidelines", form | {"degraded": "0"}))
    assert owner.status == 400 and "“Does not score spoilt copies worse than the originals” looks at control" in page
    page = owner.post(f"/new/{key}/guidelines", form | {"limit-constant_run": "many"})
    assert owner.status == 400 and 'name="limit-constant_run" min="0" step="any" value="many"' in page
    del form["rule-degraded_not_lower"]
    owner.post(f"/new/{key}/guidelines", form | {"degraded": "0"})
    assert owner.status == 200 and settings_of(workspace, key).controls.degraded == 0


def hours(page):
    return float(re.search(r"raters, ([\d.]+) hours", page)[1])


def test_the_time_of_a_screen_is_a_field_of_the_plan_and_doubted_when_other_questions_are_asked(workspace, owner):
    key = begun(owner, "direct-assessment")
    before = owner.get(f"/new/{key}/plan")
    assert 'name="seconds-0" min="1" step="any" value="15"' in before and "come from the protocol" not in before
    asked = {"asked": "1", "question-0": "How much of it is there?"}
    owner.post(f"/new/{key}/questions", asked | {"add": "scale", "stay": "1"})
    assert "15 seconds for a screen come from the protocol. Its questions: 1, yours: 2." in owner.get(
        f"/new/{key}/plan"
    )
    form = {"raters": "6", "design": "incomplete-blocks", "ratings_per_item": "3", "per_hour": "12", "stay": "1"}
    same = settings_of(workspace, key)
    owner.post(f"/new/{key}/plan", form | {"seconds-0": "15", "minutes_fixed": "5"})
    assert settings_of(workspace, key) == same
    page = owner.post(f"/new/{key}/plan", form | {"seconds-0": "30", "minutes_fixed": "7.5"})
    assert "come from the protocol" not in page
    now = settings_of(workspace, key)
    assert now.scenarios[0].seconds_per_item == 30 and now.cost.minutes_fixed == 7.5
    # The hours on screens are twice those of before; six raters have two and a half minutes more around them.
    assert hours(page) == pytest.approx(2 * (hours(before) - 0.5) + 0.75, abs=0.2)
    page = owner.post(f"/new/{key}/plan", form | {"seconds-0": "0"})
    assert owner.status == 400 and "Seconds for a screen: give a number" in page
    assert 'name="seconds-0" min="1" step="any" value="0"' in page


def read(workspace, key):
    return (workspace.folder / key / "guidelines.md").read_text()


def test_guidelines_of_a_protocol_name_the_languages_of_the_texts(workspace, owner):
    key = begun(owner, "direct-assessment")
    assert "a source text in English and a text to judge in German." in read(workspace, key)
    page = owner.get(f"/new/{key}/texts")
    assert "What the protocol said about German and English now says English and German." in page
    form = {"title": "Mine", "role-0": "source", "role-1": "target", "role-2": "target"}
    owner.post(f"/new/{key}/texts", form | {"source": "en", "target": "pt-BR"})
    assert "in English and a text to judge in Brazilian Portuguese." in read(workspace, key)
    assert "still those of the protocol" in owner.get(f"/new/{key}/launch")
    own = read(workspace, key) + "\nGerman names stay as they are.\n"
    owner.post(f"/new/{key}/guidelines", {"text": own, "stay": "1"})
    for step in ("guidelines", "launch"):
        assert "The guidelines name a language that your texts are not in: German." in owner.get(f"/new/{key}/{step}")
    owner.post(f"/new/{key}/texts", form | {"source": "de", "target": "fr"})
    assert "in German and a text to judge in French." in read(workspace, key)
    assert "German names stay as they are." in read(workspace, key), "what somebody wrote is theirs"
    assert "your texts are not in" not in owner.get(f"/new/{key}/guidelines")


def test_a_question_of_a_protocol_names_the_language_too_until_somebody_words_it(workspace, owner):
    key = begun(owner, "fluency")
    assert settings_of(workspace, key).criteria[0].question == "The text is fluent German."
    assert "> The text is fluent German." in read(workspace, key)
    owner.post(f"/new/{key}/questions", {"asked": "1", "question-0": "It is good German.", "stay": "1"})
    form = {"title": "Mine", "target": "nl", "role-0": "source", "role-1": "target", "role-2": "target"}
    owner.post(f"/new/{key}/texts", form)
    assert settings_of(workspace, key).criteria[0].question == "It is good German."


def chosen(page):
    """The language that stands in the form of the questions; the menu at the top of the page has one too."""
    field = re.search(r'<select name="ui_language">(.*?)</select>', page, re.S)[1]
    return re.findall(r'<option value="(\w+)"[^>]* selected>', field)


ASKED = {"asked": "1", "question-0": "Der Text gibt die Bedeutung wieder, und nichts ist falsch.", "stay": "1"}


def test_pages_of_raters_speak_the_language_of_the_questions_or_the_one_that_is_chosen(workspace, owner):
    key = begun(owner, "direct-assessment")
    assert chosen(owner.get(f"/new/{key}/questions")) == []
    owner.post(f"/new/{key}/questions", ASKED | {"ui_language": "", "instruction": "Lesen Sie den Text und die Frage."})
    assert settings_of(workspace, key).ui_language == "de"
    assert "Rückgängig" in owner.get(f"/new/{key}/try/work"), "the page beside speaks as it will to raters"
    assert "<dd>Deutsch</dd>" in owner.get(f"/new/{key}/launch")
    owner.post(f"/new/{key}/questions", ASKED | {"ui_language": "pt"})
    assert settings_of(workspace, key).ui_language == "pt"
    assert chosen(owner.get(f"/new/{key}/questions")) == ["pt"]
    owner.post(f"/new/{key}/questions", ASKED)
    assert settings_of(workspace, key).ui_language == "pt", "a form without the field changes nothing"


RESERVE = """
[[phases]]
key = "main"
title = "Main round"
[[phases]]
key = "more"
title = "If more is needed"
keep_back = 1
reserve = true
[[practice]]
source = "The shop is closed."
target = "Der Laden ist zu."
criterion = "adequacy"
expected = [70]
"""


def test_a_reserve_is_told_apart_in_plan_and_launch_and_the_launch_lists_phases_and_practice(workspace, owner):
    key = begun(owner, "direct-assessment")
    file = workspace.folder / key / "study.toml"
    before = int(re.search(r"([\d,]+) screens\.", owner.get(f"/new/{key}/plan"))[1].replace(",", ""))
    owner.post(f"/new/{key}/study.toml", {"text": file.read_text() + RESERVE})
    assert owner.status == 200, "the file is taken"
    plan, launch = unescape(owner.get(f"/new/{key}/plan")), unescape(owner.get(f"/new/{key}/launch"))
    held = re.search(r"Of this a reserve, asked for only if you open it: [^<]*?([\d,]+) screens\.", plan)
    assert held and held[0] in launch
    parts = dict(re.findall(r'<span dir="auto">([^<]*)</span>: ([\d,]+) screens', launch))
    assert parts["If more is needed"] == held[1]
    assert sum(int(one.replace(",", "")) for one in parts.values()) == before
    assert f"If more is needed</span>: {held[1]} screens, a reserve" in launch
    assert "Der Laden ist zu.</span>" in launch and "60 – 80" in launch


@pytest.mark.parametrize(("protocol", "is_said"), [("esa", True), ("fluency", False)])
def test_control_items_say_what_one_of_them_is(owner, protocol, is_said):
    key = begun(owner, protocol)
    assert ("one of these is a whole document" in owner.get(f"/new/{key}/guidelines")) is is_said


def field(page, name):
    """What stands in a field of the form, by its name."""
    found = re.search(rf'name="{name}"[^>]*?value="([^"]*)"', page) or re.search(rf'name="{name}"[^>]*>([^<]*)<', page)
    return unescape(found[1])


def heading_raters_read(owner, key):
    return re.search(r'"segment": \{"title": "([^"]*)"', owner.get(f"/new/{key}/try/work"))[1]


def test_a_heading_of_a_protocol_is_said_in_the_language_of_the_pages_and_can_be_another(workspace, owner):
    key = begun(owner, "esa")
    form = {"asked": "2", "heading-0": "Mark errors, then score", "stay": "1"}
    owner.post(f"/new/{key}/questions", form | {"ui_language": "de"})
    page = owner.get(f"/new/{key}/questions")
    assert field(page, "heading-0") == heading_raters_read(owner, key) == "Fehler markieren, dann bewerten"
    assert settings_of(workspace, key).scenarios[0].title == "Mark errors, then score", "it speaks every language"
    owner.post(f"/new/{key}/questions", {"asked": "2", "heading-0": "Mahnungen lesen", "stay": "1"})
    assert settings_of(workspace, key).scenarios[0].title == "Mahnungen lesen"
    assert heading_raters_read(owner, key) == "Mahnungen lesen"


def test_the_explanation_of_a_question_is_changed_where_the_question_is(workspace, owner):
    key = begun(owner, "fluency")
    before = settings_of(workspace, key).criteria[0].definition
    assert before and field(owner.get(f"/new/{key}/questions"), "definition-0") == before
    form = {
        "asked": "1",
        "question-0": "Is it polite?",
        "definition-0": "How polite it is.",
        "help-0": "As in letters.",
    }
    owner.post(f"/new/{key}/questions", form | {"stay": "1"})
    asked = settings_of(workspace, key).criteria[0]
    assert (asked.definition, asked.help) == ("How polite it is.", "As in letters.")
    owner.post(f"/new/{key}/questions", form | {"definition-0": "", "stay": "1"})
    assert settings_of(workspace, key).criteria[0].definition == ""


def test_a_question_that_compares_texts_is_not_offered_for_practice_and_the_step_says_why(workspace, owner):
    key = begun(owner, "pairwise")
    page = owner.get(f"/new/{key}/guidelines")
    assert 'name="practice-target"' not in page and "a question that compares texts cannot be practised" in page
    tried = {"practice-target": "Ein Satz.", "practice-criterion": settings_of(workspace, key).criteria[0].key}
    page = owner.post(f"/new/{key}/guidelines", guidelines_form(workspace, key, **tried))
    assert owner.status == 400 and "compares texts, and a practice item has one" in page
    assert not settings_of(workspace, key).practice
    assert "cannot be practised" not in owner.get(f"/new/{begun(owner, 'direct-assessment')}/guidelines")


def test_a_practice_item_that_is_refused_is_seen_where_it_was_typed(workspace, owner):
    key = begun(owner, "direct-assessment")
    tried = {"practice-target": "Ein Satz.", "practice-criterion": "adequacy", "practice-expected": "700"}
    page = owner.post(f"/new/{key}/guidelines", guidelines_form(workspace, key, **tried))
    assert owner.status == 400 and 'name="practice-expected" value="700"' in page
    assert '<details class="card" open><summary>Practice items' in page


def test_no_protocol_ends_with_a_code_that_nobody_asked_for():
    from accord.design.preset import PRESETS

    assert [name for name in PRESETS if preset_settings(name).get("completion", {}).get("code")] == []


def test_a_protocol_is_not_called_by_the_number_of_its_own_systems(owner):
    page = owner.get("/new")
    assert not re.search(r"[Ff]our systems|[Tt]hree systems", page) and "Systems in pairs" in page
    assert "Answered with marked words, a score on a line." in page


def test_nothing_that_was_pasted_is_told_in_a_whole_sentence(owner):
    owner.post("/new", {"protocol": "esa"})
    key = owner.url.split("/")[-2]
    assert "What you pasted is empty." in owner.post(f"/new/{key}/texts", {"what": "table", "pasted": "  "})


def test_columns_that_cannot_both_be_the_source_are_said_at_once(workspace, owner):
    key = begun(owner, "esa")
    roles = {"role-0": "source", "role-1": "source", "role-2": "target", "then": "texts"}
    page = owner.post(f"/new/{key}/texts", roles)
    assert owner.url.endswith("/texts") and "texts to judge for each: 1." in page
    assert "Columns called “Source”: 2" in page and "one: only the first one is used, source" in page


def test_before_anybody_is_invited_every_page_counts_the_same_screens(workspace, owner):
    key = begun(owner, "direct-assessment")
    owner.post(f"/new/{key}/launch", {})
    people = owner.get(f"/s/{key}/organiser/people")
    planned = re.search(r"<strong>0 / (\d+)</strong> screens done", people)[1]
    assert int(planned) > 36 and f"0 of {planned}; answers: 0" in owner.get(f"/s/{key}/organiser")


def test_a_german_organiser_chooses_among_german_protocols(owner):
    page = owner.get("/new", **{"Accept-Language": "de"})
    assert "Fehlerstellen, dann ein Wert" in page and "Error spans" not in page
    assert "Antwort: " in page


def test_whoever_makes_an_account_reads_first_what_a_name_may_have(workspace, owner):
    link = re.search(r"http\S+/join/[\w-]+", owner.post("/people", {"role": "viewer", "study": ""}))
    assert "Letters, digits and @/./+/-/_ only." in workspace.stranger().get(link[0])

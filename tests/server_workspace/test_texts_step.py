"""Texts come into a draft as people have them: one row a system, XLIFF, with holes, one file after the other."""

import csv
import io
import re

import pytest

from accord.design.load import load_study
from served_workspace import Workspace

SOURCES = [f"The {n}th sentence of the leaflet is here." for n in range(1, 13)]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    server = Workspace(tmp_path_factory.mktemp("workspace"), is_forked=True)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def owner(workspace):
    return workspace.owner()


def begun(owner, protocol="esa"):
    owner.post("/new", {"protocol": protocol})
    return owner.url.split("/")[-2]


def table(head, rows):
    written = io.StringIO()
    csv.writer(written).writerows([head, *rows])
    return written.getvalue().encode()


def long_rows(*, leave_out=()):
    """One row for each system of a segment."""
    return [
        [f"doc{n // 4}", str(n % 4 + 1), source, system, f"{system} sagt: der {n}. Satz steht hier."]
        for n, source in enumerate(SOURCES)
        for system in ("Alpha", "Beta")
        if (n, system) not in leave_out
    ]


def put(owner, head, rows, protocol="esa", key=None):
    key = key or begun(owner, protocol)
    return key, owner.upload(f"/new/{key}/texts", "texts.csv", table(head, rows))


def roles_in(page):
    return re.findall(r'<option value="(\w*)" selected>', page.split('class="map"')[1].split("</thead>")[0])


@pytest.mark.parametrize(
    "head",
    [
        ["Doc", "Seg", "English", "MT", "Deutsch"],
        ["document", "segment", "source", "system", "target"],
        ["Doc", "Seg", "Original text", "who", "Deutsch"],
    ],
    ids=["own-names", "usual-names", "by-contents"],
)
def test_rows_of_one_system_each_become_one_item_a_segment(workspace, owner, head):
    key, page = put(owner, head, long_rows())
    assert owner.status == 200 and "12 segments in 3 documents, texts to judge for each: 2." in page
    assert roles_in(page) == ["document", "segment", "source", "system", "target"]
    study = load_study(workspace.folder / key)
    assert study.systems == ("Alpha", "Beta") and len(study.items) == 12
    assert study.items[5].source == SOURCES[5]
    assert dict(study.items[5].outputs) == {
        "Alpha": "Alpha sagt: der 5. Satz steht hier.",
        "Beta": "Beta sagt: der 5. Satz steht hier.",
    }


def test_names_of_systems_in_any_script_stay_as_they_are(workspace, owner):
    """Лена became system-4, her column's number, and no file of the study had her name any more."""
    names = ["Лена", "Élan", "甲", "Bruno Neu"]
    rows = [[one, *(f"{name} sagt: Satz {n} steht hier." for name in names)] for n, one in enumerate(SOURCES)]
    key, _ = put(owner, ["source", *names], rows)
    assert set(load_study(workspace.folder / key).systems) == {"Лена", "Élan", "甲", "Bruno-Neu"}
    long = [[*row[:3], {"Alpha": "Лена", "Beta": "Нева"}[row[3]], *row[4:]] for row in long_rows()]
    key, _ = put(owner, ["doc", "seg", "source", "system", "target"], long)
    assert set(load_study(workspace.folder / key).systems) == {"Лена", "Нева"}


def test_a_long_table_without_an_order_is_parted_by_its_sources(workspace, owner):
    key, page = put(owner, ["English", "MT", "Deutsch"], [row[2:] for row in long_rows()])
    assert roles_in(page) == ["source", "system", "target"]
    assert len(load_study(workspace.folder / key).items) == 12


def test_segments_that_lack_a_system_are_named_and_counted(owner):
    head = ["doc", "seg", "source", "system", "target"]
    _, page = put(owner, head, long_rows(leave_out={(2, "Beta"), (7, "Beta")}))
    assert "Segments without a text of Beta: 2" in page and "doc0-3, doc1-4" in page
    assert "Segments without a text of Alpha" not in page


def test_what_differs_between_systems_stays_theirs_and_what_is_alike_is_the_segment_s(workspace, owner):
    rows = [[*row, "news", str(n)] for n, row in enumerate(long_rows())]
    key, _ = put(owner, ["doc", "seg", "source", "system", "target", "domain", "metric"], rows)
    item = load_study(workspace.folder / key).items[1]
    assert item.columns("Beta") == {"domain": "news", "metric": "3"}
    assert item.columns("Alpha") == {"domain": "news", "metric": "2"}


def test_a_long_table_whose_systems_are_left_out_says_what_to_choose(workspace, owner):
    key, _ = put(owner, ["doc", "seg", "source", "system", "target"], long_rows())
    roles = {"role-0": "document", "role-1": "segment", "role-2": "source", "role-3": "", "role-4": "target"}
    page = owner.post(f"/new/{key}/texts", {"title": "x", "source": "en", "target": "de", **roles})
    assert owner.status == 400 and "Rows 2 and 3 are both segment 1 of doc0" in page and "items.jsonl" not in page
    assert "holds the texts you gave before" in page
    assert len(load_study(workspace.folder / key).items) == 12, "what was there stays"


def test_texts_that_cannot_be_used_leave_the_examples_and_the_heading_says_so(workspace, owner):
    key = begun(owner)
    before = load_study(workspace.folder / key).items
    rows = [["doc", "1", "One source here now.", f"Ein Text {n} steht hier."] for n in range(4)]
    _, page = put(owner, ["doc", "seg", "source", "target"], rows, key=key)
    assert owner.status == 400 and "Your texts are not in the study yet." in page
    assert "it holds the example texts of the protocol" in page and "segments in" not in page
    assert load_study(workspace.folder / key).items == before


def test_keys_of_segments_are_kept_where_each_stands_once(workspace, owner):
    rows = [[f"k-{n}", source, f"Satz {n} steht hier."] for n, source in enumerate(SOURCES)]
    key, page = put(owner, ["id", "source", "target"], rows)
    assert roles_in(page) == ["id", "source", "target"]
    assert [item.id for item in load_study(workspace.folder / key).items][:2] == ["k-0", "k-1"]
    rows[1][0] = "k-0"
    key, page = put(owner, ["id", "source", "target"], rows)
    assert "id" not in roles_in(page) and owner.status == 200


XLIFF = {
    "1.2": '<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><file original="leaflet" '
    'source-language="en" target-language="de-AT"><body>{}</body></file></xliff>',
    "2.0": '<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de-AT">'
    '<file id="leaflet">{}</file></xliff>',
}
UNIT = {
    "1.2": '<trans-unit id="{0}"><source>{1}</source><target>Satz {0} steht hier.</target></trans-unit>',
    "2.0": '<unit id="{0}"><segment><source>{1}</source><target>Satz {0} steht hier.</target></segment></unit>',
}


@pytest.mark.parametrize("version", XLIFF)
def test_xliff_comes_in_with_its_languages(workspace, owner, version):
    units = "".join(UNIT[version].format(n, source) for n, source in enumerate(SOURCES))
    key = begun(owner)
    page = owner.upload(f"/new/{key}/texts", "texts.xlf", XLIFF[version].format(units).encode())
    assert owner.status == 200 and "12 segments" in page
    study = load_study(workspace.folder / key)
    assert study.systems == ("system",) and study.items[3].outputs["system"] == "Satz 3 steht hier."
    assert (study.settings.languages.source, study.settings.languages.target) == ("en", "de-AT")
    assert 'name="target" value="de-AT"' in page


def test_the_source_is_shown_again_when_texts_with_sources_follow_texts_without(workspace, owner):
    key = begun(owner)
    protocol = load_study(workspace.folder / key).settings
    lines = "\n".join(f"Satz {n} steht ganz allein hier." for n in range(12))
    page = owner.post(f"/new/{key}/texts", {"what": "table", "pasted": lines})
    assert "No text has a source" in page
    assert "source" not in load_study(workspace.folder / key).settings.scenarios[0].show
    raw = (workspace.folder / key / "study.toml").read_text()
    (workspace.folder / key / "study.toml").write_text(raw.replace("Mark the errors.", "Mark what is wrong."))
    rows = [[source, f"Satz {n} steht hier."] for n, source in enumerate(SOURCES)]
    _, page = put(owner, ["source", "target"], rows, key=key)
    now = load_study(workspace.folder / key).settings
    assert now.scenarios == protocol.scenarios and "No text has a source" not in page
    assert now.criteria[0].question == "Mark what is wrong.", "what was changed meanwhile stays"


def test_a_row_without_a_source_is_left_out_and_named_by_its_own_row(workspace, owner):
    rows = [["" if n == 6 else source, f"Satz {n} steht hier."] for n, source in enumerate(SOURCES)]
    key, page = put(owner, ["source", "target"], rows)
    assert owner.status == 200 and "Rows without a source: 1" in page and "rows 8: left out" in page
    assert "study.toml:" not in page and len(load_study(workspace.folder / key).items) == 11
    key, page = put(owner, ["source", "target"], rows, protocol="monolingual")
    assert len(load_study(workspace.folder / key).items) == 12, "where no source is shown, none is missed"


def test_a_picture_is_not_taken_for_a_table_of_ratings(owner):
    key = begun(owner)
    page = owner.upload(f"/new/{key}/texts", "bad.png", b"\x89PNG\r\n\x1a\n" + bytes(40))
    assert owner.status == 400 and "texts or a table of them" in page and "table of ratings" not in page


def test_a_copy_shows_its_own_texts_and_goes_on_to_the_questions(workspace, owner):
    key, _ = put(owner, ["source", "target"], [[one, f"Satz {n} steht hier."] for n, one in enumerate(SOURCES)])
    owner.post(
        f"/new/{key}/texts",
        {"title": "Leaflet", "source": "en", "target": "de", "role-0": "source", "role-1": "target"},
    )
    owner.post(f"/studies/{key}/duplicate", {}, page="/")
    copy = owner.url.split("/")[-2]
    page = owner.get(f"/new/{copy}/texts")
    assert "12 segments, texts to judge for each: 1." in page and "example texts" not in page
    owner.post(f"/new/{copy}/texts", {"title": "Leaflet again", "source": "en", "target": "de"})
    assert owner.url.endswith(f"/new/{copy}/questions")
    assert load_study(workspace.folder / copy).settings.title == "Leaflet again"


def test_a_title_that_names_the_systems_is_told_before_the_launch(workspace, owner):
    """Raters read it on every page, while the preview said «No system names, no file names.»"""
    rows = [[one, f"Satz {n} steht hier.", f"Hier ist Satz {n}."] for n, one in enumerate(SOURCES)]
    key, page = put(owner, ["source", "Anton", "Bruno Neu"], rows)
    assert "No system names" in page and "names of systems" not in page
    form = {"title": "Anton gegen Bruno neu", "source": "en", "target": "de"}
    owner.post(f"/new/{key}/texts", form | {"role-0": "source", "role-1": "target", "role-2": "target"})
    told = "Raters can read names of systems: Anton, Bruno-Neu (Name of the study)."
    page = owner.get(f"/new/{key}/texts")
    assert told in page and "No system names" not in page
    assert told in owner.get(f"/new/{key}/launch")
    assert "names of systems" not in owner.get(f"/new/{key}/guidelines")
    owner.post(f"/new/{key}/guidelines", {"text": "# Read all\n\nAnton is our own.\n"})
    assert "names of systems: Anton (Guidelines)" in owner.get(f"/new/{key}/guidelines")


def paragraphs():
    """Ten documents of three sentences, beside the texts of three systems."""
    german = [f"Der {n}. Brunnen am Markt ist nicht mehr in Betrieb und das Wasser fehlt." for n in range(30)]
    italian = [f"La fontana {n} della piazza non funziona più e manca anche" for n in range(30)]
    return [
        [f"Am {n // 3}. Tag", str(n % 3 + 1), german[n], *(f"{italian[n]} {system}." for system in "abc")]
        for n in range(30)
    ]


@pytest.mark.parametrize(
    "head",
    [
        ["Dokument", "Nr", "Deutsch", "Anton", "Bruno", "Carla"],
        ["Text", "Satz", "Quelle", "Anton", "Bruno", "Carla"],
        ["Texte", "Phrase", "Allemand", "Anton", "Bruno", "Carla"],
        ["Documento", "Oración", "Alemán", "Anton", "Bruno", "Carla"],
        ["Articolo", "Riga", "Tedesco", "Anton", "Bruno", "Carla"],
    ],
    ids=lambda head: head[0],
)
def test_columns_named_in_another_language_are_no_systems(workspace, owner, head):
    """«Dokument» was taken for the system, and 27 of 30 texts stood beside a wrong source."""
    key, page = put(owner, head, paragraphs())
    assert roles_in(page) == ["document", "segment", "source", "target", "target", "target"]
    assert "30 segments in 10 documents, texts to judge for each: 3." in page and "not sure" not in page
    study = load_study(workspace.folder / key)
    assert study.systems == ("Anton", "Bruno", "Carla")
    assert [item.source for item in study.items] == [row[2] for row in paragraphs()]


def continue_button(page):
    return re.search(r'<button([^>]*) type="submit">Continue to questions', page)[1]


def test_a_guess_from_contents_alone_is_told_before_a_button_that_is_no_longer_the_first(owner):
    _, page = put(owner, ["Thema", "Nr", "Deutsch", "Anton", "Bruno", "Carla"], paragraphs())
    assert roles_in(page)[0] == "document" and "The guess is not sure. Look at: Thema." in page
    assert page.index("Look at: Thema") < page.index("Continue to questions") and not continue_button(page)
    _, page = put(owner, ["Anton", "Bruno"], [[one, one.upper()] for one in SOURCES])
    assert "Look at: Anton" in page, "nothing says which of two English texts is the source"
    _, page = put(owner, ["source", "Bruno"], [[one, one.upper()] for one in SOURCES])
    assert "not sure" not in page and "primary" in continue_button(page)


def test_texts_beside_a_wrong_source_are_refused_and_not_noted(workspace, owner):
    head = ["Dokument", "Nr", "Deutsch", "Anton", "Bruno", "Carla"]
    key, _ = put(owner, head, paragraphs())
    roles = ["system", "segment", "source", "target", "target", "target"]
    form = {"title": "x", "source": "de", "target": "it"} | {f"role-{n}": role for n, role in enumerate(roles)}
    page = owner.post(f"/new/{key}/texts", form)
    assert owner.status == 400 and "In 27 of 30 rows the source is not that of the other rows" in page
    assert not continue_button(page)
    assert load_study(workspace.folder / key).systems == ("Anton", "Bruno", "Carla"), "what was there stays"

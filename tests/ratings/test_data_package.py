"""The codebook on disk: it survives the round trip, and nothing of anybody else's is touched."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import accord
from accord.design.criterion import Criterion
from accord.design.scale import Direction, Level, Scale
from accord.errors import AccordError, FormatError, OperationError
from accord.ratings.codebook import Codebook, ItemMeaning, LeftOut, StudyFacts
from accord.ratings.codebook_json import codebook_of_json, json_of_codebook
from accord.ratings.data_package import package_text, read_codebook, write_codebook
from accord.ratings.leaving_out import with_exclusions

COLUMNS = ("item", "rater", "value")
TABLE = "item,rater,value\na,Ann,1\na,Ben,2\n"


def fluency(**more) -> Codebook:
    scale = Scale(Level.ORDINAL, (1.0, 2.0, 3.0), {1.0: "poor", 3.0: "good"}, 1.0, 3.0, True, direction=Direction.HIGH)
    return Codebook({"": Criterion("", "How fluent is it?", "reads as if written here", scale=scale)}, **more)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "ratings.csv"
    path.write_text(TABLE)
    return path


words = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=12)
numbers = st.floats(-1e6, 1e6).map(lambda number: float(round(number, 3)))
ordered = st.lists(numbers, min_size=2, max_size=5, unique=True).map(sorted)


@st.composite
def scales(draw: st.DrawFn) -> Scale:
    """Scales as they are declared: numbers, labels, sets of labels, or two ends."""
    kind = draw(st.sampled_from(("numbers", "labels", "sets", "ends", "level")))
    direction = draw(st.sampled_from(Direction))
    level = draw(st.sampled_from(Level))
    if kind == "numbers":
        values = tuple(draw(ordered))
        labels = {value: draw(words) for value in draw(st.sets(st.sampled_from(values)))}
        return Scale(level, values, labels, values[0], values[-1], True, direction=direction)
    if kind == "ends":
        low, high = draw(ordered.filter(lambda two: two[0] < two[-1]).map(lambda two: (two[0], two[-1])))
        return Scale(Level.INTERVAL, (), {}, low, high, draw(st.booleans()), direction=direction, any_between=True)
    if kind == "level":
        return Scale(level, (), guesses=tuple(draw(st.lists(words, max_size=2))), direction=direction)
    ordinal = draw(st.sampled_from((Level.NOMINAL, Level.ORDINAL)))
    if kind == "labels":
        labels = draw(st.lists(words, min_size=2, max_size=4, unique=True))
        return Scale(ordinal, tuple(labels), declared=True, direction=direction)
    sets = draw(st.lists(st.frozensets(words, max_size=3), min_size=2, max_size=4, unique=True))
    return Scale(Level.NOMINAL, tuple(sets), {sets[0]: "first"}, declared=True)


@st.composite
def codebooks(draw: st.DrawFn) -> Codebook:
    keys = draw(st.lists(words, min_size=1, max_size=3, unique=True))
    some = st.lists(words, max_size=3).map(tuple)
    by_name = st.dictionaries(words, words, max_size=3)
    left_out = st.builds(LeftOut, rater=words, rule=words, reason=words, date=words, declared=st.booleans())
    facts = st.builds(
        StudyFacts, title=words, seed=st.none() | st.integers(0, 2**40), guidelines=some, blinding=words, pay=words,
        raters=st.dictionaries(words, by_name, max_size=2), plan=by_name, plan_hash=words,
    )  # fmt: skip
    criteria = {
        key: Criterion(
            key, draw(words), draw(words), draw(words), draw(words), draw(scales()), draw(st.none() | numbers)
        )
        for key in keys
    }
    return Codebook(
        criteria, ItemMeaning(draw(some), draw(words), draw(some)), draw(some), draw(by_name),
        tuple(draw(st.lists(left_out, max_size=2))), draw(facts), draw(words), draw(some),
        breaks_rules=tuple(draw(st.lists(left_out, max_size=1))),
    )  # fmt: skip


def refuse(place, why):
    raise AssertionError(f"{place}: {why}")


@given(codebooks())
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
def test_the_whole_codebook_survives_the_round_trip_through_json(codebook):
    text = json.dumps(json_of_codebook(codebook))
    assert codebook_of_json(json.loads(text), refuse) == codebook


@given(codebooks())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_the_whole_codebook_is_read_back_from_beside_its_table(tmp_path, codebook):
    path = tmp_path / "table.csv"
    path.write_text(TABLE)
    write_codebook(codebook, path, tuple(dict.fromkeys((*COLUMNS, *filter(None, codebook.kept_apart)))))
    found = read_codebook(path)
    assert found is not None
    assert (found.codebook, found.notes) == (codebook, ())


def test_what_is_written_keeps_nothing_apart_by_a_column_that_is_not_written(table):
    write_codebook(replace(fluency(), kept_apart=("scenario", "site")), table, COLUMNS)
    assert read_codebook(table).codebook.kept_apart == ("scenario",)


@pytest.fixture
def longest_cell():
    """frictionless lets every reader of CSV in this process take longer cells, and leaves it at that."""
    usual = csv.field_size_limit()
    yield
    csv.field_size_limit(usual)


@pytest.mark.usefixtures("longest_cell")
def test_the_frictionless_package_calls_it_valid(table):
    from frictionless import validate

    other = table.with_name("Errors of phase 2.tsv")
    other.write_text("item\trater\tcategory\nа\tAnn\tstyle\n", encoding="utf-8")
    write_codebook(fluency(), table, COLUMNS)
    package = write_codebook(None, other, ("item", "rater", "category"))
    report = validate(str(package))
    assert report.valid, report.flatten(["message"])
    table.write_text(TABLE + "b,Ann,9\n")
    write_codebook(fluency(), table, COLUMNS)
    assert not validate(str(package)).valid  # 9 is not on the declared scale: the schema says so to any tool


def test_a_second_table_adds_a_resource_and_the_first_keeps_its_own(table):
    other = table.with_name("more.csv")
    other.write_text(TABLE)
    write_codebook(fluency(source="first"), table, COLUMNS)
    path = write_codebook(fluency(source="second"), other, COLUMNS)
    assert [one["path"] for one in json.loads(path.read_text())["resources"]] == ["ratings.csv", "more.csv"]
    assert [read_codebook(one).codebook.source for one in (table, other)] == ["first", "second"]


def test_writing_again_replaces_the_codebook_and_keeps_what_others_said(table):
    path = write_codebook(fluency(source="old"), table, COLUMNS)
    package = json.loads(path.read_text())
    package["licenses"] = [{"name": "CC-BY-4.0"}]
    package["resources"][0]["sources"] = [{"title": "our lab"}]
    path.write_text(json.dumps(package))
    write_codebook(fluency(source="new"), table, COLUMNS)
    package = json.loads(path.read_text())
    assert package["licenses"] and package["resources"][0]["sources"] == [{"title": "our lab"}]
    assert len(package["resources"]) == 1
    assert read_codebook(table).codebook.source == "new"


@pytest.mark.parametrize("foreign", ['{"name": "theirs", "resources": []}', "not JSON at all"])
def test_a_file_that_is_not_ours_is_never_overwritten(table, foreign):
    theirs = table.with_name("datapackage.json")
    theirs.write_text(foreign)
    path = write_codebook(fluency(source="ours"), table, COLUMNS)
    assert theirs.read_text() == foreign
    assert path.name == "ratings.csv.datapackage.json"
    assert read_codebook(table).codebook.source == "ours"


def test_it_is_used_only_if_its_path_names_the_table(table):
    write_codebook(fluency(), table, COLUMNS)
    stranger = table.with_name("other.csv")
    stranger.write_text(TABLE)
    assert read_codebook(stranger) is None


def test_a_table_changed_since_is_said(table):
    write_codebook(fluency(), table, COLUMNS)
    assert read_codebook(table).notes == ()
    table.write_text(TABLE.replace("2", "3"))
    assert read_codebook(table).notes == (
        "ratings.csv has changed since its codebook was written (datapackage.json); check that it still holds",
    )


def test_a_wrong_codebook_gets_a_sentence_with_file_and_line_for_each_mistake(table):
    path = write_codebook(fluency(), table, COLUMNS)
    lines = path.read_text().splitlines()
    level = next(number for number, line in enumerate(lines, 1) if '"level"' in line)
    unit = next(number for number, line in enumerate(lines, 1) if '"unit"' in line)
    lines[level - 1] = lines[level - 1].replace("ordinal", "ordnal")
    lines[unit - 1] = lines[unit - 1].replace("unit", "unti")
    path.write_text("\n".join(lines))
    with pytest.raises(FormatError) as error:
        read_codebook(table)
    assert str(error.value).splitlines() == [
        "The codebook of ratings.csv cannot be used as it stands:",
        f"  {path}:{unit}: 'unti' is not known; did you mean 'unit'?",
        f"  {path}:{level}: level is 'ordnal'; it can be nominal, ordinal, interval, ratio",
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"criteria": 3}, "3 stands where a list [...] should be"),
        ({"criteria": [{"key": "a"}]}, "a criterion needs a level"),
        ({"criteria": [{"key": "a", "level": "ordinal"}] * 2}, "'a' is described twice"),
        ({"criteria": [{"level": "interval", "values": ["a", "b"]}]}, "needs numbers, but there are labels"),
        ({"criteria": [{"level": "interval", "low": 5, "high": 1}]}, "the low end 5 lies above the high end 1"),
        ({"criteria": [{"level": "ordinal", "values": [1, 1]}]}, "a value is listed twice"),
        ({"criteria": [{"level": "ordinal", "values": [True]}]}, "true is no answer"),
        ({"criteria": [{"level": "ordinal", "direction": "up"}]}, "it can be high, low, none, unknown"),
        ({"criteria": [{"level": "ordinal", "question": 5}]}, "question is 5; it should be a text"),
        ({"left_out": [{"rule": "too fast"}]}, "rater must be given"),
        ({"study": {"seed": "x"}}, "seed is 'x'; it should be a whole number"),
        ({"columns": {"item": 3}}, "the column taken as item is a name"),
    ],
)  # fmt: skip
def test_every_kind_of_mistake_has_words(table, change, words):
    path = write_codebook(fluency(), table, COLUMNS)
    package = json.loads(path.read_text())
    package["resources"][0]["accord"] |= change
    path.write_text(json.dumps(package, indent=1))
    with pytest.raises(FormatError) as error:
        read_codebook(table)
    assert words in str(error.value)


def test_a_broken_file_names_the_line_where_json_ends(table):
    path = write_codebook(fluency(), table, COLUMNS)
    lines = path.read_text().splitlines()
    broken = next(number for number, line in enumerate(lines) if '"type": "table",' in line)
    lines[broken] = lines[broken].rstrip(",")
    path.write_text("\n".join(lines))
    with pytest.raises(FormatError, match=rf"datapackage.json:{broken + 2}: not JSON, so the codebook of ratings.csv"):
        read_codebook(table)


def test_a_table_that_is_not_there_has_no_codebook(tmp_path):
    assert read_codebook(tmp_path / "none.csv") is None
    with pytest.raises(OperationError, match="cannot be written"):
        write_codebook(fluency(), tmp_path / "none.csv", COLUMNS)


def test_columns_with_names_of_their_own_are_told_by_the_codebook(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("doc,seg,who,note\n1,1,Ann,2\n")
    named = {"item": ("doc", "seg"), "rater": ("who",), "value": ("note",)}
    write_codebook(fluency(), path, ("doc", "seg", "who", "note"), named=named)
    assert read_codebook(path).columns == named


def test_the_text_for_a_zip_is_that_of_the_file(table):
    path = write_codebook(fluency(), table, COLUMNS)
    assert package_text(fluency(), "ratings.csv", table.read_bytes(), COLUMNS) == path.read_text()


def test_a_data_package_of_others_says_level_labels_and_missing_values(tmp_path):
    (tmp_path / "marks.csv").write_text("item,rater,rating\na,X,1\na,Y,2\nb,X,3\nb,Y,-9\n")
    field = {
        "name": "rating", "type": "integer", "title": "How good is it?", "categoriesOrdered": True,
        "categories": [{"value": 1, "label": "bad"}, {"value": 2, "label": "fair"}, {"value": 3, "label": "good"},
                       {"value": 4, "label": "perfect"}],
    }  # fmt: skip
    schema = {"fields": [{"name": "item"}, {"name": "rater"}, field], "missingValues": ["", "-9"]}
    package = {"name": "x", "resources": [{"name": "marks", "path": "marks.csv", "schema": schema}]}
    place = tmp_path / "datapackage.json"
    place.write_text(json.dumps(package))
    ratings = accord.read(tmp_path / "marks.csv")
    assert (len(ratings), ratings.missing) == (3, 1)
    assert ratings.level is Level.ORDINAL and ratings.scale.declared
    assert ratings.scale.values == (1.0, 2.0, 3.0, 4.0) and ratings.scale.labels[4.0] == "perfect"
    assert ratings.criterion.question == "How good is it?"
    assert ratings.criterion.direction is Direction.UNKNOWN
    assert any("is a Data Package of others" in note and "'-9'" in note for note in ratings.notes)
    # A level is only taken where the package says whether there is an order.
    del field["categoriesOrdered"]
    schema["missingValues"] = [""]
    place.write_text(json.dumps(package))
    (tmp_path / "marks.csv").write_text("item,rater,rating\na,X,1\na,Y,2\nb,X,3\nb,Y,3\n")
    assert accord.read(tmp_path / "marks.csv").scale.has_guessed_level


def keeping_apart(table, columns, **spelled) -> Path:
    """A codebook that keeps scenario and batch apart, edited by hand."""
    path = write_codebook(replace(fluency(), kept_apart=("scenario", "batch")), table, columns)
    head, key, rest = path.read_text().partition('"kept_apart": [')
    apart, end, rest = rest.partition("]")
    for name, typed in spelled.items():
        apart = apart.replace(f'"{name}"', f'"{typed}"')
    path.write_text(head + key + apart + end + rest)
    return path


def test_a_misspelt_column_that_is_to_be_kept_apart_is_a_mistake_with_its_line(table):
    path = keeping_apart(table, (*COLUMNS, "batch"), scenario="senario")
    line = next(number for number, text in enumerate(path.read_text().splitlines(), 1) if '"senario"' in text)
    with pytest.raises(FormatError) as error:
        read_codebook(table)
    assert str(error.value).splitlines()[1:] == [
        f"  {path}:{line}: 'senario' is to be kept apart, and is no column of the table. Did you mean 'scenario'?"
    ]


def test_a_column_that_was_added_to_the_table_since_may_be_kept_apart(table):
    keeping_apart(table, (*COLUMNS, "batch"), scenario="site")
    first, *rest = TABLE.splitlines()
    table.write_text("\n".join([f"{first},batch,site", *(f"{line},1,north" for line in rest)]))
    assert read_codebook(table).codebook.kept_apart == ("site", "batch")


def test_a_name_that_keeps_nothing_apart_is_said_where_it_is_not_written(tmp_path):
    from accord.formats.imported import Imported
    from accord.formats.writing import write

    (tmp_path / "a.csv").write_text("item,rater,value\n1,A,1\n1,B,2\n2,A,1\n2,B,1\n", encoding="utf-8")
    ratings = accord.read(tmp_path / "a.csv")
    book = replace(ratings.codebook, kept_apart=(*ratings.codebook.kept_apart, "town"))
    lines = write(Imported(replace(ratings, codebook=book)), tmp_path / "b.csv")
    assert [line for line in lines if line.startswith("'town' is kept apart")]
    assert "town" not in accord.read(tmp_path / "b.csv").codebook.kept_apart
    assert not write(Imported(ratings), tmp_path / "c.csv")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_codebook_that_an_editor_saved_with_a_mark_is_read(table, encoding):
    path = write_codebook(fluency(source="naïve"), table, COLUMNS)
    path.write_text(path.read_text("utf-8"), encoding)
    assert read_codebook(table).codebook.source == "naïve"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("naïve".encode("cp1252"), ":1: not UTF-8, so the codebook of ratings.csv cannot be read"),
        ("{}".encode("utf-16-le"), "it is UTF-16 without a mark, or no text"),
        (b"\xff\xfe{", "its UTF-16 is damaged"),
        (b"{not json", ":1: not JSON, so the codebook of ratings.csv cannot be read"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b"", ":1: not JSON"),
        (None, "cannot be read: Is a directory"),
    ],
)
@pytest.mark.parametrize("name", ["datapackage.json", "ratings.csv.datapackage.json"])
def test_what_lies_where_a_codebook_is_expected_is_never_passed_over(table, name, content, words):
    # A rater whom the codebook leaves out would count again.
    place = table.with_name(name)
    place.mkdir() if content is None else place.write_bytes(content)
    for read in (read_codebook, accord.read):
        with pytest.raises(AccordError) as error:
            read(table)
        assert str(error.value).startswith(str(place)) and words in str(error.value)


def test_a_codebook_of_this_table_that_cannot_be_read_is_never_overwritten(table):
    place = table.with_name("ratings.csv.datapackage.json")
    for content in ("naïve".encode("cp1252"), b'{"resources": []}'):
        place.write_bytes(content)
        with pytest.raises(AccordError, match=r"ratings\.csv\.datapackage\.json"):
            write_codebook(fluency(), table, COLUMNS)
        assert place.read_bytes() == content


def test_a_codebook_whose_table_was_renamed_is_told_and_not_used(table):
    write_codebook(fluency(), table, COLUMNS)
    renamed = table.rename(table.with_name("marks.csv"))
    [line] = [note for note in accord.read(renamed).notes if "renamed" in note]
    assert "datapackage.json speaks of ratings.csv and not of marks.csv, so it is not used" in line
    table.with_name("datapackage.json").rename(table.with_name("marks.csv.datapackage.json"))
    assert any("marks.csv.datapackage.json speaks of ratings.csv" in note for note in accord.read(renamed).notes)


def test_json_that_is_no_data_package_gets_a_line(table):
    table.with_name("datapackage.json").write_text('["ratings.csv"]')
    assert any("lists no resources, so it is no Data Package" in note for note in accord.read(table).notes)


def test_what_accord_says_of_a_table_is_an_object(table):
    path = write_codebook(fluency(), table, COLUMNS)
    package = json.loads(path.read_text())
    package["resources"][0]["accord"] = []
    path.write_text(json.dumps(package, indent=1))
    with pytest.raises(FormatError, match=r"accord is \[\]; it should be an object"):
        read_codebook(table)


def test_a_path_that_begins_in_its_own_folder_names_the_table(table):
    path = write_codebook(fluency(source="ours"), table, COLUMNS)
    path.write_text(path.read_text().replace('"path": "ratings.csv"', '"path": "./ratings.csv"'))
    assert read_codebook(table).codebook.source == "ours"


def test_a_rater_who_is_left_out_and_gave_nothing_gets_a_line(table):
    write_codebook(fluency(left_out=(LeftOut(rater="Zoe", reason="slow"),)), table, COLUMNS)
    line = "rater Zoe is left out and gave none of these ratings"
    assert line in with_exclusions(accord.read(table)).notes
    write_codebook(fluency(left_out=(LeftOut(rater="Ann", reason="slow"),)), table, COLUMNS)
    table.write_text(TABLE + "a,Cid,2\n")
    once = with_exclusions(accord.read(table))
    assert not [note for note in with_exclusions(once).notes if "none of these" in note], "told of one who was there"


def test_columns_that_change_places_get_a_line(table):
    path = write_codebook(
        fluency(), table, COLUMNS, named={"item": ("rater",), "rater": ("item",), "value": ("value",)}
    )
    assert read_codebook(table).notes == (
        f"{path} takes the column 'rater' as item and 'item' as rater; check that this is meant",
    )


def test_ends_that_are_not_those_of_the_values_are_a_mistake(table):
    path = write_codebook(fluency(), table, COLUMNS)
    path.write_text(path.read_text().replace('"high": 3', '"high": 100'))
    with pytest.raises(FormatError, match="the ends 1 and 100 are not those of the values, 1 and 3"):
        read_codebook(table)

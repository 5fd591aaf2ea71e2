"""What is written comes back as it was, or the loss is named."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accord.errors import FormatError, OperationError, OptionError
from accord.formats import FORMATS, Imported, read, write
from accord.ratings.build import build_ratings
from formats.samples import imported_sample, rated

LOSSLESS = {
    "csv": "o.csv", "tsv": "o.tsv", "jsonl": "o.jsonl", "parquet": "o.parquet", "xlsx": "o.xlsx", "spss": "o.sav",
    "appraise": "o.csv", "prodigy": "o.jsonl",
}  # fmt: skip
WITH_SPANS = {
    "appraise": "o.csv",
    "label-studio": "o.json",
    "pearmut": "o.jsonl",
    "prodigy": "o.jsonl",
    "argilla": "o.json",
}


def same_columns(one: Imported, other: Imported, names=("system", "document", "segment")) -> bool:
    return all(
        sorted(zip(one.ratings.item.labels(), one.ratings.columns[name].labels(), strict=True))
        == sorted(zip(other.ratings.item.labels(), other.ratings.columns[name].labels(), strict=True))
        for name in names
    )


@pytest.mark.parametrize("name", LOSSLESS)
def test_ratings_come_back_as_they_were(tmp_path, name):
    before = imported_sample(spans=False)
    texts = ("Columns without a place in this format: source, target.",) if name == "appraise" else ()
    assert write(before, tmp_path / LOSSLESS[name], to=name) == texts
    after = read(tmp_path / LOSSLESS[name], format=name)
    assert rated(after) == rated(before)
    assert same_columns(after, before)
    assert len(after.log) == 0


@pytest.mark.parametrize(
    "name", ["csv", "tsv", "jsonl", "parquet", "xlsx", "spss", "label-studio", "argilla", "prodigy"]
)
@pytest.mark.parametrize("labels", [False, True])
def test_several_criteria_with_numbers_or_labels_come_back(tmp_path, name, labels):
    before = imported_sample(criteria=True, spans=False, labels=labels)
    path = tmp_path / {"spss": "o.sav"}.get(name, "o")
    assert write(before, path, to=name) == ()
    assert rated(read(path, format=name)) == rated(before)


@pytest.mark.parametrize("name", ["xlsx-raters", "xlsx-criteria", "wide-csv"])
def test_wide_tables_come_back_and_name_the_columns_they_lose(tmp_path, name):
    before = imported_sample(criteria=True, spans=False)
    path = tmp_path / ("o.csv" if name == "wide-csv" else "o.xlsx")
    assert write(before, path, to=name) == (
        "Columns without a place in this format: document, segment, source, system, target.",
    )
    assert rated(read(path, format=name)) == rated(before)


@pytest.mark.parametrize("name", WITH_SPANS)
def test_spans_in_awkward_text_come_back_as_code_points(tmp_path, name):
    before = imported_sample(criteria=name in ("label-studio", "argilla"))
    if name == "pearmut":
        before = _named(before, lambda item: item.replace(":d1", ""))
    if name == "appraise":
        before = replace(before, ratings=_without_texts(before.ratings))
    write(before, tmp_path / WITH_SPANS[name], to=name)
    after = read(tmp_path / WITH_SPANS[name])
    assert after.format == name
    assert set(after.spans) == set(before.spans)


def _without_texts(ratings):
    item = replace(ratings.codebook.item, texts=())
    return replace(ratings, codebook=replace(ratings.codebook, item=item))


def _named(imported, rename):
    ratings = imported.ratings
    item = replace(ratings.item, names=tuple(map(rename, ratings.item.names)))
    return replace(
        imported,
        ratings=replace(ratings, item=item),
        spans=tuple(replace(span, item=rename(span.item)) for span in imported.spans),
    )


def test_mqm_errors_come_back_with_their_scores(tmp_path):
    from formats.samples import GOOGLE_MQM, written

    before = read(written(tmp_path / "in.tsv", GOOGLE_MQM))
    assert write(before, tmp_path / "out.tsv", to="google-mqm") == ()
    after = read(tmp_path / "out.tsv")
    assert rated(after) == rated(before)
    assert sorted(map(repr, after.spans)) == sorted(map(repr, before.spans))
    assert after.texts == before.texts


def test_values_that_are_not_the_sum_of_errors_are_named_as_lost(tmp_path):
    lost = write(imported_sample(spans=False), tmp_path / "o.tsv", to="google-mqm")
    assert lost == ("3 values: the format holds errors, and these do not add up to the value.",)


def test_doccano_spans_come_back(tmp_path):
    from formats.samples import written

    row = {"id": 5, "text": "a😀cat", "label": [[2, 5, "NOUN"]]}
    before = read(written(tmp_path / "anna.jsonl", [row]))
    assert write(before, tmp_path / "o.jsonl", to="doccano") == ()
    after = read(tmp_path / "o.jsonl")
    assert rated(after) == rated(before)
    assert after.spans == before.spans


def test_segment_scores_come_back_by_their_place(tmp_path):
    before = imported_sample(spans=False)
    lost = write(before, tmp_path / "out", to="mt-metrics-eval")
    assert any("numbers them" in sentence for sentence in lost)
    after = read(tmp_path / "out")
    assert {key[:2]: value for key, value in rated(after).items()} == {
        ("A:0", "anna"): 80.0, ("A:0", "bert"): 55.5, ("B:0", "anna"): 0.0, ("B:0", "bert"): 100.0,
    }  # fmt: skip


def test_a_loss_is_named_for_every_format_that_cannot_hold_spans(tmp_path):
    before = imported_sample()
    for name in ("csv", "jsonl", "parquet", "xlsx", "spss", "wide-csv", "xlsx-raters", "mt-metrics-eval"):
        lost = write(before, tmp_path / f"{name}.sav", to=name)
        assert any("2 spans" in sentence for sentence in lost), name


NAMES = st.text(alphabet="abcß😀א =+@-'\",;\t|#", min_size=1, max_size=8).map(lambda name: f"n{name}n")


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    rows=st.dictionaries(
        st.tuples(NAMES, NAMES), st.floats(-1e6, 1e6, allow_nan=False, allow_subnormal=False), min_size=1, max_size=6
    ),
    name=st.sampled_from(["csv", "tsv", "jsonl", "parquet", "label-studio", "argilla", "prodigy"]),
)
def test_any_names_and_numbers_come_back(tmp_path_factory, rows, name):
    items, raters = zip(*rows, strict=True)
    columns = {"item": list(items), "rater": list(raters), "value": list(rows.values()), "criterion": ["q"] * len(rows)}
    before = Imported(build_ratings(columns))
    path = tmp_path_factory.mktemp("trip") / "o"
    write(before, path, to=name)
    assert rated(read(path, format=name)) == pytest.approx(rated(before))


def test_an_existing_file_is_kept_unless_forced_and_nothing_is_left_half_written(tmp_path):
    before = imported_sample(spans=False)
    target = tmp_path / "o.csv"
    target.write_text("precious")
    with pytest.raises(OptionError, match="--force"):
        write(before, target)
    assert target.read_text() == "precious"
    labels = imported_sample(labels=True, spans=False)
    with pytest.raises(FormatError, match="scores only"):
        write(labels, target, to="appraise", force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["o.csv"]
    assert target.read_text() == "precious"
    write(before, target, force=True)
    assert target.read_text().startswith("item,rater,value")


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(OperationError, match="cannot be written"):
        write(imported_sample(), tmp_path / "no" / "o.csv")


HOSTILE = ["a\rb", "a\nb", "a\tb", 'a"b', "a,b", "=1+1", "😀", "שלום", "a\u2028b", "a|b", "NA", "'x"]


@pytest.mark.parametrize("role", ["item", "rater", "value"])
@pytest.mark.parametrize("name", [spec.name for spec in FORMATS.values() if spec.plain and spec.writes is not None])
def test_what_a_table_does_not_give_back_as_it_was_is_named(tmp_path, name, role):
    columns = {
        "item": [*(f"i{place}" for place in range(len(HOSTILE))), "i0"], "rater": ["ann"] * len(HOSTILE) + ["bob"],
        "value": ["plain"] * len(HOSTILE) + ["other"],
    }  # fmt: skip
    columns[role] = [*HOSTILE, columns[role][-1]]
    before = Imported(build_ratings(columns, missing=("",)))
    path = tmp_path / {"xlsx": "o.xlsx", "parquet": "o.parquet", "jsonl": "o.jsonl", "tsv": "o.tsv"}.get(name, "o.csv")
    lost = " ".join(write(before, path, to=name))
    changed = set(rated(before).items()) ^ set(rated(read(path, format=name)).items())
    told = {"=1+1": "apostrophe" in lost, "'=1+1": "apostrophe" in lost, "NA": "as no answer" in lost}
    for key, value in changed:
        assert any(told.get(text, False) for text in (*key, value)), (key, value, lost)


def test_a_format_that_is_only_read_says_what_can_be_written(tmp_path):
    with pytest.raises(OptionError, match="can be read, but not written"):
        write(imported_sample(), tmp_path / "o", to="marot")
    with pytest.raises(OptionError, match="--to"):
        write(imported_sample(), tmp_path / "o.unknown")


def test_at_least_these_formats_can_be_written():
    wanted = {
        "csv", "tsv", "jsonl", "parquet", "wide-csv", "xlsx-raters", "xlsx-criteria", "google-mqm", "label-studio",
        "doccano", "argilla", "prodigy", "pearmut", "appraise", "mt-metrics-eval", "spss",
    }  # fmt: skip
    assert wanted <= {spec.name for spec in FORMATS.values() if spec.writes}


@pytest.mark.parametrize("more", [("document",), ("system",), ("segment",), ("document", "segment"), ()])
@pytest.mark.parametrize("name", [spec.name for spec in FORMATS.values() if spec.writes is not None])
def test_every_rating_comes_back_whichever_columns_say_where_it_belongs(tmp_path, name, more):
    """48 ratings of 16 items; eight share a document, and eight a system."""
    lines = [f"item,rater,value,{','.join(more)}".rstrip(",")]
    for item in range(16):
        cells = {"document": f"d{item // 8}", "system": f"s{item % 2}", "segment": f"{item}"}
        for rater in ("ann", "bob", "cy"):
            row = [f"i{item}", rater, str(1 + (item + len(rater)) % 5), *(cells[column] for column in more)]
            lines.append(",".join(row))
    (tmp_path / "in.csv").write_text("\n".join(lines))
    before = read(tmp_path / "in.csv")
    path = tmp_path / {"spss": "o.sav", "xlsx": "o.xlsx", "mt-metrics-eval": "folder"}.get(name, "o")
    write(before, path, to=name)
    after = read(path, format=name).ratings
    assert (len(after), after.items, after.raters) == (48, 16, 3)

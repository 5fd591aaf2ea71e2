"""Label Studio, Potato, doccano, Argilla and Prodigy."""

import json

import pytest

from accord.errors import FormatError
from accord.formats import read
from formats.samples import LABEL_STUDIO, rated, written


def test_label_studio_controls_are_criteria_and_several_choices_a_set(tmp_path):
    found = rated(read(written(tmp_path / "ls.json", LABEL_STUDIO)))
    assert found["1", "anna@example.org", "fluency"] == 4.0
    assert found["1", "anna@example.org", "topic"] == frozenset({"news", "sport"})


def test_label_studio_a_cancelled_annotation_is_a_missing_rating_and_truth_is_gold(tmp_path):
    ratings = read(written(tmp_path / "ls.json", LABEL_STUDIO)).ratings
    assert ratings.missing == 1
    assert ratings.only(rater="8").columns["role"].names == ("gold",)


def test_label_studio_regions_are_utf16_and_a_choice_on_a_region_is_its_severity(tmp_path):
    (span,) = read(written(tmp_path / "ls.json", LABEL_STUDIO)).spans
    assert ("a😀b cat"[span.start : span.end], span.category, span.severity) == ("cat", "Noun", "major")


def test_label_studio_a_marked_text_that_is_not_there_is_said_to_be_guessed(tmp_path):
    task = {"id": 1, "data": {"text": "short"}, "annotations": [{"completed_by": 1, "result": [
        {"id": "r", "from_name": "l", "to_name": "text", "type": "labels",
         "value": {"start": 1, "end": 3, "text": "zz", "labels": ["X"]}}]}]}  # fmt: skip
    imported = read(written(tmp_path / "ls.json", [task]))
    assert [entry.action for entry in imported.log] == ["guessed"]
    assert rated(imported) == {("1", "1", "spans"): 1.0}


def test_label_studio_an_answer_about_a_region_is_dropped_in_words(tmp_path):
    tasks = json.loads(json.dumps(LABEL_STUDIO))
    tasks[0]["annotations"][0]["result"].append(
        {
            "id": "r1",
            "from_name": "sure",
            "to_name": "text",
            "type": "rating",
            "value": {"start": 5, "end": 8, "rating": 2},
        }
    )
    imported = read(written(tmp_path / "ls.json", tasks))
    assert [entry.reason for entry in imported.log] == ["the answer sure is about a region, not about the task"]


def test_label_studio_json_min_is_refused_because_answers_and_data_look_alike(tmp_path):
    row = {"text": "a", "id": 4, "fluency": [{"rating": 4}], "annotator": 1, "annotation_id": 5, "lead_time": 2.0}
    with pytest.raises(FormatError, match=r"JSON-MIN.*Export the project as JSON"):
        read(written(tmp_path / "ls.json", [row]))


def test_label_studio_hypertext_is_placed_by_its_overall_offsets_and_else_dropped_in_words(tmp_path):
    def region(**where):
        value = {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "hypertextlabels": ["X"], **where}
        return {"id": "r", "from_name": "l", "to_name": "text", "type": "hypertextlabels", "value": value}

    placed = region(startOffset=2, endOffset=4, globalOffsets={"start": 6, "end": 8}, text="cd")
    results = [placed, region(startOffset=0, endOffset=2)]
    task = {"id": 1, "data": {"text": "ab ef cd"}, "annotations": [{"completed_by": 1, "result": results}]}
    imported = read(written(tmp_path / "ls.json", [task]))
    assert [(span.start, span.end) for span in imported.spans] == [(6, 8)]
    assert [entry.action for entry in imported.log] == ["dropped"]
    assert "in its part only" in next(iter(imported.log)).reason


def potato_state(user, value, spans=()):
    label = {"schema": "quality", "name": value}
    return {
        "user_id": user,
        "instance_id_to_label_to_value": {
            "i1": [[label, "true"], [{"schema": "why", "name": "text_box"}, "because"]],
            "i2": [[{"schema": "score", "name": "slider"}, "42"]],
            "i3": [[{"schema": "tags", "name": "a"}, "1"], [{"schema": "tags", "name": "b"}, "1"]],
        },
        "instance_id_to_span_to_value": {"i1": [[{"schema": "s", "name": "NOUN", "start": 2, "end": 5}, "1"], *spans]},
        "instance_id_to_behavioral_data": {
            "i1": {"total_time_ms": 1500}, "i2": {"time_string": "Time spent: 0d 0h 1m 5s "},
        },
    }  # fmt: skip


def potato_lines(user, *rows):
    named = {"user_id": user} if user else {}
    return "\n".join(
        json.dumps({
            "id": item, "displayed_text": f"text {item}", "label_annotations": labels, "span_annotations": spans,
            "behavioral_data": {"time_string": "Time spent: 0d 0h 1m 5s "}, **named,
        })
        for item, labels, spans in rows
    )  # fmt: skip


def test_potato_of_older_versions_has_lines_of_instances_and_the_folder_names_the_rater(tmp_path):
    for user, label, score in (("anna", "good", "4"), ("ben", "bad", "2")):
        (tmp_path / "out" / user).mkdir(parents=True)
        marked = [{"start": 0, "end": 4, "span": "text", "annotation": "noun"}]
        row = ("1", {"quality": {label: "true"}, "fluency": {"scale": score}, "note": {"text_box": "hm"}}, marked)
        (tmp_path / "out" / user / "annotated_instances.jsonl").write_text(potato_lines("", row))
    imported = read(tmp_path / "out")
    assert imported.format == "potato"
    assert rated(imported)["1", "anna", "quality"] == "good"
    assert rated(imported)["1", "ben", "fluency"] == 2.0
    assert {(span.rater, span.category) for span in imported.spans} == {("anna", "noun"), ("ben", "noun")}
    assert imported.texts["1"].target == "text 1"
    assert set(imported.ratings.numbers["time_s"]) == {65.0}


def test_potato_lines_of_all_users_that_do_not_say_whose_they_are_lose_nothing_silently(tmp_path):
    path = tmp_path / "annotated_instances.jsonl"
    path.write_text(
        potato_lines("", ("1", {"quality": {"good": True, "bad": False}}, {}), ("1", {"quality": {"bad": True}}, {}))
    )
    imported = read(path)
    assert list(rated(imported).values()) == ["good"]
    assert any("read the folders of the users" in entry.reason for entry in imported.log)


def test_potato_a_grid_of_ratings_is_one_criterion_a_row_and_ticked_labels_are_a_set(tmp_path):
    def state(user, grammar):
        answers = [
            ("grid", "style", "2"),
            ("grid", "grammar", grammar),
            ("topics", "news", "news"),
            ("topics", "art", "art"),
        ]
        listed = [[{"schema": schema, "name": name}, value] for schema, name, value in answers]
        return {"user_id": user, "instance_id_to_label_to_value": {"i1": listed}, "instance_id_to_span_to_value": {}}

    for user, grammar in (("anna", "3"), ("bert", "4")):
        (tmp_path / user).mkdir()
        written(tmp_path / user / "user_state.json", state(user, grammar))
    assert rated(read(tmp_path)) == {
        ("i1", user, criterion): value
        for user, grammar in (("anna", 3.0), ("bert", 4.0))
        for criterion, value in (
            ("grid:style", 2.0),
            ("grid:grammar", grammar),
            ("topics", frozenset({"news", "art"})),
        )
    }


def test_potato_exports_all_users_to_one_file(tmp_path):
    span = {"schema": "errs", "name": "noun", "title": "noun", "start": 2, "end": 5, "id": "x", "text": ""}
    rows = [
        {
            "instance_id": "i1", "user_id": user, "labels": {"score": {"slider": value}, "quality": {"good": "good"}},
            "spans": {"errs": [span]}, "links": {},
        }
        for user, value in (("anna", "73"), ("bert", "70"))
    ]  # fmt: skip
    imported = read(written(tmp_path / "annotations.jsonl", rows))
    assert imported.format == "potato"
    assert rated(imported) == {
        ("i1", "anna", "score"): 73.0, ("i1", "anna", "quality"): "good",
        ("i1", "bert", "score"): 70.0, ("i1", "bert", "quality"): "good",
    }  # fmt: skip
    assert [(s.start, s.end, s.category) for s in imported.spans] == [(2, 5, "noun")] * 2


def test_potato_answers_and_spans_by_schema_are_read_as_its_manual_shows_them(tmp_path):
    state = {
        "user_id": "anna",
        "instance_id_to_label_to_value": {"1": {"quality": {"labels": {"good": True}}}},
        "instance_id_to_span_to_value": {"1": {"names": [{"start": 0, "end": 5, "label": "PERSON", "text": "Alice"}]}},
    }
    imported = read(written(tmp_path / "user_state.json", state))
    assert rated(imported) == {("1", "anna", "quality"): "good"}
    assert [(span.start, span.end, span.category) for span in imported.spans] == [(0, 5, "PERSON")]


def test_potato_reads_one_state_a_user_with_schemas_as_criteria(tmp_path):
    for user, value in (("anna", "good"), ("bert", "bad")):
        (tmp_path / "out" / user).mkdir(parents=True)
        written(tmp_path / "out" / user / "user_state.json", potato_state(user, value))
    imported = read(tmp_path / "out")
    found = rated(imported)
    assert found["i1", "anna", "quality"] == "good"
    assert found["i1", "bert", "quality"] == "bad"
    assert found["i2", "anna", "score"] == 42.0
    assert found["i3", "anna", "tags"] == frozenset({"a", "b"})
    assert imported.ratings.only(criterion="quality").columns["comment"].names == ("because",)
    assert imported.ratings.only(criterion="quality").numbers["time_s"].tolist() == [1.5, 1.5]
    assert imported.ratings.only(criterion="score").numbers["time_s"].tolist() == [65.0, 65.0]
    assert [(s.rater, s.start, s.end, s.category) for s in imported.spans] == [
        ("anna", 2, 5, "NOUN"),
        ("bert", 2, 5, "NOUN"),
    ]


def test_doccano_labels_are_values_and_the_file_names_the_rater(tmp_path):
    rows = [
        {"id": 1, "text": "a", "label": ["pos"]},
        {"id": 2, "text": "b", "label": ["neg", "odd"]},
        {"id": 3, "text": "c", "label": []},
    ]
    imported = read(written(tmp_path / "anna.jsonl", rows))
    assert imported.format == "doccano"
    assert rated(imported) == {("1", "anna"): frozenset({"pos"}), ("2", "anna"): frozenset({"neg", "odd"})}
    assert imported.ratings.missing == 1


@pytest.mark.parametrize(
    "row",
    [
        {"id": 1, "text": "a😀cat", "label": [[2, 5, "NOUN"]]},
        {
            "id": 1,
            "text": "a😀cat",
            "entities": [{"id": 9, "label": "NOUN", "start_offset": 2, "end_offset": 5}],
            "relations": [],
        },
        {"id": 1, "text": "a😀cat", "annotations": [{"label": "NOUN", "start_offset": 2, "end_offset": 5}], "meta": {}},
    ],
)
def test_doccano_spans_of_all_its_shapes_are_code_points(tmp_path, row):
    imported = read(written(tmp_path / "anna.jsonl", [row]))
    (span,) = imported.spans
    assert ("a😀cat"[span.start : span.end], span.category) == ("cat", "NOUN")
    assert rated(imported) == {("1", "anna", "spans"): 1.0}


ARGILLA_2 = [
    {"id": "r1", "fields": {"text": "hello"}, "metadata": {"system": "A"}, "responses": {
        "quality": [{"value": 4, "user_id": "u1", "status": "submitted"},
                    {"value": 2, "user_id": "u2", "status": "discarded"}],
        "rank": [{"user_id": "u1", "value": [
            {"value": "b", "rank": 2}, {"value": "a", "rank": 1}, {"value": "c", "rank": 2}]}],
        "marks": [{"value": [{"start": 0, "end": 2, "label": "X"}], "user_id": "u1"}],
        "draft": [{"value": 1, "user_id": "u1", "status": "draft"}]}},
]  # fmt: skip


def test_argilla_questions_are_criteria_rankings_labels_and_discarded_answers_missing(tmp_path):
    imported = read(written(tmp_path / "a.json", ARGILLA_2))
    assert rated(imported) == {("r1", "u1", "quality"): 4.0, ("r1", "u1", "rank"): "a>b=c", ("r1", "u1", "marks"): 1.0}
    assert imported.ratings.missing == 1
    assert "draft" in str(imported.log.entries[0])
    assert [(s.start, s.end, s.category) for s in imported.spans] == [(0, 2, "X")]


@pytest.mark.parametrize(
    "record",
    [
        {
            "id": "r",
            "fields": {},
            "responses": [{"user_id": "u", "status": "submitted", "values": {"q": {"value": "yes"}}}],
        },
        {
            "id": "r",
            "text": "t",
            "q.responses": ["yes"],
            "q.responses.users": ["u"],
            "q.responses.status": ["submitted"],
        },
    ],
)
def test_argilla_older_and_flat_shapes_are_read_alike(tmp_path, record):
    assert rated(read(written(tmp_path / "a.json", [record]))) == {("r", "u", "q"): "yes"}


def test_argilla_no_spans_are_zero_spans_and_a_file_without_states_says_so(tmp_path):
    answers = [{"value": [{"start": 0, "end": 1, "label": "x"}], "user_id": "u1"}, {"value": [], "user_id": "u2"}]
    record = {"id": "r1", "fields": {"text": "ab"}, "metadata": {}, "responses": {"marks": answers}}
    imported = read(written(tmp_path / "a.json", [record]))
    assert rated(imported) == {("r1", "u1", "marks"): 1.0, ("r1", "u2", "marks"): 0.0}
    assert any("drafts or discarded" in note for note in imported.notes)


def test_argilla_flat_records_have_metadata_and_texts_beside_the_responses(tmp_path):
    record = {
        "id": "r1", "text": "ab", "system": "A", "quality.responses": ["good"], "quality.responses.users": ["u1"],
        "quality.responses.status": ["submitted"],
    }  # fmt: skip
    imported = read(written(tmp_path / "a.json", [record]))
    assert imported.ratings.columns["system"].names == ("A",)
    assert imported.texts["r1"].target == "ab"
    assert not imported.notes


def test_prodigy_choices_binary_answers_and_ignored_ones(tmp_path):
    rows = [
        {"text": "t", "_input_hash": 1, "_annotator_id": "anna", "answer": "accept", "accept": ["good"], "options": []},
        {"text": "t", "_input_hash": 2, "_annotator_id": "anna", "answer": "reject", "label": "SPAM"},
        {"text": "t", "_input_hash": 3, "_annotator_id": "anna", "answer": "ignore", "label": "SPAM"},
        {
            "text": "t",
            "_input_hash": 4,
            "_session_id": "s-bert",
            "answer": "accept",
            "spans": [{"start": 0, "end": 1, "label": "N"}],
        },
        {"text": "t", "_input_hash": 5, "answer": "accept", "accept": ["good"]},
        {"text": "t", "_input_hash": 6, "_annotator_id": "anna", "answer": "later"},
    ]
    imported = read(written(tmp_path / "stem.jsonl", rows))
    assert rated(imported) == {
        ("1", "anna", ""): "good",
        ("2", "anna", "SPAM"): "reject",
        ("4", "s-bert", "spans"): "accept",
        ("5", "stem", ""): "good",
    }
    assert imported.ratings.missing == 1
    assert [(entry.line, entry.action) for entry in imported.log] == [(5, "guessed"), (6, "dropped")]


def test_a_json_file_that_holds_no_ratings_says_so(tmp_path):
    with pytest.raises(FormatError, match="no ratings"):
        read(written(tmp_path / "ls.json", [{"id": 1, "data": {}, "annotations": []}]))


def test_label_studio_regions_of_pictures_are_no_number_of_spans(tmp_path):
    box = {"from_name": "label", "to_name": "image", "type": "rectanglelabels",
           "value": {"x": 1, "y": 2, "width": 3, "height": 4, "rectanglelabels": ["Car"]}}  # fmt: skip
    tasks = [{"id": 1, "data": {"image": "a.jpg"}, "annotations": [{"completed_by": 1, "result": [box]}]}]
    with pytest.raises(FormatError, match=r"marks regions \(rectanglelabels\)"):
        read(written(tmp_path / "ls.json", tasks))
    imported = read(written(tmp_path / "both.json", [*LABEL_STUDIO, *tasks]))
    assert imported.account.dropped == 1
    assert imported.account.unknown == 0


def test_label_studio_says_the_level_of_each_control(tmp_path):
    codebook = read(written(tmp_path / "ls.json", LABEL_STUDIO)).ratings.codebook
    assert {key: str(criterion.level) for key, criterion in codebook.criteria.items() if key} == {
        "fluency": "ordinal", "topic": "nominal",
    }  # fmt: skip
    assert not codebook.criteria["fluency"].scale.has_guessed_level


def test_potato_points_of_a_scale_are_numbers_though_they_are_labels(tmp_path):
    answers = {str(n): [[{"schema": "fluency", "name": str(n)}, "true"]] for n in (1, 3, 5)}
    state = {"user_id": "anna", "instance_id_to_label_to_value": answers}
    assert sorted(rated(read(written(tmp_path / "user_state.json", state))).values()) == [1.0, 3.0, 5.0]


def potato_choice(user, value):
    state = {"user_id": user, "instance_id_to_label_to_value": {}, "instance_id_to_span_to_value": {}}
    for number, name in enumerate(("positive", "negative", "neutral", "positive"), 1):
        place = {"positive": 1, "negative": 2, "neutral": 3}[name]
        answers = [[{"schema": "sentiment", "name": name}, value(name, place)]]
        answers.append([{"schema": "strength", "name": "slider"}, str(10 * number)])
        answers.append([{"schema": "clear", "name": f"scale_{number}"}, str(number)])
        state["instance_id_to_label_to_value"][str(number)] = answers
    return state


def test_potato_the_label_of_a_choice_is_the_answer_and_a_slider_and_a_scale_are_numbers(tmp_path):
    for user, value in (("anna", lambda name, place: name), ("bert", lambda name, place: str(place))):
        (tmp_path / user).mkdir()
        written(tmp_path / user / "user_state.json", potato_choice(user, value))
    imported = read(tmp_path)
    found = rated(imported)
    assert [found[item, "bert", "sentiment"] for item in "1234"] == ["positive", "negative", "neutral", "positive"]
    assert [found[item, "bert", "sentiment"] for item in "1234"] == [
        found[item, "anna", "sentiment"] for item in "1234"
    ]
    assert found["3", "anna", "strength"] == 30.0
    assert found["3", "anna", "clear"] == 3.0
    assert (imported.account.rows, imported.account.ratings, imported.account.unknown) == (8, 8, 0)


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_potato_tables_have_a_column_for_each_label(tmp_path, delimiter):
    rows = [
        ["instance_id", "user_id", "annotator_origin", "topic.news", "topic.sport", "mood.good", "mood.bad", "mood",
         "rate.slider", "mark._spans"],
        ["1", "anna", "human", "news", "", "good", "bad", "bad", "40", '[{"start":0,"end":2,"name":"X"}]'],
        ["1", "gpt", "llm", "", "true", "", "bad", "", "55", ""],
        ["2", "anna", "human", "news", "sport", "good", "", "", "60", ""],
        ["3", "anna"],
    ]  # fmt: skip
    text = "".join(delimiter.join('"' + cell.replace('"', '""') + '"' for cell in row) + "\n" for row in rows)
    imported = read(written(tmp_path / "annotations.csv", text))
    assert imported.format == "potato"
    found = rated(imported)
    assert found["1", "anna", "topic"] == frozenset({"news"})
    assert found["1", "gpt", "topic"] == frozenset({"sport"})
    assert found["2", "anna", "topic"] == frozenset({"news", "sport"})
    assert found["1", "anna", "mood"] == "bad"
    assert found["1", "gpt", "rate"] == 55.0
    assert set(imported.ratings.only(rater="gpt").columns["kind"].names) == {"model"}
    assert [(span.start, span.end, span.category) for span in imported.spans] == [(0, 2, "X")]
    assert (imported.account.rows, imported.account.dropped, imported.account.unknown) == (4, 1, 0)


def test_prodigy_an_item_is_a_task_and_the_later_answer_to_it_counts(tmp_path):
    def answer(task, answer, start):
        return {"text": "a b", "_input_hash": 7, "_task_hash": task, "answer": answer, "_annotator_id": "anna",
                "spans": [{"start": start, "end": start + 1, "label": "X"}]}  # fmt: skip

    rows = [answer(1, "accept", 0), answer(2, "reject", 2), answer(1, "reject", 0)]
    imported = read(written(tmp_path / "p.jsonl", rows))
    assert rated(imported) == {("1", "anna", "spans"): "reject", ("2", "anna", "spans"): "reject"}
    assert (imported.account.rows, imported.account.dropped, imported.account.unknown) == (3, 1, 0)
    assert "later answer" in next(iter(imported.log)).reason


def test_doccano_of_old_holds_all_users_in_one_file(tmp_path):
    lines = [
        {"id": 1, "text": "one", "meta": {}, "annotation_approver": None,
         "annotations": [{"label": 2, "user": 5}, {"label": 3, "user": 6}, {"label": 4, "user": 6}]},
        {"id": 2, "text": "two", "meta": {}, "annotation_approver": "root", "annotations": [{"label": 2, "user": 5}]},
    ]  # fmt: skip
    table = (
        "id,text,meta,annotation_approver,label,user\n1,one,{},,2,5\n1,one,{},,3,6\n1,one,{},,4,6\n2,two,{},root,2,5\n"
    )
    expected = {("1", "5"): frozenset("2"), ("1", "6"): frozenset("34"), ("2", "5"): frozenset("2")}
    for path in (written(tmp_path / "old.jsonl", lines), written(tmp_path / "old.csv", table)):
        imported = read(path)
        assert imported.format == "doccano"
        assert rated(imported) == expected
        assert str(imported.ratings.level) == "nominal"
        assert imported.account.unknown == 0
    assert (imported.account.rows, imported.account.merged) == (4, 2)

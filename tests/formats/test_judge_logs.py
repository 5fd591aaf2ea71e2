"""Logs of evaluations: promptfoo, Inspect, Langfuse, DeepEval and MLflow; judges are raters of the kind model."""

import json
import zipfile
from pathlib import Path

import pytest

from accord.errors import FormatError, UnreadableFileError
from accord.formats import read, write
from accord.formats.joining import read_several
from formats.samples import rated, written

EXPORTS = Path(__file__).parent / "exports"


def kinds(imported):
    ratings = imported.ratings
    return dict(zip(ratings.rater.labels(), ratings.columns["kind"].labels(), strict=True))


def promptfoo_row(test, provider, score, **more):
    graded = {"pass": score > 0.5, "score": score, "reason": "so so",
              "assertion": {"type": "llm-rubric", "metric": "helpful", "value": "be helpful"}}  # fmt: skip
    checked = {"pass": True, "score": 1, "assertion": {"type": "contains", "value": "x"}}
    nested = {"assertion": {"type": "assert-set"}, "componentResults": [graded]}
    return {
        "testIdx": 0, "promptIdx": 0, "provider": {"id": provider}, "vars": {"q": test},
        "testCase": {"vars": {"q": test}},
        "response": {"output": f"answer to {test}"}, "success": True,
        "gradingResult": {"componentResults": [checked, nested, *more.get("parts", ())]},
    }  # fmt: skip


def promptfoo():
    human = {"pass": False, "score": 0, "comment": "no", "assertion": {"type": "human"}}
    program = promptfoo_row("c", "gpt", 1)
    program["gradingResult"]["componentResults"] = [{"score": 1, "assertion": {"type": "equals"}}]
    return {
        "evalId": "e", "config": {"defaultTest": {"options": {"provider": "openai:gpt-judge"}}},
        "results": {"version": 3, "results": [
            promptfoo_row("a", "gpt", 1.0, parts=[human]), promptfoo_row("a", "llama", 0.0),
            promptfoo_row("b", "gpt", 0.25), promptfoo_row("b", "gpt", 0.75), program,
        ]},
    }  # fmt: skip


def test_promptfoo_graders_are_raters_of_the_kind_model_beside_people(tmp_path):
    imported = read(written(tmp_path / "results.json", promptfoo()))
    assert imported.format == "promptfoo"
    assert kinds(imported) == {"openai:gpt-judge": "model", "human": "human"}
    values = sorted((rater, value) for (_, rater, _), value in rated(imported).items())
    assert values == [
        ("human", 0.0), ("openai:gpt-judge", 0.0), ("openai:gpt-judge", 0.25), ("openai:gpt-judge", 0.75),
        ("openai:gpt-judge", 1.0),
    ]  # fmt: skip
    assert {criterion for _, _, criterion in rated(imported)} == {"helpful"}
    assert imported.ratings.items == 4  # a repeat is another output
    assert str(imported.ratings.criterion.direction) == "high"
    account = imported.account
    assert (account.rows, account.ratings, account.dropped, account.unknown) == (5, 4, 1, 0)


def test_the_kind_of_a_rater_travels_to_a_table_and_back(tmp_path):
    imported = read(written(tmp_path / "results.json", promptfoo()))
    write(imported, tmp_path / "ratings.csv")
    assert kinds(read(tmp_path / "ratings.csv")) == {"openai:gpt-judge": "model", "human": "human"}


def inspect_log():
    def sample(name, value, epoch=1, **more):
        score = {"value": value, "explanation": "because", "metadata": {"grading": []}, **more}
        return {"id": name, "epoch": epoch, "input": "q", "output": {"completion": "a"},
                "scores": {"model_graded_qa": score, "match": {"value": "C"}}}  # fmt: skip

    edited = [{"value": "C"}, {"value": "I", "provenance": {"author": "anna", "reason": "wrong"}}]
    return {
        "version": 2, "status": "success",
        "eval": {"run_id": "r", "task": "t", "model": "openai/gpt", "scorers": [{"name": "model_graded_qa"}],
                 "model_roles": {}},
        "samples": [
            sample(1, "C"), sample(1, "P", epoch=2), sample(2, "I", history=edited), sample(3, "N"),
            {"id": 4, "epoch": 1, "scores": {"match": {"value": "C"}}},
            {"id": 5, "epoch": 1, "error": {"message": "x"}},
        ],
    }  # fmt: skip


def test_inspect_grades_are_ordered_and_what_a_person_changed_is_that_persons(tmp_path):
    imported = read(written(tmp_path / "log.json", inspect_log()))
    assert imported.format == "inspect"
    assert rated(imported) == {
        ("openai/gpt:1", "model_graded_qa grader", "model_graded_qa"): "C",
        ("openai/gpt:1:epoch2", "model_graded_qa grader", "model_graded_qa"): "P",
        ("openai/gpt:2", "model_graded_qa grader", "model_graded_qa"): "C",
        ("openai/gpt:2", "anna", "model_graded_qa"): "I",
    }  # fmt: skip
    assert kinds(imported) == {"model_graded_qa grader": "model", "anna": "human"}
    criterion = imported.ratings.criterion
    assert (str(criterion.level), str(criterion.direction), criterion.scale.values) == (
        "ordinal",
        "high",
        ("I", "P", "C"),
    )
    account = imported.account
    assert (account.rows, account.ratings, account.unanswered, account.dropped, account.unknown) == (6, 3, 1, 2, 0)


def test_inspect_an_archive_says_the_same(tmp_path):
    log = inspect_log()
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps({key: log[key] for key in ("version", "eval")}))
        for place, sample in enumerate(log["samples"]):
            archive.writestr(f"samples/{place}_epoch_1.json", json.dumps(sample))
    imported = read(path)
    assert imported.format == "inspect"
    assert rated(imported) == rated(read(written(tmp_path / "log.json", log)))
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", "{")
        archive.writestr("samples/1.json", "{}")
    with pytest.raises(UnreadableFileError, match="inspect log dump"):
        read(path)


def langfuse():
    def score(name, value, source, kind, trace, **more):
        return {"id": f"{name}{trace}", "name": name, "value": value, "source": source, "dataType": kind,
                "traceId": trace, "comment": None, **more}  # fmt: skip

    return [
        score("helpful", 0.9, "EVAL", "NUMERIC", "t1", metadata={"model": "gpt"}),
        score("helpful", 0.5, "ANNOTATION", "NUMERIC", "t1", authorUserId="anna"),
        score("safe", 1, "EVAL", "BOOLEAN", "t1"), score("safe", 0, "API", "BOOLEAN", "t2"),
        score("tone", 2, "ANNOTATION", "CATEGORICAL", "t1", stringValue="warm", authorUserId="anna"),
        score("note", "x", "ANNOTATION", "TEXT", "t1"),
    ]  # fmt: skip


def test_langfuse_sources_tell_people_from_evaluators_in_lists_pages_and_tables(tmp_path):
    rows = langfuse()
    names = ["name", "value", "source", "dataType", "traceId", "stringValue", "authorUserId", "metadata"]
    cells = [[json.dumps(row[n]) if isinstance(row.get(n), dict) else str(row.get(n) or "") if n != "value" else
              str(row["value"]) for n in names] for row in rows]  # fmt: skip
    table = "\n".join(",".join('"' + c.replace('"', '""') + '"' for c in line) for line in [names, *cells]) + "\n"
    pages = {"data": [{**row, "traceId": None, "subject": {"kind": "trace", "id": row["traceId"]}} for row in rows]}
    for path in (
        written(tmp_path / "scores.json", rows),
        written(tmp_path / "page.json", pages),
        written(tmp_path / "scores.csv", table),
    ):
        imported = read(path)
        assert imported.format == "langfuse"
        assert rated(imported) == {
            ("t1", "gpt", "helpful"): 0.9, ("t1", "anna", "helpful"): 0.5, ("t1", "safe evaluator", "safe"): "pass",
            ("t2", "API", "safe"): "fail", ("t1", "anna", "tone"): "warm",
        }  # fmt: skip
        assert kinds(imported) == {"gpt": "model", "anna": "human", "safe evaluator": "model", "API": ""}
        assert (imported.account.rows, imported.account.dropped, imported.account.unknown) == (6, 1, 0)


def deepeval():
    def metric(name, score, success, **more):
        return {"name": name, "score": score, "success": success, "threshold": 0.5, "evaluationModel": "gpt-4.1",
                "reason": "r", **more}  # fmt: skip

    return {"testCases": [
        {"name": "c0", "input": "q0", "actualOutput": "a",
         "metricsData": [metric("Relevancy", 0.9, True), metric("Bias", 0.1, True)]},
        {"name": "test_case_1", "input": "q1", "actualOutput": "b",
         "metricsData": [metric("Relevancy", 0.2, False), metric("Bias", 0.8, False, error=None)]},
        {"name": "c2", "input": "q2", "actualOutput": "c",
         "metricsData": [metric("Relevancy", None, None, error="429")]},
        {"name": "c3", "input": "q3", "actualOutput": "d", "metricsData": []},
    ]}  # fmt: skip


def test_deepeval_shows_which_end_of_a_metric_is_good_and_its_threshold(tmp_path):
    imported = read(written(tmp_path / "run.json", deepeval()))
    assert imported.format == "deepeval"
    assert rated(imported)["c0", "gpt-4.1", "Bias"] == 0.1
    assert kinds(imported) == {"gpt-4.1": "model"}
    criteria = imported.ratings.codebook.criteria
    assert {key: (str(one.direction), one.threshold) for key, one in criteria.items() if key} == {
        "Relevancy": ("high", 0.5), "Bias": ("low", 0.5),
    }  # fmt: skip
    account = imported.account
    assert (account.rows, account.ratings, account.unanswered, account.dropped, account.unknown) == (4, 2, 1, 1, 0)


def mlflow():
    def said(name, value, source, who, **more):
        return {"assessment_id": "x", "assessment_name": name, "trace_id": "tr1", "feedback": {"value": value},
                "source": {"source_type": source, "source_id": who}, "rationale": "r", **more}  # fmt: skip

    assessments = [
        said("correct", True, "LLM_JUDGE", "openai:/gpt", valid=False), said("correct", False, "HUMAN", "anna"),
        said("correct", True, "HUMAN", "ben", valid=False), said("length", 3, "CODE", "len"),
        said("step", True, "LLM_JUDGE", "openai:/gpt", span_id="s2"),
        said("root", 4, "LLM_JUDGE", "openai:/gpt", span_id="s1"),
        {"assessment_name": "truth", "expectation": {"value": "x"}, "source": {"source_type": "HUMAN"}},
    ]  # fmt: skip
    return {
        "info": {"trace_id": "tr1", "request_preview": "q", "response_preview": "a", "assessments": assessments},
        "data": {"spans": [{"span_id": "s1", "parent_id": None}, {"span_id": "s2", "parent_id": "s1"}]},
    }


def test_mlflow_assessments_of_judges_and_people_are_ratings_and_others_are_dropped_in_words(tmp_path):
    for path in (
        written(tmp_path / "traces.json", [mlflow()]),
        written(tmp_path / "traces.jsonl", [mlflow()]),
        written(tmp_path / "all.json", {"traces": [mlflow()]}),
    ):
        imported = read(path)
        assert imported.format == "mlflow"
        assert rated(imported) == {
            ("tr1", "openai:/gpt", "correct"): "pass", ("tr1", "anna", "correct"): "fail",
            ("tr1", "openai:/gpt", "root"): 4.0,
        }  # fmt: skip
        assert kinds(imported) == {"openai:/gpt": "model", "anna": "human"}
        account = imported.account
        assert (account.rows, account.ratings, account.dropped, account.unknown) == (7, 3, 4, 0)


def test_mlflow_the_table_of_an_evaluation_holds_judges_beside_programs(tmp_path):
    table = {
        "columns": ["inputs", "outputs", "similarity/v1/score", "similarity/v1/justification", "toxicity/v1/score"],
        "data": [["q", "a", 4, "close", 0.01], ["r", "b", 2, "far", 0.02], ["short"]],
    }
    imported = read(written(tmp_path / "eval_results_table.json", table))
    assert imported.format == "mlflow"
    assert sorted(rated(imported).values()) == [2.0, 4.0]
    assert kinds(imported) == {"similarity judge": "model"}
    assert (imported.account.rows, imported.account.dropped, imported.account.unknown) == (3, 1, 0)
    with pytest.raises(FormatError, match="no judge gave them"):
        read(written(tmp_path / "t.json", {"columns": ["a", "b/score"], "data": [[1, 2]]}))


def test_results_of_promptfoo_are_the_same_as_lines_and_without_a_summary(tmp_path):
    whole = json.loads((EXPORTS / "promptfoo.json").read_text(encoding="utf-8"))
    rows = whole["results"]["results"]
    (tmp_path / "lines.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (tmp_path / "old.json").write_text(json.dumps({"version": 2, "results": rows}), encoding="utf-8")
    results = [read(path) for path in (EXPORTS / "promptfoo.json", *sorted(tmp_path.iterdir()))]
    assert [one.format for one in results] == ["promptfoo"] * 3
    assert len({(one.ratings.items, tuple(one.ratings.labels())) for one in results}) == 1


def test_a_result_of_deepeval_in_python_names_is_read_as_a_run(tmp_path):
    metric = {"name": "GEval", "score": 0.5, "evaluation_model": "gpt-4o", "threshold": 0.4, "success": True}
    cases = [{"name": f"case {place}", "success": True, "metrics_data": [metric]} for place in range(3)]
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"test_results": cases}), encoding="utf-8")
    ratings = read(path).ratings
    assert (ratings.items, list(ratings.rater.names)) == (3, ["gpt-4o"])


def test_a_scorer_of_inspect_that_is_called_a_judge_is_taken_for_one_and_said(tmp_path):
    scores = {"my_judge": {"value": {"fluency": 3, "adequacy": 4}}, "includes": {"value": "C"}}
    log = {"version": 2, "eval": {"run_id": "r", "task": "t", "model": "m", "scorers": []},
           "samples": [{"id": place, "epoch": 1, "scores": scores} for place in range(3)]}  # fmt: skip
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log), encoding="utf-8")
    ratings = read(path).ratings
    assert (len(ratings), list(ratings.rater.names)) == (6, ["my_judge grader"])
    assert any("taken for one by its name" in note for note in ratings.notes)


def judge_of(imported, name):
    return next(one for one in imported.ratings.codebook.judges if one.name == name)


def test_a_promptfoo_log_tells_model_rubric_prompt_and_settings_but_no_key(tmp_path):
    log = promptfoo()
    grader = {"id": "openai:gpt-judge", "config": {"temperature": 0, "apiKey": "sk-secret"}}
    log["config"]["defaultTest"]["options"] = {"provider": grader, "rubricPrompt": "Grade {{output}}"}
    judge = judge_of(read(written(tmp_path / "results.json", log)), "openai:gpt-judge")
    assert (judge.model, judge.rubric, judge.prompt) == ("openai:gpt-judge", "be helpful", "Grade {{output}}")
    assert judge.parameters == "temperature=0"
    log["config"]["defaultTest"]["options"]["rubricPrompt"] = "Grade it: {{output}}"
    changed = judge_of(read(written(tmp_path / "changed.json", log)), "openai:gpt-judge")
    assert changed.fingerprint != judge.fingerprint


def test_a_program_is_no_judge_of_an_inspect_log_that_has_a_grader(tmp_path):
    log = inspect_log()
    log["eval"]["model_roles"] = {"grader": {"model": "openai/judge"}}
    log["samples"][0]["scores"]["faithful"] = {"value": "C"}
    imported = read(written(tmp_path / "log.json", log))
    assert kinds(imported) == {"openai/judge": "model", "anna": "human"}
    assert set(imported.ratings.columns["criterion"].names) == {"model_graded_qa", "faithful"}
    assert "nothing says that faithful asks a model" in str(imported.log.summary()) + str(imported.log)


def test_an_inspect_log_tells_template_instructions_and_the_graders_settings(tmp_path):
    log = json.loads((EXPORTS / "inspect.json").read_text())
    log["eval"]["scorers"] = [{"name": "model_graded_qa", "options": {"template": "T", "instructions": "I", "n": 2}}]
    log["eval"]["model_roles"] = {"grader": {"model": "openai/judge", "config": {"temperature": 0.5}}}
    for sample in log["samples"]:
        sample.get("scores", {}).pop("match", None)
    judge = judge_of(read(written(tmp_path / "log.json", log)), "openai/judge")
    assert (judge.prompt, judge.rubric, judge.parameters) == ("T", "I", "n=2, temperature=0.5")


def test_other_logs_tell_what_their_judges_wrote_down(tmp_path):
    runs = json.loads((EXPORTS / "deepeval.json").read_text())
    for case in runs["testCases"]:
        for metric in case["metricsData"]:
            metric["verboseLogs"] = f"Criteria:\n{metric['name']} counts\n \nScore: 0.{len(case['name'])}"
    judge = judge_of(read(written(tmp_path / "run.json", runs)), "gpt-4.1")
    assert judge.rubric == "Bias: Criteria:\nBias counts\nRelevancy: Criteria:\nRelevancy counts"
    assert judge.parameters == "threshold=0.5"
    scores = json.loads((EXPORTS / "langfuse.json").read_text())
    scores[0]["metadata"] |= {"prompt_version": 3, "temperature": 0}
    judge = judge_of(read(written(tmp_path / "scores.json", scores)), "gpt")
    assert (judge.model, judge.prompt, judge.parameters) == ("gpt", "3", "temperature=0")
    traces = json.loads((EXPORTS / "mlflow.json").read_text())
    traces[0]["info"]["assessments"][0]["metadata"] = {"instructions": "Is it right?"}
    judge = judge_of(read(written(tmp_path / "traces.json", traces)), "openai:/gpt")
    assert (judge.model, judge.prompt) == ("openai:/gpt", "Is it right?")


def test_what_a_judge_judged_with_travels_with_a_converted_log(tmp_path):
    imported = read(written(tmp_path / "results.json", promptfoo()))
    write(imported, tmp_path / "scores.csv")
    judge = judge_of(imported, "openai:gpt-judge")
    assert judge_of(read(tmp_path / "scores.csv"), "openai:gpt-judge") == judge


@pytest.mark.parametrize("log_first", [True, False])
def test_a_log_and_a_table_of_people_are_read_together_with_what_the_judge_judged_with(tmp_path, log_first):
    log = written(tmp_path / "results.json", promptfoo())
    items = list(dict.fromkeys(read(log).ratings.item.labels()))
    table = tmp_path / "people.csv"
    rows = [f"{item},anna,human,helpful,0.5" for item in items]
    table.write_text("\n".join(["item,rater,kind,criterion,value", *rows]) + "\n")
    both = read_several([log, table] if log_first else [table, log])
    assert kinds(both) == {"openai:gpt-judge": "model", "human": "human", "anna": "human"}
    assert both.ratings.items == len(items)
    assert judge_of(both, "openai:gpt-judge").rubric == "be helpful"


def test_what_a_program_checked_and_what_is_no_result_of_promptfoo_is_counted_in_a_line(tmp_path):
    log = promptfoo()
    log["results"]["results"].append(5)
    imported = read(written(tmp_path / "results.json", log))
    assert any("checked by a program, so no ratings" in note for note in imported.notes)
    assert any(repair.reason == "the result is no object" for repair in imported.log.entries)
    assert imported.account.unknown == 0


def test_scores_of_programs_and_earlier_changes_in_an_inspect_log_are_counted_in_a_line(tmp_path):
    def changed(*values):
        by_ann = {"provenance": {"author": "ann"}}
        history = [{"value": value, **(by_ann if place else {})} for place, value in enumerate(values)]
        return {"value": values[-1], "history": history}

    scores = [changed("I", "P", "C"), changed("C", "I")]
    samples = [
        {"id": place, "input": "q", "scores": {"model_graded_qa": score, "match": {"value": "C"}}}
        for place, score in enumerate(scores)
    ]
    scorers = [{"name": "model_graded_qa", "options": {"model": "g"}}]
    spec = {"run_id": "r", "task": "t", "model": "m", "scorers": scorers}
    imported = read(written(tmp_path / "log.json", {"version": 2, "eval": spec, "samples": [*samples, 7]}))
    assert "2 scores of match no model and no person gave: no ratings" in imported.notes
    assert "1 score by a person changed once more: the last change counts" in imported.notes
    assert [repair.reason for repair in imported.log.entries] == ["the sample is no object"]


def test_a_second_provider_of_promptfoo_is_no_second_prompt(tmp_path):
    """``promptIdx`` counts each provider with each prompt; ``promptId`` is the prompt's own."""
    log = promptfoo()
    rows = log["results"]["results"] = [
        promptfoo_row("a", provider, 0.5) | {"promptIdx": place, "promptId": prompt}
        for place, (prompt, provider) in enumerate((p, name) for p in ("one", "two") for name in ("gpt", "llama"))
    ]
    items = read(written(tmp_path / "results.json", log)).ratings.item.names
    assert [name.split(":")[:-1] for name in items] == [["gpt"], ["llama"], ["gpt", "prompt1"], ["llama", "prompt1"]]
    for row in rows:
        del row["promptId"]
        row["prompt"] = {"label": "Answer {{q}}"}
    items = read(written(tmp_path / "results.json", log)).ratings.item.names
    assert [name.split(":")[0] for name in items] == ["gpt", "llama", "gpt", "llama"] and "prompt" not in "".join(items)


def test_a_promptfoo_log_without_test_cases_is_recognised(tmp_path):
    rows = [promptfoo_row(test, provider, 0.7) for test in ("a", "b") for provider in ("x", "y")]
    for row in rows:
        del row["testCase"]
    imported = read(written(tmp_path / "log.json", {"evalId": "e", "results": {"results": rows}}))
    assert imported.format == "promptfoo"
    assert len(imported.ratings) == 4

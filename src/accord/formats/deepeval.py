"""DeepEval test runs: scores of metrics on test cases (``.latest_run_full.json``, ``test_run_*.json``)."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.design.criterion import Criterion
from accord.design.scale import Direction, Level, Scale
from accord.errors import FormatError
from accord.formats.collect import Collector, as_name, as_number
from accord.formats.content import read_json
from accord.formats.imported import Imported
from accord.formats.judge_scores import fingerprint, mappings, shown
from accord.formats.options import ReadOptions

__all__ = ["detect", "read"]

_LISTS = ("testCases", "conversationalTestCases", "test_results")
_GOOD_END = {True: Direction.HIGH, False: Direction.LOW}
"""By whether the run calls a score above its threshold a success: that is DeepEval's own word, not a guess."""
_OPENING = re.compile(r"\s*Criteria:.*?(?=\n\s*(?:Score|Reason|Truths|Claims|Statements|Verdicts):|\Z)", re.S)
_PLACE = re.compile(r"(conversational_)?test_case_\d+")


def detect(sample: str, path: Path) -> str | None:
    start = sample.lstrip()
    if start.startswith("{") and '"testCases"' in sample and '"metricsData"' in sample:
        return "JSON with testCases and metricsData"
    if start.startswith("{") and '"test_results"' in sample and '"metrics_data"' in sample:
        return "JSON with test_results and metrics_data"
    return None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read the score of each metric on each test case; the judge is the evaluation model."""
    collect = Collector(path)
    whole = read_json(path, options, collect)
    run = whole.get("testRunData", whole) if isinstance(whole, Mapping) else None
    if not isinstance(run, Mapping) or not any(isinstance(run.get(name), list) for name in _LISTS):
        raise FormatError(f"{path} is not a test run of DeepEval: it has no testCases.")
    cases = [_as_in_runs(case) for name in _LISTS for case in mappings(run.get(name))]
    seen: list[Mapping[str, Any]] = []
    for number, case in collect.counted(enumerate(cases, 1)):
        seen += _take(collect, number, case)
    return collect.imported("deepeval", options, _meanings(seen))


def _as_in_runs(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A case or a metric with names as test runs write them: Python writes ``metrics_data`` for ``metricsData``."""
    named = {re.sub(r"_([a-z])", lambda found: found[1].upper(), name): value for name, value in record.items()}
    return (
        named | {"metricsData": [_as_in_runs(one) for one in mappings(named.get("metricsData"))]}
        if ("metricsData" in named)
        else named
    )


def _take(collect: Collector, number: int, case: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    asked, answer = (
        shown(case.get("input") or case.get("scenario") or case.get("turns")),
        shown(case.get("actualOutput")),
    )
    item = as_name(case.get("name"))
    if not item or _PLACE.fullmatch(item):
        item = fingerprint(asked, answer)
        collect.guessed(number, "the test case has no name of its own: it is named by its input and output")
    collect.text(item, asked, answer)
    metrics = mappings(case.get("metricsData"))
    for metric in metrics:
        name, judge = as_name(metric.get("name")) or "metric", as_name(metric.get("evaluationModel"))
        if not judge:
            collect.note("Where no evaluation model is recorded, whether a model or a program judged is not known.")
        else:
            collect.judges.told(
                judge, name, model=judge, rubric=_rubric(metric.get("verboseLogs")),
                parameters={"threshold": metric.get("threshold"), "strict": metric.get("strictMode") or None},
            )  # fmt: skip
        score = None if metric.get("error") else as_number(metric.get("score"))
        said = as_name(metric.get("reason")) or as_name(metric.get("error")) or None
        collect.rate(
            number, item, judge or f"{name} (no model recorded)", score, criterion=name,
            kind="model" if judge else None, comment=said,
        )  # fmt: skip
    if not metrics:
        collect.dropped(number, "the test case has no metric")
    return metrics


def _rubric(logs: object) -> str:
    """Criteria, steps and rubric of a metric as its verbose log opens with; the rest is about one case."""
    found = _OPENING.match(str(logs or ""))
    return found[0].strip() if found else ""


def _meanings(metrics: Sequence[Mapping[str, Any]]) -> dict[str, Criterion]:
    """The threshold of each metric, and which end is good as success and failure around it show."""
    means: dict[str, Criterion] = {}
    for name in {as_name(metric.get("name")) or "metric" for metric in metrics}:
        own = [metric for metric in metrics if (as_name(metric.get("name")) or "metric") == name]
        thresholds = {as_number(metric.get("threshold")) for metric in own}
        shown_ends = {end for metric in own if (end := _good_end(metric)) is not None}
        direction = shown_ends.pop() if len(shown_ends) == 1 else Direction.UNKNOWN
        means[name] = Criterion(
            name, kind="scale", definition="a score of a metric of DeepEval",
            scale=Scale(Level.INTERVAL, (), direction=direction),
            threshold=thresholds.pop() if len(thresholds) == 1 else None,
        )  # fmt: skip
    return means


def _good_end(metric: Mapping[str, Any]) -> Direction | None:
    score, threshold, success = (
        as_number(metric.get("score")),
        as_number(metric.get("threshold")),
        metric.get("success"),
    )
    if score is None or threshold is None or score == threshold or not isinstance(success, bool):
        return None
    return _GOOD_END[(score > threshold) == success]

"""promptfoo results (``promptfoo eval -o results.json``): scores of model-graded assertions, and of people.

An output is rated: of a provider, for a prompt and a test. What a program checks (equals, contains, ...) is no rating.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from accord.errors import FormatError
from accord.formats.collect import Collector, as_name, as_number, joined
from accord.formats.content import json_documents
from accord.formats.imported import Imported
from accord.formats.judge_scores import SHARE, fingerprint, is_object, mappings, shown
from accord.formats.options import ReadOptions
from accord.words import counted

__all__ = ["detect", "read"]

_GRADED = frozenset({
    "llm-rubric", "g-eval", "factuality", "model-graded-closedqa", "model-graded-factuality", "answer-relevance",
    "context-faithfulness", "context-recall", "context-relevance", "conversation-relevance", "search-rubric",
})  # fmt: skip
_HUMAN = "human"
_UNNAMED = "promptfoo default grader"


def detect(sample: str, path: Path) -> str | None:
    """Results with what their assertions gave: a list in one object, or one result a line."""
    start = sample.lstrip()
    if not start.startswith("{") or '"gradingResult"' not in sample:
        return None
    for beside in ("testCase", "promptIdx", "evalId"):
        if f'"{beside}"' in sample:
            return f"JSON with {beside} and gradingResult"
    return None


def read(path: Path, options: ReadOptions) -> Imported:
    """Read what judges and people said about each output."""
    collect = Collector(path)
    results, config = _results(path, options)
    defaults = _options(config.get("defaultTest") if isinstance(config, Mapping) else None)
    rows = [row for row in collect.counted(enumerate(results, 1)) if is_object(collect, *row, "result")]
    names = _test_names([row for _, row in rows])
    graded = {_criterion(part) for _, row in rows for part in _components(row.get("gradingResult")) if _is_graded(part)}
    programs = sum(_is_program(part) for _, row in rows for part in _components(row.get("gradingResult")))
    if programs:
        collect.note(f"{counted(programs, 'assertion is', 'assertions are')} checked by a program, so no ratings")
    prompts = {name: place for place, name in enumerate(dict.fromkeys(_prompt(row) for _, row in rows))}
    runs: Counter[str] = Counter()
    for (line, row), test in zip(rows, names, strict=True):
        place = prompts[_prompt(row)]
        output = joined(_system(row), f"prompt{place}" if place else "", test)
        runs[output] += 1
        # A repeat is another output, not the same again.
        item = output if runs[output] == 1 else f"{output}:run{runs[output]}"
        _take(collect, line, row, item, test, defaults, graded)
    asked = {as_name(row["criterion"]) for row in collect.rows}
    return collect.imported("promptfoo", options, dict.fromkeys(asked, SHARE))


def _results(path: Path, options: ReadOptions) -> tuple[list[Any], object]:
    """The results and the configuration: of one object, of an older one without a summary, or of JSON lines."""
    documents = [document for _, document in json_documents(path, options)]
    if all("gradingResult" in document for document in documents):
        return documents, None
    whole = documents[0]
    summary = whole.get("results")
    results = summary.get("results") if isinstance(summary, Mapping) else summary
    if not isinstance(results, list):
        raise FormatError(
            f"{path}: results of promptfoo hold a list in results.results. Write it with promptfoo eval -o."
        )
    return results, whole.get("config")


def _take(
    collect: Collector,
    line: int,
    row: Mapping[str, Any],
    item: str,
    test: str,
    defaults: object,
    graded: set[str],
) -> None:
    response = row.get("response")
    collect.text(item, shown(row.get("vars")), shown(response.get("output") if isinstance(response, Mapping) else None))
    more = {"system": _system(row), "segment": test}
    taken = 0
    case = row.get("testCase")
    for part in _components(row.get("gradingResult")):
        given = part.get("assertion")
        assertion = given if isinstance(given, Mapping) else {}
        human = assertion.get("type") == _HUMAN
        if _is_program(part):
            continue
        criterion = _criterion(part) if not human else next(iter(graded)) if len(graded) == 1 else _HUMAN
        rater = _HUMAN if human else _provider(assertion) or _provider(_options(case)) or _provider(defaults)
        if not rater:
            rater = _UNNAMED
            collect.guessed(line, "no grader is named: promptfoo used its own, whose model the file does not say")
        if not human:
            _tell_judge(collect, rater, criterion, assertion, _options(case), defaults)
        said = part.get("comment" if human else "reason")
        collect.rate(
            line, item, rater, as_number(part.get("score")), criterion=criterion, kind="human" if human else "model",
            comment=as_name(said) or None, **more,
        )  # fmt: skip
        taken += 1
    if not taken:
        collect.dropped(line, "no judge and no person rated the output: its assertions are checked by a program")


def _tell_judge(
    collect: Collector, judge: str, criterion: str, assertion: Mapping[str, Any], own: object, defaults: object
) -> None:
    """The rubric is the assertion's value, the prompt its rubricPrompt, the parameters the model's configuration."""
    holders = [one for one in (assertion, own, defaults) if isinstance(one, Mapping)]
    prompt = next((found for one in holders if (found := one.get("rubricPrompt"))), None)
    configured = next((found for one in holders if (found := _config(one))), {})
    collect.judges.told(
        judge, criterion, model="" if judge == _UNNAMED else judge, rubric=assertion.get("value"), prompt=prompt,
        parameters={**configured, "threshold": assertion.get("threshold")},
    )  # fmt: skip


def _config(holder: Mapping[str, Any]) -> Mapping[str, Any]:
    provider = holder.get("provider")
    if isinstance(provider, Mapping) and "id" not in provider:
        provider = provider.get("text")
    config = provider.get("config") if isinstance(provider, Mapping) else None
    secret = ("apiKey", "apiHost", "apiBaseUrl", "headers", "organization")
    return {key: one for key, one in config.items() if key not in secret} if isinstance(config, Mapping) else {}


def _prompt(row: Mapping[str, Any]) -> str:
    """Which prompt made an output. ``promptIdx`` counts providers too, so it says so only where nothing else does."""
    given = row.get("prompt")
    label = given.get("label") if isinstance(given, Mapping) else None
    return as_name(row.get("promptId")) or as_name(label) or as_name(row.get("promptIdx"))


def _system(row: Mapping[str, Any]) -> str:
    provider = row.get("provider")
    if isinstance(provider, Mapping):
        return as_name(provider.get("label")) or as_name(provider.get("id"))
    return as_name(provider)


def _test_names(rows: list[Mapping[str, Any]]) -> list[str]:
    """The description of each test if it names the test, else a name made of its variables."""
    cases = [row.get("testCase") for row in rows]
    told = [as_name(case.get("description")) if isinstance(case, Mapping) else "" for case in cases]
    made = [fingerprint(row.get("vars")) for row in rows]
    pairs = set(zip(told, made, strict=True))
    clear = all(told) and len(pairs) == len({name for name, _ in pairs})
    return told if clear else made


def _components(grading: object, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """What each assertion gave; those of a set one by one."""
    given = grading.get("componentResults") if isinstance(grading, Mapping) else None
    for part in mappings(given):
        if part.get("componentResults") and depth < 5:
            yield from _components(part, depth + 1)
        else:
            yield part


def _is_graded(part: Mapping[str, Any]) -> bool:
    assertion = part.get("assertion")
    return isinstance(assertion, Mapping) and as_name(assertion.get("type")).removeprefix("not-") in _GRADED


def _is_program(part: Mapping[str, Any]) -> bool:
    """Whether neither a model nor a person gave this score."""
    assertion = part.get("assertion")
    return not _is_graded(part) and not (isinstance(assertion, Mapping) and assertion.get("type") == _HUMAN)


def _criterion(part: Mapping[str, Any]) -> str:
    assertion = part["assertion"]
    return as_name(assertion.get("metric")) or as_name(assertion.get("type"))


def _options(case: object) -> object:
    return case.get("options") if isinstance(case, Mapping) else None


def _provider(holder: object) -> str:
    """The model that grades: an id, or an object with one, perhaps below text."""
    provider = holder.get("provider") if isinstance(holder, Mapping) else None
    if isinstance(provider, Mapping) and "id" not in provider:
        provider = provider.get("text")
    return as_name(provider.get("id") if isinstance(provider, Mapping) else provider)

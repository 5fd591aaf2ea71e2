"""Inspect logs (.json and .eval): scores of samples that a model graded, and what people changed in them.

An .eval file is a zip archive with the header and one JSON file a sample.
"""

import json
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from accord.design.criterion import Criterion
from accord.design.scale import Direction, Level, Scale, Value
from accord.errors import FormatError, UnreadableFileError
from accord.formats.collect import Collector, as_int, as_name, joined
from accord.formats.content import read_json
from accord.formats.imported import Imported
from accord.formats.judge_scores import is_object, mappings, meaning_of, shown, verdict
from accord.formats.options import ReadOptions
from accord.formats.packed import unpacked
from accord.words import counted

__all__ = ["detect", "read"]

_HEADERS = ("header.json", "_journal/start.json", "start.json")
_SAMPLES = "samples/"
_MOST_BYTES = 1 << 30
_NO_ANSWER = "N"
_WORDS = {"I": "I incorrect", "P": "P partly correct", "C": "C correct"}


_GRADER = re.compile(r"model_graded|grader|judge|rubric|(?:^|[\W_])llm(?:$|[\W_])", re.I)
"""Names of scorers that ask a model."""
_PROGRAMS = frozenset({"match", "includes", "pattern", "answer", "exact", "f1", "choice", "math", "perplexity"})
"""Inspect's own scorers that compare with the target and ask no model, whatever roles models have in the log."""


def detect(sample: str, path: Path) -> str | None:
    """An object with eval and samples, or an archive with a header and samples."""
    if sample.startswith("PK"):
        return "an archive with the header and samples of an Inspect log" if _names(path) else None
    start = sample.lstrip()
    marks = ('"version"', '"eval"', '"run_id"', '"task"')
    if start.startswith("{") and all(mark in start[:8000] for mark in marks):
        return "JSON with version, eval, its run and its task"
    return None


def _names(path: Path) -> list[str]:
    """The files in an archive that make it a log; none where it is another archive."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (OSError, ValueError, zipfile.BadZipFile, NotImplementedError):
        return []
    held = [name for name in names if name.startswith(_SAMPLES) and name.endswith(".json")]
    header = next((name for name in _HEADERS if name in names), None)
    return [header, *held] if header and held else []


def read(path: Path, options: ReadOptions) -> Imported:
    """Read the scores of every sample and epoch that a model or a person gave."""
    collect = Collector(path)
    names = _names(path) if path.is_file() and zipfile.is_zipfile(path) else []
    spec, samples = _of_archive(path, names) if names else _of_json(path, options, collect)
    model = as_name(spec.get("model"))
    roles = spec.get("model_roles")
    grader = _model(roles.get("grader")) if isinstance(roles, Mapping) else ""
    settings = _settings(roles.get("grader")) if isinstance(roles, Mapping) else {}
    scorers = {as_name(one.get("name")): one.get("options") for one in mappings(spec.get("scorers"))}
    aside: Counter[str] = Counter()
    for number, sample in collect.counted(enumerate(samples, 1)):
        if is_object(collect, number, sample, "sample"):
            _take(collect, number, sample, model, grader, scorers, aside)
    for why, often in (+aside).items():
        collect.note(f"{counted(often, 'score')} {why}")
    _tell_judges(collect, scorers, settings)
    values: dict[str, list[Value | None]] = {}
    for row in collect.rows:
        values.setdefault(as_name(row["criterion"]), []).append(row["value"])
    means = {name: meaning for name, given in values.items() if (meaning := _meaning(given)) is not None}
    return collect.imported("inspect", options, means)


def _meaning(values: list[Value | None]) -> Criterion | None:
    """Grades are incorrect and correct, and partly correct only where the scorer gives partial credit."""
    found = {value for value in values if value is not None}
    if not found or not found <= set(_WORDS):
        return meaning_of(values)
    grades = tuple(grade for grade in _WORDS if grade != "P" or "P" in found)
    return Criterion(
        kind="scale", definition=", ".join(_WORDS[grade] for grade in reversed(grades)),
        scale=Scale(Level.ORDINAL, grades, declared=True, direction=Direction.HIGH),
    )  # fmt: skip


def _of_json(path: Path, options: ReadOptions, collect: Collector) -> tuple[Mapping[str, Any], list[Any]]:
    whole = read_json(path, options, collect)
    spec = whole.get("eval") if isinstance(whole, Mapping) else None
    if not isinstance(spec, Mapping):
        raise FormatError(f"{path} is not a log of Inspect: it has no eval.")
    samples = whole.get("samples")
    return spec, samples if isinstance(samples, list) else []


def _of_archive(path: Path, names: list[str]) -> tuple[Mapping[str, Any], list[Any]]:
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(archive.getinfo(name).file_size for name in names) > _MOST_BYTES:
                raise UnreadableFileError(f"{path} unpacks to more than 1 GB. Write the log without its events.")
            header, *samples = map(json.loads, unpacked(archive, names))
    except (
        OSError,
        ValueError,
        RecursionError,
        NotImplementedError,
        zipfile.BadZipFile,
        zlib.error,
        KeyError,
    ) as error:
        raise UnreadableFileError(
            f"{path} is a damaged log, or packed in a way that is not known ({error}). "
            f"Write it as JSON: inspect log dump {path.name} > log.json"
        ) from None
    spec = header.get("eval") if isinstance(header, Mapping) else None
    if not isinstance(spec, Mapping):
        raise FormatError(f"{path} is not a log of Inspect: its header has no eval.")
    return spec, samples


def _take(
    collect: Collector,
    number: int,
    sample: Mapping[str, Any],
    model: str,
    grader: str,
    scorers: Mapping[str, object],
    aside: Counter[str],
) -> None:
    epoch = as_int(sample.get("epoch")) or 1
    name = as_name(sample.get("id")) or str(number)
    item = joined(model, name, f"epoch{epoch}" if epoch > 1 else "")  # another epoch is another answer
    output = sample.get("output")
    answer = output.get("completion") if isinstance(output, Mapping) else None
    collect.text(item, shown(sample.get("input")), shown(answer))
    scores = sample.get("scores") or {next(iter(scorers), "score"): sample.get("score")}  # of old there was one
    taken = 0
    for scorer, score in scores.items() if isinstance(scores, Mapping) else ():
        if not isinstance(score, Mapping):
            aside[f"of {scorer} cannot be read"] += score is not None
            continue
        rater = _judge(str(scorer), score, grader, scorers.get(str(scorer)))
        if rater == _unnamed(str(scorer)):
            collect.guessed(number, f"no model is named that graded; {scorer} is taken for one by its name")
        elif rater and not _asks(str(scorer), score, scorers.get(str(scorer))):
            collect.guessed(number, f"nothing says that {scorer} asks a model; it is taken to ask the log's grader")
        versions = list(_versions(score, rater))
        aside[f"of {scorer} no model and no person gave: no ratings"] += not versions
        earlier = sum(bool(_author(one)) for one in mappings(score.get("history"))[:-1])
        aside["by a person changed once more: the last change counts"] += earlier
        for who, kind, given in versions:
            for criterion, value in _verdicts(str(scorer), given.get("value")):
                rated = None if value == _NO_ANSWER else verdict(value)
                said = as_name(given.get("explanation")) or None
                collect.rate(
                    number, item, who, rated, criterion=criterion, kind=kind, comment=said, system=model, segment=name
                )
                taken += 1
    if not taken:
        error = sample.get("error")
        why = "the sample ended in an error" if error else "nothing says that a model or a person gave its scores"
        collect.dropped(number, f"no judge rated sample {name}: {why}")


def _tell_judges(collect: Collector, scorers: Mapping[str, object], settings: Mapping[str, Any]) -> None:
    """The template of a scorer is its prompt, its instructions are the rubric, and the rest its parameters."""
    for judge, criterion in {
        (str(row["rater"]), str(row["criterion"])) for row in collect.rows if row["kind"] == "model"
    }:
        given = scorers.get(criterion.partition(".")[0])
        own = given if isinstance(given, Mapping) else {}
        rest = {key: one for key, one in own.items() if key not in ("model", "template", "instructions")}
        collect.judges.told(
            judge, criterion, model="" if judge == _unnamed(criterion.partition(".")[0]) else judge,
            prompt=own.get("template"), rubric=own.get("instructions"), parameters={**settings, **rest},
        )  # fmt: skip


def _settings(given: object) -> Mapping[str, Any]:
    """The configuration of a grader: temperature and the like."""
    config = given.get("config") if isinstance(given, Mapping) else None
    return config if isinstance(config, Mapping) else {}


def _judge(scorer: str, score: Mapping[str, Any], grader: str, options: object) -> str:
    """The model that graded; '' where nothing says that one did: programs compare answers with the target."""
    if _asks(scorer, score, options):
        own = _model(options.get("model")) if isinstance(options, Mapping) else ""
        return own or grader or _unnamed(scorer)
    return "" if scorer.rpartition("/")[2] in _PROGRAMS else grader


def _asks(scorer: str, score: Mapping[str, Any], options: object) -> bool:
    """Whether the log itself says that a scorer asks a model: by its options, what it kept, or its name."""
    metadata = score.get("metadata")
    kept = isinstance(metadata, Mapping) and ("grading" in metadata or "grader" in metadata)
    own = isinstance(options, Mapping) and bool(_model(options.get("model")))
    return own or kept or bool(_GRADER.search(scorer))


def _unnamed(scorer: str) -> str:
    return f"{scorer} grader"


def _versions(score: Mapping[str, Any], judge: str) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Who said what: the judge first, then a person who changed it."""
    history = mappings(score.get("history"))
    edited = [one for one in history if _author(one)]
    first = history[0] if edited and not _author(history[0]) else {} if edited else score
    if judge and first:
        yield judge, "model", first
    if edited:
        yield _author(edited[-1]), "human", {**edited[-1], "value": edited[-1].get("value", score.get("value"))}


def _author(version: Mapping[str, Any]) -> str:
    provenance = version.get("provenance")
    return as_name(provenance.get("author")) if isinstance(provenance, Mapping) else ""


def _verdicts(scorer: str, value: object) -> Iterator[tuple[str, object]]:
    """One verdict, or one for each key of a rubric."""
    if isinstance(value, Mapping):
        yield from ((f"{scorer}.{key}", one) for key, one in value.items())
    else:
        yield scorer, value


def _model(given: object) -> str:
    if isinstance(given, list):
        return "+".join(sorted(filter(None, (_model(one) for one in given))))
    return as_name(given.get("model") if isinstance(given, Mapping) else given)

"""``accord judge``: the dossier of a language model, its gate and its certificate."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from accord.cli.column_options import Pool
from accord.cli.output import Csv, Form, Json, Latex, Markdown, chosen_form, emit, progress
from accord.cli.reading import takes_counts
from accord.errors import OptionError, UnreadableFileError
from accord.functions.judging import judge as judge_answer
from accord.ratings.apart import pooled
from accord.ratings.table import Ratings

__all__ = ["judge"]

_VOID = 3
_Judge = Annotated[
    str, typer.Option("--judge", help="The rater that is the model; the one that rated most if not given.")
]
_Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Also write a page: .html, .pdf, .md, .tex or .json.")
]
_GateFile = Annotated[
    Path | None,
    typer.Option(help="File of criteria (TOML). Exit code 0 TRUSTED, 1 UNTRUSTED, 3 INCONCLUSIVE."),
]
_Certificate = Annotated[
    Path | None,
    typer.Option(help="With --gate: write the certificate here. Without: say whether this one still stands."),
]
_Setting = Annotated[
    list[str] | None,
    typer.Option(help="Which way of asking to look at, if there are several: prompt=v2. Repeatable."),
]
_Family = Annotated[
    list[str] | None, typer.Option(help="System of the judge's own family; guessed by name. Repeatable.")
]


@takes_counts
def judge(
    ratings: Ratings,
    sanity: Sequence[dict[str, object]] = (),
    judge: _Judge = "",
    epsilon: Annotated[float, typer.Option(help="0.2 against experts, 0.15 skilled raters, 0.1 crowd.")] = 0.2,
    output: _Output = None,
    gate: _GateFile = None,
    certificate: _Certificate = None,
    model: Annotated[str, typer.Option(help="The judge's model and version, for its fingerprint.")] = "",
    prompt: Annotated[Path | None, typer.Option(help="File with the judge's prompt, for its fingerprint.")] = None,
    rubric: Annotated[Path | None, typer.Option(help="File with its rubric, for its fingerprint.")] = None,
    parameters: Annotated[str, typer.Option(help="Its settings, such as temperature=0, for its fingerprint.")] = "",
    positive: Annotated[str, typer.Option(help="This value and all above it count as yes.")] = "",
    family: _Family = None,
    setting: _Setting = None,
    half_width: Annotated[float, typer.Option(help="Wanted half-width of the corrected mean: how many labels?")] = 0.0,
    next_labels: Annotated[int, typer.Option("--next", help="How many items to propose for labelling.", min=0)] = 10,
    every: Annotated[bool, typer.Option("--all", help="Every table.")] = False,
    pool: Pool = None,
    confidence: Annotated[float, typer.Option(help="Confidence level.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Seed of the random numbers.")] = 0,
    json: Json = False,
    csv: Csv = False,
    markdown: Markdown = False,
    latex: Latex = False,
) -> None:
    """May a language model stand in for people, where does it err, and what are its scores worth?"""
    form = chosen_form(json=json, csv=csv, markdown=markdown, latex=latex)
    if not isinstance(ratings, Ratings):
        raise OptionError("accord judge needs the ratings in memory: give --engine memory, or a part of the ratings.")
    if output is not None:
        from accord.reporting.writing import checked_target

        checked_target(output)
    facts = {"model": model, "prompt": _text(prompt), "rubric": _text(rubric), "parameters": parameters}
    with progress("Looking at the judge") as _:
        answer = judge_answer(
            pooled(ratings, pool or ()), judge, epsilon=epsilon, positive=positive, family=family or (), gate=gate,
            half_width=half_width, next_labels=next_labels, facts=facts, confidence=confidence, seed=seed,
            setting=_settings(setting or ()),
        )  # fmt: skip
    code, said = _certified(answer, certificate)
    tables = answer.parts if every or form is not Form.TEXT else [one for one in answer.parts if _short(one.title)]
    lines = [*answer.words, *([] if len(tables) == len(answer.parts) else [_MORE])]
    # The verdict of a gate comes before its certificate; without a gate the certificate is what was asked for.
    opening = [*said, *answer.opening] if answer.gate is None else [*answer.opening, *said]
    emit(tables, {**answer.data, "certificate_says": said, "sanity": sanity}, form, lines=lines, opening=opening)
    if output is not None:
        typer.echo(f"Wrote {answer.save(output)}.", err=True)
    if code is not None:
        raise typer.Exit(code)


_MORE = (
    "More with --all (each group, the confusion, far items, which items to label next), or on a page: -o judge.html."
)
_ALWAYS = ("Agreement", "What its scores", "Differences", "Bias", "The same items", "Drift", "Several", "The gate")


def _short(title: str) -> bool:
    """Whether a table stands on the first screen."""
    return title.startswith(_ALWAYS)


def _settings(given: Sequence[str]) -> dict[str, str]:
    """``prompt=v2`` and its like."""
    from accord.judging.answers import SETTINGS

    found = {}
    for one in given:
        name, equals, value = one.partition("=")
        if name not in SETTINGS or not equals:
            raise OptionError(f"--setting {one}: write COLUMN=VALUE with one of {', '.join(SETTINGS)}.")
        found[name] = value
    return found


def _text(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFileError(f"{path} cannot be read as text: {error}.") from None


def _certified(answer, path: Path | None) -> tuple[int | None, list[str]]:  # type: ignore[no-untyped-def]
    """Hold an old certificate against judge, data and program; write the new one where there is a gate.

    The exit code is that of the gate, or else that of the old certificate.
    """
    code = None if answer.gate is None else answer.gate.exit_code
    if path is None:
        return code, []
    from accord.judging.certificates import standing, write_certificate
    from accord.judging.gate import EXIT_CODES

    if path.suffix.lower() != ".json":
        raise OptionError(f"A certificate is a file that ends in .json, not '{path.name}'.")
    said, verdict = [], None
    if path.exists():
        verdict, sentence = standing(path, answer.result)
        said.append(sentence)
    elif code is None:
        raise UnreadableFileError(f"There is no certificate {path}. Write one with --gate FILE --certificate {path}.")
    if code is None:
        return _VOID if verdict is None else EXIT_CODES[verdict], said
    write_certificate(path, answer.data["certificate"])
    return code, [*said, f"The new certificate is in {path}."]

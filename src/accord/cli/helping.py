"""Help as a person reads it: examples first, then the common options, the rest under headings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from textwrap import wrap
from typing import Any, get_args

__all__ = ["command_help", "group_help"]

_WIDTH = 96
_READING = (
    "item", "rater", "value", "criterion", "columns", "level", "scale", "direction", "separator", "encoding", "wide",
    "format", "sheet", "strict", "duplicates", "missing", "drop_off_scale", "map_rater", "leave_out", "keep_all",
    "systems",
)  # fmt: skip
HEADINGS: Mapping[str, Sequence[str]] = {
    "How the file is read": _READING,
    "Very many ratings": ("engine", "master", "memory", "draws"),
    "Intervals and resampling": (
        "confidence", "interval", "bootstrap", "resample", "seed", "sampled_share", "test", "replicates",
    ),
    "What is computed": ("coefficient", "weights", "metric", "icc_missing", "by", "pool", "interpretation"),
    "Other output": ("json", "csv", "markdown", "latex", "parts", "plot"),
}  # fmt: skip
"""Headings with the parameters that belong under them; what is in none of them is an option of its own."""
COMMON: Mapping[str, Sequence[str]] = {
    "agree": ("use", "every", "pairs", "quiet", "by", "coefficient", "confidence", "level", "scale", "json"),
    "diagnose": ("every", "show", "by", "top", "level", "scale", "direction", "json"),
    "compare": ("condition", "design", "first", "second", "every", "most", "direction", "bootstrap", "json"),
    "rank": ("direction", "where", "pairs", "standardise", "preset", "resample", "confidence", "json"),
}  # fmt: skip
"""Options that most people want, in this order; other commands show all of their own options."""
EXAMPLES: Mapping[str, Sequence[tuple[str, str]]] = {
    "agree": (
        ("accord agree ratings.csv", "which number to report, and what it allows to say"),
        ("accord agree ratings.csv --use ranking", "only the order of the items counts"),
        ("accord agree marks.xlsx --rater judge", "a column by its name; --item and --value too"),
    ),
    "diagnose": (
        ("accord diagnose ratings.csv", "who or what is the problem, and what to do"),
        ("accord diagnose ratings.csv --show items", "the items that raters dispute most"),
        ("accord diagnose ratings.csv --show raters", "how strict each rater is"),
    ),
    "compare": (
        ("accord compare ratings.csv --condition phase", "did the new guideline help?"),
        ("accord compare ratings.csv --condition scenario", "with and without context"),
        ("accord compare ratings.csv --condition phase --all", "also the items that gained and lost"),
    ),
    "score": (
        ("accord score 78 --prior 85 --threshold 80", "one score against what was known before"),
        ("accord score 76.85 81.99 --threshold 80", "two or more scores"),
        ("accord score --history vendor.csv --threshold 80", "a vendor's history"),
    ),
    "rank": (
        ("accord rank ratings.csv --direction high", "which system is best, and which cannot be told apart"),
        ("accord rank ratings.csv --direction high --pairs", "the test of each pair"),
    ),
    "da": (("accord da ratings.csv --direction high", "check raters, standardise, average by system"),),
    "mqm": (
        ("accord mqm errors.csv", "scores of systems and raters"),
        ("accord mqm --count 5 --words 1000 --acceptable 10", "PASS or FAIL of a small sample"),
    ),
    "prefer": (("accord prefer comparisons.csv", "which system people prefer"),),
    "report": (("accord report ratings.csv -o report.html", "a page to send"),),
    "coefficients": (
        ("accord coefficients", "what to report when"),
        ("accord coefficients kappa", "which kappa there is for what"),
        ("accord coefficients gwet_ac1", "all that is known of one"),
    ),
    "check": (("accord check my-study", "what is missing, and how precise it will be"),),
    "new": (
        ("accord new", "what presets there are"),
        ("accord new esa my-study", "a study folder from a preset"),
    ),
    "serve": (
        ("accord serve my-study", "collect judgements in the browser"),
        ("accord serve my-studies", "a folder of studies: make, run and watch them in the browser"),
    ),
    "convert": (("accord convert export.json ratings.csv", "from another tool's format"),),
    "simulate": (("accord simulate my-study -o rehearsal.csv", "ratings by simulated raters"),),
    "describe": (
        ("accord describe ratings.csv", "what was judged, on which scale, and what is only guessed"),
        ("accord describe ratings.csv --write", "a codebook to edit, used from then on"),
    ),
    "plot": (("accord plot ratings.csv -o agreement.svg", "each coefficient with its interval"),),
    "judge": (
        ("accord judge ratings.csv --judge gpt-4", "one rater is a model; not needed with a column kind"),
        ("accord judge ratings.csv --gate gate.toml", "TRUSTED or not, by criteria of your own"),
    ),
    "demo": (("accord demo", "opens a study with eight simulated raters on this computer"),),
    "invite": (("accord invite my-study 8", "a link for each of eight raters"),),
    "open": (("accord open my-study 2", "raters may begin with phase 2"),),
    "export": (("accord export my-study -o ratings.csv", "all that was judged"),),
    "import": (("accord import my-study filled-in.xlsx", "a workbook that came back"),),
    "formats": (("accord formats", "what is read and written"),),
    "audit": (
        ("accord audit results.csv", "means and counts that are impossible"),
        ("accord audit --survey papers.csv", "which coefficients papers report"),
    ),
    "backup": (("accord backup my-study study.zip", "while it is served"),),
    "restore": (("accord restore study.zip my-study", "a folder as it was"),),
    "verify": (("accord verify my-study", "every judgement can be read"),),
    "token": (("accord token my-study", "a key for a program"),),
    "forget": (("accord forget my-study R03", "what was judged stays"),),
}
_KINDS = {int: "N", float: "NUMBER", Path: "FILE"}


def command_help(command: Any, context: Any, *, everything: bool = False) -> str:
    """The help of one command: one screen, or with ``everything`` every option under its heading."""
    options = [one for one in command.get_params(context) if one.param_type_name == "option" and not one.hidden]
    arguments = [one for one in command.get_params(context) if one.param_type_name == "argument"]
    named = " ".join(_argument(one) for one in arguments)
    lines = [f"accord {command.name} {named} [OPTIONS]".replace("  ", " "), "", *wrap(str(command.help), _WIDTH), ""]
    if examples := EXAMPLES.get(str(command.name), ()):
        lines += ["Examples", *_pairs(examples), ""]
    chosen = _common(str(command.name), options)
    if arguments and (everything or not chosen):
        lines += [
            "Arguments",
            *_pairs([(_argument(one), str(getattr(one, "help", "") or "")) for one in arguments]),
            "",
        ]
    chosen = [one for one in chosen if one.name not in ("help", "help_all")]
    if chosen:
        row = _row if everything else _short
        lines += ["Common options" if len(chosen) < len(options) else "Options", *_pairs(map(row, chosen)), ""]
    rest = [one for one in options if one not in chosen]
    for heading, own in _by_heading(rest):
        lines += _whole(heading, own) if everything else _names(heading, own)
    if rest and not everything:
        lines += [f"All of them explained: accord {command.name} --help-all"]
    return "\n".join(lines).rstrip() + "\n"


def group_help(about: str, groups: Mapping[str, Sequence[tuple[str, str]]], examples: Sequence[tuple[str, str]]) -> str:
    """The help of the program: examples, then commands by what one wants."""
    width = max(len(name) for own in groups.values() for name, _ in own) + 2
    lines = [*wrap(about, _WIDTH), "", "Start here", *_pairs(examples), ""]
    for wanted, own in groups.items():
        lines += [wanted, *(f"  {name.ljust(width)}{does}" for name, does in own), ""]
    return "\n".join([*lines, "Help on one: accord COMMAND --help. Version: accord --version.", ""])


def _common(name: str, options: Sequence[Any]) -> list[Any]:
    """The options that most people want; without a choice of ours those that are under no heading."""
    by_name = {one.name: one for one in options}
    if name in COMMON:
        return [by_name[key] for key in COMMON[name] if key in by_name]
    under = {key for keys in _headings(options).values() for key in keys}
    return [one for one in options if one.name not in under and one.name not in ("help", "help_all")]


def _headings(options: Sequence[Any]) -> Mapping[str, Sequence[str]]:
    """The headings that apply: --rater of a command that reads no table of ratings is an option of its own."""
    reads = any(one.name == "item" for one in options)
    return {heading: keys for heading, keys in HEADINGS.items() if reads or keys is not _READING}


def _by_heading(options: Sequence[Any]) -> Iterator[tuple[str, list[Any]]]:
    left = {one.name: one for one in options if one.name not in ("help", "help_all")}
    for heading, keys in _headings(options).items():
        if own := [left.pop(key) for key in keys if key in left]:
            yield heading, own
    if left:
        yield "More", list(left.values())


def _names(heading: str, options: Sequence[Any]) -> list[str]:
    names = ", ".join(max(one.opts, key=len) for one in options)
    return wrap(f"{heading}: {names}", _WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def _whole(heading: str, options: Sequence[Any]) -> list[str]:
    return [heading, *_pairs(map(_row, options)), ""]


def _row(option: Any) -> tuple[str, str]:
    flags = ", ".join(sorted(option.opts, key=len))
    kind = "" if option.is_flag else f" {_kind(option)}"
    default = option.default
    known = default is not None and not option.is_flag and not callable(default) and default not in ((), [], "")
    usual = f" [{getattr(default, 'value', default)}]" if known and "given" not in str(option.help) else ""
    return f"{flags}{kind}", f"{option.help or ''}{usual}"


def _short(option: Any) -> tuple[str, str]:
    """The row without what follows a semicolon: details are for the help of everything."""
    flags, words = _row(option)
    about, _, more = words.partition("; ")
    return flags, f"{about.rstrip('.')}.{' Repeatable.' if 'Repeatable.' in more else ''}" if more else words


def _kind(option: Any) -> str:
    """What to write behind an option, as people write it."""
    if option.metavar:
        return str(option.metavar)
    kind = _type(option)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "|".join(str(one.value) for one in kind)
    if option.name in ("item", "rater", "value", "criterion", "by", "condition", "unit"):
        return "COLUMN"
    return _KINDS.get(kind, "TEXT")


def _type(option: Any) -> Any:
    """The type of one value; older versions of Typer keep it in the parser's own words."""
    described = getattr(option, "type_descriptor", None)
    if described is not None:
        annotation = described.annotation
        return next(iter(get_args(annotation)), annotation)
    choices = getattr(option.type, "choices", None)
    if choices:
        return Enum("Choices", {str(place): getattr(one, "value", one) for place, one in enumerate(choices)})
    return {"integer": int, "float": float, "path": Path}.get(option.type.name, str)


def _argument(argument: Any) -> str:
    name = str(argument.metavar or argument.name).upper().strip("[].")
    name = f"{name}..." if argument.nargs == -1 else name
    return name if argument.required else f"[{name}]"


def _pairs(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Two columns; what is too long at the left stands on a line of its own."""
    told = list(rows)
    room = min(max((len(left) for left, _ in told), default=0), 42) + 4
    lines = []
    for left, right in told:
        head = f"  {left}"
        if len(head) > room - 2:
            lines.append(head)
            head = ""
        lines += wrap(right, _WIDTH + 4, initial_indent=head.ljust(room), subsequent_indent=" " * room) or [head]
    return lines

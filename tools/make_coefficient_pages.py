"""Write docs/reference/coefficients.md and a page for each coefficient from the registry.

Run it after the registry changed; a test fails while the committed pages are behind.
"""

from pathlib import Path

from accord.cli.coefficients import comes_with, levels, raters
from accord.coefficients.registry import COEFFICIENTS, CoefficientSpec
from accord.design.scale import Level
from accord.reliability.interpretation import INTERPRETATION_SCALES

DOCS = Path(__file__).parents[1] / "docs" / "reference"
_FAMILIES = {
    "agreement": "Agreement without chance correction",
    "kappa": "The kappa family",
    "alpha": "Krippendorff's alpha",
    "icc": "Intraclass correlations",
    "order": "Agreement on order",
    "correlation": "Correlations",
}


def pages() -> dict[Path, str]:
    """Every generated page with its text."""
    made = {DOCS / "coefficients" / f"{key}.md": _page(spec) for key, spec in COEFFICIENTS.items()}
    return {DOCS / "coefficients.md": _index(), **made}


def _index() -> str:
    lines = ["# Coefficients", "", "Generated from the registry. {doc}`Which one? </howto/which-coefficient>`", ""]
    for family, title in _FAMILIES.items():
        lines += [f"## {title}", "", "| coefficient | key | levels | raters |", "|---|---|---|---|"]
        for spec in COEFFICIENTS.values():
            if spec.family == family:
                link = f"[{spec.title}](coefficients/{spec.key}.md)"
                lines.append(f"| {link} | `{spec.key}` | {levels(spec)} | {raters(spec)} |")
        lines.append("")
    return "\n".join([*lines, "```{toctree}", ":hidden:", ":glob:", "", "coefficients/*", "```", ""])


def _page(spec: CoefficientSpec) -> str:
    parts = [
        f"# {spec.title}", f"Key: `{spec.key}`", "```{math}", spec.formula, "```",
        _table(spec), *_listed("Conventions", spec.conventions), "## Example", _example(spec),
        *_listed("The same elsewhere", spec.peers), *_readings(spec),
        "## Reference", spec.publication,
    ]  # fmt: skip
    text = "\n\n".join(parts)
    return text.replace("```{math}\n\n", "```{math}\n").replace(f"{spec.formula}\n\n```", f"{spec.formula}\n```") + "\n"


def _table(spec: CoefficientSpec) -> str:
    weights = (
        f"{spec.coefficient.weights}{'; others by `weights`' if spec.coefficient.weighted else ''}"
        if spec.coefficient.weights
        else "none"
    )
    apart = "yes: meaningless where columns of raters were sorted" if spec.identity else "no"
    rows = [
        ("Levels of measurement", levels(spec)),
        ("Raters", raters(spec)),
        ("Missing ratings", spec.missing_rule),
        ("Undefined when", spec.undefined_when),
        ("Weights", weights),
        ("Comes with", comes_with(spec) or "no parts"),
        ("Tells raters apart", apart),
        ("Matrix of pairs", "yes, by `pairs=True`" if spec.pairwise else "no"),
    ]
    return "\n".join(
        ["| | |", "|---|---|", *(f"| {what} | {words.replace('|', chr(92) + '|')} |" for what, words in rows)]
    )


def _listed(title: str, lines: tuple[str, ...]) -> list[str]:
    return [f"## {title}", "\n".join(f"- {line}" for line in lines)] if lines else []


def _readings(spec: CoefficientSpec) -> list[str]:
    names = [INTERPRETATION_SCALES[key].name for key in spec.scales]
    if not names:
        return ["## Reading the value", "No published scale of words belongs to it. Report the value and its interval."]
    words = f"Scales of words that belong to it: {', '.join(names)}. See {{doc}}`/explanation/interpretation`."
    return ["## Reading the value", words]


def _example(spec: CoefficientSpec) -> str:
    level = next(level for level in (Level.ORDINAL, Level.INTERVAL, Level.NOMINAL) if level in spec.levels)
    two = '.only(rater=["Ana", "Ben"])' if len(spec.raters) == 1 else ""
    return "\n".join([
        "```python", "import accord", "", f'ratings = accord.read("adequacy.csv", level="{level}"){two}',
        f'result = accord.agreement(ratings, coefficients="{spec.key}", interval="jackknife")',
        f'print(result["{spec.key}"])', "```",
    ])  # fmt: skip


def main() -> None:
    """Write all pages; pages of coefficients that are gone are removed."""
    (DOCS / "coefficients").mkdir(parents=True, exist_ok=True)
    made = pages()
    for old in set((DOCS / "coefficients").glob("*.md")) - set(made):
        old.unlink()
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

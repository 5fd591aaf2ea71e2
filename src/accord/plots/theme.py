"""Colours and type of every chart: safe for colour-blind readers, quiet, the same on paper and screen."""

from typing import Any

__all__ = [
    "ACCENT",
    "BANDS",
    "CELL_INK",
    "GRID",
    "INK",
    "MUTED",
    "PALETTE",
    "SEQUENTIAL",
    "VARIABLES",
    "WARN",
    "config",
]

INK = "#1d2430"
MUTED = "#5b6472"
GRID = "#e3e6ea"
CELL_INK = "#1e2430"
"""Words on a light cell: as dark as ink, and dark on a dark page too."""
ACCENT = "#0b5fa5"
WARN = "#b3441e"

PALETTE = ("#0b5fa5", "#d1720f", "#1f8a70", "#a23b72", "#6c757d", "#b8a11a", "#4b3f9e", "#c0392b")
"""Distinct in hue and lightness under the common colour deficiencies; the first is the accent."""

SEQUENTIAL = ("#f2f6fa", "#08447a")
"""Ends of the one-hue ramp of heat maps."""

BANDS = ("#f6e3dc", "#f8efdf", "#f3f5e2", "#e4f1e6", "#d7ebe8", "#d3e6f2")
"""Backgrounds of the bands of an interpretation scale, from its lowest to its highest."""

VARIABLES = {
    INK: "var(--ink)", MUTED: "var(--muted)", GRID: "var(--grid)", ACCENT: "var(--accent)",
    **{shade: f"var(--band-{place})" for place, shade in enumerate(BANDS)},
}  # fmt: skip
"""Colours that a page may turn for dark readers: the drawn SVG names them as CSS variables."""


def config() -> dict[str, Any]:
    """The look of all charts, as Vega-Lite configuration."""
    text = {"labelColor": INK, "titleColor": INK, "labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": 500}
    return {
        "background": None,
        # Pages draw the words in their own font, which may be wider than the one they were measured in.
        "padding": {"left": 18, "top": 5, "right": 44, "bottom": 5},
        "font": "sans-serif",
        "view": {"stroke": None},
        "axis": {**text, "gridColor": GRID, "domainColor": MUTED, "tickColor": MUTED, "labelLimit": 220},
        "legend": {**text, "orient": "top", "titleAnchor": "start", "symbolSize": 90},
        "header": {**text, "labelFontWeight": 600},
        "title": {
            "color": INK, "fontSize": 15, "fontWeight": 600, "anchor": "start", "offset": 12,
            "subtitleColor": MUTED, "subtitleFontSize": 12, "subtitlePadding": 4,
        },
        "range": {"category": list(PALETTE), "ramp": list(SEQUENTIAL), "heatmap": list(SEQUENTIAL)},
        "text": {"color": INK, "fontSize": 12},
        "rule": {"color": INK},
        "point": {"filled": True, "size": 60},
    }  # fmt: skip

"""Colours and type of every chart, those of ``accord/look/tokens.css``: the same on paper and screen."""

from typing import Any

__all__ = [
    "ACCENT",
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

INK = "#1c1f1e"
MUTED = "#565d5b"
GRID = "#dcdad2"
CELL_INK = "#1c1f1f"
"""Words on a light cell: as dark as ink, and dark on a dark page too."""
ACCENT = "#1f5f5b"
WARN = "#a85c0a"

PALETTE = ("#1f5f5b", "#c2660c", "#4f7fb5", "#8a3f6b", "#7f8682", "#a08b1a", "#4b3f8e", "#a3271d")
"""Distinct in hue and lightness under the common colour deficiencies; the first is the accent."""

SEQUENTIAL = ("#eef5f4", "#1f5f5b")
"""Ends of the one-hue ramp of heat maps."""

VARIABLES = {INK: "var(--ink)", MUTED: "var(--soft)", GRID: "var(--line)", ACCENT: "var(--accent)"}
"""Colours that a page may turn for dark readers: the drawn SVG names them as the variables of the one look."""


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

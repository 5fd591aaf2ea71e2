"""How the documentation is built: Markdown through MyST, formulas as MathML, nothing loaded from outside."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "Accord"
author = "the Accord maintainers"
project_copyright = "the Accord maintainers, Apache-2.0"

extensions = ["myst_parser", "mathml"]
myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "fieldlist", "attrs_inline", "html_image"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "examples"]

html_theme = "furo"
html_title = "Accord"
# The one look: the tokens are copied from the package, so that there is no second list of colours.
html_static_path: list[str] = ["_static", "../src/accord/look/css"]
html_css_files = ["tokens.css", "accord-docs.css"]
# The tokens follow the reader's light or dark by themselves; a switch of Furo's own would know only half of them.
html_theme_options = {"top_of_page_buttons": []}
html_show_sourcelink = False
html_math_renderer = "mathml"

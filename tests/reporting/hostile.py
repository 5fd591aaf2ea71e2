"""Ratings whose every name and text tries to run something in a page."""

from accord.ratings.build import build_ratings
from accord.ratings.table import Ratings

PAYLOADS = (
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "<a href=\"javascript:document.title='owned'\">x</a>",
    "</title></style></script><svg onload=\"document.title='owned'\">",
    "{{ 7 * 7 }} {% raw %}",
    "\u202egnp.exe\u202c \u2066left\u2069",
    '"><details open ontoggle="document.title=\'owned\'">',
    "=cmd|' /C calc'!A0",
)


def hostile_ratings() -> Ratings:
    rows: dict[str, list[object]] = {
        "item": [], "rater": [], "value": [], "criterion": [], "comment": [], "text": [], "system": [],
    }  # fmt: skip
    for place, payload in enumerate(PAYLOADS):
        for rater in range(3):
            rows["item"].append(f"{payload} {place}")
            rows["rater"].append(f"{PAYLOADS[rater]} r{rater}")
            rows["value"].append((place + rater * (place % 2)) % 4 + 1)
            rows["criterion"].append(PAYLOADS[3])
            rows["comment"].append(payload)
            rows["text"].append(payload)
            rows["system"].append(f"{PAYLOADS[place % 2]} system")
    return build_ratings(rows, level="ordinal", source=PAYLOADS[0])

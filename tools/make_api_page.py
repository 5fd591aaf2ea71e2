"""Write docs/reference/api.md from the OpenAPI of the server: python tools/make_api_page.py."""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "api.md"
HEAD = """# The API

Programs do what the pages do. Every address below starts with `/api/v1/`. A running server gives the whole description
as OpenAPI 3.1 at `/api/v1/openapi.json`. This page is made from it.

Make a token, and send it in a header. It is shown once; only its hash is kept. It opens nothing when it stands in an
address.

```text
accord token my-study --label "nightly export"
curl -H "Authorization: Bearer accord_..." http://127.0.0.1:8000/api/v1/exports/ratings -o ratings.csv
```

A token of the scope *organiser* may do what the organiser may; one of the scope *rater* (`--rater R7`) what that
rater may, and nothing of anybody else. Cookies are not looked at.

A refusal is `{"error": "..."}` with the reason in words: 400 for a request that does not fit, 401 without a token, 403
for the wrong scope or a paused rater, 404, 405, and 429 after ten wrong tokens in ten minutes.
"""


_WORKSPACE = """\
A server of many studies has the addresses above below `/s/KEY/api/v1/`, once for each study, and these at `/api/v1/`.
A token of an account does what the account may: make one on the page *API* of the workspace, or with
`accord token my-workspace --account NAME`. It opens the studies in which the account has a role: what is marked
*(viewer)* above for every role, what is marked *(arbiter)* for arbiters too, the rest for organisers and owners.
A token that is made in a study of a workspace may no more there than the account that made it, and nothing once that
account left.

```text
curl -X POST -H "Authorization: Bearer accord_..." http://127.0.0.1:8000/api/v1/studies \\
     -d '{"preset": "mqm", "title": "Our notices", "launch": true}'
curl -X POST -H "Authorization: Bearer accord_..." -H "Content-Type: application/zip" \\
     --data-binary @my-study.zip "http://127.0.0.1:8000/api/v1/studies/zip?name=my-study"
```
"""
_METHODS = ("GET", "POST", "PUT", "DELETE")


class Endpoint(NamedTuple):
    """One row of the page."""

    method: str
    address: str
    scope: str
    summary: str
    fields: str
    answer: str
    role: str
    """The lowest role in a workspace that may ask, where it is not the organiser's."""


def endpoints(api: Any) -> list[Endpoint]:
    """What the description of an API names, in its order."""
    described = api.get_openapi_schema(path_prefix="/")
    shapes = described["components"]["schemas"]
    return [
        Endpoint(
            method.upper(),
            address[1:],
            one["tags"][0],
            one["summary"],
            _fields(one, shapes),
            _answer(one, shapes),
            one.get("x-role", ""),
        )
        for address, methods in described["paths"].items()
        for method, one in methods.items()
    ]


def _fields(operation: dict[str, Any], shapes: dict[str, Any]) -> str:
    query = [f"?{one['name']}" for one in operation["parameters"] if one["in"] == "query"]
    if "requestBody" not in operation:
        return ", ".join(query)
    if "application/json" not in (content := operation["requestBody"]["content"]):
        return ", ".join(["the file", *query])
    reference = content["application/json"]["schema"]["$ref"]
    body = shapes[reference.rpartition("/")[2]]
    required = body.get("required", ())
    return ", ".join([*(f"**{name}**" if name in required else name for name in body["properties"]), *query])


def _answer(operation: dict[str, Any], shapes: dict[str, Any]) -> str:
    """The fields of the answer; those of the elements too where it is one list."""
    done = next((one for code, one in operation["responses"].items() if str(code).startswith("2")), {})
    schema = done.get("content", {}).get("application/json", {}).get("schema", {})
    told = shapes.get(schema.get("$ref", "").rpartition("/")[2], {}).get("properties", {})
    elements = [one.get("items", {}).get("$ref", "").rpartition("/")[2] for one in told.values()]
    if len(told) == 1 and elements[0]:
        return f"{next(iter(told))}: {', '.join(shapes[elements[0]]['properties'])}"
    return ", ".join(told)


def page() -> str:
    """The page as text."""
    from accord.server.api.urls import api
    from accord.server.workspace.api import api as workspace_api

    lines = [HEAD]
    scopes = {"organiser": (api, ""), "rater": (api, ""), "account": (workspace_api, _WORKSPACE)}
    for scope, (service, words) in scopes.items():
        lines += [
            f"## Scope {scope}",
            "",
            *([words] if words else []),
            "| | address | what it does | fields | answer |",
            "|---|---|---|---|---|",
        ]
        for one in sorted(endpoints(service), key=lambda one: (one.address.split("/"), _METHODS.index(one.method))):
            if one.scope == scope:
                told = f"{one.summary} *({one.role})*" if one.role else one.summary
                lines.append(f"| {one.method} | `{one.address}` | {told} | {one.fields} | {one.answer} |")
        lines.append("")
    lines += [
        "## Posting judgements", "",
        "`POST judgements` takes up to 50 entries. Each needs a `uuid` of the client's own: the same entry sent again",
        "after a lost answer is saved once. A correction is a new entry with a higher `revision`; nothing is replaced.",
        "The answer lists for each uuid `saved`, or `refused` with the reason.", "",
        _ENTRIES,
    ]  # fmt: skip
    return "\n".join(lines)


_ENTRIES = """\
An entry names the screen (`task`: the `id` of a screen of `GET tasks`), one of its `criteria`, the text that is judged
(`place`: 0 for the first; it may be left out where a screen shows one) and the `value`, or `cannot` with true.
`seconds` is how long it took. The texts of a screen stand in `contexts[context][row]`, its `targets` in the order of
the places.

```json
{"entries": [{"uuid": "6f1c1f0e-3a35-4b55-9d0e-0a9f5c2c7a11", "task": 1, "criterion": "fluency", "value": 72}]}
```

What `value` holds depends on the kind of the criterion:

| kind | value | example |
|---|---|---|
| scale | one of its values, as study.toml writes it | `2` |
| slider, number | a number within its ends | `72.5` |
| categories | a list of its categories; empty where none applies | `["grammar"]` |
| spans | a list of marks, see below | `[{"side": "target", "start": 0, "end": 3, "severity": "minor"}]` |
| post_edit | the text | `"A better text."` |
| pairwise | the place of the better text, or `"tie"`; the entry has no `place` | `0` |
| ranking | a rank for each text in the order of the places, 1 the best; the entry has no `place` | `[2, 1]` |

A mark has `side`, `start` and `end` (in characters, half-open), and `severity` and `category` where they are asked.

`kind` says what else an entry is; without it, it is a judgement.

- A **remark** on a screen has `about` (`item` for the sentence, `text` for the whole text, `flag` to come back to it)
  and `text`. It is the `comment` of the ratings.
- An **answer** to the questionnaire has `question` (the key of the statement), `scenario` (empty where it is asked once
  for all of them, `@rater` for questions about the rater) and `value`: a whole number of its scale, or one of its
  choices.

```json
{"entries": [
  {"uuid": "0b9d8a52-0c4c-4d5a-9a55-6a3c2f0c1d01", "kind": "remark", "task": 1, "about": "item", "text": "Odd name."},
  {"uuid": "0b9d8a52-0c4c-4d5a-9a55-6a3c2f0c1d02", "kind": "answer", "scenario": "", "question": "tiring", "value": 2}
]}
```

Remarks leave a study in the column `comment` of `exports/ratings`; answers in `exports/questionnaire`, and those about
the rater in `exports/background`.

## A language model as a rater

`POST judges` answers with a token of the scope *rater*. The model's program works with it as a person's would: read
`tasks`, post `judgements`. With `runs` above 1 the screens after the first run are the same texts again. Texts that
people see again as a check, and spoilt copies, are not among them.

```text
curl -X POST -H "Authorization: Bearer accord_..." http://127.0.0.1:8000/api/v1/judges \\
     -d '{"name": "judge-a", "model": "judge-a-2026-05"}'
accord judge my-study
```
"""


def main() -> None:
    """Django wants a study folder to know its settings by; any will do."""
    with tempfile.TemporaryDirectory() as scratch:
        os.environ |= {"ACCORD_STUDY": scratch, "DJANGO_SETTINGS_MODULE": "accord.server.settings"}
        import django

        django.setup()
        text = page()
    if "--check" in sys.argv:
        raise SystemExit(PAGE.read_text(encoding="utf-8") != text)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Tiny files in the shape each tool writes, made up for these tests."""

import json
from dataclasses import replace
from pathlib import Path

from accord.formats.imported import Imported, Side, Span
from accord.formats.texts import Texts, text_factors
from accord.ratings.build import build_ratings

SMILE = "a😀e\u0301 b\nשלום"
"""An emoji (two UTF-16 units), a combining mark, a newline and right-to-left letters."""

APPRAISE = (
    'anna,sysA,1,TGT,eng,deu,87,news.1#sysA,False,"[{""start_i"":4,""end_i"":8,""severity"":""minor"",'
    '""error_type"":null}]",100.5,112.5\n'
    "anna,sysB,1,TGT,eng,deu,40,news.1#sysB,False,[],112.5,120.0\n"
    "bert,sysA,1,TGT,eng,deu,90,news.1#sysA,False,\"[{'start_i': 'missing', 'end_i': 'missing', "
    "'severity': 'major'}]\",100.0,103.0\n"
    "bert,sysA,2,BAD,eng,deu,5,news.1#sysA#bad7,False,[],103.0,104.0\n"
)
GOOGLE_MQM = (
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    'sysA\tnews.1\t1\t1\trater1\tHe said "hi.\tEr <v>sagte</v> "hi.\tAccuracy/Mistranslation\tmajor\n'
    'sysA\tnews.1\t1\t1\trater1\tHe said "hi.\tEr sagte "hi<v>.</v>\tFluency/Punctuation\tMinor\n'
    'sysA\tnews.1\t1\t1\trater2\tHe said "hi.\tEr sagte "hi.\tNo-error\tno-error\n'
    "sysB\tnews.1\t1\t1\trater1\t<v>He</v> said\tsagte\tAccuracy/Omission\tMinor\n"
    "sysB\tnews.1\t1\t1\trater2\tHe said\tx\tNon-translation!\tMajor\n"
)
PEARMUT = [
    {
        "user_id": "anna", "item_i": 0, "comment": "fine",
        "annotation": [{"sysA": {"score": 70, "error_spans": [
            {"start_i": 1, "end_i": 2, "category": None, "severity": "minor"},
            {"start_i": 7, "end_i": 10, "category": None, "severity": "major"},
            {"start_i": 11, "end_i": 11, "category": None, "severity": "major"},
        ]}, "sysB": {"score": 0, "error_spans": []}}],
        "item": [{"item_id": "seg-0", "src": "source", "tgt": {"sysA": SMILE, "sysB": "plain"}}],
    },
]  # fmt: skip
LABEL_STUDIO = [
    {
        "id": 1, "data": {"text": "a😀b cat"},
        "annotations": [
            {"completed_by": {"id": 3, "email": "anna@example.org"}, "lead_time": 4.5, "result": [
                {"from_name": "fluency", "to_name": "text", "type": "rating", "value": {"rating": 4}},
                {"from_name": "topic", "to_name": "text", "type": "choices", "value": {"choices": ["news", "sport"]}},
                {"id": "r1", "from_name": "label", "to_name": "text", "type": "labels",
                 "value": {"start": 5, "end": 8, "text": "cat", "labels": ["Noun"]}},
                {"id": "r1", "from_name": "sev", "to_name": "text", "type": "choices",
                 "value": {"start": 5, "end": 8, "choices": ["major"]}},
            ]},
            {"completed_by": 7, "was_cancelled": True, "result": []},
            {"completed_by": 8, "was_cancelled": False, "ground_truth": True, "result": [
                {"from_name": "fluency", "to_name": "text", "type": "rating", "value": {"rating": 2}}]},
        ],
    },
]  # fmt: skip


def written(path: Path, content: object) -> Path:
    """A file with this content: text, JSON, or JSON lines if the name says so."""
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8", newline="")
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content), encoding="utf-8")
    else:
        path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


def rated(imported: Imported) -> dict[tuple[str, ...], object]:
    """(item, rater, criterion if any) -> value."""
    ratings = imported.ratings
    keys = [ratings.item.labels(), ratings.rater.labels()]
    if "criterion" in ratings.columns:
        keys.append(ratings.columns["criterion"].labels())
    return dict(zip(zip(*keys, strict=True), ratings.labels(), strict=True))


def with_texts(ratings, texts):
    """The ratings with the texts of their items as columns."""
    added = text_factors(list(ratings.item.labels()), texts)
    item = replace(ratings.codebook.item, texts=tuple(dict.fromkeys((*ratings.codebook.item.texts, *added))))
    codebook = replace(ratings.codebook, item=item)
    return replace(ratings, columns={**ratings.columns, **added}, codebook=codebook)


def imported_sample(*, criteria: bool = False, spans: bool = True, labels: bool = False) -> Imported:
    """Ratings whose items are named as the tools name them, with spans in awkward text."""
    values = ["good", "bad", "good", "bad"] if labels else [80.0, 55.5, 0.0, 100.0]
    columns = {
        "item": ["A:d1:1", "A:d1:1", "B:d1:1", "B:d1:1"], "rater": ["anna", "bert", "anna", "bert"], "value": values,
        "system": ["A", "A", "B", "B"], "document": ["d1"] * 4, "segment": ["1"] * 4,
    }  # fmt: skip
    if criteria:
        columns = {name: cells * 2 for name, cells in columns.items()}
        columns["criterion"] = ["fluency"] * 4 + ["adequacy"] * 4
        columns["value"] = [*values, *reversed(values)]
    marked = (
        Span("A:d1:1", "anna", 1, 2, Side.TARGET, "style", "minor"),
        Span("A:d1:1", "anna", 7, 9, Side.TARGET, "grammar", "major"),
    )
    texts = {"A:d1:1": Texts("the source", SMILE), "B:d1:1": Texts("the source", "other")}
    return Imported(with_texts(build_ratings(columns), texts), marked if spans else ())

"""XLIFF 1.2 and 2.x with ITS 2.0: localization quality issues of segments, inline or standoff, and ratings of them."""

from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from xml.etree.ElementTree import ParseError, XMLParser

from accord.design.criterion import Criterion
from accord.design.scale import Direction, Level, Scale
from accord.errors import FormatError
from accord.formats.collect import Collector, as_number, joined
from accord.formats.content import read_text
from accord.formats.imported import Imported, Side
from accord.formats.meanings import SCORE_TO_100
from accord.formats.options import ReadOptions
from accord.records import dataclass

__all__ = ["detect", "read", "read_segments"]

_ITS = "http://www.w3.org/2005/11/its"
_CATEGORY = "localization-quality-issue"
_PEOPLE = ("revPerson", "revOrg", "person", "org")
ISSUES, RATING = "quality issues", "quality rating"
_MEANS = {
    ISSUES: Criterion(
        kind="spans",
        unit="issues",
        definition="localization quality issues of ITS 2.0 in a segment: 0 is best",
        scale=Scale(Level.INTERVAL, (), direction=Direction.LOW),
    ),
    RATING: SCORE_TO_100,
}


def detect(sample: str, path: Path) -> str | None:
    if "<xliff" in sample[:4000] and sample.lstrip().startswith("<"):
        return "XML with the element xliff"
    return None


@dataclass(slots=True)
class _Issue:
    """One issue: what it is, where it lies in its text, and who found it."""

    label: Mapping[str, str]
    side: Side
    start: int
    end: int
    rater: str


@dataclass(slots=True)
class _Segment:
    """A segment with its texts, issues and rating, and references to issues that stand elsewhere."""

    name: str
    document: str
    pair: str
    line: int
    texts: dict[Side, str] = field(default_factory=dict)
    issues: list[_Issue] = field(default_factory=list)
    references: list[tuple[str, _Issue]] = field(default_factory=list)
    rating: str = ""
    rater: str = ""


class SegmentReader:
    """What the parser tells element by element; nothing nests here, so depth costs nothing."""

    def __init__(self) -> None:
        self.segments: list[_Segment] = []
        self.standoff: dict[str, list[Mapping[str, str]]] = {}
        self.current: _Segment | None = None
        self.side: Side | None = None
        self.open: list[tuple[str, Mapping[str, str], int]] = []
        self.starts: dict[str, tuple[Mapping[str, str], int]] = {}
        self.file: Mapping[str, str] = {}
        self.languages: Mapping[str, str] = {}
        self.unit = ""
        self.group = ""
        self.raters: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition("}")[2]
        its = {key.rpartition("}")[2]: value for key, value in attributes.items() if key.startswith(f"{{{_ITS}}}")}
        self.raters.append(_rater(its, self.raters[-1] if self.raters else ""))
        if name == "xliff":
            self.languages = attributes
        elif name == "file":
            self.file = attributes
        elif name == "unit":
            self.unit = attributes.get("id", "")
        elif name in ("trans-unit", "segment"):
            self._begin(name, attributes)
        elif name == "locQualityIssues":
            self.group = next((value for key, value in attributes.items() if key.rpartition("}")[2] == "id"), "")
        elif name == "locQualityIssue":
            plain = {key.rpartition("}")[2]: value for key, value in attributes.items()}
            self.standoff.setdefault(self.group, []).append(plain)
        if self.current is not None:
            self._inside(name, attributes, its)

    def _begin(self, name: str, attributes: Mapping[str, str]) -> None:
        own = attributes.get("id", "")
        place = joined(self.unit, own) if name == "segment" else own
        languages = {**self.languages, **self.file}
        named = [
            languages.get(key) or languages.get(other, "")
            for key, other in (("source-language", "srcLang"), ("target-language", "trgLang"))
        ]
        number = len(self.segments) + 1
        document = self.file.get("original") or self.file.get("id", "")
        self.current = _Segment(place or str(number), document, "-".join(filter(None, named)), number)
        self.segments.append(self.current)

    def _inside(self, name: str, attributes: Mapping[str, str], its: Mapping[str, str]) -> None:
        assert self.current is not None  # noqa: S101 - the caller looked
        if its.get("locQualityRatingScore"):
            self.current.rating, self.current.rater = its["locQualityRatingScore"], self.raters[-1]
        if name in ("source", "target") and len(self.open) == 0:
            self.side = Side(name)
            self.current.texts[self.side] = ""
        if name == "em":
            label, start = self.starts.pop(attributes.get("startRef", ""), ({}, 0))
            self._mark(label, start)
        elif name == "sm":
            self.starts[attributes.get("id", "")] = (its, self._length())
        elif self.side is not None:
            self.open.append((name, its, self._length()))
        elif its:
            self.side = Side.TARGET
            self._mark(its, 0)
            self.side = None

    def data(self, text: str) -> None:
        if self.current is not None and self.side is not None:
            self.current.texts[self.side] += text

    def end(self, tag: str) -> None:
        name = tag.rpartition("}")[2]
        if self.open and self.open[-1][0] == name:
            _, its, start = self.open.pop()
            self._mark(its, start)
        if not self.open and self.side is not None and name == self.side.value:
            self.side = None
        if name in ("trans-unit", "segment"):
            self.current, self.side = None, None
            self.open.clear()
            self.starts.clear()
        if self.raters:
            self.raters.pop()

    def close(self) -> None:
        """The parser asks for it."""

    def _length(self) -> int:
        return len(self.current.texts.get(self.side, "")) if self.current is not None and self.side is not None else 0

    def _mark(self, its: Mapping[str, str], start: int) -> None:
        if self.current is None or self.side is None or its.get("locQualityIssueEnabled") == "no":
            return
        issue = _Issue(its, self.side, start, self._length(), self.raters[-1])
        if its.get("locQualityIssuesRef"):
            self.current.references.append((its["locQualityIssuesRef"].rpartition("#")[2], issue))
        elif its.get("locQualityIssueType") or its.get("locQualityIssueComment"):
            self.current.issues.append(issue)


def _rater(its: Mapping[str, str], outer: str) -> str:
    """Who or what found the issues here, as this element or one around it says."""
    for part in its.get("annotatorsRef", "").split():
        category, _, who = part.partition("|")
        if category == _CATEGORY and who:
            return who
    return next((its[name] for name in _PEOPLE if its.get(name)), outer)


def read_segments(text: str, name: str) -> SegmentReader:
    """Every segment of a text in XLIFF with what is said of it."""
    reader = SegmentReader()
    if "<!ENTITY" in text:
        raise FormatError(f"{name} declares entities of its own, which are not opened. Save it without them.")
    parser = XMLParser(target=reader)  # noqa: S314 - no entity gets this far, and nothing is fetched
    try:
        parser.feed(text[text.find("?>") + 2 :].lstrip() if text.lstrip().startswith("<?xml") else text)
        parser.close()
    except (ParseError, ValueError) as error:
        raise FormatError(f"{name} is not whole XML: {error}.") from None
    return reader


def read(path: Path, options: ReadOptions) -> Imported:
    """Read the issues of each translated segment; a segment without one was found to have none."""
    collect = Collector(path)
    reader = read_segments(read_text(path, options, collect), str(path))
    said = {issue.rater for one in reader.segments for issue in (*one.issues, *(i for _, i in one.references))}
    raters = sorted(said - {""}) or [path.stem]
    if not said - {""}:
        collect.note(f"The file does not say who reviewed: the rater is {path.stem}, after the file.")
    if not said and not any(one.rating for one in reader.segments):
        raise FormatError(f"{path} holds no localization quality issue and no rating of ITS 2.0.")
    for segment in reader.segments:
        collect.row(segment.line)
        _take(collect, segment, reader.standoff, raters, rated_only=not said)
    asked = {str(row["criterion"]) for row in collect.rows}
    return collect.imported("xliff", options, {name: _MEANS[name] for name in asked})


def _take(
    collect: Collector,
    segment: _Segment,
    standoff: Mapping[str, list[Mapping[str, str]]],
    raters: list[str],
    rated_only: bool,
) -> None:
    if not segment.texts.get(Side.TARGET):
        collect.dropped(segment.line, "the segment is not translated")
        return
    item = joined(segment.pair, segment.document, segment.name)
    collect.text(item, segment.texts.get(Side.SOURCE, ""), segment.texts[Side.TARGET])
    more = {"language_pair": segment.pair, "document": segment.document, "segment": segment.name}
    counts = dict.fromkeys(raters, 0)
    for issue in _issues(collect, segment, standoff):
        rater = issue.rater or raters[0]
        counts[rater] += 1
        label = {
            "category": issue.label.get("locQualityIssueType", ""),
            "severity": issue.label.get("locQualityIssueSeverity", ""),
        }
        missing = label["category"] == "omission" and issue.start == issue.end
        collect.mark(item, rater, (issue.start, issue.end), side=issue.side, missing=missing, **label)
    for rater, count in counts.items() if not rated_only else ():
        collect.rate(segment.line, item, rater, float(count), criterion=ISSUES, **more)
    if segment.rating:
        score = as_number(segment.rating)
        if score is None:
            collect.dropped(segment.line, f"locQualityRatingScore {segment.rating[:40]!r} is not a number")
        else:
            collect.rate(segment.line, item, segment.rater or raters[0], score, criterion=RATING, **more)
    elif rated_only:
        collect.dropped(segment.line, "the segment has no rating")


def _issues(collect: Collector, segment: _Segment, standoff: Mapping[str, list[Mapping[str, str]]]) -> Iterator[_Issue]:
    yield from segment.issues
    for name, issue in segment.references:
        if name not in standoff:
            collect.dropped(segment.line, f"the issues {name} that {segment.name} refers to are not in the file")
        for label in standoff.get(name, ()):
            if label.get("locQualityIssueEnabled") != "no":
                yield _Issue(label, issue.side, issue.start, issue.end, issue.rater)

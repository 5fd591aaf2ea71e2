"""What phases must be to each other and to the items: material kept back, phases that repeat another."""

from collections.abc import Iterator, Mapping, Sequence

from accord.design.nearest import did_you_mean
from accord.design.study import Phase

__all__ = ["Found", "Place", "phase_problems"]

Place = tuple[str | int, ...]
Found = Iterator[tuple[Place, str]]


def phase_problems(phases: Mapping[int, Phase], documents: Sequence[str]) -> Found:
    """Every contradiction, with the place it stands at; ``documents`` are those of the items."""
    yield from _again(phases)
    yield from _opening(phases)
    if documents:
        yield from _kept_back(phases, set(documents))
    if phases and all(phase.has_own_documents or phase.again for phase in phases.values()):
        yield (
            ("phases", next(iter(phases))),
            "no phase is left for the material that is not kept back. Add a phase that keeps no documents back",
        )


def _again(phases: Mapping[int, Phase]) -> Found:
    before: set[str] = set()
    for number, phase in phases.items():
        if phase.again is not None and phase.again not in before:
            hint = did_you_mean(phase.again, before) if before else ""
            words = f"phase {phase.key!r} repeats {phase.again!r}, which is no phase before it"
            yield ("phases", number, "again"), f"{words}{hint}"
        elif phase.again is not None and phase.has_own_documents:
            words = f"phase {phase.key!r} repeats {phase.again!r}, so it can have no `documents` of its own"
            yield ("phases", number, "again"), words
        if phase.again is None:
            before.add(phase.key)


def _opening(phases: Mapping[int, Phase]) -> Found:
    for number, phase in phases.items():
        if phase.opens is not None and phase.opens_on is not None:
            yield ("phases", number, "opens_on"), "`opens` and `opens_on` say two things. Keep one of them"
        if number == 0 and phase.opens == "finished":
            yield ("phases", number, "opens"), "nothing comes before the first phase that could be finished"


def _kept_back(phases: Mapping[int, Phase], documents: set[str]) -> Found:
    owner: dict[str, str] = {}
    for number, phase in phases.items():
        for document in phase.documents:
            if document not in documents:
                hint = did_you_mean(document, documents)
                yield ("phases", number, "documents"), f"the items hold no document {document!r}{hint}"
            elif owner.setdefault(document, phase.key) != phase.key:
                words = f"the document {document!r} is kept back for {owner[document]!r} and for {phase.key!r}"
                yield ("phases", number, "documents"), f"{words}. Keep it in one"
    drawn = sum(phase.keep_back for phase in phases.values())
    number = next((place for place, phase in phases.items() if phase.has_own_documents), 0)
    if len(owner) + drawn >= len(documents):
        words = f"{len(owner) + drawn} of {len(documents)} documents are kept back, so none is left for other phases"
        yield ("phases", number), f"{words}. Keep back fewer"

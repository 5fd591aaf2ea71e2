"""What an open dashboard counts: progress, coverage and pace, now or, of very many judgements, as kept."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from accord.records import dataclass
from accord.reporting.collecting import Collecting
from accord.server.closing import is_closed
from accord.server.collected_rows import Moments
from accord.server.models import Judgement
from accord.server.models_organiser import Snapshot
from accord.server.organiser import ratings
from accord.server.organiser.coverage import Coverage, count_coverage, shortened
from accord.server.organiser.pace import Pace, count_pace
from accord.server.organiser.progress import Kept, Progress, RaterProgress, Share, counted_for, progress
from accord.server.organiser.work import ScreenCount
from accord.server.study import current

__all__ = ["Watched", "collecting_now", "count_watched", "hasty_raters", "watched", "work_so_far"]

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Watched:
    """Counts of one moment; ``made_at`` is None where that is now, ``known`` is False before the first count."""

    progress: Progress
    coverage: Coverage
    short: Coverage
    """As much of the coverage as the overview shows."""
    pace: Pace
    made_at: datetime | None = None
    known: bool = True

    def to_plain(self) -> Plain:
        told = {
            "raters": [asdict(one) | {"last": one.last and one.last.isoformat()} for one in self.progress.raters],
            "scenarios": [asdict(one) for one in self.progress.scenarios],
            "phases": [asdict(one) for one in self.progress.phases],
            "judgements": self.progress.judgements,
            "currency": self.progress.currency,
        }
        return {"progress": told, "coverage": self.coverage.to_plain(), "pace": self.pace.to_plain()}

    @classmethod
    def of_plain(cls, plain: Plain, made_at: datetime) -> "Watched":
        told = plain["progress"]
        people = tuple(
            RaterProgress(**{**one, "last": datetime.fromisoformat(one["last"]) if one["last"] else None})
            for one in told["raters"]
        )
        shares = [tuple(Share(**one) for one in told[name]) for name in ("scenarios", "phases")]
        counted = Progress(people, shares[0], shares[1], told["judgements"], told["currency"])
        coverage = Coverage.of_plain(plain["coverage"])
        return cls(counted, coverage, shortened(coverage), Pace.of_plain(plain["pace"]), made_at)


def work_so_far(last: Snapshot | None) -> Progress:
    """What raters have done, as an open dashboard has it; counted for this page where nothing is kept yet."""
    if Judgement.objects.count() <= ratings.MANY:
        return progress(fresh=False)
    seen = watched(last)
    return seen.progress if seen.known else progress(fresh=False)


def hasty_raters() -> list[str]:
    """Raters far faster than the study expects, in the words of the report; whoever is left out is not spoken of."""
    return [one.pace for one in work_so_far(Snapshot.objects.last()).hasty if not one.excluded]


def collecting_now() -> Collecting | None:
    """How far the collection is, while it goes on and somebody who counts has screens left."""
    people = [one for one in work_so_far(Snapshot.objects.last()).raters if not one.excluded and not one.replaced_by]
    waiting = {one.name: one.tasks - one.done for one in people if one.tasks > one.done}
    if is_closed() or not waiting or not any(one.done for one in people):
        return None
    return Collecting(sum(one.done for one in people), sum(one.tasks for one in people), waiting)


_KEPT: defaultdict[str, Kept[Watched]] = defaultdict(Kept)
"""One for each study of this server, by folder."""


def count_watched(
    *, fresh: bool = True, screens: Sequence[ScreenCount] | None = None, given: Moments | None = None
) -> Watched:
    """All counts, made now, of screens by document and of answers by time if these were fetched before."""
    coverage = count_coverage(screens)
    return Watched(progress(fresh=fresh, screens=screens), coverage, shortened(coverage), count_pace(given))


def watched(last: Snapshot | None) -> Watched:
    """Counts of these seconds; from many judgements on those that were made beside the page with the last results."""
    judgements = Judgement.objects.count()
    if judgements <= ratings.MANY:
        study = current()
        return _KEPT[str(study.study.folder)].get(counted_for(study), lambda: count_watched(fresh=False))
    if last is not None and "watched" in last.results:
        return _read(last)
    nothing = Progress((), (), (), judgements, current().settings.cost.currency)
    return Watched(nothing, Coverage((), ()), Coverage((), ()), Pace(False, ()), known=False)


_READ: dict[str, tuple[object, Watched]] = {}
"""Kept counts as objects, by folder: to make them of a thousand documents takes longer than the page around them."""


def _read(last: Snapshot) -> Watched:
    folder, which = str(current().study.folder), (last.pk, last.made_at)
    known = _READ.get(folder)
    if known is None or known[0] != which:
        known = _READ[folder] = (which, Watched.of_plain(last.results["watched"], last.made_at))
    return known[1]

"""Results kept with the state they belong to, computed in a process of their own so that pages stay quick."""

import time
from dataclasses import asdict
from datetime import datetime
from typing import Any

from accord.errors import AccordError, NotEnoughDataError
from accord.server.models import Judgement
from accord.server.models_organiser import Snapshot
from accord.server.organiser.analysis import analyse, headline
from accord.server.organiser.computing import claim, due, is_under_way, let_go, problem_of, start
from accord.server.organiser.growth import growth_of
from accord.server.organiser.models_apart import beside_people
from accord.server.organiser.opening import FEWEST
from accord.server.organiser.quality import checks_of
from accord.server.organiser.ratings import collect_with_past, state_of_judgements
from accord.server.organiser.watched import count_watched
from accord.server.organiser.work import screens_by_document, work_of_people
from accord.server.study import current

__all__ = ["are_current", "compute_snapshot", "history", "is_computing", "latest_snapshot", "problem", "refresh"]

_NAME = "snapshot"
_WANTED = {"answer", "apart", "growth", "next", "rankings", "watched"}
"""Results of an older version lack some of these and are made anew."""


def latest_snapshot() -> Snapshot | None:
    """The newest results there are."""
    return Snapshot.objects.last()


def history() -> list[dict[str, Any]]:
    """The main numbers of every state that was analysed, oldest first."""
    return list(Snapshot.objects.values("judgements", "made_at", "headline"))


def is_computing() -> bool:
    """Whether a computation is under way."""
    return is_under_way(_NAME)


def problem() -> str:
    """Why the last computation gave no results; empty if it did."""
    return problem_of(_NAME)


def are_current(snapshot: Snapshot | None) -> bool:
    """Whether these results have every judgement; if not, they are computed again."""
    refresh()
    return snapshot is not None and snapshot.state == state_of_judgements()


def refresh(*, here: bool = False) -> bool:
    """See to it that there are results for this state; True if they are there or on their way.

    ``here`` computes in this process, as commands and tests do.
    """
    last = _latest_state()
    if last is not None and last.state == state_of_judgements() and _is_whole(last):
        return True
    if Judgement.objects.count() < FEWEST:
        return False
    if not here and last is not None and not due(last.made_at, last.seconds):
        return True
    if not claim(_NAME):
        return True
    if here:
        compute_snapshot()
    else:
        start()
    return True


def _latest_state() -> Snapshot | None:
    """Without its results: those of a large study are long to read, and an open page asks every few seconds."""
    return Snapshot.objects.defer("results").last()


_WHOLE: set[tuple[str, int, datetime]] = set()
"""Results that were read and have all that this version wants: by folder, number and date."""


def _is_whole(last: Snapshot) -> bool:
    which = (str(current().study.folder), last.pk, last.made_at)
    # An answer that does not say what was measured again is one of the time when it combined rounds; a group without
    # what it is of is one of the time when a number did not say its version.
    known = which in _WHOLE or (last.results.keys() >= _WANTED and "again" in last.results["answer"])
    # Paces without the median of screens are of the time when few texts that were measured again led.
    known = known and "seconds" in last.results["watched"]["pace"]
    if which not in _WHOLE and known and all("of" in group for group in last.results["groups"]):
        _WHOLE.add(which)
    return which in _WHOLE


def compute_snapshot() -> Snapshot | None:
    """Analyse the judgements as they are and keep the results; what cannot be analysed is said in words."""
    begun = time.monotonic()
    told = ""
    try:
        return _analysed(begun)
    except AccordError as error:
        told = str(error)
    finally:
        let_go(_NAME, told)
    return None


def _analysed(begun: float) -> Snapshot:
    collected, past = collect_with_past()
    ratings = collected.analysed()
    if ratings is None:
        raise NotEnoughDataError("Nobody whose ratings count has given a value yet.")
    results = analyse(ratings, seed=current().settings.seed)
    screens, (given, versions) = list(screens_by_document(current())), past.first
    checks = checks_of(current(), collected.criteria, work_of_people(current(), screens))
    results["checks"] = {name: [asdict(check) for check in found] for name, found in checks.items()}
    results["judges"] = beside_people(collected.beside_models, seed=current().settings.seed)
    results["excluded"] = [asdict(one) for one in collected.left_out]
    before = latest_snapshot()
    results["growth"] = before.results.get("growth") if before else None
    results["watched"] = count_watched(screens=screens, given=given).to_plain()
    # Corrections and practice are no answers: the history counts what the overview counts.
    answers = results["watched"]["progress"]["judgements"]
    made = Snapshot(
        state=collected.state, fingerprint=results["fingerprint"], judgements=answers, results=results,
        headline=headline(results),
    )  # fmt: skip
    _keep(made)
    # The course takes longest and is the least urgent: whoever waits has the numbers meanwhile, with the old course.
    results["growth"] = growth_of(collected, past, results["groups"], given, versions, seed=current().settings.seed)
    made.results, made.seconds = results, time.monotonic() - begun
    made.save(update_fields=["results", "seconds"])
    return made


def _keep(made: Snapshot) -> None:
    """The newest results in place of those before, each statement for itself.

    In one transaction this process, which gives way to all others, held up every save until its turn came again. All of
    it can be computed again.
    """
    if (same := Snapshot.objects.filter(state=made.state)).exists():
        # A decision that was taken back leads to an old state: its results become the newest again.
        same.delete()
    before = list(Snapshot.objects.exclude(results={}).values_list("pk", flat=True))
    made.save(force_insert=True)
    # The history needs the main numbers only; results of every state would fill the disk.
    Snapshot.objects.filter(pk__in=before).update(results={})

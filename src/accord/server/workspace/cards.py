"""What the home page knows of each study: kept when it was counted last, renewed beside the request, never in it."""

import json
import logging
import threading
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.utils import timezone

from accord.design.load import STUDY_FILE
from accord.design.toml_text import parse_toml
from accord.errors import AccordError
from accord.records import dataclass
from accord.server.ages import is_younger
from accord.server.environment import DATABASE_FILE
from accord.server.serving import Place, close_connections, in_study, in_workspace, served
from accord.server.workspace.models import Card
from accord.server.workspace.studies import DRAFT_FILE, is_draft, opened, opened_before, unreadable, why_not

__all__ = ["Shown", "note_waiting", "renew", "shown_studies", "study_titles", "told_apart", "touch"]

_LOG = logging.getLogger("accord.workspace")

_FRESH = timedelta(seconds=10)
_COSTS = 20
"""A card that took long to count is kept for so many times as long."""

_TOUCHED = datetime(1970, 1, 1, tzinfo=UTC)
"""When a card was made that is known to be out of date: somebody did something in the study since."""
_FEW = 20_000
"""Judgements that are counted in no time. Seconds would be another answer on a busy machine."""
_SMALL = 4_000_000
"""Bytes of a database that holds no more."""
_AT_ONCE = 3
"""Studies that a look at home may wait for."""

Plain = dict[str, Any]
_renewing = threading.Lock()


@dataclass(frozen=True, slots=True)
class Shown:
    """A study as the home page shows it; ``said`` is empty where nothing was counted yet."""

    place: Place
    state: str
    said: Plain
    made_at: datetime | None
    is_old: bool = False
    """Being counted anew beside the request: there at the next look."""

    @property
    def key(self) -> str:
        return self.place.key

    @property
    def title(self) -> str:
        return str(self.said.get("title") or self.place.key)


def shown_studies(found: Sequence[Place]) -> list[Shown]:
    """What is known of these studies; what is old is counted anew by a thread, and there at the next look.

    What somebody changed since is counted at once where that takes no time: whoever did it looks for it here.
    """
    known = {card.study: card for card in Card.objects.all()}
    if _renew_touched(found, known):
        known = {card.study: card for card in Card.objects.all()}
    now = timezone.now()
    shown = [_draft(place) if is_draft(place) else _kept(place, known.get(place.key), now) for place in found]
    if old := [one.place for one in shown if one.is_old]:
        _renew_beside(old)
    return shown


def _renew_touched(found: Sequence[Place], known: Mapping[str, Card]) -> bool:
    """Count the first few small studies that were touched; whether there were any."""
    touched = [place for place in found if _is_touched(card := known.get(place.key)) and _is_quick(place, card)]
    at_once = [place for place in touched if opened_before(place.key) is not None][:_AT_ONCE]
    for place in at_once:
        renew(place)
    return bool(at_once)


def _is_touched(card: Card | None) -> bool:
    return card is None or card.made_at == _TOUCHED


def _is_quick(place: Place, card: Card | None) -> bool:
    if card is not None:
        return int(card.said.get("judgements", 0)) <= _FEW
    try:
        return (place.folder / DATABASE_FILE).stat().st_size < _SMALL
    except OSError:
        return False


def touch(place: Place) -> None:
    """Something was done in this study: what its card says is out of date."""
    with in_workspace():
        Card.objects.filter(study=place.key).update(made_at=_TOUCHED)


def note_waiting() -> None:
    """What waits for somebody in this study stands on its card at once: whoever is called to it looks there first."""
    place = served()
    if place is None:
        return
    waiting = _waiting()
    with in_workspace():
        for card in Card.objects.filter(study=place.key):
            card.said |= waiting
            card.made_at = _TOUCHED
            card.save(update_fields=["said", "made_at"])


def study_titles(found: Iterable[Place]) -> dict[str, str]:
    """The title of each study, by key; read from its file where nothing was counted yet."""
    known = dict(Card.objects.values_list("study", "said"))
    return {place.key: str(known.get(place.key, {}).get("title") or _title_of(place.folder)) for place in found}


def told_apart(titles: Mapping[str, str]) -> dict[str, str]:
    """What to call each study, by key: its title, with its address where another one has the same title."""
    often = Counter(titles.values())
    return {key: f"{title} ({key})" if often[title] > 1 else title for key, title in titles.items()}


def _title_of(folder: Path) -> str:
    try:
        return str(parse_toml((folder / STUDY_FILE).read_text(encoding="utf-8-sig")).get("title", folder.name))
    except (OSError, ValueError):
        return folder.name


def _is_old(card: Card | None, now: datetime) -> bool:
    return card is None or not is_younger(card.made_at, max(_FRESH, _COSTS * timedelta(seconds=card.seconds)), now)


def _kept(place: Place, card: Card | None, now: datetime) -> Shown:
    said = card.said if card is not None else {}
    made_at = card.made_at if card is not None else None
    return Shown(place, said.get("state", "unknown"), said, made_at, _is_old(card, now))


def _draft(place: Place) -> Shown:
    try:
        said = json.loads((place.folder / DRAFT_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        said = {}
    return Shown(place, "draft", said if isinstance(said, dict) else {}, None)


def _renew_beside(found: Sequence[Place]) -> None:
    """One thread of this process at a time; whoever comes meanwhile is shown what is there."""
    if not _renewing.acquire(blocking=False):
        return

    def work() -> None:
        try:
            for place in found:
                renew(place)
        finally:
            close_connections()
            _renewing.release()

    threading.Thread(target=work, daemon=True).start()


def renew(place: Place) -> None:
    """Count one study and keep what was found; what is done in it meanwhile leaves the card out of date."""
    begun = time.monotonic()
    with in_workspace():
        before = Card.objects.filter(study=place.key).values_list("made_at", flat=True).first()
        if before == _TOUCHED:
            # Whoever touches it from now on is seen below.
            before = timezone.now()
            Card.objects.filter(study=place.key).update(made_at=before)
    if opened(place.key) is None:
        said: Plain = {"state": "broken", "problem": why_not(place.key) or "It cannot be opened at the moment."}
    else:
        try:
            with in_study(place):
                said = _counted()
        except Exception as error:  # one study that is damaged must not take the list of all down
            _LOG.exception("study %s cannot be counted", place.key)
            said = {"state": "broken", "problem": unreadable(error)}
    seconds = time.monotonic() - begun
    with in_workspace():
        _, is_new = Card.objects.get_or_create(
            study=place.key, defaults={"said": said, "made_at": timezone.now(), "seconds": seconds}
        )
        if not is_new:
            Card.objects.filter(study=place.key).update(said=said, seconds=seconds)
            Card.objects.filter(study=place.key).exclude(made_at=_TOUCHED).update(made_at=timezone.now())


def _counted() -> Plain:
    """All that the home page says of the study this thread is in; no statistics, only what was computed last."""
    from accord.server.closing import study_state
    from accord.server.invitations import places
    from accord.server.models_organiser import StudyEvent
    from accord.server.organiser.progress import progress
    from accord.server.organiser.snapshot import latest_snapshot, refresh
    from accord.server.study import current

    try:
        counted, study, snapshot = progress(), current(), latest_snapshot()
    except AccordError as error:
        return {"state": "broken", "problem": str(error)}
    if snapshot is None:
        # A process of its own computes them; they are on the card when they are there.
        refresh()
    event = StudyEvent.objects.last()
    results = snapshot.results if snapshot is not None else {}
    numbers = results.get("answer", {}).get("numbers", [])
    return {
        "state": study_state(),
        "since": event.at.date().isoformat() if event is not None else "",
        "title": study.title,
        "about": _about(study.settings),
        "invited": counted.invited,
        "places": places(),
        "working": sum(rater.state == "active" and rater.last is not None for rater in counted.raters),
        "finished": sum(rater.has_finished for rater in counted.raters),
        "done": counted.done,
        "tasks": counted.tasks,
        "percent": counted.percent,
        "judgements": counted.judgements,
        "number": numbers[0] if numbers else None,
        **_answers(results),
        "trouble": _trouble(results.get("findings", [])),
        **_waiting(),
    }


def _answers(results: Plain) -> Plain:
    """What the overview says first, and the same for whoever is never told the systems' names."""
    from accord.server.blinding import staying_blind
    from accord.server.organiser.ranked import first_sentence

    with staying_blind():
        coded = first_sentence(results)
    return {"answer": first_sentence(results), "coded_answer": coded}


def _waiting() -> Plain:
    """Contested scores, with who contested them and so cannot rule, and questions of raters."""
    from accord.server.models import Remark
    from accord.server.models_organiser import Contest

    by = Counter(Contest.objects.filter(rulings=None).values_list("by", flat=True))
    questions = Remark.objects.filter(about=Remark.About.QUESTION, answered_at=None).count()
    return {"contests": by.total(), "contested_by": dict(by), "questions": questions}


def _about(settings: Any) -> str:
    """The languages and the questions, as one line."""
    languages = settings.languages
    pair = " → ".join(name for name in (languages.source, languages.target) if name)
    asked = ", ".join(criterion.key.replace("_", " ") for criterion in settings.criteria[:3])
    return ", ".join(part for part in (asked, pair) if part)


def _trouble(findings: Sequence[Plain]) -> str:
    from accord.server.organiser.titles import in_titles

    grave = [one for one in findings if one["severity"] in ("error", "warning")]
    return in_titles(f"{grave[0]['criterion']}{grave[0].get('join', ':')} {grave[0]['message']}.") if grave else ""

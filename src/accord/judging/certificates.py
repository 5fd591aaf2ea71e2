"""The certificate of a gate: what was decided, of which judge, on which data, by which program; void for any other."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from accord import __version__
from accord.errors import OptionError, UnreadableFileError
from accord.judging.dossier import Dossier
from accord.judging.gate import Gate, Verdict
from accord.words import listed

__all__ = ["certificate", "standing", "write_certificate"]

_FACTS = ("model", "prompt", "rubric", "parameters")


def certificate(dossier: Dossier, gate: Gate, criteria: Mapping[str, float]) -> dict[str, Any]:
    """What a later run is held against: verdict, criteria, hash of the data, version, and the judge's fingerprint."""
    facts, asked = dossier.facts, dossier.asked
    return {
        "verdict": str(gate.verdict),
        "judge": dossier.judge,
        "fingerprint": facts.fingerprint,
        "judged_with": {name: getattr(facts, name) for name in _FACTS},
        "data": dossier.fingerprint,
        "accord": __version__,
        "seed": asked.seed,
        "epsilon": asked.epsilon,
        "confidence": asked.level,
        "positive": asked.positive,
        "gate": dict(criteria),
        "checks": [check.to_dict() for check in gate.checks],
        "not_checked": list(gate.unseen),
    }


def write_certificate(path: Path, content: Mapping[str, Any]) -> None:
    """Write it, or say in one sentence why it cannot be written."""
    try:
        path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise OptionError(f"The certificate {path} cannot be written: {error.strerror or error}.") from None


def standing(path: Path, dossier: Dossier) -> tuple[Verdict | None, str]:
    """The verdict of a certificate that still stands, or None for one that is void; and the sentence that says so."""
    held = _held(path)
    verdict = Verdict(held["verdict"])
    changed = _changed(held, dossier)
    if not changed:
        return verdict, (
            f"The certificate {path.name} stands: {verdict} for {dossier.judge} as it is "
            f"({dossier.facts.fingerprint}), on these data."
        )
    return None, (
        f"The certificate {path.name} is void: {listed(changed)}. It said {verdict}, and that says nothing about this "
        "judge on these data. Run the gate again."
    )


def _held(path: Path) -> dict[str, Any]:
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        known = [held[name] for name in ("fingerprint", "data", "accord", "judge")]
        if not all(isinstance(one, str) for one in known) or not isinstance(held["judged_with"], dict):
            raise ValueError
        Verdict(held["verdict"])
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFileError(f"The certificate {path} cannot be read: {error}.") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise OptionError(
            f"{path} is not a certificate of accord judge. Write one with --gate and --certificate."
        ) from None
    return dict(held)


def _changed(held: Mapping[str, Any], dossier: Dossier) -> list[str]:
    """What is not as it was: the judge, the data, the program."""
    facts, found = dossier.facts, []
    if held["fingerprint"] != facts.fingerprint or held["judge"] != facts.name:
        names = [name for name in _FACTS if held["judged_with"].get(name, "") != getattr(facts, name)]
        names = (["name"] if held["judge"] != facts.name else []) + names
        old = f"{held['fingerprint']}, now {facts.fingerprint}"
        found.append(f"the judge's {listed(names) or 'fingerprint'} changed since ({old})")
    if held["data"] != dossier.fingerprint:
        found.append(f"the data are others ({held['data']}, now {dossier.fingerprint})")
    if held["accord"] != __version__:
        found.append(f"it was made by accord {held['accord']}, and this is {__version__}")
    return found

"""Every sentence on scores, rates and standings, over a grid of numbers on and beside each mark, as recorded.

``tests/recorded/sentences/scoring.txt`` has a line for each: what was asked, and what was said. Where a sentence is to
change, the test writes what it found into the folder it names; read the difference, and put it into the record.
"""

from itertools import combinations, product
from pathlib import Path

import numpy as np

from accord import __version__
from accord.errors import AccordError
from accord.inference.interval import Interval
from accord.scoring import scarce
from accord.scoring.arf import Law, alpha_of_k, half_width_factor
from accord.scoring.calibrated import calibrated_score
from accord.scoring.ceiling import equal_words, near_an_end, of_equal_scores, with_rare_scores
from accord.scoring.error_rates import POINTS, Variation, error_rate
from accord.scoring.mqm_means import _interval, _of_unequal_documents
from accord.scoring.ranking.document_tests import DocumentTest
from accord.scoring.ranking.more_units import what_would_tell
from accord.scoring.standing import standing, told_apart
from accord.scoring.student import ScoreMethod

RECORD = Path(__file__).parents[1] / "recorded" / "sentences" / "scoring.txt"


def ends(one):
    return f"{one.low:.5g} to {one.high:.5g} at {one.level:g} by {one.method}"


def of_few_scores():
    """One score with a prior, and several, everywhere on scales of many and few steps."""
    lone = [[80.0], [85.0], [99.0], [0.0]]
    several = [[76.0, 84.0], [80.0, 80.0], [100.0, 100.0, 100.0], [99.0, 98.0, 100.0], [79.0, 80.0, 81.0], [3.0, 90.0]]
    for values, prior, threshold in product(lone, (None, 70.0, 85.0, 95.0), (None, 80.0, 85.0)):
        yield f"{values} {prior} {threshold}", said(values, prior=prior, threshold=threshold)
    for values, threshold, direction in product(several, (None, 80.0, 98.0), ("high", "low", "unknown")):
        yield f"{values} {threshold} {direction}", said(values, threshold=threshold, direction=direction)
    for values, method, confidence in product(several[:4], ScoreMethod, (0.5, (0.8, 0.95), 0.79)):
        yield f"{values} {method} {confidence}", said(values, method=method, confidence=confidence, threshold=80.0)
    for values in ([1.0, 1.0, 1.0], [3.0, 3.0], [4.0, 5.0, 5.0], [2.0, 3.0, 2.0, 4.0]):
        yield f"{values} on 1 to 5", said(values, scale=(1.0, 5.0), threshold=4.0)
    for law, level in product(Law, (0.6, 0.8, 0.95)):
        factor = half_width_factor(1 - level, law)
        yield f"{law} {level}", f"{factor:.6g} {alpha_of_k(factor, law):.6g} {said([80.0], prior=70.0, law=law)}"


def said(values, **more):
    try:
        found = scarce.score(values, **more)
    except AccordError as error:
        return str(error)
    data = " ".join(f"{key}={value}" for key, value in rounded(found.to_dict()).items())
    return " / ".join([str(found), *found.lines(), data]).replace("\n", " ").replace(f"accord {__version__}", "accord")


def rounded(data):
    if isinstance(data, dict):
        return {key: rounded(part) for key, part in data.items()}
    if isinstance(data, list | tuple):
        return [rounded(part) for part in data]
    return float(f"{data:.6g}") if isinstance(data, float) else data


def of_ceilings():
    for value, scores, scale in product(
        (0.0, 1.0, 3.0, 4.0, 5.0), (2, 3, 10), ((0.0, 5.0), (0.0, 5.25), (-100.0, 5.0))
    ):
        asked = f"{value} {scores} {scale}"
        yield asked, f"{ends(of_equal_scores(value, scores, 0.8, scale))} | {equal_words(value, scores, 0.8, scale)}"
        yield asked, f"{near_an_end([value], scale)}"
    for low, high, scores in product((-5.0, 80.0), (95.0, 120.0), (2, 5, 30)):
        by_t = Interval(low=low, high=high, level=0.8, method="t")
        yield f"{low} {high} {scores}", ends(with_rare_scores(by_t, scores, (0.0, 100.0)))


def of_rates():
    calm = Variation(dispersion=1, severity=0.1)
    for counts, acceptable, criticals in product(([5], [40, 31], [0]), (None, 2.0, 60.0), (0, 1)):
        if criticals <= sum(counts):
            made = error_rate(counts, 1000, acceptable=acceptable, criticals=criticals, variation=calm)
            yield f"{counts} {acceptable} {criticals}", str(made)
    for points, criticals in ((0, 0), (1, 0), (90, 0), (20, 2), (0, 2)):
        made = calibrated_score(points, 2000, passing=90, acceptable=10, criticals=criticals, variation=calm)
        yield f"{points} {criticals}", f"{made} | {rounded(made.to_dict())}"
    several = error_rate([5, 9, 7], 4000, reviewers=["Ann", "Bob", "Eve"], variation=POINTS, noun="points")
    yield "named", f"{several} | {several.by} | {rounded(several.to_dict())}"


def of_standings():
    for names in (["A"], ["A", "B"], ["A", "B", "C"]):
        pairs = list(combinations(names, 2))
        for chosen in product((False, True), repeat=len(pairs)):
            better = {pair for pair, shown in zip(pairs, chosen, strict=True) if shown}
            yield f"{names} {sorted(better)}", f"{standing(names, better)} | {told_apart(names, better)}"
    names = list("ABCDEF")
    for better in (
        set(),
        set(combinations(names, 2)),
        {("A", name) for name in names[1:]},
        {(name, "F") for name in names[:-1]},
        {("A", "E"), ("A", "F"), ("B", "F")},
    ):
        yield f"{names} {sorted(better)}", f"{standing(names, better)} | {told_apart(names, better)}"
    for p, units, called in product((0.04, 0.2, 0.6, 0.999, 1.0), (5, 12, 200), ("document", "segment")):
        told = what_would_tell("A", "B", p, units, called=called, level=0.95, pairs=3, ends=(-1.5, 2.25))
        yield f"{p} {units} {called}", told


def of_penalties():
    for centre, half, apart in product((-8.0, -1.0, 0.0, 2.0), (0.0, 1.0, 9.0), (0.0, 0.4)):
        found = _interval(centre, half, apart, 0.9, "m")
        yield f"{centre} {half} {apart}", ends(found) if found else "none"
    lengths = np.array([[4.0, 4, 4], [9, 1, 2], [5, 0, 0], [3, 3, 0]])
    test = DocumentTest(
        difference=np.zeros(4), error=np.ones(4), p=np.ones(4), documents=np.full(4, 3), freedom=np.full(4, 2.0)
    )
    found = _of_unequal_documents(lengths, test)
    yield "unequal documents", f"{np.round(found.error, 6).tolist()} {np.round(found.freedom, 6).tolist()}"


KINDS = (of_few_scores, of_ceilings, of_rates, of_standings, of_penalties)


def test_every_sentence_is_said_as_it_was_recorded(tmp_path):
    lines = [f"{kind.__name__[3:]} | {asked} -> {told}" for kind in KINDS for asked, told in kind()]
    (tmp_path / RECORD.name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    known = RECORD.read_text(encoding="utf-8").splitlines()
    changed = [f"now: {now}\n then: {then}" for now, then in zip(lines, known, strict=False) if now != then]
    assert not changed and len(lines) == len(known), "\n".join([f"see {tmp_path}", *changed[:10]])


def test_a_system_is_named_best_only_where_every_other_is_beaten_by_somebody():
    names = list("ABCD")
    for chosen in product((False, True), repeat=6):
        better = {pair for pair, shown in zip(combinations(names, 2), chosen, strict=True) if shown}
        told = standing(names, better)
        assert told.startswith("A is best") == ({worse for _, worse in better} == set("BCD")), (better, told)

"""The views of ``accord diagnose``: what each analysis found, as tables."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from accord.arrays import distinct
from accord.design.scale import ASK_DIRECTION, Direction
from accord.diagnosis import categories, correlation, items, reliabilities, severity, text_level, what_if
from accord.diagnosis.case import Case
from accord.diagnosis.examination import Diagnosis
from accord.diagnosis.latent import latent_classes
from accord.diagnosis.level_hint import level_hint
from accord.diagnosis.part import Part, parts_of
from accord.diagnosis.triangulation import influence, subset_gammas, triangulate
from accord.errors import NotEnoughDataError, OptionError
from accord.judging.alternative import alternative_annotator
from accord.judging.panel import judges_of, known_judge, panel_of
from accord.ratings.table import Ratings
from accord.records import dataclass
from accord.tables.table import Column, Table
from accord.words import listed, steady

__all__ = ["VIEWS", "Page", "ViewOptions", "findings_view"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewOptions:
    """The options that views read."""

    unit: str = "document"
    weights: str = "linear"
    target: float = 0.67
    values: int = 0
    top: int = 20
    seed: int = 0
    by: tuple[str, ...] = ()
    judge: str = ""
    epsilon: float = 0.2
    clusters: int = 0
    task: str = ""
    between: str = ""
    of: str = "rater"
    reference: str = ""
    subsets: int = 0

    def __post_init__(self) -> None:
        if self.weights not in ("linear", "identity"):
            raise OptionError(f"--weights {self.weights}: choose linear or identity.")
        if not -1 < self.target < 1:
            raise OptionError(f"--target {self.target}: a kappa to reach lies between -1 and 1.")
        if self.subsets and self.subsets < 2:
            raise OptionError(f"--subsets {self.subsets}: a set has at least 2 raters.")
        if self.top < 0:
            raise OptionError(f"--top {self.top}: write 0 to show all rows, or how many.")


@dataclass(frozen=True, slots=True)
class Page:
    """Tables, the same as plain data, and lines under them; ``prose`` pages are only their lines in a terminal."""

    tables: Sequence[Table]
    data: Mapping[str, Any]
    lines: Sequence[str] = ()
    prose: bool = False


View = Callable[[Ratings, ViewOptions], Page]


def _table(title: str, columns: str, rows: Iterable[Mapping[str, Any]], notes: Sequence[str] = ()) -> Table:
    """Columns are written ``key=Title`` with commas between them, ``key:2=Title`` for two decimals."""
    made = []
    for spec in columns.split(", "):
        key, _, heading = spec.partition("=")
        key, _, digits = key.partition(":")
        made.append(Column(key, heading or key, int(digits or 3)))
    return Table(title, made, [_flat(row) for row in rows], notes)


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Lists as words, and the ends of an interval as columns of their own."""
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if key == "interval" and isinstance(value, Mapping):
            flat |= {"low": value["low"], "high": value["high"]}
        else:
            flat[key] = ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
    return flat


def _first_rows(rows: Sequence[Any], options: ViewOptions) -> Sequence[Any]:
    return rows if options.top == 0 else rows[: options.top]


def _left_out(rows: Sequence[Any], options: ViewOptions) -> list[str]:
    more = len(rows) - len(_first_rows(rows, options))
    return [f"{more:,} more rows; --top 0 shows all."] if more else []


def findings_view(found: Diagnosis) -> Page:
    """All findings, the gravest first."""
    table = _table(
        f"Findings: {found.summary}",
        "severity=severity, code=finding, message=what was seen, sure=how sure, advice=what to do",
        found.rows(),
    )
    items = f"{found.items:,} item{'s' * (found.items != 1)}"
    lines = [f"{found.ratings:,} ratings, {items}, {found.raters:,} raters: {found.summary}."]
    for finding in found.findings:
        lines += [f"\n{finding.severity.upper()} {finding.code}: {finding.message}."]
        lines += [f"  {name.replace('_', ' ')}: {_number(value)}" for name, value in finding.evidence.items()]
        lines += [f"  how sure: {finding.sure}"] if finding.sure else []
        lines += [f"  not to be trusted: {', '.join(finding.invalidates)}"] if finding.invalidates else []
        lines += [f"  what to do: {finding.advice}"]
    lines += found.remarks
    return Page((table,), found.to_dict(), lines, prose=True)


def _number(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:,}" if isinstance(value, int) else f"{steady(value):.4g}"


def _weighted(ratings: Ratings, options: ViewOptions) -> tuple[str, ...]:
    fine = any(part.is_fine for part in parts_of(ratings, options.by))
    return ("κ and π of scores with many values are weighted by the squared distance.",) if fine else ()


def agreement_view(ratings: Ratings, options: ViewOptions) -> Page:
    """Agreement beside correlation: all raters, rater groups and batches."""
    sides = correlation.agreement_with_correlation(ratings, by=options.by, scopes=("all", "group", "batch"))
    if not any(side.pairs for side in sides):
        raise NotEnoughDataError("No two raters share an item: there is neither agreement nor correlation to show.")
    averages = [] if options.by else [row.to_dict() for row in correlation.scope_averages(sides)]
    rows = [side.to_dict() for side in sides]
    table = _table(
        "Agreement beside correlation (means over rater pairs)",
        "criterion=criterion, scope=raters, items=items, pairs=pairs, agreement=equal, pi=Scott π, kappa=Cohen κ, "
        "gamma=gamma, absolute_gamma=|gamma|, untied=untied pairs, words=in words",
        [*rows, *({"criterion": f"mean of {row['criteria']} criteria", **row} for row in averages)],
        (
            "gamma counts untied item pairs only; read agreement to mend a guideline, correlation to trust an order.",
            *_weighted(ratings, options),
        ),
    )
    named = [
        {"criterion": part.title, **row.to_dict()}
        for part in parts_of(ratings, options.by)
        for row in triangulate(part.pairs)
    ]
    raters = _table(
        "Triangulation: raters seen through their partners (pairs with 10 items or more)",
        "criterion=criterion, rater=rater, pairs=pairs, gamma=mean gamma, deficit=deficit, lowest_for=worst match of, "
        "inconsistent=out of step",
        named,
    )
    return Page((table, raters), {"agreement": rows, "averages": averages, "triangulation": named})


def pairs_view(ratings: Ratings, options: ViewOptions) -> Page:
    """Every pair of raters, who is lower, how well one predicts the other, and the most reliable pair."""
    sides = correlation.agreement_with_correlation(ratings, by=options.by, scopes=("pair",))
    if not sides:
        raise NotEnoughDataError("No two raters share an item: there are no pairs to show.")
    averages = correlation.pair_averages(ratings)
    predictions = [
        {"criterion": part.title, **row.to_dict()}
        for part in parts_of(ratings, options.by)
        if part.ordered
        for row in correlation.predictability(Case(part, np.random.default_rng(options.seed)))
    ]
    tables = (
        _table(
            "Rater pairs over all criteria, the most agreeing first",
            "pair=pair, items=items, criteria=criteria, pi=Scott π, kappa=Cohen κ, gamma=gamma, "
            "absolute_gamma=|gamma|, undefined=gamma undefined",
            [row.to_dict() for row in _first_rows(averages, options)],
            (*_left_out(averages, options), *_weighted(ratings, options))),
        _table(
            "Rater pairs", "criterion=criterion, scope=pair, items=items, agreement=equal, pi=Scott π, kappa=Cohen κ, "
            "gamma=gamma, tau_a=τ-a, tau_c=τ-c, concordant=C, discordant=D, "
            "lower=lower rater, lower_share=in share of disagreements, "
            "sign_p=sign test p, words=in words",
            [side.to_dict() for side in _first_rows(sides, options)], _left_out(sides, options)),
        _table(
            "Predicting one rater from another (straight line, items left out one by one)",
            "criterion=criterion, predicted=rater, by=from, items=items, slope=slope, intercept=intercept, "
            "explained=variance explained", _first_rows(predictions, options), _left_out(predictions, options)),
    )  # fmt: skip
    sets = _subsets(ratings, options) if options.subsets else []
    title = f"Sets of {options.subsets} raters, the highest mean γ of their pairs first"
    heads = "criterion=criterion, raters=raters, mean_gamma=mean γ"
    of_sets = (_table(title, heads, _first_rows(sets, options), _left_out(sets, options)),) if sets else ()
    data = {
        "pairs": [side.to_dict() for side in sides],
        "averages": [row.to_dict() for row in averages],
        "predictions": predictions,
        **({"subsets": sets} if sets else {}),
    }
    return Page((*tables, *of_sets), data)


def _subsets(ratings: Ratings, options: ViewOptions) -> list[dict[str, object]]:
    """Mean γ over the pairs of every set of so many raters, criterion by criterion."""
    found: list[dict[str, object]] = []
    for part in parts_of(ratings, options.by):
        if options.subsets > len(part.raters):
            raise OptionError(f"--subsets {options.subsets}: there are {len(part.raters)} raters only.")
        gammas = subset_gammas(part.pairs, options.subsets) if part.ordered else {}
        for names, value in gammas.items():
            found.append({"criterion": part.title, "raters": ", ".join(names), "mean_gamma": value})
    if not found:
        raise NotEnoughDataError("--subsets compares how raters order the items, but these labels have no order.")
    return found


def _asked(ratings: Ratings) -> tuple[str, ...]:
    """The question for the good end, where a scale with an order lacks it."""
    ends = [one.direction for one in ratings.codebook.criteria.values() if one.level.has_order]
    return (ASK_DIRECTION,) if Direction.UNKNOWN in ends else ()


def raters_view(ratings: Ratings, options: ViewOptions) -> Page:
    """Severity with intervals, consistency, drift, and alpha without each rater."""
    effects, left_out = [], []
    for part in parts_of(ratings, options.by):
        effects += [{"criterion": part.title, **row.to_dict()} for row in severity.rater_effects(part)]
        left_out += [{"criterion": part.title, **row.to_dict()} for row in influence(part)]
    tables = (
        _table(
            f"Raters among the others on the same items, the {'lowest' if _asked(ratings) else 'strictest'} first",
            "criterion=criterion, rater=rater, items=items, mean:2=mean, spread:2=deviation, "
            "severity:2=against the others, strictness=that is, "
            "low:2=from, high:2=to, rest=r with the rest, drift:2=drift, drift_p=drift p",
            _first_rows(effects, options),
            (*_left_out(effects, options), "Against the others: least squares with items and raters crossed, "
             "95% t interval; strict is to give worse scores. Drift needs an order column.", *_asked(ratings))),
        _table(
            "Krippendorff's α without each rater", "criterion=criterion, rater=rater, items=items, "
            "alpha_without=α without, change=change", _first_rows(left_out, options), _left_out(left_out, options)),
    )  # fmt: skip
    return Page(tables, {"raters": effects, "influence": left_out})


def items_view(ratings: Ratings, options: ViewOptions) -> Page:
    """Items by entropy: the most disputed, and those on which all agree."""
    tables, data = [], []
    for part in parts_of(ratings, options.by):
        found = items.item_entropies(part)
        if not found:
            raise NotEnoughDataError(f"{part.title}: no item has two ratings, so no item can be disputed.")
        far = items.far_apart(part)
        most = [row for row in found if (row.apart > far if far else row.entropy > 0)]
        none = found[len(most) :]
        by = "apart:2=furthest apart" if far else "entropy=entropy (bits)"
        columns = f"item=item, {by}, ratings=ratings, mean:2=mean, values=who said what"
        columns += ", text=text" * any(row.text for row in found) + ", comments=comments" * any(
            row.comments for row in found
        )
        all_agree = f"Items with ratings at most {far:g} apart" if far else "Items all agree on"
        tables += [
            _table(f"Most disputed items, {part.title}", columns, [row.to_dict() for row in _first_rows(most, options)],
                   _left_out(most, options)),
            _table(f"{all_agree}, {part.title}: {len(none):,} of {len(found):,}", columns,
                   [row.to_dict() for row in _first_rows(none, options)], _left_out(none, options)),
        ]  # fmt: skip
        data.append({"criterion": part.title, "items": [row.to_dict() for row in found]})
    return Page(tables, {"criteria": data})


def categories_view(ratings: Ratings, options: ViewOptions) -> Page:
    """Joint and independent agreement, marginals, and the cause of a skew."""
    split, uses, skews, hints = [], [], [], []
    for part in parts_of(ratings, options.by):
        parts = items.decomposition(part, weights=options.weights)
        joint, independent, kappa = parts.means
        split.append({
            "criterion": part.title, "weights": parts.weights, "pairs": len(parts.pairs), "joint": joint,
            "independent": independent, "kappa": kappa,
        })  # fmt: skip
        skews.append({"criterion": part.title, **categories.skew_cause(part).to_dict()})
        hints.append({"criterion": part.title, **level_hint(part).to_dict()})
        if len(part.ratings.scale.values) <= 20:
            uses += [{"criterion": part.title, **use.to_dict()} for use in categories.category_use(part)]
    tables = (
        _table("What kappa is made of (means over rater pairs)", "criterion=criterion, weights=weights, pairs=pairs, "
               "joint=joint agreement, independent=independent agreement, kappa=κ", split),
        _table("The most frequent value and why", "criterion=criterion, value=value, share=share, agreed_share=items "
               "all give it, between_raters=difference between raters, cause=cause", skews),
        _table("Use of the values by rater", "criterion=criterion, rater=rater, value=value, ratings=ratings, "
               "share=share, share_of_others=share of the others on the same items, departure:1=departure", uses,
               ("A departure beyond 3 either way: the value is over- or under-used.",)),
        _table("What the distribution says of the level of measurement", "criterion=criterion, level=level, "
               "values=values used, skewness:2=skewness, kurtosis:2=excess kurtosis, p=normality p, hint=hint", hints,
               ("A hint only: what the values mean decides the level, and you declare it with --level.",)),
    )  # fmt: skip
    return Page(tables, {"decomposition": split, "skew": skews, "use": uses, "level_hints": hints})


def latent_view(ratings: Ratings, options: ViewOptions) -> Page:
    """Dawid and Skene: how often each rater is right, and the likeliest value of each item."""
    raters, labels, shares = [], [], []
    for part in parts_of(ratings, options.by):
        model = latent_classes(part)
        title = part.title
        raters += [
            {"criterion": title, "rater": name, "accuracy": right, "confusion": model.confusion[place].tolist()}
            for place, (name, right) in enumerate(zip(model.raters, model.accuracy.tolist(), strict=True))
        ]
        shares += [
            {"criterion": title, "value": v, "share": s}
            for v, s in zip(model.values, model.shares.tolist(), strict=True)
        ]
        unsure = model.least_sure_first()
        labels += [
            {
                "criterion": title,
                "item": model.items[i],
                "value": model.labels[i],
                "certainty": float(model.certainty[i].max()),
            }
            for i in unsure.tolist()
        ]
    tables = (
        _table("How often each rater gives the right value (Dawid and Skene)",
               "criterion=criterion, rater=rater, accuracy=right", raters),
        _table("How frequent each right value is", "criterion=criterion, value=value, share=share of items", shares),
        _table("Items whose right value is least certain", "criterion=criterion, item=item, value=likeliest, "
               "certainty=certainty", _first_rows(labels, options), _left_out(labels, options)),
    )  # fmt: skip
    return Page(tables, {"raters": raters, "shares": shares, "items": labels})


_GAPS = (
    "fewer than two texts were scored by every rater; intraclass correlations are of all text scores, by an "
    "analysis of variance with gaps."
)


def _parts_named(titles: Sequence[str]) -> str:
    """The parts of which something is said; of many, what they begin with: their criteria."""
    if len(titles) < 4:
        return "; ".join(titles)
    return f"{listed([*dict.fromkeys(title.partition(',')[0] for title in titles)])} ({len(titles)} parts)"


def text_level_view(ratings: Ratings, options: ViewOptions) -> Page:
    """Agreement on scores averaged by text, limits of agreement, and sources of variance."""
    iccs, limits, sources, scores = [], [], [], []
    units, said = list[str](), dict[str, list[str]]()
    for part in parts_of(ratings, options.by):
        try:
            level = text_level.text_level(part, unit=options.unit)
        except NotEnoughDataError as error:
            said.setdefault(str(error), []).append(part.title)
            continue
        units.append(level.unit)
        if level.counted:
            said.setdefault(f"the score of a text is the share of {level.counted}.", []).append(part.title)
        if level.complete < 2 and level.icc:
            said.setdefault(_GAPS, []).append(part.title)
        scores += [{"criterion": part.title, "text": text, "score": mean} for text, mean in level.scores]
        iccs.append({
            "criterion": part.title, "texts": level.texts, "complete": level.complete, "raters": level.raters,
            **level.icc,
        })  # fmt: skip
        limits += [{"criterion": part.title, **row.to_dict()} for row in level.limits]
        try:
            sources.append({"criterion": part.title, **text_level.generalizability(part).to_dict()})
        except NotEnoughDataError as error:
            said.setdefault(str(error), []).append(part.title)
    notes = [f"{_parts_named(titles)}: {words}" for words, titles in said.items()]
    if not iccs:
        raise NotEnoughDataError(" ".join(notes))
    unit = next(iter(units))
    complete = all(int(str(row["complete"])) >= 2 for row in iccs)
    which = "on the texts that every rater scored" if complete else "on complete texts, else with gaps"
    tables = (
        _table(f"Scores averaged by {unit}: intraclass correlation, {which}",
               "criterion=criterion, texts=texts, complete=complete, raters=raters, icc_1=ICC(1), icc_a1=ICC(A,1), "
               "icc_c1=ICC(C,1), icc_1k=ICC(1,k), icc_ak=ICC(A,k), icc_ck=ICC(C,k)", iccs),
        _table("Limits of agreement (95%)", "criterion=criterion, first=rater, second=rater, texts=texts, "
               "difference:2=mean difference, low:2=from, high:2=to, pearson=r", _first_rows(limits, options),
               _left_out(limits, options)),
        _table(f"Score of each {unit}, mean over raters", "criterion=criterion, text=text, score=score",
               _first_rows(scores, options), _left_out(scores, options)),
        _table("Where the variance of ratings comes from (items as objects, crossed with raters)",
               "criterion=criterion, items=items, raters=raters, item_variance=variance of items, "
               "rater_variance=of raters, residual_variance=of the rest, relative=Eρ² (order of items), "
               "absolute=Φ (score of an item)",
               sources, notes),
    )  # fmt: skip
    told = {"icc": iccs, "limits": limits, "scores": scores, "generalizability": sources, "notes": notes}
    return Page(tables, told)


def stability_view(ratings: Ratings, options: ViewOptions) -> Page:
    """Stability, accuracy and reproducibility, each where the ratings allow it."""
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    for part in parts_of(ratings, options.by):
        for find in (reliabilities.stability, reliabilities.accuracy):
            try:
                rows += [{"criterion": part.title, **row.to_dict()} for row in find(part)]
            except NotEnoughDataError as error:
                notes.append(f"{part.title}: {error}")
        try:
            others = reliabilities.reproducibility(part).to_dict()
            rows.append({"criterion": part.title, "kind": "reproducibility", "rater": "all raters", **others})
        except NotEnoughDataError as error:
            notes.append(f"{part.title}: {error}")
        rows += _replications(part)
    table = _table(
        "Three reliabilities: with oneself later, with gold, with others",
        "criterion=criterion, kind=kind, rater=rater, items=items, agreement=equal, "
        "weights=weights of κ, kappa=κ, low=κ low, high=κ high, "
        "gamma=gamma, pearson=r, difference:2=mean difference, absolute_difference:2=mean absolute difference, "
        "error:2=SEM, detectable:2=SDC" + ", normalised=normalised κ" * any("normalised" in row for row in rows),
        _first_rows(rows, options),
        (*_left_out(rows, options), *notes),
    )
    return Page((table,), {"reliabilities": rows, "notes": notes})


def _replications(part: Part) -> list[dict[str, Any]]:
    """Cross-replication of every two rater groups, where there are groups that share items."""
    if "group" not in part.ratings.columns:
        return []
    rows = []
    for first, second in combinations(parts_of(part.ratings, ("group",)), 2):
        try:
            found = reliabilities.replication(first, second)
        except NotEnoughDataError:
            continue
        name = f"{first.by['group']} with {second.by['group']}"
        kind = "cross-replication"
        numbers = {"items": found.items, "kappa": found.value, "normalised": found.normalised}
        rows.append({"criterion": part.title, "kind": kind, "rater": name, **numbers})
    return rows


def judge_view(ratings: Ratings, options: ViewOptions) -> Page:
    """Whether a judge, such as a language model, may stand in for people."""
    if not options.judge:
        raise OptionError("--show judge needs --judge NAME: which of the raters is the language model?")
    tables, data = [], []
    for part in parts_of(ratings, options.by):
        judge = known_judge(ratings.rater.names, options.judge)
        test = alternative_annotator(panel_of(part, judge, judges_of(part)), epsilon=options.epsilon)
        verdict = "may stand in for these people" if test.passed else "may not stand in for these people"
        tables.append(_table(
            f"{part.title}: {test.judge} {verdict} (beats {steady(test.winning_rate):.0%} of them)",
            "human=person left out, items=items, judge_wins=judge fits the others, human_wins=person fits the others, "
            "p=p, beaten=beaten", [human.to_dict() for human in test.humans],
            (f"Alternative annotator test, ε = {test.epsilon:g}, Benjamini and Yekutieli at 5%.",)))  # fmt: skip
        data.append({"criterion": part.title, **test.to_dict()})
    return Page(tables, {"judge": data})


def what_if_view(ratings: Ratings, options: ViewOptions) -> Page:
    """What would raise kappa, and what another number of values would do."""
    moves, scales, without = [], [], []
    for part in parts_of(ratings, options.by):
        move = what_if.what_if(part, target=options.target, weights=options.weights)
        moves.append({"criterion": part.title, **move.to_dict()})
        try:
            values = options.values or len(distinct(part.code)) + 1
            now, then = what_if.finer_scale(part, values=values, weights=options.weights)
            scales += [{"criterion": part.title, **row.to_dict()} for row in (now, then)]
        except NotEnoughDataError as error:
            without.append(f"{part.title}: {error}")
    tables = (
        _table(f"What moves kappa, and what would reach {options.target:g}",
               "criterion=criterion, weights=weights, joint=joint, independent=independent, kappa=κ, "
               "by_joint=dκ/d joint, by_independent=dκ/d independent, joint_needed=joint needed, "
               "independent_needed=or independent needed", moves),
        _table("Another number of values, predicted", "criterion=criterion, values=values, weights=weights, "
               "joint=joint, independent=independent, kappa=κ, uniform_chance=chance if values were used equally",
               scales,
               ("Predicted by a normal model of the raters as they are; nobody has used that scale yet.", *without)),
    )  # fmt: skip
    data = {"sensitivity": moves, "scales": scales, "not_predicted": without}
    return Page(tables, data) if scales else Page(tables[:1], data, without)


VIEWS: dict[str, View] = {
    "agreement": agreement_view,
    "pairs": pairs_view,
    "raters": raters_view,
    "items": items_view,
    "categories": categories_view,
    "latent": latent_view,
    "text-level": text_level_view,
    "stability": stability_view,
    "what-if": what_if_view,
    "judge": judge_view,
}

"""What would be another one in another study: items, or documents with all their items."""

from collections.abc import Iterator, Sequence
from functools import cached_property, partial

import numpy as np

from accord.arrays import Floats, Integers, distinct
from accord.coefficients.features import Block, View
from accord.coefficients.options import Options
from accord.coefficients.sums import statistic_of_view
from accord.errors import NotEnoughDataError, OptionError
from accord.inference.clusters import clustered, clustered_features
from accord.inference.pseudo_items import effective_units
from accord.inference.statistic import SumStatistic
from accord.ratings.counts import CountSource, DocumentCounts, ItemValueCounts, Patterns, laid_out
from accord.records import dataclass
from accord.reliability.plan import Draws, IntervalKind, Plan, Unit
from accord.reliability.signs.amount import SCARCE_ITEMS
from accord.words import counted

__all__ = ["FEWEST_DOCUMENTS", "FEWEST_ITEMS", "FEW_DOCUMENTS", "NOTHING", "Units", "settled_unit", "too_few"]

NOTHING = "nothing to go on"
"""The words that come before all others."""
FEWEST_ITEMS = SCARCE_ITEMS
"""Under this many items nothing is known of the error."""
FEWEST_DOCUMENTS = 4
FEW_DOCUMENTS = "too few to speak of other documents"
"""By these words a caution says that it is documents that lack, and not items."""


@dataclass(frozen=True)
class Units:
    """Rows of ratings and the unit each belongs to; ``document`` is None where every item is a unit."""

    view: View
    document: Integers | None = None

    @classmethod
    def of(cls, source: CountSource, view: View, plan: Plan) -> "Units":
        """Those that the plan resamples; an error in words where documents are asked for and none are named."""
        if not plan.resample.of_documents:
            return cls(view)
        found = source.by_document()
        if found is None:
            raise OptionError(
                "These ratings name no documents, so documents cannot be resampled. "
                "Map the column (--map document=COLUMN) or resample items."
            )
        if (found.document < 0).any():
            without = int(found.multiplicity[found.document < 0].sum())
            raise NotEnoughDataError(
                f"{without:,} items name no document, so documents cannot be resampled. "
                "Resample items, or fill in the document column."
            )
        return cls(View(_patterns(found), view.scale), found.document)

    @cached_property
    def whole(self) -> "Units":
        """Those of the items that every rater rated; a document without any is none."""
        if self.document is None:
            return Units(self.view.whole)
        document = self.document[self.view.complete > 0]
        return Units(self.view.whole, np.unique(document, return_inverse=True)[1].astype(np.int64))

    @property
    def word(self) -> str:
        return "items" if self.document is None else "documents"

    @property
    def documents(self) -> int:
        """Documents that items name, those that cannot be compared among them; 0 where items are the units."""
        return 0 if self.document is None else int(self.document.max(initial=-1)) + 1

    @cached_property
    def sizes(self) -> Floats | None:
        """Items that can be compared in each document; None where items are the units."""
        if self.document is None:
            return None
        items = self.view.multiplicity * self.view.pairable
        return np.asarray(np.bincount(self.document, weights=items), dtype=np.float64)

    @cached_property
    def items(self) -> int:
        """Items that can be compared."""
        return int(self.view.multiplicity @ self.view.pairable)

    @cached_property
    def number(self) -> int:
        """Units that can be compared."""
        if self.sizes is None:
            return self.items
        return int((self.sizes > 0).sum())

    @cached_property
    def effective(self) -> float:
        """Units of equal size that would be as good as these."""
        return float(self.number) if self.sizes is None else effective_units(self.sizes)

    @cached_property
    def disputed(self) -> int:
        """Items on which two ratings differ."""
        codes = self.view.nameless.codes
        highest = codes.max(axis=1, initial=-1)
        lowest = np.where(codes >= 0, codes, np.iinfo(codes.dtype).max).min(axis=1, initial=np.iinfo(codes.dtype).max)
        return int(self.view.multiplicity[lowest < highest].sum())

    @cached_property
    def usual(self) -> int:
        """Code of the most frequent value."""
        codes = self.view.nameless.codes
        times = np.broadcast_to(self.view.multiplicity[:, None], codes.shape)[codes >= 0]
        return int(np.argmax(np.bincount(codes[codes >= 0], times, 1)))

    @cached_property
    def agreed_on_rare(self) -> int:
        """Items on which two ratings are one value, and not the most frequent one."""
        codes = np.sort(self.view.nameless.codes, axis=1)
        same = (codes[:, 1:] == codes[:, :-1]) & (codes[:, 1:] >= 0) & (codes[:, 1:] != self.usual)
        return int(self.view.multiplicity[same.any(axis=1)].sum())

    def views_without_document(self) -> Iterator[View]:
        """The ratings with each document left out."""
        for document in () if self.document is None else distinct(self.document):
            kept = self.document != document
            yield View(Patterns(self.view.codes[kept], self.view.multiplicity[kept]), self.view.scale)

    def clustered(self, statistic: SumStatistic) -> SumStatistic:
        """The statistic with these units; its rows are those of the view."""
        if self.document is None:
            return statistic
        return clustered(statistic, self.document, np.arange(len(self.document)), statistic.multiplicity)

    def statistic(self, keys: Sequence[str], options: Options) -> SumStatistic:
        """These coefficients as a statistic of the units; sums over documents are kept for all that need them."""
        if self.document is None:
            return statistic_of_view(self.view, keys, options)
        ones = np.ones(self.documents, dtype=np.int64)
        return statistic_of_view(self.view, keys, options, (partial(_of_documents, self), ones))


def _of_documents(units: Units, block: Block) -> Floats:
    view, document = units.view, units.document
    assert document is not None  # noqa: S101
    rows, size = np.arange(len(document)), units.documents * block.width(view)

    def summed() -> Floats:
        return clustered_features(view.built(block), document, rows, view.multiplicity)

    return view.kept(f"{block.name} of documents", summed, size)


def _patterns(found: DocumentCounts) -> Patterns:
    if found.named:
        return Patterns(found.rows.astype(np.int32), found.multiplicity)
    return laid_out(ItemValueCounts(found.rows, found.multiplicity))


def too_few(items: int, documents: int | None) -> str:
    """Why so few items, or documents where they are the unit, can carry no interval; empty where they can."""
    if items < FEWEST_ITEMS:
        return f"{NOTHING}: {counted(items, 'item')} cannot show how far the value is off, so there is no interval"
    if documents is not None and documents < FEWEST_DOCUMENTS:
        return (
            f"no interval: the items come from {counted(documents, 'document')}, {FEW_DOCUMENTS}; "
            "resampling items asks about other items of these documents only"
        )
    return ""


def settled_unit(plan: Plan, source: CountSource) -> tuple[Unit, str]:
    """The unit where none was asked for, and what must be said about it: documents if every item names its own."""
    if plan.resample is not Unit.AUTO:
        return plan.resample, ""
    drawn = plan.interval in (IntervalKind.ANALYTIC, IntervalKind.NONE) or plan.draws is Draws.POISSON
    if drawn or not source.facts().scale.values:
        return Unit.ITEM, ""
    found = source.by_document()
    if found is None:
        return Unit.ITEM, ""
    if (found.document < 0).any():
        without = int(found.multiplicity[found.document < 0].sum())
        return Unit.ITEM, f"{without:,} items name no document, so items are resampled, as if they were independent"
    alone = len(distinct(found.document)) == int(found.multiplicity.sum())
    return (Unit.ITEM if alone else Unit.DOCUMENT), ""

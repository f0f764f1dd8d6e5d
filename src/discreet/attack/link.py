"""Distance-based record linkage: every masked record is linked to the nearest original."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from discreet import registry
from discreet.attack.points import points_of
from discreet.errors import NotComputable
from discreet.pairs import truth_of
from discreet.parameters import KEYS, Choice, Known
from discreet.progress import SILENT, Progress
from discreet.results import Risk, wilson
from discreet.table import FloatArray, IntArray, Table

Direction = Literal["masked to original", "original to masked"]
MEANING = (
    "the share of published records that an intruder who knows the true values of the quasi-identifiers links to the "
    "right person by taking the nearest one"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Links(Risk):
    """What linking achieved: `certain` records have their own original alone at the least distance."""

    certain: int
    nearest: IntArray
    ties: IntArray


@registry.attack(
    family="linkage",
    scales=registry.ANY_SCALE,
    missing="a missing number counts as the mean of its column, a missing category as a category of its own",
    meaning=MEANING,
    cites=("Pagliuca and Seri, Deliverable MI-3/D2 of the SDC project, Esprit 20462, 1999",),
)
def link(
    original: Table,
    masked: Table,
    *,
    keys: Known = KEYS,
    distance: Annotated[
        str, Choice(among=("euclidean",), about="how far apart two records are")
    ] = "euclidean",
    direction: Annotated[
        Direction,
        Choice(
            among=("masked to original", "original to masked"),
            about="which file's records look for a partner",
        ),
    ] = "masked to original",
    truth: IntArray | None = None,
    progress: Progress = SILENT,
) -> Links:
    """How many records are linked to their own original by the least distance.

    A record whose original is among t nearest ones counts 1/t: what the intruder expects to get right, not the luck
    of one guess. `records` holds that chance for each masked record.
    """
    owner = truth_of(original, masked, truth)
    if len(masked) == 0 or len(original) == 0:
        raise NotComputable("link: a table has no records, so there is nobody to link.")
    known, published = points_of(original, masked, keys)
    if direction == "masked to original":
        return _linked(published, known, owner, progress)
    links = _linked(known, published, _inverse(owner, len(original)), progress)
    return replace(links, records=_by_masked(links, owner))


def _linked(queries: FloatArray, targets: FloatArray, truth: IntArray, progress: Progress) -> Links:
    """Every query linked to its nearest target; the risk is over those that have a true partner."""
    from discreet._kernels.nearest import link as nearest

    _, ties, hit, first = nearest(
        queries, targets, truth, progress=lambda done, total: progress(done, total, "link")
    )
    paired = truth >= 0
    if not paired.any():
        raise NotComputable(
            "link: no record has a true partner in the other file, so no link can be right or wrong."
        )
    chance = np.where(hit, 1.0 / ties, 0.0)
    certain = int((hit & (ties == 1)).sum())
    expected, attempts = float(chance.sum()), int(paired.sum())
    return Links(
        name="link",
        risk=expected / attempts,
        meaning=MEANING,
        names_people=True,
        records=chance,
        interval=wilson(expected, attempts),
        baseline=1.0 / len(targets),
        attempts=attempts,
        details={"expected": expected, "certain": certain},
        certain=certain,
        nearest=first,
        ties=ties,
    )


def _inverse(owner: IntArray, originals: int) -> IntArray:
    """For each original the masked record that comes from it, -1 where none was published."""
    partner = np.full(originals, -1, dtype=np.int64)
    published = np.flatnonzero(owner >= 0)
    partner[owner[published]] = published
    return partner


def _by_masked(links: Links, owner: IntArray) -> FloatArray:
    """The chance of each masked record, from that of the original it comes from."""
    assert links.records is not None
    return np.where(owner >= 0, links.records[np.maximum(owner, 0)], 0.0)

"""Distance-based record linkage: every masked record is linked to the nearest original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple, cast

import numpy as np

from discreet import registry
from discreet._kernels.distinct import distinct_rows
from discreet._kernels.gower import Mixed, NearestMixed, link_mixed
from discreet._kernels.nearest import Nearest
from discreet._kernels.nearest import link as nearest_points
from discreet.attack.mixed import mixed_of
from discreet.attack.one_to_one import expected_hits, pair_off_dealt
from discreet.attack.points import ROUNDING, block_of, compares_as_number, errors_of, points_of, slack_of
from discreet.attack.whitening import turned, whitening
from discreet.errors import BadParameter, NotComputable, listed
from discreet.pairs import known_pairs, truth_of
from discreet.parameters import KEYS, Amounts, Choice, Flag, Known
from discreet.progress import SILENT, Progress
from discreet.results import Risk, wilson
from discreet.table import BoolArray, FloatArray, IntArray, Table

Direction = Literal["masked to original", "original to masked"]
Records = FloatArray | Mixed
DISTANCES = ("auto", "euclidean", "weighted", "mahalanobis", "gower")
MEANING = (
    "the share of published records that an intruder who knows the true values of the quasi-identifiers links to the "
    "right person by taking the nearest one"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Links(Risk):
    """What linking achieved: `certain` records have their own original alone at the least distance.

    `nearest` and `ties` are those of the records that looked for a partner: the masked ones, or the originals.
    """

    certain: int
    nearest: IntArray = field(repr=False)
    ties: IntArray = field(repr=False)

    @classmethod
    def of(
        cls,
        name: str,
        meaning: str,
        found: Found,
        chance: FloatArray,
        judged: BoolArray,
        *,
        looked_at: int,
        details: Mapping[str, Any],
    ) -> Links:
        """What the partners found achieve, by the chance of each masked record, for those that are judged."""
        expected, attempts = float(chance[judged].sum()), int(judged.sum())
        certain = int((chance[judged] == 1).sum())
        return cls(
            name=name,
            risk=expected / attempts,
            meaning=meaning,
            names_people=True,
            records=chance,
            interval=wilson(expected, attempts),
            baseline=1.0 / looked_at,
            attempts=attempts,
            details={"expected": expected, "certain": certain, "exact": found.exact, **details},
            certain=certain,
            nearest=found.nearest,
            ties=found.ties,
        )


@registry.attack(
    family="linkage",
    scales=registry.ANY_SCALE,
    missing="a missing category is one of its own; a missing number counts as the mean of its column, or with 'gower' "
    "as equal to missing alone",
    meaning=MEANING,
    cites=(
        "Pagliuca and Seri, Deliverable MI-3/D2 of the SDC project, Esprit 20462, 1999",
        "Torra, Abowd and Domingo-Ferrer, LNCS 4302, 2006 (Mahalanobis)",
        "Gower, Biometrics 27(4), 1971",
    ),
)
def link(
    original: Table,
    masked: Table,
    *,
    keys: Known = KEYS,
    distance: Annotated[
        str,
        Choice(
            among=DISTANCES,
            about="how far apart two records are; 'auto' is gower where a key is nominal, else euclidean",
        ),
    ] = "auto",
    weights: Annotated[
        Mapping[str, float] | None,
        Amounts(about="with distance 'weighted': how much each key counts; one that is not named counts 1"),
    ] = None,
    direction: Annotated[
        Direction,
        Choice(
            among=("masked to original", "original to masked"),
            about="which file's records look for a partner",
        ),
    ] = "masked to original",
    one_to_one: Annotated[
        bool, Flag(about="whether no two records may have the same partner (not with gower)")
    ] = False,
    truth: IntArray | None = None,
    training: IntArray | None = None,
    progress: Progress = SILENT,
) -> Links:
    """How many records are linked to their own original by the least distance.

    A record whose original is among t nearest ones counts 1/t: what the intruder expects to get right, not the luck
    of one guess. Distances that rounding alone can have parted are equal. `records` holds that chance for each masked
    record. Numbers and ranks are standardised, each file by its own mean and standard deviation. `mahalanobis` takes
    into account how the masking moved records, learned from the pairs in `training` and then judged on the others, or
    from all true pairs: the owner's view.
    """
    owner = owners("link", original, masked, truth)
    names = sorted(keys)
    kind = _kind(original, masked, names, distance, one_to_one)
    _check_weights(weights, kind, names)
    pairs = known_pairs(owner, training) if kind == "mahalanobis" else None
    judged = judged_records("link", owner, pairs)
    both = _both(original, masked, names, kind, weights or {}, owner, pairs)
    forward = direction == "masked to original"
    partner = owner if forward else _inverse(owner, len(original))
    found = _search(both.turned() if forward else both, partner, one_to_one, progress)
    chance = found.chance if forward else np.where(owner >= 0, found.chance[np.maximum(owner, 0)], 0.0)
    looked_at = len(original) if forward else len(masked)
    return Links.of("link", MEANING, found, chance, judged, looked_at=looked_at, details={"distance": kind})


class Found(NamedTuple):
    """For each record that looked for a partner: its chance to be right, the partner, and among how many."""

    chance: FloatArray
    nearest: IntArray
    ties: IntArray
    exact: bool = True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Both:
    """The records that look for a partner and those looked at, as they are compared.

    Records that are no more than `slack` farther than the nearest one are as near: rounding has parted them.
    """

    queries: Records
    targets: Records
    slack: float

    def turned(self) -> Both:
        """The same with the files in each other's place."""
        return Both(queries=self.targets, targets=self.queries, slack=self.slack)


def nearest_records(both: Both, truth: IntArray, progress: Progress) -> Found:
    """The nearest target of each query, and the chance that it is the true one."""

    def told(done: int, total: int) -> None:
        progress(done, total, "link")

    found: Nearest | NearestMixed
    queries, targets, slack = both.queries, both.targets, both.slack
    if isinstance(queries, Mixed) and isinstance(targets, Mixed):
        found = link_mixed(queries, targets, truth, columns=1, slack=slack, progress=told)
    else:
        points = cast(FloatArray, queries), cast(FloatArray, targets)
        found = nearest_points(*points, truth, slack=slack, progress=told)
    chance = np.where(found.hit, 1.0 / np.maximum(found.ties, 1), 0.0)
    return Found(chance, found.first, found.ties)


def records_of(queries: Table, targets: Table, keys: Sequence[str]) -> Both:
    """Both tables in the form that the distance 'auto' compares."""
    if all(compares_as_number(queries, targets, name) for name in keys):
        return _points(queries, targets, keys)
    return _mixed(queries, targets, keys)


def _search(both: Both, truth: IntArray, one_to_one: bool, progress: Progress) -> Found:
    queries, targets = both.queries, both.targets
    if not one_to_one or isinstance(queries, Mixed) or isinstance(targets, Mixed):
        return nearest_records(both, truth, progress)
    pairing = pair_off_dealt(queries, targets)
    labels = [distinct_rows(points).labels for points in (queries, targets)]
    chance, ties = expected_hits(pairing.partner, truth, *labels)
    return Found(chance, pairing.partner, ties, pairing.exact)


def _kind(original: Table, masked: Table, keys: Sequence[str], distance: str, one_to_one: bool) -> str:
    """The distance that is used."""
    if one_to_one and distance == "gower":
        raise BadParameter("link: one_to_one has no meaning with distance 'gower'. Use euclidean.")
    if distance != "auto":
        return distance
    as_numbers = all(compares_as_number(original, masked, name) for name in keys)
    return "euclidean" if as_numbers or one_to_one else "gower"


def _check_weights(weights: Mapping[str, float] | None, kind: str, keys: Sequence[str]) -> None:
    if (weights is not None) != (kind == "weighted"):
        raise BadParameter("link: weights go with the distance 'weighted', and it with weights.")
    strange = [name for name in weights or () if name not in keys]
    if strange:
        raise BadParameter(f"link: weights are given for {listed(strange)}, not among the keys.")
    if weights is not None and not any(weights.get(name, 1.0) for name in keys):
        raise BadParameter("link: at least one of the weights must be above zero.")


def owners(name: str, original: Table, masked: Table, truth: IntArray | None) -> IntArray:
    """The original of each masked record, -1 for nobody, where both tables have records."""
    owner = truth_of(original, masked, truth)
    if len(masked) == 0 or len(original) == 0:
        raise NotComputable(f"{name}: a table has no records, so there is nobody to link.")
    return owner


def judged_records(name: str, owner: IntArray, training: IntArray | None) -> BoolArray:
    """Which masked records count: those with a true partner that was not known beforehand."""
    judged = owner >= 0
    if training is not None:
        judged[training] = False
    if not judged.any():
        raise NotComputable(
            f"{name}: no record has a true partner in the other file, so no link can be right or wrong."
        )
    return judged


def _both(
    original: Table,
    masked: Table,
    keys: Sequence[str],
    kind: str,
    weights: Mapping[str, float],
    owner: IntArray,
    training: IntArray | None,
) -> Both:
    """Both tables in the form that the distance compares, the original first."""
    if kind == "gower":
        return _mixed(original, masked, keys)
    if kind == "weighted":
        return _points(original, masked, keys, np.array([weights.get(name, 1.0) for name in keys]))
    if kind == "mahalanobis":
        known, published = points_of(original, masked, keys)
        rows = np.flatnonzero(owner >= 0) if training is None else training
        stretch = whitening(published[rows] - known[owner[rows]])
        errors = errors_of(original, masked, keys) * float(np.linalg.norm(stretch, 2))
        known, published = turned(known, stretch), turned(published, stretch)
        return Both(queries=known, targets=published, slack=slack_of(errors, known, published))
    return _points(original, masked, keys)


def _points(original: Table, masked: Table, keys: Sequence[str], weights: FloatArray | None = None) -> Both:
    """Both tables as points, each column times the root of its weight."""
    known, published = points_of(original, masked, keys)
    errors = errors_of(original, masked, keys)
    if weights is not None:
        axes = [block_of(original, masked, name)[0].shape[1] for name in keys]
        roots = np.sqrt(np.repeat(weights, axes))
        known, published, errors = known * roots, published * roots, errors * np.sqrt(weights)
    return Both(queries=known, targets=published, slack=slack_of(errors, known, published))


def _mixed(original: Table, masked: Table, keys: Sequence[str]) -> Both:
    """Both tables as numbers and codes. The sum over the columns orders records as their mean does."""
    known, published = mixed_of(original, masked, keys)
    numbers = (np.nan_to_num(each.numbers) for each in (known, published))
    slack = float(errors_of(original, masked, keys).sum()) + slack_of(
        np.array(len(keys) * ROUNDING), *numbers
    )
    return Both(queries=known, targets=published, slack=slack)


def _inverse(owner: IntArray, originals: int) -> IntArray:
    """For each original the masked record that comes from it, -1 where none was published."""
    published = np.flatnonzero(owner >= 0)
    if len(np.unique(owner[published])) < len(published):
        raise NotComputable(
            "link: several masked records come from one original, so no link to one of them is the only right one. "
            "Use the direction 'masked to original'."
        )
    partner = np.full(originals, -1, dtype=np.int64)
    partner[owner[published]] = published
    return partner

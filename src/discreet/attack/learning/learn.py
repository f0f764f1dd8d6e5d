"""The worst case: the parameters of a distance under which the most records are re-identified."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from discreet._kernels.learned.learning import ready_to_learn, ready_to_learn_by_tree
from discreet.attack.learning.blocks import Blocks
from discreet.attack.learning.exact import Worst
from discreet.attack.learning.families import Family
from discreet.attack.learning.relink import KERNELS, MANY_PAIRS, expected_links, relink_points
from discreet.attack.learning.setup import Setup, check_choice, set_up
from discreet.attack.learning.standard import check_aligned, standardise
from discreet.errors import BadParameter
from discreet.progress import SILENT, Progress
from discreet.results import wilson
from discreet.seeds import Seed, generator
from discreet.seeds import check as check_seed
from discreet.table import BoolArray, FloatArray, IntArray

PREPARING = 0.3
"""The share of the time that dropping rivals may take: it makes a search quicker, and is given up where it is slow."""
WEIGHTED = Family("weighted")
WEIGHTS = 0.2
"""The share of the time that goes to the best weights, where another kind starts from them."""
NARROWER = 0.3
"""The share of the time that is kept for the other narrower kinds, for a search that ends without a proof."""
MOST_PAIRS = 50_000_000
FEWEST_RECORDS = 500
"""A file with more pairs of records is learned from a random part of its records, and all of them are then counted;
except that weights, for which a search tree finds the rivals, are always learned from all."""
COUNTED_FOR_TIME = 10
"""One record in so many is counted to know how long counting all of them will take."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Learned:
    """Parameters that re-identify many records, and what is proven about doing better.

    `found` records are re-identified under `parameters` (weights, a fuzzy measure or a matrix, for standardised
    columns): the worst case is at least that. No parameters re-identify more than `bound` records; the two are
    equal when `optimal`. `records` says who is re-identified. Where a large file was learned from some of its
    records only, `interval` holds the share found and a limit that the worst case exceeds with a chance
    of 2.5% at most; else it is None.
    """

    distance: str
    metric: bool
    additivity: int | None
    found: int
    bound: int
    optimal: bool
    seconds: float
    parameters: FloatArray
    records: BoolArray
    learned_from: int
    interval: tuple[float, float] | None

    def __str__(self) -> str:
        known = "proven" if self.optimal else f"at most {self.bound}"
        return f"{self.distance}: {self.found} of {len(self.records)} records ({known}, {self.seconds:.1f} s)"


def learn(
    original: FloatArray,
    masked: FloatArray,
    *,
    distance: str = "weighted",
    metric: bool = False,
    additivity: int | None = None,
    seconds: float = 60.0,
    prove: bool = True,
    seed: Seed = None,
    progress: Progress = SILENT,
) -> Learned:
    """The parameters of a distance under which most records are strictly nearest to their own masked row.

    Row i of `masked` is the masked row i of `original`; both are standardised, each by its own means and standard
    deviations. Distances: "weighted" (a weight per column), "owa" (a weight per rank of the squared differences),
    "choquet" (a fuzzy measure, of the given additivity if any), "bilinear" (a matrix that gives no pair of records a
    distance below zero) and "bilinear_free" (any symmetric matrix). With `metric` the weights are positive, the
    measure submodular, the matrix positive semi-definite.

    The answer is proven to be the best where `optimal` is true; when the seconds run out first, the best found
    comes back with the bound proven so far. A bound is proven for all parameters whose margin relative to the
    rows' length is above 1e-9. The first search after an installation is preceded by some seconds of compilation,
    which do not count. The count of all records that ends a search is not cut short; up to half of the time is kept for
    it. `prove=False` stops after the search along lines. `progress` is told the number found and the bound. With a
    seed, two runs that end before their time is up give the same result. Where many parameters are equally good, those
    returned are drawn towards what the columns' errors suggest: weights that fall with the squared error, or the
    Mahalanobis matrix.

    After Abril, Navarro-Arribas and Torra (2012), with an implicit hitting set in place of one large integer program.
    """
    check_aligned(original, masked)
    return learn_points(
        standardise(original),
        standardise(masked),
        distance=distance,
        metric=metric,
        additivity=additivity,
        seconds=seconds,
        prove=prove,
        seed=seed,
        progress=progress,
    )


def learn_points(
    left: FloatArray,
    right: FloatArray,
    *,
    distance: str = "weighted",
    metric: bool = False,
    additivity: int | None = None,
    seconds: float = 60.0,
    prove: bool = True,
    seed: Seed = None,
    progress: Progress = SILENT,
) -> Learned:
    """As `learn`, for records that are on one scale already; rows of `right` beyond those of `left` are rivals only."""
    solved = solve(
        left,
        right,
        Family(distance, metric, additivity),
        seconds=seconds,
        prove=prove,
        seed=seed,
        progress=progress,
    )
    return learned_of(solved)


class Counted(NamedTuple):
    """Parameters, and the chance of each record under them."""

    parameters: FloatArray
    chances: FloatArray

    @property
    def worth(self) -> float:
        """How many records are expected to be linked to their own row."""
        return float(self.chances.sum())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Solved:
    """What a search found: the best parameters with whom they re-identify, and the search with its proofs.

    With `shared` the chances are those of expected links; else a record is linked or not, and a tie is no success.
    """

    family: Family
    shared: bool
    best: Counted
    worst: Worst
    seconds: float

    @property
    def whole(self) -> bool:
        """Whether the parameters were learned from all records."""
        return self.worst.blocks.size == len(self.best.chances)


def learned_of(solved: Solved) -> Learned:
    """The result of a search in which a record counts as a whole or not at all."""
    linked = solved.best.chances == 1
    bound = _bound(solved.worst, linked)
    return Learned(
        distance=solved.family.distance,
        metric=solved.family.metric,
        additivity=solved.family.additivity,
        found=int(linked.sum()),
        bound=bound,
        optimal=int(linked.sum()) == bound,
        seconds=solved.seconds,
        parameters=solved.best.parameters,
        records=linked,
        learned_from=solved.worst.blocks.size,
        interval=_interval(linked, solved.worst, solved.worst.blocks.size),
    )


def solve(
    left: FloatArray,
    right: FloatArray,
    family: Family,
    *,
    shared: bool = False,
    hints: Sequence[FloatArray] = (),
    seconds: float,
    prove: bool = True,
    seed: Seed,
    progress: Progress = SILENT,
) -> Solved:
    """The parameters of a distance that re-identify the most; with `shared`, one of t identical rows counts 1/t.

    A search starts from the best weights where those are a special case, and from the `hints`, parameters of its own
    kind. One that ends without a proof also goes on from what the other narrower kinds find, so that it finds no less.
    With a seed all of them draw the same numbers as they do when asked for alone.
    """
    check_aligned(left, right)
    _check(*family, left.shape[1], seconds)
    _make_ready(family.distance, len(left) * len(right))
    began = time.monotonic()
    whole = family.distance == "weighted" or len(left) * len(right) <= MOST_PAIRS
    seed = check_seed(seed)
    records = np.arange(len(left)) if whole else _some_records(len(left), len(right), generator(seed, 1))
    likely = _precisions(left, right)
    setup = set_up(left, right, *family, shared=shared)
    home = setup.starts(likely)[0]
    counting = _time_to_count(left, right, family.distance, setup.parameters(home))
    deadline = began + max(seconds / 2, seconds - counting)
    search = _Search(left, right, records, likely, shared, prove, seed, progress)
    found = search.weights(family, began + WEIGHTS * seconds)
    others = [each for each in family.first() if each not in found]
    known = [*hints, *(family.embedded(*each) for each in found.items() if each[0] in family.narrower)]
    worst = search.run(setup, found, hints, deadline - NARROWER * (deadline - began) * bool(others))
    if others and not worst.settled:
        search.narrower(others, found, deadline)
        known = [*hints, *(family.embedded(each, found[each]) for each in family.narrower)]
        worst.go_on([*map(setup.theta, known)], deadline, _patience(worst.blocks))
    if family.distance != "owa":
        worst.draw_near(home, deadline)
    count = expected_links if shared else _wholly_linked
    parameters = setup.parameters(worst.theta)
    if family.metric and family.distance in ("weighted", "owa"):
        parameters = _positive(parameters, left, right, family.distance)
    # What is best for a part need not be for all: nothing less than the plain distance is called the worst case. And
    # what a narrower kind won by a hair is not lost to the rounding of this one.
    plain = [setup.parameters(home)] if not whole and counting < seconds / 4 else []
    rivals = [*plain, *(known if counting == 0.0 else ())]
    tried = [Counted(each, count(left, right, family.distance, each)) for each in (parameters, *rivals)]
    best = max(tried, key=lambda each: each.worth)
    return Solved(family=family, shared=shared, best=best, worst=worst, seconds=time.monotonic() - began)


def _wholly_linked(left: FloatArray, right: FloatArray, distance: str, parameters: FloatArray) -> FloatArray:
    return relink_points(left, right, distance, parameters).astype(np.float64)


class _Search(NamedTuple):
    """The searches over the same records: those of the narrower kinds, and then that of the kind asked for."""

    left: FloatArray
    right: FloatArray
    records: IntArray
    likely: FloatArray
    shared: bool
    prove: bool
    seed: int
    progress: Progress

    def weights(self, family: Family, deadline: float) -> dict[Family, FloatArray]:
        """The best weights, where a weighted mean is a special case of the family: a good place to start."""
        found: dict[Family, FloatArray] = {}
        if WEIGHTED in family.first():
            self._replace(progress=SILENT).narrower([WEIGHTED], found, deadline)
        return found

    def narrower(self, families: Sequence[Family], found: dict[Family, FloatArray], deadline: float) -> None:
        """Adds the best parameters of each of these kinds to what is found, the later ones from the earlier ones."""
        for place, each in enumerate(families):
            now = time.monotonic()
            share = max(0.0, deadline - now) / (len(families) - place + 1)
            setup = set_up(self.left, self.right, *each, shared=self.shared)
            hints = [each.embedded(narrow, found[narrow]) for narrow in each.narrower if narrow != WEIGHTED]
            worst = self._replace(progress=SILENT).run(setup, found, hints, now + share)
            found[each] = setup.parameters(worst.theta)

    def run(
        self,
        setup: Setup,
        found: Mapping[Family, FloatArray],
        hints: Sequence[FloatArray],
        deadline: float,
    ) -> Worst:
        """The search along lines from what is known and, where a proof is wanted, the exact one."""
        now = time.monotonic()
        blocks = setup.blocks(self.records, now + PREPARING * (deadline - now))

        def report(found: float, bound: float) -> None:
            message = f"found {round(found, 1):.10g}, at most {round(bound, 1):.10g} of {blocks.size} records"
            self.progress(round(found), round(bound), message)

        worst = Worst(blocks, generator(self.seed), deadline, report)
        starts = [*map(setup.theta, hints), *setup.starts(found.get(WEIGHTED, self.likely))]
        worst.climb(starts, patience=_patience(blocks), kicks=3)
        if self.prove and not worst.prove():
            worst.climb_on(_patience(blocks))
        return worst


def _check(distance: str, metric: bool, additivity: int | None, columns: int, seconds: float) -> None:
    check_choice(distance, metric, additivity, columns)
    if not seconds > 0:
        raise BadParameter(f"seconds must be above 0; got {seconds}.")


def _make_ready(distance: str, pairs: int) -> None:
    """Compiles what is not compiled yet, before the clock starts: the time limit is for the search."""
    ready_to_learn(KERNELS["weighted"])
    ready_to_learn(KERNELS[distance])
    if pairs > MANY_PAIRS:
        ready_to_learn_by_tree()


def _time_to_count(left: FloatArray, right: FloatArray, distance: str, parameters: FloatArray) -> float:
    """About how many seconds it takes to count who is re-identified, which ends a search and cannot be cut short."""
    if len(left) * len(right) <= MANY_PAIRS:
        return 0.0
    taken = []
    some = max(1, len(left) // COUNTED_FOR_TIME)
    for count in (1, 1 + some):
        began = time.monotonic()
        relink_points(left[:count], right, distance, parameters)
        taken.append(time.monotonic() - began)
    return taken[0] + max(0.0, taken[1] - taken[0]) * len(left) / some


def _precisions(left: FloatArray, right: FloatArray) -> FloatArray:
    """Weights that fall with the square of each column's error: the best there are if errors are normal and apart."""
    errors = ((left - right[: len(left)]) ** 2).mean(axis=0)
    precision = 1.0 / np.maximum(errors, max(1e-9 * float(errors.max()), 1e-12))
    return np.asarray(precision / precision.sum())


def _some_records(records: int, rivals: int, random: np.random.Generator) -> IntArray:
    """A random part of a large file: the records whose blocks the parameters are learned from."""
    size = min(records, max(FEWEST_RECORDS, MOST_PAIRS // rivals))
    return np.sort(random.choice(records, size, replace=False))


def _patience(blocks: Blocks) -> int:
    """How many rounds without gain a search along lines bears: fewer where each is long."""
    return max(3, min(20, 1_000_000 // max(1, len(blocks.values))))


def _positive(weights: FloatArray, left: FloatArray, right: FloatArray, distance: str) -> FloatArray:
    """The weights moved off zero without losing a record: the inequalities are strict, so there is always room."""
    count = int(relink_points(left, right, distance, weights).sum())
    if (weights > 0).all():
        return weights
    for share in 10.0 ** np.arange(-3, -15, -1):
        mixed = (1 - share) * weights + share / len(weights)
        if int(relink_points(left, right, distance, mixed).sum()) >= count:
            break
    return np.asarray(mixed)


def _bound(worst: Worst, linked: BoolArray) -> int:
    """What no parameters exceed: nothing is proven of the records that were not learned from."""
    bound = len(linked) - (worst.blocks.size - round(worst.bound))
    # More found than that: by margins that proofs do not look at, so that nothing is proven here.
    return bound if int(linked.sum()) <= bound else len(linked)


def _interval(linked: BoolArray, worst: Worst, learned_from: int) -> tuple[float, float] | None:
    """The share found and, from the records learned from, a limit the best share stays below with 97.5% confidence.

    Under the parameters that are best for the whole file, the part holds at most what is proven for the part; so the
    Wilson limit of the part's bound is one for the best share.
    """
    if learned_from == len(linked):
        return None
    found = float(linked.mean())
    return found, max(found, wilson(round(worst.bound), learned_from)[1])

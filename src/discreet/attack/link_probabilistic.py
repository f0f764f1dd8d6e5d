"""Probabilistic record linkage: pairs are weighed by the columns they agree in, and paired off one to one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

import numpy as np

from discreet import registry
from discreet._kernels.arrays import Singles
from discreet._kernels.counting.classes import class_sizes
from discreet._kernels.matching.auction import auction
from discreet._kernels.matching.pairing import DENSE_PAIRS, assign, assign_all, best_pairs
from discreet._kernels.matching.patterns import (
    MOST_COLUMNS,
    Agreement,
    heaviest_partners,
    pattern_counts,
    pattern_counts_by_record,
)
from discreet.attack.agreement import Files, orders_of
from discreet.attack.link import Links, judged_records, owners
from discreet.attack.mixture import Mixture, alike, estimated, estimated_by_record, from_known_pairs
from discreet.attack.one_to_one import expected_hits
from discreet.attack.points import centre_and_spread, compared_columns
from discreet.attack.records import NearestMatches, as_records, nearest_records, people_tried, sampled
from discreet.coding import codes_of
from discreet.comparing import AxisColumn
from discreet.matches import known_matches
from discreet.parameters import KEYS, Known, Real
from discreet.progress import SILENT, Progress
from discreet.table import FloatArray, IntArray, Table

MEANING = (
    "the share of published records that an intruder who knows the true values of the quasi-identifiers links to the "
    "right person by weighing in which columns two records agree"
)
MOST_OF_THEM = 0.9
"""The share of the records that agree with their nearest one, where no tolerance is given."""
COUNTED_PAIRS = 400_000_000
COUNTED_RECORDS, COUNTED_PATTERNS = 4000, 1 << 23
"""How many records at most are looked at one by one for an estimate, and how many patterns of all of them."""
KEPT = 50
STEP = 0.001
"""By how much bids rise at least, as a share of the greatest weight."""
MOST_PAIRED = 3_000_000_000
"""Beyond so many pairs of records weights are chosen by a sample of people with as many pairs, each for itself."""
LISTED_PAIRS, FEWEST_KEPT = 16_000_000, 16
"""In such a file lists are shorter: so many pairs in all, and at least so many for each record."""
LARGE_STEP = 0.005
MOST_COMPARED = 40_000_000_000
"""Everybody is paired off one to one as long as no more pairs must be looked at to list the best."""
FAR_BEHIND = 0.1
"""Weights by which so much less is found in a sample, each record for itself, are not tried in a long pairing."""
NOT_TRIED = "pairing everybody one to one, which can find more people than the interval allows for"
STEP_OF_THE_REST = 0.01
"""By how much bids rise at least among those who speak for nobody: many weigh the same, and little is at stake."""
DENSE_REST = 4_000_000
"""Up to so many pairs of those who are left the best pairing of all is found."""


@registry.attack(
    family="linkage",
    title="Linking by the columns that agree",
    unit=registry.SHARE_OF_RECORDS,
    splits=registry.Split.QUERIES,
    counts_for=registry.CountsFor("identity"),
    scales=registry.EVERY_SCALE,
    missing="a blank agrees with a blank alone",
    meaning=MEANING,
    cites=(
        "Fellegi and Sunter, Journal of the American Statistical Association 64, 1969",
        "Jaro, Journal of the American Statistical Association 84, 1989",
        "Torra and Domingo-Ferrer, Record linkage methods for multidatabase data mining, Springer, 2003",
    ),
)
def link_probabilistic(
    original: Table,
    masked: Table,
    *,
    keys: Known = KEYS,
    tolerance: Annotated[
        float | None,
        Real(
            at_least=0,
            about="by how many standard deviations numbers that agree may differ; chosen from the files if left out",
        ),
    ] = None,
    truth: IntArray | None = None,
    training: IntArray | None = None,
    progress: Progress = SILENT,
) -> Links:
    """How many records are paired with their own original when the total weight of agreement is the greatest.

    Expectation and maximisation estimate from the counts of all patterns of agreement how likely each column agrees in
    a true pair and in any other; the weight of a pair is the logarithm of their ratio, added up. No true pair is needed
    for that; an intruder who has some (`training`) counts in them instead, and is judged on the others. Otherwise the
    chances are estimated a second time record by record, each having one match, and the number of columns that agree
    is tried as the weight too; where the first estimate says that some column agrees less often in matches than in
    other pairs, a third that rules this out is tried. What finds the most counts, and `weighting` says which it was.
    Where no tolerance is given, numbers agree when they differ no more than nine in ten records differ, in that column,
    from the record that is nearest in all.

    Pairs are chosen one to one. That is exact up to 30 million pairs of records. Above, weights by which a sample of
    records, each for itself, finds ten points fewer than by others are not tried any further, and pairs that speak
    for a match are chosen first, from the 50 best partners of each record: their total weight falls short of the
    greatest that these lists allow by a thousandth of the greatest weight for each record at most; what longer
    lists would allow is not known. Whoever is left is then paired off with what is left, and the chances are
    estimated from 400 million pairs. Among equal records the chance is shared.

    Beyond 3 billion pairs the weights by which a sample of published records finds the most, each for itself, are
    used for all: everybody is paired off as above, from lists of 16 partners or more, five thousandths short of the
    greatest weight at most. Where the records of the sample find more each for itself, that counts, and the result is
    that of a sample. So it is, too, where listing partners would take too long (40 billion pairs to be looked at);
    `not_tried` then says that pairs one to one may find more, and no limit is met by such a result.

    Of more than 16 keys the 16 are compared whose values are the hardest to guess, and `left_out` names the others.

    A column that agrees adds log(m/u) to the weight of a pair, one that does not log((1-m)/(1-u)), with m and u the
    chances to agree in matches and in other pairs (Fellegi and Sunter 1969).

    >>> print(dc.attack.link_probabilistic(table, release.table, keys=["sex", "education", "age"]))
    link_probabilistic: 69.8% of 400 attempts (95% interval 65.1%-74.0%; guessing 0.2%)
    """
    owner = owners("link_probabilistic", original, masked, truth)
    names = _most_telling(original, keys)
    known = known_matches(owner, training)
    judged = judged_records("link_probabilistic", owner, known)
    used = _usual(original, masked, names, owner) if tolerance is None else None
    files = Files.of(original, masked, names, owner)
    used = np.full(len(files.spreads), tolerance) if used is None else used
    agreement = files.agreement(used)
    models = _models(files, agreement, owner, known, progress)
    ties = Ties(files.published.labels(), files.known.labels())
    files = files.without_values()
    everybody = np.flatnonzero(judged)
    if len(agreement.low) * len(agreement.place) <= MOST_PAIRED:
        way = _most_paired(files, agreement, models, owner, everybody, ties, progress)
    else:
        way = _most_in_a_large_file(files, agreement, models, owner, everybody, ties, progress)
    found, model, tried = way.found, way.model, way.tried
    if len(tried) < len(everybody):
        found.chance[np.setdiff1d(everybody, tried)] = np.nan
        judged = np.isin(np.arange(len(masked)), tried)
    details = {
        "tolerance": dict(zip(files.names, np.round(used, 4).tolist(), strict=False)),
        "weighting": model.source,
        "agree_in_matches": dict(zip(files.names, model.matches.tolist(), strict=True)),
        "agree_in_others": dict(zip(files.names, model.others.tolist(), strict=True)),
        **sampled(len(tried), len(everybody)),
        **way.details,
    }
    links = Links.of(
        "link_probabilistic", MEANING, found, found.chance, judged, looked_at=len(original), details=details
    )
    return replace(links, left_out=tuple(sorted(set(keys) - set(names))))


def _most_telling(original: Table, keys: Sequence[str]) -> list[str]:
    """The keys by their names, or as many as patterns take: those whose values are the hardest to guess (entropy)."""
    if len(keys) <= MOST_COLUMNS:
        return sorted(keys)
    counts = {name: class_sizes(codes_of(original, [name])).sizes for name in keys}
    # The mean of log(size) over the records is log(n) less the entropy.
    easy = {name: float(np.log(sizes).mean()) if len(sizes) else 0.0 for name, sizes in counts.items()}
    return sorted(sorted(keys, key=lambda name: (easy[name], name))[:MOST_COLUMNS])


class Ties(NamedTuple):
    """Numbers that equal records share, of the published and of the known file, by the rows of the tables."""

    published: IntArray
    known: IntArray


class Way(NamedTuple):
    """What was found by which weights, the records that were looked for, and further details of the result."""

    found: NearestMatches
    model: Mixture
    tried: IntArray
    details: Mapping[str, Any] = {}

    @property
    def right(self) -> float:
        """How many of the records tried are expected to be linked rightly."""
        return float(self.found.chance[self.tried].sum())


def _most_paired(
    files: Files,
    agreement: Agreement,
    models: Sequence[Mixture],
    owner: IntArray,
    everybody: IntArray,
    ties: Ties,
    progress: Progress,
) -> Way:
    """Everybody paired off one to one, by the weights that find the most."""
    if len(agreement.low) * len(agreement.place) > DENSE_PAIRS:
        models = _promising(files, agreement, models, owner, everybody, progress)
    ways = (
        Way(_found(files, agreement, model.weights(), owner, ties, progress), model, everybody)
        for model in models
    )
    return max(ways, key=lambda way: way.right)


def _most_in_a_large_file(
    files: Files,
    agreement: Agreement,
    models: Sequence[Mixture],
    owner: IntArray,
    everybody: IntArray,
    ties: Ties,
    progress: Progress,
) -> Way:
    """Everybody paired off one to one by the weights that find the most in a sample, each record for itself.

    Or the sample, where that finds more, or where pairing everybody would take too long.
    """
    tried = people_tried(everybody, MOST_PAIRED / len(files.known))
    alone = _best_alone(files, agreement, models, owner, tried, progress)
    ways = (Way(found, model, tried) for found, model in zip(alone, models, strict=True))
    best = max(ways, key=lambda way: way.right)
    del alone
    details = {"one_to_one": False}
    # Half the memory for lists of weights, which are as close as these numbers tell them apart.
    weights = best.model.weights().astype(np.float32)
    some = _of_the_first(agreement, COUNTED_RECORDS)
    compared = best_pairs(some, weights, keep=FEWEST_KEPT).compared / len(some.low) * len(agreement.low)
    if compared > MOST_COMPARED:
        return best._replace(details={**details, "not_tried": NOT_TRIED})
    paired = _found(files, agreement, weights, owner, ties, progress)
    if float(paired.chance[tried].sum()) < best.right:
        return best._replace(details=details)
    return Way(paired, best.model, everybody)


def _usual(original: Table, masked: Table, names: Sequence[str], owner: IntArray) -> FloatArray:
    """For each numeric column, in standard deviations, how far records usually are from the one nearest in all columns.

    Whose record it is makes no difference to the nearest one; knowing it only ends the search sooner.
    """
    columns = compared_columns(original, masked, names, owner)
    axes = [each for each in columns if isinstance(each, AxisColumn)]
    if not axes:
        return np.zeros(0)
    # Records are taken in an order that their values give, so that the first of several as near is always the same.
    known, published = orders_of(columns)
    both = as_records(columns).turned()
    del columns
    some = published[people_tried(np.arange(len(masked)), both.most_queries)]
    place = np.append(np.argsort(known), -1)[owner[some]]
    both = both.only(some).turned().only(known).turned()
    ends = [(each.low[some], each.high[some]) for each in axes]
    axes = [replace(each, low=each.low[:0], high=each.high[:0]) for each in axes]
    nearest = known[nearest_records(both, place, SILENT).nearest]
    usual = np.zeros(len(axes))
    for number, (each, (low, high)) in enumerate(zip(axes, ends, strict=True)):
        here = each.known[nearest] / 2 + each.known_high[nearest] / 2
        gaps = np.maximum(np.maximum(low - here, here - high), 0.0)
        if not np.isnan(gaps).all():
            usual[number] = np.nanquantile(gaps, MOST_OF_THEM) / centre_and_spread(each.known)[1]
    return usual


def _models(
    files: Files, agreement: Agreement, owner: IntArray, training: IntArray | None, progress: Progress
) -> tuple[Mixture, ...]:
    """The chances to agree, estimated from the files alone or, where pairs are known, counted in them.

    An estimate can take the wrong pairs for matches, so there are several, and one that trusts no estimate.
    """
    enough = max(1, COUNTED_PAIRS // len(files.known))
    counts = pattern_counts(_of_the_first(agreement, enough))
    if training is None:
        free = estimated(counts, _most_matches(files))
        ordered = (estimated(counts, _most_matches(files), ordered=True),) if free.mistaken else ()
        few = max(1, min(enough, COUNTED_RECORDS, COUNTED_PATTERNS // len(counts)))
        by_record = estimated_by_record(
            pattern_counts_by_record(_of_the_first(agreement, few)), _told_by(progress)
        )
        return free, *ordered, by_record, alike(len(files.names))
    published, known = (
        np.argsort(files.published.order)[training],
        np.argsort(files.known.order)[owner[training]],
    )
    place = agreement.place[known]
    agree = (agreement.low[published] <= place) & (place < agreement.high[published])
    return (from_known_pairs(counts, agree.astype(np.float64)),)


def _of_the_first(agreement: Agreement, records: int) -> Agreement:
    """The agreement of so many published records, which stand in random order."""
    return Agreement(agreement.place, agreement.low[:records], agreement.high[:records])


def _most_matches(files: Files) -> float:
    """The largest share of pairs that can match: one partner for each record at most."""
    return min(0.5, 1.0 / max(len(files.known), len(files.published)))


def _found(
    files: Files,
    agreement: Agreement,
    weights: FloatArray | Singles,
    owner: IntArray,
    ties: Ties,
    progress: Progress,
) -> NearestMatches:
    """The partner of each published record and its chance to be right, by the rows of the tables."""
    progress(0, 1, "link_probabilistic")
    partner, exact = _paired(agreement, weights, progress)
    partner = _in_file_order(files, partner)
    chance, choices = expected_hits(partner, owner, *ties)
    return NearestMatches(chance, partner, choices, exact)


def _promising(
    files: Files,
    agreement: Agreement,
    models: Sequence[Mixture],
    owner: IntArray,
    everybody: IntArray,
    progress: Progress,
) -> tuple[Mixture, ...]:
    """The models by which a sample of records, each for itself, finds about as many as by the best of them."""
    some = people_tried(everybody, COUNTED_PAIRS / len(files.known))
    alone = _best_alone(files, agreement, models, owner, some, progress)
    shares = [float(each.chance[some].mean()) for each in alone]
    return tuple(
        model for model, share in zip(models, shares, strict=True) if share >= max(shares) - FAR_BEHIND
    )


def _best_alone(
    files: Files,
    agreement: Agreement,
    models: Sequence[Mixture],
    owner: IntArray,
    tried: IntArray,
    progress: Progress,
) -> list[NearestMatches]:
    """For each of the records tried the known ones of the greatest weight, and the chance that one of them is right.

    Once for each model, by the rows of the tables; the chances of all others are zero.
    """
    some = np.argsort(files.published.order)[tried]
    own = np.argsort(files.known.order)[owner[tried]]
    heaviest = heaviest_partners(
        Agreement(agreement.place, agreement.low[some], agreement.high[some]),
        [model.weights() for model in models],
        own,
        progress=_told_by(progress),
    )
    found = []
    for each in heaviest:
        alone = NearestMatches(
            np.zeros(len(owner)), np.full(len(owner), -1), np.zeros(len(owner), dtype=np.int64), False
        )
        alone.chance[tried] = each.own / each.ties
        alone.nearest[tried] = files.known.order[each.first]
        alone.ties[tried] = each.ties
        found.append(alone)
    return found


def _paired(agreement: Agreement, weights: FloatArray | Singles, progress: Progress) -> tuple[IntArray, bool]:
    """The partner of each published record, and whether no other pairing of as many records weighs more."""
    total, count = len(agreement.low), len(agreement.place)
    if total * count <= DENSE_PAIRS:
        return assign_all(agreement, weights), True
    large = total * count > MOST_PAIRED
    pairs = best_pairs(
        agreement,
        weights,
        keep=max(FEWEST_KEPT, min(KEPT, LISTED_PAIRS // total)) if large else KEPT,
        progress=_told_by(progress),
    )
    # The best of the listed pairs takes too much memory in a large file.
    listed = bool(pairs.complete.all()) and not large
    partner = (
        assign(pairs, count)
        if listed
        else auction(pairs, count, step=LARGE_STEP if large else STEP, progress=_told_by(progress))
    )
    del pairs
    everybody = int((partner >= 0).sum()) == min(len(partner), count)
    _pair_the_rest(agreement, weights, partner, progress)
    return partner, listed and everybody


def _pair_the_rest(
    agreement: Agreement, weights: FloatArray | Singles, partner: IntArray, progress: Progress
) -> None:
    """Gives those without a partner one of the records that are left, at whatever weight, as long as there are any.

    To leave them out would be to find nobody among those whom the masking has changed the most, whom a smaller file is
    found to give away.
    """
    floor = float(weights.min()) - 1.0
    while True:
        waiting = np.flatnonzero(partner < 0)
        free = np.setdiff1d(np.arange(len(agreement.place)), partner)
        if len(waiting) == 0 or len(free) == 0:
            return
        rest = Agreement(agreement.place[free], agreement.low[waiting], agreement.high[waiting])
        if len(waiting) * len(free) <= min(DENSE_PAIRS, DENSE_REST):
            found = assign_all(rest, weights)
        else:
            found = auction(
                best_pairs(rest, weights, keep=KEPT, floor=floor, progress=_told_by(progress)),
                len(free),
                floor=floor,
                step=STEP_OF_THE_REST,
                progress=_told_by(progress),
            )
        partner[waiting] = np.where(found >= 0, free[found], -1)


def _told_by(progress: Progress) -> Callable[[int, int], None]:
    """How a kernel tells what it has done."""
    return lambda done, total: progress(done, total, "link_probabilistic")


def _in_file_order(files: Files, partner: IntArray) -> IntArray:
    """The partners by the rows of the tables."""
    found = np.empty(len(partner), dtype=np.int64)
    found[files.published.order] = np.where(partner >= 0, files.known.order[np.maximum(partner, 0)], -1)
    return found

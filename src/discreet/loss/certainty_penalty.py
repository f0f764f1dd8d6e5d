"""Loss of precision: how vague the published values are, whether or not they are right."""

from __future__ import annotations

import numpy as np
import polars as pl

from discreet import registry
from discreet.bands import read_band
from discreet.coding import MISSING
from discreet.errors import NotComputable
from discreet.in_parts import holding
from discreet.loss.coded import Coded, coded
from discreet.loss.compared import UNWEIGHTED, finite_numbers, loss_of, paired_rows
from discreet.parameters import KEYS, Compared
from discreet.results import Loss
from discreet.table import FloatArray, IntArray, Scale, Table

MEANING = (
    "how vague the published values are, on average over cells: 0 is that all are exact, 1 is that they tell nothing; "
    "it does not say whether they are right"
)


@registry.loss(
    family="precision",
    title="Vagueness of values",
    unit=registry.FROM_0_TO_1,
    splits=registry.Split.SUMS,
    in_portions=True,
    scales=registry.ANY_SCALE,
    missing=f"a suppressed cell is as vague as can be: 1; one that was missing before is left out; {UNWEIGHTED}",
    meaning=MEANING,
    cites=(
        "Xu, Wang, Pei, Wang, Shi and Fu, Knowledge Discovery and Data Mining, 2006",
        "Terrovitis, Mamoulis and Kalnis, Proceedings of the VLDB Endowment 1(1), 2008",
    ),
    across_scales=True,
)
def certainty_penalty(
    original: Table, masked: Table, *, columns: Compared = KEYS, truth: IntArray | None = None
) -> Loss:
    """The normalised certainty penalty, averaged over cells.

    A number that became an interval is penalised by the width of the interval over the range of the column, an open
    end reaching to the end of the range. A category that the original does not have stands for those that the records
    under it had: it is penalised by their number over the number of all, and by nothing when it is only one. A value
    that is as fine as the original's, be it a wrong one, has no penalty: combine this with a measure that asks how far
    values have moved.

    NCP of Xu and others (2006): (high - low) / range for a number, members / all for a category.

    >>> masked = dc.mask.mondrian(table, columns=["age", "sex"], k=5).table
    >>> print(dc.loss.certainty_penalty(table, masked, columns=["age", "sex"]))
    certainty_penalty: 0.01095
    """
    left, right = paired_rows(original, masked, truth)
    found: dict[str, float] = {}
    left_out = 0
    for name in columns:
        tables = holding(original, name), holding(masked, name)
        both = coded(*tables, name)
        true, published = both.original[left], both.masked[right]
        vague = _penalties(*tables, name, both, left, right)
        penalty = np.where(published == MISSING, 1.0, vague[published])
        counted = (true != MISSING) | (published != MISSING)
        left_out += int((~counted).sum())
        if counted.any():
            found[name] = float(penalty[counted].mean())
    if not found:
        raise NotComputable("certainty_penalty: every cell is missing in both tables.")
    return loss_of(
        "certainty_penalty",
        float(np.mean(list(found.values()))),
        MEANING,
        columns=found,
        left_out=left_out,
        details={"records": len(left)},
    )


def _penalties(
    original: Table, masked: Table, name: str, both: Coded, left: IntArray, right: IntArray
) -> FloatArray:
    """For each code of a published value how vague it is."""
    fine = np.zeros(both.codes, dtype=bool)
    fine[both.original] = True
    fine[MISSING] = False
    true, published = both.original[left], both.masked[right]
    present = (true != MISSING) & (published != MISSING)
    if original[name].scale != Scale.NUMERIC:
        pairs = np.unique(published[present] * np.int64(both.codes) + true[present])
        stands_for = np.bincount(pairs // both.codes, minlength=both.codes)
        # Members over all categories, Xu and others 2006.
        return np.where(fine | (stands_for < 2), 0.0, stands_for / max(1, int(fine.sum())))
    if masked[name].scale == Scale.NUMERIC:
        return np.zeros(both.codes)
    numbers = finite_numbers(original, [name])[:, 0]
    least, most = np.full(both.codes, np.inf), np.full(both.codes, -np.inf)
    np.minimum.at(least, published[present], numbers[left][present])
    np.maximum.at(most, published[present], numbers[left][present])
    return np.where(fine, 0.0, _widths(numbers, original.frame[name].dtype, both, least, most))


def _widths(
    numbers: FloatArray, kind: pl.DataType, both: Coded, least: FloatArray, most: FloatArray
) -> FloatArray:
    """The width of each published interval over the range of the true numbers, whose column is of this type.

    A label that names no interval is as wide as the true numbers under it, from `least` to `most`, are apart.
    """
    widths = np.zeros(both.codes)
    present = numbers[~np.isnan(numbers)]
    if len(present) == 0 or present.min() == present.max():
        return widths
    low, high = float(present.min()), float(present.max())
    labels = both.values.cast(pl.String)
    for code in np.unique(both.masked[both.masked != MISSING]).tolist():
        band = read_band(labels[code - 1], kind, as_written=True)
        start, end = band or (float(least[code]), float(most[code]))
        # (high - low) / range, Xu and others 2006.
        widths[code] = max(0.0, min(end, high) - max(start, low)) / (high - low)
    return widths

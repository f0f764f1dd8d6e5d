"""Bottom coding: the lowest values become one."""

from __future__ import annotations

from discreet import registry
from discreet.all_records import AllRecords
from discreet.mask.thresholds import (
    CITES,
    EXAMPLE,
    GUARANTEES,
    MISSING,
    SCALES,
    Categories,
    Label,
    Replacement,
    Share,
    Threshold,
    Weighted,
    code_beyond,
)
from discreet.parameters import ORDERED_KEYS, Masking
from discreet.results import Masked
from discreet.table import Table


@registry.mask(
    family="coding",
    title="Bottom code",
    meaning="the lowest values are joined in one",
    tells=registry.Tells(
        "the value or level below which all are joined, as far as the file shows it", clue="coded_below"
    ),
    splits=registry.Split.ROWS,
    scales=SCALES,
    in_words=registry.InWords(instead={"share": "the lowest {%} of the values become one"}),
    missing=MISSING,
    guarantees=GUARANTEES,
    cites=CITES,
    example=EXAMPLE,
)
def bottom_code(
    table: Table,
    *,
    columns: Masking = ORDERED_KEYS,
    threshold: Threshold = None,
    share: Share = None,
    categories: Categories = None,
    replace: Replacement = "threshold",
    label: Label = None,
    weighted: Weighted = False,
    all_records: AllRecords | None = None,
) -> Masked:
    """The table with the lowest values of each column joined in one.

    Numeric columns need `threshold` or `share` (of the records, counted from the bottom); ordinal ones need
    `categories`, the number of lowest levels that become one new level. With `weighted` the share is one of the
    population that the sampling weights stand for, and a mean that replaces is a weighted one, so that weighted totals
    are kept.

    Bottom coding as in Willenborg and de Waal 2001.

    >>> masked = dc.mask.bottom_code(table, columns=["age"], threshold=18)
    >>> table.frame["age"].min(), masked.table.frame["age"].min()
    (0, 18)
    """
    return code_beyond(
        table,
        columns,
        "bottom",
        threshold=threshold,
        share=share,
        categories=categories,
        replace=replace,
        label=label,
        weighted=weighted,
        all_records=all_records,
    )

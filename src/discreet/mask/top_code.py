"""Top coding: the highest values become one."""

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
    title="Top code",
    meaning="the highest values are joined in one",
    tells=registry.Tells(
        "the value or level above which all are joined, as far as the file shows it", clue="coded_above"
    ),
    splits=registry.Split.ROWS,
    scales=SCALES,
    in_words=registry.InWords(instead={"share": "the highest {%} of the values become one"}),
    missing=MISSING,
    guarantees=GUARANTEES,
    cites=CITES,
    example=EXAMPLE,
)
def top_code(
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
    """The table with the highest values of each column joined in one.

    Numeric columns need `threshold` or `share` (of the records, counted from the top); ordinal ones need `categories`,
    the number of highest levels that become one new level. With `weighted` the share is one of the population that the
    sampling weights stand for, and a mean that replaces is a weighted one, so that weighted totals are kept.

    Top coding as in Willenborg and de Waal 2001.

    >>> masked = dc.mask.top_code(table, columns=["age"], threshold=80)
    >>> table.frame["age"].max(), masked.table.frame["age"].max()
    (88, 80)
    """
    return code_beyond(
        table,
        columns,
        "top",
        threshold=threshold,
        share=share,
        categories=categories,
        replace=replace,
        label=label,
        weighted=weighted,
        all_records=all_records,
    )

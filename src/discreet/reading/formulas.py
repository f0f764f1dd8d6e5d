"""Texts that a spreadsheet would run as formulas, and the apostrophe that stops it.

A cell of a CSV file that begins with =, +, -, @, a tab or a line end is run when the file is opened in a spreadsheet.
Such a text is published with an apostrophe before it, and so is one that has apostrophes before such a beginning
already: taking one away gives back every text as it was. Signed numbers are left as they are, for a spreadsheet takes
them for numbers.
"""

from __future__ import annotations

import polars as pl

APOSTROPHE = "'"
RUN = r"^'*[=+\-@\t\r\n＝＋－＠]"
NUMBER = r"^'*[+-](?:(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?%?)?$"
"""A sign alone, or a number with its sign: what no spreadsheet runs."""


def with_formulas_quoted(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame with an apostrophe before every text, and every name, that a spreadsheet would run."""
    names = quoted(pl.Series(frame.columns, dtype=pl.String)).to_list()
    changed = frame.with_columns(quoted(each) for each in frame if each.dtype == pl.String)
    return changed.rename(dict(zip(frame.columns, names, strict=True)))


def quoted(texts: pl.Series) -> pl.Series:
    """The texts with an apostrophe before those that a spreadsheet would run.

    >>> quoted(pl.Series(["=1+1", "-5", "'=1", "plain"])).to_list()
    ["'=1+1", '-5', "''=1", 'plain']
    """
    run = _is_run(texts)
    # Most columns have no such text: they are not copied.
    return (APOSTROPHE + texts).zip_with(run, texts).alias(texts.name) if run.any() else texts


def unquoted(texts: pl.Series) -> pl.Series:
    """The texts that `quoted` was given, from those that it made.

    >>> unquoted(pl.Series(["'=1+1", "-5", "''=1", "plain", "'plain"])).to_list()
    ['=1+1', '-5', "'=1", 'plain', "'plain"]
    """
    marked = _is_run(texts) & texts.str.starts_with(APOSTROPHE).fill_null(value=False)
    return texts.str.slice(1).zip_with(marked, texts) if marked.any() else texts


def _is_run(texts: pl.Series) -> pl.Series:
    """Which of the texts a spreadsheet would run, apostrophes before them left aside."""
    return (texts.str.contains(RUN) & ~texts.str.contains(NUMBER)).fill_null(value=False)

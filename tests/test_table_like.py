"""A frame of another program is described by the table that it is about."""

from __future__ import annotations

import pandas as pd
import polars as pl

from discreet.table import Table, to_polars
from discreet.table_like import table_like

ORIGINAL = Table.of(
    pl.DataFrame(
        {
            "age": [20, 30],
            "zip": ["01", "2"],
            "school": ["low", "high"],
            "town": ["a", "b"],
            "when": ["x", "y"],
        }
    ),
    roles={"town": "confidential", "when": "insensitive"},
    rest="quasi-identifier",
    orders={"school": ["low", "high"]},
)


def described(**columns: list[object]) -> dict[str, tuple[str, str, tuple[object, ...]]]:
    found = table_like(pl.DataFrame(columns, strict=False), ORIGINAL, name="masked")
    assert found.name == "masked"
    return {each.name: (str(each.role), str(each.scale), each.order) for each in found.columns}


def test_columns_have_the_role_scale_and_order_of_the_original() -> None:
    assert described(age=[25, 25], school=["low", None], town=["a", "a"]) == {
        "age": ("quasi-identifier", "numeric", ()),
        "school": ("quasi-identifier", "ordinal", ("low", "high")),
        "town": ("confidential", "nominal", ()),
    }


def test_numbers_that_became_text_and_levels_that_are_new_are_nominal() -> None:
    assert described(age=["20-29", "30-39"], school=["low", "middle"]) == {
        "age": ("quasi-identifier", "nominal", ()),
        "school": ("quasi-identifier", "nominal", ()),
    }


def test_a_column_that_the_original_lacks_is_insensitive() -> None:
    assert described(more=[1, 2], words=["x", "y"]) == {
        "more": ("insensitive", "numeric", ()),
        "words": ("insensitive", "nominal", ()),
    }


def test_codes_read_as_numbers_are_texts_again_and_blanks_have_the_type_of_the_original() -> None:
    found = table_like(
        pl.DataFrame({"zip": [1, 2], "age": [None, None], "town": [None, None]}), ORIGINAL, name="m"
    )
    assert found.frame["zip"].to_list() == ["1", "2"]
    assert found.frame["age"].dtype == pl.Int64
    assert found.frame["town"].dtype == pl.String
    assert found["age"].scale == "numeric"
    decimals = table_like(pl.DataFrame({"zip": [1.5, 2.0]}), ORIGINAL, name="m")
    assert decimals.frame["zip"].dtype == pl.Float64


def test_the_kind_of_frame_is_known_and_given_back() -> None:
    frame = pl.DataFrame({"age": [1, 2]})
    assert to_polars(frame) == (frame, "polars")
    assert to_polars(frame.to_pandas())[1] == "pandas"
    assert to_polars(frame.to_arrow())[1] == "pyarrow"
    assert isinstance(table_like(frame.to_pandas(), ORIGINAL, name="m").to_native(), pd.DataFrame)
    assert isinstance(table_like(frame, ORIGINAL, name="m").to_native(), pl.DataFrame)

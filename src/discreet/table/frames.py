"""Frames of other libraries: pandas, polars and Arrow come in, and the same kind goes out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from discreet.from_values_alone import from_values_alone

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame


def to_polars(frame: IntoDataFrame) -> tuple[pl.DataFrame, str]:
    """The values of a pandas, polars or Arrow frame, and the kind it is of."""
    if isinstance(frame, pl.DataFrame):
        return frame, "polars"
    import narwhals as nw

    wrapped = nw.from_native(frame, eager_only=True)
    return wrapped.to_polars(), str(wrapped.implementation)


def native_frame(frame: pl.DataFrame, native: str) -> Any:
    """The frame as one of another kind: pandas, polars or Arrow. Whole numbers stay whole, also beside blanks."""
    if native == "pandas":
        made = frame.to_pandas()
        # pandas has no blank among its usual whole numbers, and would make all of them fractions.
        blanked = [each.name for each in frame if each.dtype.is_integer() and each.null_count()]
        for name in blanked:
            whole = frame[name].to_pandas(use_pyarrow_extension_array=True)
            unsigned = frame[name].dtype.is_unsigned_integer()
            made[name] = whole.astype("UInt64") if unsigned else whole.astype("Int64")
        return made
    if native == "pyarrow":
        # An Arrow table shares memory with the frame, where a blanked cell keeps its old value beneath the mark.
        return from_values_alone(frame).to_arrow()
    return frame

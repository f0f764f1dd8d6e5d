"""The kinds of array that kernels take and give: each has one name, here, for all kernels."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Kind = TypeVar("Kind", bound=np.generic)

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Int32s = NDArray[np.int32]
UInt64s = NDArray[np.uint64]
UInt8s = NDArray[np.uint8]
Flags = NDArray[np.bool_]

# What kernels take that are also run as plain Python: arrays where they are compiled, lists where they are not.
FloatsOrList = Floats | list[float]
IntsOrList = Ints | list[int]
Int32sOrList = Int32s | list[int]


def as_kernels_take(array: NDArray[Kind]) -> NDArray[Kind]:
    """The array, or a copy where it is not contiguous or not writable.

    A kernel is compiled again for every other layout, and read-only arrays, as frames give them, are one.
    """
    return np.require(array, requirements=["C", "W"])

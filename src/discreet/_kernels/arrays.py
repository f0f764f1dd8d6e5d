"""The kinds of array that kernels take and give."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Kind = TypeVar("Kind", bound=np.generic)

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


def as_kernels_take(array: NDArray[Kind]) -> NDArray[Kind]:
    """The array, or a copy where it is not contiguous or not writable.

    A kernel is compiled again for every other layout, and read-only arrays, as frames give them, are one.
    """
    return np.require(array, requirements=["C", "W"])

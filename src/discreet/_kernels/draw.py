"""Exactly uniform whole numbers from random words that were drawn beforehand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from discreet._kernels.compile import compiled

# What kernels take: arrays where they are compiled, lists where they run as plain Python.
Words = NDArray[np.uint32] | list[int]

WORD = 2**32
# A draw below a bound of b is rejected with probability b / 2**32 at most. Kernels draw at most once for
# every word they are given, so that with these the words run out about never (then they are used again).
SPARE_WORDS = 32


def words(generator: np.random.Generator, draws: int) -> NDArray[np.uint32]:
    """Random words, enough for the given number of draws."""
    return generator.integers(0, WORD, size=draws + SPARE_WORDS, dtype=np.uint32)


@compiled
def below(bound: int, source: Words, cursor: int) -> tuple[int, int]:
    """A uniform whole number of 0..bound-1, and the place of the next unused word (Lemire 2019)."""
    if bound == 1:
        return 0, cursor
    while True:
        product = int(source[cursor % len(source)]) * bound
        cursor += 1
        remainder = product % WORD
        if remainder >= bound or remainder >= WORD % bound:
            return product // WORD, cursor

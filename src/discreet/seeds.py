"""Random numbers: where they come from, and how one secret seed serves a whole plan.

A masking with a known seed can be undone by anyone who has the software, so a seed is drawn from the
operating system unless it is given, and it is never published.
"""

from __future__ import annotations

import secrets

import numpy as np

from discreet.errors import BadParameter

Seed = int | None
BITS = 128


def draw() -> int:
    """A new secret seed from the operating system."""
    return secrets.randbits(BITS)


def check(seed: object) -> int:
    """The seed given, or a new one where it is None."""
    if seed is None:
        return draw()
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**BITS:
        raise BadParameter("seed must be a whole number from 0 to 2**128 - 1, or None to draw a new one.")
    return seed


def generator(seed: Seed, *stream: int) -> np.random.Generator:
    """A generator for one stream of a seed: streams are independent, and do not depend on each other's use."""
    return np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(check(seed), spawn_key=stream)))


def derive(seed: int, *stream: int) -> int:
    """A seed for one part of a larger work, from the seed of the whole."""
    words = np.random.SeedSequence(seed, spawn_key=stream).generate_state(4, np.uint32)
    return sum(int(word) << (32 * place) for place, word in enumerate(words))

"""Small files that are masked in a few ways, for the tests of learned linkage."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

Floats = NDArray[np.float64]
KINDS = [
    ("weighted", False),
    ("weighted", True),
    ("owa", False),
    ("owa", True),
    ("choquet", False),
    ("choquet", True),
    ("bilinear", False),
    ("bilinear", True),
    ("bilinear_free", False),
]
"""Every kind of distance, and whether only metrics are wanted."""


def noisy(records: int, columns: int, seed: int, amount: float = 0.6) -> tuple[Floats, Floats]:
    """Correlated columns, and the same with noise that grows from column to column."""
    random = np.random.default_rng(seed)
    original = random.normal(size=(records, columns)) @ (np.eye(columns) + 0.4)
    spread = amount * np.linspace(0.3, 1.5, columns) * original.std(axis=0)
    return original, original + spread * random.normal(size=original.shape)


@pytest.fixture(scope="session")
def small() -> tuple[Floats, Floats]:
    """Sixty records of three columns with some noise."""
    return noisy(60, 3, seed=4, amount=0.25)


@pytest.fixture(scope="session")
def grouped() -> tuple[Floats, Floats]:
    """Sixty records of three columns; every masked row is shared by three records."""
    original, _ = noisy(60, 3, seed=8)
    order = np.argsort(original[:, 0], kind="stable")
    masked = np.empty_like(original)
    for first in range(0, 60, 3):
        masked[order[first : first + 3]] = original[order[first : first + 3]].mean(axis=0)
    return original, masked

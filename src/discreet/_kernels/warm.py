"""Compiling kernels ahead of their first use, so that nobody has to wait for them.

Machine code is kept on disk, so an installation that calls `warm()` once spares all later processes the
compilation. An example here is a call of a public function that leads to its kernels with the types of real data.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np

import discreet._kernels
from discreet._kernels.clustering.adaptive import adaptive_mdav
from discreet._kernels.clustering.fuzzy import draw_centres, fuzzy_centres
from discreet._kernels.clustering.mdav import mdav
from discreet._kernels.clustering.spherical_mdav import spherical_mdav
from discreet._kernels.clustering.univariate import optimal_univariate
from discreet._kernels.compile import Kernel
from discreet._kernels.counting.classes import class_sizes
from discreet._kernels.counting.compatible import compare_all
from discreet._kernels.counting.distinct import distinct_rows
from discreet._kernels.counting.grouping import group_sizes
from discreet._kernels.delimited import scan
from discreet._kernels.learned import forms
from discreet._kernels.learned.learning import ready_to_learn
from discreet._kernels.matching.auction import auction
from discreet._kernels.matching.into_classes import into_classes
from discreet._kernels.matching.pairing import best_pairs
from discreet._kernels.matching.patterns import agree_within, heaviest_partners, pattern_counts
from discreet._kernels.nearest.cells import Cells, Costs, link_cells
from discreet._kernels.nearest.link import link, link_within
from discreet._kernels.nearest.window_loops import Windows
from discreet._kernels.nearest.windows import link_inside, sorted_positions
from discreet._kernels.perturbation.rank_swap import (
    bucket_swap_pairs,
    distribution_swap_pairs,
    order_with_random_ties,
    rank_swap_pairs,
)

# More than any function works through in plain Python.
MANY = 120_000


def _masking() -> None:
    generator = np.random.default_rng(0)
    points = generator.normal(size=(12_000, 3))
    mdav(points, 3)
    adaptive_mdav(points, np.ones(len(points), dtype=np.int64), 3)
    rows = np.arange(4_001)
    spherical_mdav(rows, (rows[:-1] % 4).astype(np.int32), np.ones(4_000), 4, 3)
    optimal_univariate(np.sort(points.reshape(-1)), 3)
    order_with_random_ties(np.zeros(MANY), generator)
    for pairs in (rank_swap_pairs, bucket_swap_pairs, distribution_swap_pairs):
        pairs(MANY, 10, generator)
    centres = fuzzy_centres(points[:100], np.ones(100), points[:3], 2.0, 1, 0.1)
    draw_centres(points[:100], centres, 2.0, generator.random(100))


def _linking() -> None:
    generator = np.random.default_rng(0)
    points = generator.normal(size=(8, 3))
    codes = generator.integers(0, 3, size=(8, 2))
    truth = np.arange(8)
    link(points, points + 0.1, truth, threads=1)
    link_within(points, points, truth, np.arange(9), truth)
    everywhere = Windows(np.zeros((8, 3), np.int32), np.full((8, 3), 8, np.int32))
    link_inside(points, points, truth, sorted_positions(points), everywhere)
    cells = Cells.points(points, codes)
    link_cells(cells, cells, truth, Costs.plain(cells))
    agreement = agree_within(points, points, 0.5)
    pattern_counts(agreement)
    heaviest_partners(agreement, [np.ones(8)], truth)
    for weights in (np.ones(8), np.ones(8, np.float32)):
        auction(best_pairs(agreement, weights, keep=2), 8)
    into_classes(points, np.full(3, 4))
    class_sizes(codes)
    compare_all(codes, codes, truth)
    distinct_rows(points)
    distinct_rows(codes)
    group_sizes(codes[:, 0].copy())


def _learning() -> None:
    for form in (forms.WEIGHTED, forms.ORDERED, forms.CHOQUET, forms.BILINEAR):
        ready_to_learn(form)


def _reading() -> None:
    scan(b"a,b\n1,2\n", ord(","), 2)


EXAMPLES: tuple[Callable[[], None], ...] = (_masking, _linking, _learning, _reading)


def warm() -> None:
    """Compile the kernels that the examples lead to, or load them where they are stored."""
    # Functions that would do a small example in plain Python do not once numba is loaded.
    importlib.import_module("numba")
    for example in EXAMPLES:
        example()


def kernels() -> dict[str, Kernel[..., Any]]:
    """Every kernel there is, by folder, module and name."""
    found: dict[str, Kernel[..., Any]] = {}
    root = discreet._kernels.__name__ + "."
    for module in pkgutil.walk_packages(discreet._kernels.__path__, root):
        members: dict[str, Any] = vars(importlib.import_module(module.name))
        for kernel in members.values():
            if isinstance(kernel, Kernel) and kernel.module == module.name:
                found[f"{module.name.removeprefix(root)}.{kernel.__name__}"] = kernel
    return found


def cold() -> list[str]:
    """The kernels that this process has not used yet, by folder, module and name."""
    return sorted(name for name, kernel in kernels().items() if not kernel.is_used)


if __name__ == "__main__":
    warm()

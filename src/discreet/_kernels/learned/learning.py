"""Small examples that lead to every kernel of learned linkage, so that compiling them is no part of a search."""

from __future__ import annotations

import functools

import numpy as np

from discreet._kernels.counting.distinct import distinct_rows
from discreet._kernels.learned import forms, margin, overlap, pareto, ties
from discreet._kernels.learned.hitting_set import greedy_hitting_set
from discreet._kernels.nearest.link import link


@functools.cache
def ready_to_learn(form: int) -> None:
    """Compile what learning a distance of this form needs, or load it where it is stored; once in a process.

    A search with a time limit calls this before its clock starts: the first compilation after an installation takes
    longer than most searches do.
    """
    points = np.array([[0.0, 1.0], [2.0, 0.5], [1.0, 3.0]])
    everyone = np.arange(len(points))
    corner = points[:1]
    nobody = np.full(len(points), -1)
    equal = np.full(4, 0.5) if form in (forms.CHOQUET, forms.BILINEAR) else np.full(2, 0.5)
    ties.nearest_ties(form, points, points, equal, 0.0, everyone, corner, corner, equal[:2], nobody)
    if form == forms.BILINEAR:
        forms.nearest_bilinear(points, points, equal, everyone, everyone)
        forms.lowest_pairs(points, points, equal)
        forms.mirrored(points, points, everyone, 0.0, everyone)
    start, rivals, *_ = pareto.minimal_rivals(points, points, everyone, form == forms.ORDERED, 0.0, everyone)
    forms.nearest_rivals(form, points, points, equal, 0.0, everyone, start, rivals, everyone)
    overlap.best_overlap(np.ones(3), np.ones(3), everyone, np.ones(3), -1.0, 1.0)
    greedy_hitting_set(np.array([0, 2]), np.array([0, 1]), np.ones(2))
    distinct_rows(points)
    _one_margin()


@functools.cache
def ready_to_learn_by_tree() -> None:
    """Compile what finding rivals by a search tree needs, or load it; once in a process."""
    points = np.random.default_rng(0).normal(size=(300, 2))
    link(points, points + 0.1, np.arange(len(points)), threads=1)


def _one_margin() -> None:
    """The margin of one row in the box from -1 to 1."""
    box = margin.Inequalities(
        np.array([0, 1, 2]), np.array([0, 0]), np.array([-1.0, 1.0]), np.array([-1.0, -1.0])
    )
    rows = margin.Rows(np.ones((1, 1)), np.array([0]), np.ones(1, dtype=np.bool_))
    basis, inverse, memory = np.array([margin.FIRST, 0]), np.empty((2, 2)), np.array([0.0, np.inf])
    margin.largest_margin(box, rows, 4.0, 1e-9, True, basis, inverse, True, memory)

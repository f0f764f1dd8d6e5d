"""MDAV by the cosine forms the groups of its definition, compiled or not, and those of the Euclidean one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet._kernels.clustering import spherical_mdav as kernels
from discreet._kernels.clustering.mdav import mdav
from discreet._kernels.clustering.spherical_mdav import spherical_mdav

Reals = NDArray[np.float64]
Numbers = NDArray[np.int64]


def compressed(rows: Reals) -> tuple[Numbers, NDArray[np.int32], Reals]:
    """The rows as the kernel takes them."""
    places = [np.flatnonzero(row) for row in rows]
    starts = np.cumsum([0, *(len(each) for each in places)])
    columns = np.concatenate(places).astype(np.int32) if places else np.empty(0, dtype=np.int32)
    weights = np.concatenate([row[each] for row, each in zip(rows, places, strict=True)])
    return starts, columns, weights


def grouped(rows: Reals, k: int) -> Numbers:
    return spherical_mdav(*compressed(rows), rows.shape[1], k)


def by_definition(rows: Reals, k: int) -> Numbers:
    """MDAV written as its definition reads; products are added term by term, as the kernel says."""

    def product(one: Reals, other: Reals) -> float:
        total = 0.0
        for a, b in zip(one, other, strict=True):
            total += float(a) * float(b)
        return total

    labels, left, label = np.full(len(rows), -1), list(range(len(rows))), 0

    def around(row: int) -> None:
        nonlocal left, label
        others = sorted(
            (each for each in left if each != row), key=lambda each: -product(rows[row], rows[each])
        )
        members = [row, *others[: k - 1]]
        labels[members] = label
        left = [each for each in left if each not in members]
        label += 1

    def farthest(of: Reals) -> int:
        return min(left, key=lambda each: product(rows[each], of))

    while len(left) >= 2 * k:
        first = farthest(rows[left].sum(axis=0))
        several = len(left) >= 3 * k
        around(first)
        if several:
            around(farthest(rows[first]))
    labels[left] = label
    return labels


def unit(rows: Reals) -> Reals:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def some_rows(seed: int, count: int, terms: int, held: int) -> Reals:
    draw = np.random.default_rng(seed)
    rows = np.zeros((count, terms))
    for row in rows:
        row[draw.choice(terms, min(held, terms), replace=False)] = draw.random(min(held, terms)) + 0.1
    return unit(rows)


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(0, 40))
def test_groups_are_those_of_the_definition(seed: int, k: int, more: int) -> None:
    rows = some_rows(seed, k + more, 12, 4)
    found, wanted = grouped(rows, k), by_definition(rows, k)
    assert found.tolist() == wanted.tolist()


@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(1, 7), st.integers(0, 60))
def test_every_group_has_k_to_2k_minus_1_rows(seed: int, k: int, more: int) -> None:
    sizes = np.bincount(grouped(some_rows(seed, k + more, 15, 3), k))
    assert k <= sizes.min() <= sizes.max() <= 2 * k - 1


@given(st.lists(st.integers(0, 3), min_size=4, max_size=20))
def test_ties_go_to_the_lowest_row(terms: list[int]) -> None:
    rows = np.eye(4)[terms]
    assert grouped(rows, 2).tolist() == by_definition(rows, 2).tolist()


def test_compiled_and_plain_form_the_same_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = some_rows(1, 700, 60, 6)
    compiled = spherical_mdav(*compressed(rows), 60, 3)
    monkeypatch.setattr(kernels, "SECONDS_TO_LOAD", np.inf)
    monkeypatch.setattr(kernels.advance, "_machine_code", None)
    assert not kernels.advance.is_loaded
    assert grouped(rows, 3).tolist() == compiled.tolist()


def test_the_index_built_anew_changes_no_group(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = some_rows(2, 400, 30, 5)
    often = grouped(rows, 3)
    monkeypatch.setattr(kernels, "FEW", 10**9)
    assert grouped(rows, 3).tolist() == often.tolist()


def test_rows_of_length_one_are_grouped_as_by_the_euclidean_distance() -> None:
    rows = some_rows(3, 300, 20, 20)
    assert grouped(rows, 4).tolist() == mdav(rows, 4).tolist()


def test_progress_ends_with_every_row() -> None:
    told: list[tuple[int, int]] = []
    rows = some_rows(4, 50, 10, 3)
    spherical_mdav(*compressed(rows), 10, 3, lambda done, total: told.append((done, total)))
    assert told[-1] == (50, 50)
    assert told == sorted(told)


def test_fewer_rows_than_k_are_refused() -> None:
    with pytest.raises(ValueError, match="groups of 5 cannot be made of 3 rows"):
        grouped(some_rows(5, 3, 4, 2), 5)

"""The search tree holds every point once, in boxes that bound it, split at medians."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from discreet._kernels.arrays import Floats, Ints, Singles
from discreet._kernels.nearest.grow_loops import select, sortable
from discreet._kernels.nearest.search_loops import Tree
from discreet._kernels.nearest.simd import FAN, LEAF
from discreet._kernels.nearest.tree import frame_of, grow


def points_of(seed: int, count: int, width: int) -> Singles:
    rng = np.random.default_rng(seed)
    return rng.normal(0.0, 0.1, size=(count, width)).round(int(rng.integers(1, 5))).astype(np.float32)


@given(st.lists(st.integers(-(1 << 62), 1 << 62), min_size=1, max_size=60, unique=True), st.data())
def test_select_puts_the_middle_key_where_sorting_would(values: list[int], data: st.DataObject) -> None:
    keys = np.array(values)
    middle = data.draw(st.integers(0, len(keys) - 1))
    select(keys, 0, len(keys), middle)
    assert keys[middle] == sorted(values)[middle]
    assert keys[:middle].max(initial=keys[middle]) == keys[middle]
    assert keys[middle:].min() == keys[middle]
    assert sorted(keys) == sorted(values)


@pytest.mark.parametrize("arranged", ["rising", "falling", "organ pipe"])
def test_select_copes_with_keys_in_order(arranged: str) -> None:
    rising = np.arange(4001)
    keys = {
        "rising": rising,
        "falling": rising[::-1].copy(),
        "organ pipe": np.concatenate([rising[::2], rising[1::2][::-1]]),
    }[arranged]
    select(keys, 0, len(keys), 2000)
    assert keys[2000] == 2000


@given(arrays(np.float32, 2, elements=st.floats(-1e6, 1e6, width=32)))
def test_sortable_rises_with_the_value(pair: Singles) -> None:
    low, high = sorted(pair.tolist())
    assert sortable(low) <= sortable(high) + (low == 0.0)
    assert (sortable(low) == sortable(high)) or low != high or low == 0.0
    assert -(1 << 31) <= sortable(low) < 1 << 31


def boxes_over(tree: Tree, leaf: int) -> list[tuple[Singles, Singles]]:
    """The boxes on the way from the root to a leaf."""
    on_the_way = []
    node = len(tree.children) + leaf
    while node > 0 and len(tree.children):
        parent = int(np.searchsorted(tree.children, node, side="right")) - 1
        child = node - int(tree.children[parent])
        on_the_way.append((tree.boxes[parent, 0, :, child], tree.boxes[parent, 1, :, child]))
        node = parent
    return on_the_way


@pytest.mark.parametrize("count", [1, 31, 32, 33, 511, 512, 513, 3_000])
@pytest.mark.parametrize("width", [1, 3, 8])
def test_every_point_is_in_one_leaf_and_in_all_boxes_above_it(count: int, width: int) -> None:
    places = points_of(count, count, width)
    tree = grow(places, threads=2)
    assert sorted(tree.cut.order) == list(range(count))
    sizes = np.diff(tree.cut.starts)
    assert sizes.max() <= LEAF
    assert sizes.max() - sizes.min() <= 1
    for leaf, size in enumerate(sizes):
        inside = places[tree.cut.order[tree.cut.starts[leaf] : tree.cut.starts[leaf + 1]]]
        np.testing.assert_array_equal(tree.blocks[leaf, :, :size], inside.T)
        assert np.isinf(tree.blocks[leaf, :, size:]).all()
        above = boxes_over(tree, leaf)
        assert len(above) == -(-(len(sizes) - 1).bit_length() // (FAN - 1).bit_length())
        for low, high in above:
            assert (low <= inside).all()
            assert (inside <= high).all()


def test_a_point_that_is_no_tie_is_at_home_in_the_leaf_that_holds_it() -> None:
    rng = np.random.default_rng(3)
    places: Singles = (rng.permutation(6_000).reshape(2_000, 3) / 6_000).astype(np.float32)
    tree = grow(places, threads=1)
    leaves: Ints = np.repeat(np.arange(len(tree.cut.starts) - 1), np.diff(tree.cut.starts))
    np.testing.assert_array_equal(tree.cut.homes(places, 2)[0][tree.cut.order], leaves)


@pytest.mark.parametrize("width", [1, 4, 300])
def test_turned_points_keep_their_distances_within_the_margin(width: int) -> None:
    rng = np.random.default_rng(width)
    points: Floats = rng.normal(1e6, 1.0, size=(400, width))
    frame = frame_of(points, points)
    places = frame.turned(points, 2).astype(np.float64)
    assert np.linalg.norm(places, axis=1).max() <= 1.0 + 1e-6
    before = np.linalg.norm(points[1:] - points[:-1], axis=1) * frame.scale
    after = np.linalg.norm(places[1:] - places[:-1], axis=1)
    rounding = 1.2e-7 * np.linalg.norm(places, axis=1)
    np.testing.assert_array_less(np.abs(before - after), frame.margin + rounding[1:] + rounding[:-1])

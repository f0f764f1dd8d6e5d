"""Vector instructions say the same as the plain loops that describe them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from discreet._kernels.arrays import Singles
from discreet._kernels.simd import FAN, LEAF, boxes_within, lowest_bit, points_within

COORDINATES = st.floats(-1.0, 1.0, width=32)
LIMITS = st.one_of(st.floats(0.0, 0.5, width=32), st.floats(0.0, 16.0, width=32)).map(np.float32)


def singles(*shape: int) -> st.SearchStrategy[Singles]:
    return arrays(np.float32, shape, elements=COORDINATES)


@given(st.data(), st.integers(1, 9), LIMITS)
def test_points_within_says_the_same_as_the_plain_loop(
    data: st.DataObject, width: int, limit: np.float32
) -> None:
    place, blocks = data.draw(singles(width)), data.draw(singles(3, width, LEAF))
    blocks[2, :, data.draw(st.integers(0, LEAF)) :] = np.inf
    for leaf in range(3):
        near = points_within(place, blocks, leaf, limit)
        assert near == points_within.plain(place, blocks, leaf, limit)


@given(st.data(), st.integers(1, 9), LIMITS)
def test_boxes_within_says_the_same_as_the_plain_loop(
    data: st.DataObject, width: int, limit: np.float32
) -> None:
    place, ends = data.draw(singles(width)), data.draw(singles(3, 2, width, FAN))
    boxes = np.sort(ends, axis=1)
    missing = data.draw(st.integers(0, FAN))
    boxes[2, 0, :, missing:] = np.inf
    boxes[2, 1, :, missing:] = -np.inf
    gaps, plain_gaps = np.empty(FAN, np.float32), np.empty(FAN, np.float32)
    for node in range(3):
        near = boxes_within(place, boxes, node, limit, gaps)
        assert near == boxes_within.plain(place, boxes, node, limit, plain_gaps)
        np.testing.assert_array_equal(gaps, plain_gaps)
    assert near >> missing == 0


def test_a_bit_is_set_for_each_point_within_the_limit_and_no_other() -> None:
    blocks = np.full((1, 2, LEAF), np.inf, np.float32)
    blocks[0, :, 3] = (0.3, 0.4)
    blocks[0, :, 31] = (0.0, 0.0)
    blocks[0, :, 5] = (0.5, 0.5)
    place = np.zeros(2, np.float32)
    assert points_within(place, blocks, 0, np.float32(0.3)) == (1 << 3) | (1 << 31)


@given(st.integers(1, (1 << 62) - 1))
def test_lowest_bit_is_the_number_of_times_two_divides(bits: int) -> None:
    lowest = lowest_bit(bits)
    assert lowest == lowest_bit.plain(bits)
    assert bits % (1 << lowest) == 0
    assert (bits >> lowest) % 2 == 1

"""Vector instructions say the same as the plain loops that describe them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from discreet._kernels.arrays import Singles
from discreet._kernels.compile import Emitted
from discreet._kernels.nearest.link import link
from discreet._kernels.nearest.simd import FAN, LEAF, boxes_within, lowest_bit, points_within

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


def refuse(*_: object) -> object:
    """What a builder does whose library no longer knows an instruction."""
    raise NotImplementedError("no such instruction")


def emit_the_wrong_type(_context: Any, _builder: Any, _signature: Any, arguments: Any) -> Any:
    """An argument as the result, which LLVM refuses, or which is the wrong number."""
    return arguments[0]


REFUSED = pytest.mark.parametrize("emit", [refuse, emit_the_wrong_type])


@REFUSED
def test_where_vector_instructions_are_refused_the_plain_loops_give_the_same_bits(
    emit: Callable[..., Any],
) -> None:
    plain_boxes = Emitted(boxes_within.function, emit, boxes_within.example)
    plain_points = Emitted(points_within.function, emit, points_within.example)
    generator = np.random.default_rng(1)
    gaps, plain_gaps = np.empty(FAN, np.float32), np.empty(FAN, np.float32)
    for width in (1, 2, 5, 9):
        place = generator.normal(size=width).astype(np.float32)
        blocks = generator.normal(size=(20, width, LEAF)).astype(np.float32)
        boxes = np.sort(generator.normal(size=(20, 2, width, FAN)).astype(np.float32), axis=1)
        for node in range(20):
            limit = np.float32(generator.uniform(0.0, 2.0 * width))
            assert plain_points(place, blocks, node, limit) == points_within(place, blocks, node, limit)
            near = boxes_within(place, boxes, node, limit, gaps)
            assert plain_boxes(place, boxes, node, limit, plain_gaps) == near
            assert plain_gaps.tobytes() == gaps.tobytes()
    assert not plain_boxes.is_accepted
    assert not plain_points.is_accepted


@REFUSED
def test_where_counting_zeros_is_refused_the_plain_loop_finds_the_same_bit(emit: Callable[..., Any]) -> None:
    plain_bit = Emitted(lowest_bit.function, emit, lowest_bit.example)
    for bit in range(62):
        assert plain_bit((1 << bit) | (1 << 61)) == lowest_bit((1 << bit) | (1 << 61)) == bit
    assert not plain_bit.is_accepted


def test_the_vector_instructions_are_accepted_here() -> None:
    assert boxes_within.is_accepted
    assert points_within.is_accepted
    assert lowest_bit.is_accepted


WITHOUT_INSTRUCTIONS = """
import sys
import numba  # once it is loaded, small inputs go the way of large ones
import numpy as np
from discreet._kernels.nearest import simd
from discreet._kernels.nearest.link import link

def refuse(*_):
    raise NotImplementedError("no such instruction")

for kernel in (simd.boxes_within, simd.points_within, simd.lowest_bit):
    kernel.emit = refuse
queries, targets = np.load(sys.argv[1])
np.savez(sys.argv[2], *link(queries, targets, np.arange(len(queries)), threads=1))
"""


def test_linkage_gives_the_same_bits_where_vector_instructions_are_refused(tmp_path: Path) -> None:
    generator = np.random.default_rng(2)
    targets = generator.normal(size=(2_000, 3)).round(1)
    queries = targets + generator.normal(scale=0.2, size=targets.shape).round(1)
    np.save(tmp_path / "points.npy", np.stack([queries, targets]))
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_INSTRUCTIONS, tmp_path / "points.npy", tmp_path / "found.npz"],
        # Machine code that is kept elsewhere has the instructions.
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "kernels")},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("refuses the vector instructions") == 1
    with np.load(tmp_path / "found.npz") as found:
        for name, expected in zip(found, link(queries, targets, np.arange(2_000), threads=1), strict=True):
            assert found[name].tobytes() == np.asarray(expected).tobytes()

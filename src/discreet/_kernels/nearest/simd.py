"""Tests of 16 boxes or 32 points at a time, in vector instructions.

A search makes a few short tests for each query. Numba makes vectors of loops longer than these only, so the code of
the tests is written out, in the language of LLVM: a vector has a lane for each box or point, and the squared
differences of one column after the other are added to it, in single precision and without fused multiply-add. Where
numba or llvmlite refuse that code, the plain loops that say what it does are compiled instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from discreet._kernels.arrays import Singles
from discreet._kernels.compile import emitted

FAN_BITS = 4
FAN = 1 << FAN_BITS
LEAF = 32


def _emit_boxes_within(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    place, boxes, gaps = (_array(context, builder, signature, arguments, i) for i in (0, 1, 4))
    _, _, width, lanes = _lengths(builder, boxes)
    lows = builder.mul(builder.mul(arguments[2], width), builder.add(lanes, lanes))
    highs = builder.add(lows, builder.mul(width, lanes))

    def gap(column: Any) -> Any:
        value = _all_lanes(builder, _at(builder, place, column), FAN)
        offset = builder.mul(column, lanes)
        below = builder.fsub(_lanes_from(builder, boxes, builder.add(lows, offset), FAN), value)
        above = builder.fsub(value, _lanes_from(builder, boxes, builder.add(highs, offset), FAN))
        return _larger(builder, _larger(builder, below, above), below.type(None))

    sums = _squared_sums(builder, width, gap, FAN)
    stored = builder.store(sums, builder.bitcast(gaps.data, sums.type.as_pointer()))
    stored.align = np.dtype(np.float32).itemsize
    return _bits_within(builder, sums, arguments[3], FAN)


def _emit_points_within(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    place, blocks = (_array(context, builder, signature, arguments, i) for i in (0, 1))
    _, width, lanes = _lengths(builder, blocks)
    start = builder.mul(builder.mul(arguments[2], width), lanes)

    def gap(column: Any) -> Any:
        value = _all_lanes(builder, _at(builder, place, column), LEAF)
        points = _lanes_from(builder, blocks, builder.add(start, builder.mul(column, lanes)), LEAF)
        return builder.fsub(value, points)

    return _bits_within(builder, _squared_sums(builder, width, gap, LEAF), arguments[3], LEAF)


def _emit_lowest_bit(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
    from llvmlite import ir

    return builder.cttz(arguments[0], ir.IntType(1)(True))


def _example_boxes() -> tuple[Singles, Singles, int, np.float32, Singles]:
    """Two columns of boxes, every other one within the limit."""
    low = np.arange(2 * FAN, dtype=np.float32).reshape(2, FAN) % np.float32(2.0)
    boxes = np.stack([low, low + np.float32(0.5)])[None]
    return np.zeros(2, np.float32), boxes, 0, np.float32(0.75), np.empty(FAN, np.float32)


def _example_points() -> tuple[Singles, Singles, int, np.float32]:
    """Two columns of points, every other one within the limit."""
    blocks = np.arange(2 * LEAF, dtype=np.float32).reshape(1, 2, LEAF) % np.float32(2.0)
    return np.zeros(2, np.float32), blocks, 0, np.float32(0.75)


@emitted(_emit_boxes_within, _example_boxes)
def boxes_within(place: Singles, boxes: Singles, node: int, limit: np.float32, gaps: Singles) -> int:
    """The children of a node whose boxes are within a squared distance of a place, as the bits of a number.

    boxes is [nodes, 2, columns, FAN], the low and the high ends. Fills `gaps` with the squared distances of all.
    """
    near = 0
    for child in range(FAN):
        total = np.float32(0.0)
        for j in range(place.shape[0]):
            below = boxes[node, 0, j, child] - place[j]
            above = place[j] - boxes[node, 1, j, child]
            gap = max(below, above, np.float32(0.0))
            total += gap * gap
        gaps[child] = total
        near |= int(total <= limit) << child
    return near


@emitted(_emit_points_within, _example_points)
def points_within(place: Singles, blocks: Singles, leaf: int, limit: np.float32) -> int:
    """The points of a leaf that are within a squared distance of a place, as the bits of a number.

    blocks is [leaves, columns, LEAF]; a point that is not there is infinite.
    """
    near = 0
    for point in range(LEAF):
        total = np.float32(0.0)
        for j in range(place.shape[0]):
            gap = place[j] - blocks[leaf, j, point]
            total += gap * gap
        near |= int(total <= limit) << point
    return near


@emitted(_emit_lowest_bit, lambda: (40,))
def lowest_bit(bits: int) -> int:
    """The number of the lowest bit that is set in a number that is not 0."""
    lowest = 0
    while (bits >> lowest) & 1 == 0:
        lowest += 1
    return lowest


def _array(context: Any, builder: Any, signature: Any, arguments: Any, which: int) -> Any:
    kind = signature.args[which]
    return context.make_array(kind)(context, builder, arguments[which])


def _lengths(builder: Any, array: Any) -> list[Any]:
    from numba.core import cgutils

    return list(cgutils.unpack_tuple(builder, array.shape))


def _at(builder: Any, array: Any, index: Any) -> Any:
    return builder.load(builder.gep(array.data, [index]))


def _lanes_from(builder: Any, array: Any, start: Any, lanes: int) -> Any:
    """The vector of as many neighbouring numbers of an array."""
    from llvmlite import ir

    vector = ir.VectorType(ir.FloatType(), lanes)
    loaded = builder.load(builder.bitcast(builder.gep(array.data, [start]), vector.as_pointer()))
    loaded.align = np.dtype(np.float32).itemsize
    return loaded


def _all_lanes(builder: Any, value: Any, lanes: int) -> Any:
    """A vector of one number in all lanes."""
    from llvmlite import ir

    index = ir.IntType(32)
    nothing = ir.VectorType(value.type, lanes)(ir.Undefined)
    first = builder.insert_element(nothing, value, index(0))
    return builder.shuffle_vector(first, nothing, ir.VectorType(index, lanes)([0] * lanes))


def _larger(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", a, b), a, b)


def _squared_sums(builder: Any, width: Any, gap: Callable[[Any], Any], lanes: int) -> Any:
    """A vector of the sums over all columns of the squared gaps."""
    from llvmlite import ir
    from numba.core import cgutils

    sums = cgutils.alloca_once_value(builder, ir.VectorType(ir.FloatType(), lanes)(None))
    with cgutils.for_range(builder, width) as column:
        gaps = gap(column.index)
        builder.store(builder.fadd(builder.load(sums), builder.fmul(gaps, gaps)), sums)
    return builder.load(sums)


def _bits_within(builder: Any, sums: Any, limit: Any, lanes: int) -> Any:
    """A 64-bit number with a bit for each lane whose sum is within the limit."""
    from llvmlite import ir

    within = builder.fcmp_ordered("<=", sums, _all_lanes(builder, limit, lanes))
    return builder.zext(builder.bitcast(within, ir.IntType(lanes)), ir.IntType(64))

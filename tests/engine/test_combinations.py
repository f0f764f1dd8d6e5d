from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.engine.people import PART, RECORDS, ROLES, in_files, register
from tests.engine.test_cluster import quiet

import discreet as dc
from discreet.engine import Threads, combinations
from discreet.engine.combinations import combinations_of, counted_codes


@pytest.mark.parametrize("columns", [["age", "region", "sex"], ["income", "illness"], ["weight"]])
def test_combinations_are_those_of_the_whole_file_and_each_record_has_its_own(
    columns: list[str], tmp_path: Path
) -> None:
    dataset = dc.scan(in_files(tmp_path / "people"), roles=ROLES, rest="quasi-identifier")
    found = combinations_of(dataset, columns, tmp_path, PART, Threads(2), quiet)
    counted = Counter(register().select(columns).rows())
    assert dict(zip(found.table.frame.rows(), found.counts.tolist(), strict=True)) == counted
    assert found.table.frame.equals(found.table.frame.sort(columns, nulls_last=False))
    place = np.concatenate([each.places[np.load(each.which)] for each in found.parts])
    assert len(place) == RECORDS
    assert found.table.frame[place].equals(register().select(columns))


def test_codes_are_counted_alike_with_and_without_a_cell_for_each_possible_combination(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw = np.random.default_rng(3)
    codes = [draw.integers(0, 5, 2_000), draw.integers(0, 7, 2_000)]
    weights = draw.integers(1, 9, 2_000)
    dense = counted_codes(codes, [5, 7], weights)
    monkeypatch.setattr(combinations, "DENSE_CELLS_A_RECORD", -1)
    sparse = counted_codes(codes, [5, 7], weights)
    for one, other in zip((*dense.codes, *dense[1:]), (*sparse.codes, *sparse[1:]), strict=True):
        assert one.tolist() == other.tolist()
    by_hand: Counter[tuple[int, int]] = Counter()
    for first, second, weight in zip(*codes, weights, strict=True):
        by_hand[int(first), int(second)] += int(weight)
    assert (
        dict(
            zip(
                zip(*(each.tolist() for each in dense.codes), strict=True), dense.counts.tolist(), strict=True
            )
        )
        == by_hand
    )


def test_levels_of_any_type_are_coded_in_their_order() -> None:
    for values in ([3, None, 1, 3], ["b", None, "a", "b"], [0.5, None, -0.0, 0.5], [True, None, False, True]):
        levels, codes = combinations.coded_by_levels(pl.Series(values))
        assert codes.tolist() == [2, 0, 1, 2]
        assert levels.to_list() == sorted({each for each in values if each is not None})

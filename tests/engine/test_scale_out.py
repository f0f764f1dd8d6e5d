"""The simulation of larger releases: its table is the page's, and it behaves as giving out work does."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from bench import scale_out
from bench.scale_out import PART, Measured, Stage, given_out, lines, measured, measured_from, simulated

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "scale.md"


def test_the_page_shows_the_table_of_the_pieces_that_are_kept() -> None:
    assert lines(json.loads(scale_out.KEPT.read_text())) in PAGE.read_text()


def test_pieces_of_a_real_release_are_measured_and_give_the_rows_of_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scale_out, "RECORDS", (10**6,))
    small = 1 << 16
    found = measured("add_noise", tmp_path, (small, 2 * small), small)
    assert [each.work for each in found.stages] == ["Look", "Look", "RowWork", "Spreading", "Writing"]
    assert [each.pieces for each in found.stages] == [2, 2, 1, 2, 2]
    assert all(each.seconds > 0 and each.sent > 0 for each in found.stages)
    # Seven columns of eight bytes are written by each step that writes, one of them with places.
    spread = found.stages[3].written / found.records
    assert 56 <= spread <= 75
    kept = {"opening": 0.0, "methods": {"add_noise": scale_out.kept_of(found)}}
    table = lines(json.loads(json.dumps(kept))).splitlines()
    assert table[0].split()[:4] == ["method", "records", "1", "worker"]
    assert table[1].split()[:2] == ["add_noise", "1,000,000"]


def test_more_workers_never_take_longer_and_more_records_never_less() -> None:
    for kept in json.loads(scale_out.KEPT.read_text())["methods"].values():
        found = measured_from(kept)
        workers = (1, 2, 7, 50)
        times = [[simulated(found, 0.001, n, each) for each in workers] for n in (10**6, 10**7, 10**9)]
        for row in times:
            assert row == sorted(row, reverse=True)
        for fewer, more in pairwise(times):
            assert all(one <= other for one, other in zip(fewer, more, strict=True))


def test_pieces_are_given_to_whoever_is_free_and_no_more_than_two_ahead() -> None:
    assert given_out([1.0] * 10, 1) == pytest.approx(10)
    assert given_out([1.0] * 10, 5) == pytest.approx(2, abs=0.02)
    # The first piece is long: with two workers only four pieces are out at a time until its result is taken.
    assert given_out([10.0] + [1.0] * 9, 2) == pytest.approx(13, abs=0.02)
    assert given_out([], 3) == 0


def test_what_one_process_does_alone_is_shared_by_nobody() -> None:
    stage = Stage(work="RowWork", pieces=4, seconds=4.0, written=0, sent=0)
    found = Measured((stage,), alone=1e-6, columns=1, records=4 * PART)
    assert simulated(found, 0.0, 10**9, 10**6) >= 1e-6 * 10**9
    assert simulated(found, 0.0, 10**8, 1) == pytest.approx(100 + 10**8 / PART, rel=0.02)

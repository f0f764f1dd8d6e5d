"""The same plan and seed give the same values, whatever the files, row groups, parts and threads."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.people import ROLES, register

import discreet as dc
from discreet import all_records
from discreet.engine import Threads, blocks, by_blocks

RECORDS = 700
BLOCK = 64
STEPS = {
    "by rows": ["add_noise p=0.2 columns=age,income", "pram theta=0.3 columns=region,sex"],
    "by counts": ["suppress k=20 columns=age,region", "generalise_locally k=10 columns=sex,illness"],
    "by columns": ["rank_swap p=5 columns=age,rent", "microaggregate variant=individual k=3 columns=income"],
    "by blocks": ["microaggregate k=3 columns=age,rent", "round base=10 columns=income"],
}


@pytest.fixture(scope="module", autouse=True)
def small_blocks() -> object:
    """Random numbers, sums and groups are made in blocks so small that a few hundred records have many."""
    cuts_of = blocks.cuts_of
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(all_records, "BLOCK", BLOCK)
        patch.setattr(
            by_blocks, "cuts_of", lambda dataset, near, _, where: cuts_of(dataset, near, 100, where)
        )
        patch.setattr(by_blocks, "FEWEST", 50)
        patch.setattr(blocks, "SAMPLED", 200)
        yield


def in_files(folder: Path, cuts: list[int], group: int, ending: str) -> Path:
    """The register in files that end at the cuts; some of them are empty."""
    folder.mkdir()
    edges = [0, *sorted(cuts), RECORDS]
    for number, (start, stop) in enumerate(pairwise(edges)):
        some, path = register()[start:stop], folder / f"{number:02}{ending}"
        if ending == ".csv":
            some.write_csv(path)
        elif ending == ".arrow":
            some.write_ipc(path)
        else:
            some.write_parquet(path, row_group_size=group)
    return folder


def published(folder: Path, out: Path, steps: list[str], part: int, threads: int) -> dc.Release:
    dataset = dc.scan(folder, roles=ROLES, rest="quasi-identifier")
    release = dc.protect(dataset, dc.Plan.of(steps), seed=11)
    return dc.Release.load(replace(release, part_records=part).save(out, engine=Threads(threads)))


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dc.Release]:
    """What each way of splitting makes of one file in one part."""
    folder = tmp_path_factory.mktemp("alone")
    in_files(folder / "people", [], RECORDS, ".parquet")
    return {
        name: published(folder / "people", folder / name, steps, BLOCK * 100, 1)
        for name, steps in STEPS.items()
    }


@pytest.mark.parametrize("way", STEPS)
@settings(max_examples=6, deadline=None)
@given(
    cuts=st.lists(st.sampled_from([0, 0, 1, 2, 63, 64, 65, 300, 301, 699, 700]), max_size=6),
    group=st.integers(1, 400),
    ending=st.sampled_from([".parquet", ".arrow", ".csv"]),
    blocks=st.integers(1, 8),
    threads=st.integers(1, 3),
)
def test_nothing_about_the_files_changes_a_value(
    way: str,
    cuts: list[int],
    group: int,
    ending: str,
    blocks: int,
    threads: int,
    alone: dict[str, dc.Release],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("parts")
    in_files(folder / "people", cuts, group, ending)
    found = published(folder / "people", folder / "out", STEPS[way], BLOCK * blocks, threads)
    assert found.table.frame.equals(alone[way].table.frame, null_equal=True)
    assert found.manifest.guarantees == alone[way].manifest.guarantees
    assert found.manifest.steps == alone[way].manifest.steps


def test_blocks_of_this_test_are_many(alone: dict[str, dc.Release], tmp_path: Path) -> None:
    """With one block the whole table would be masked at once, and nothing be shown of how it is cut."""
    table = dc.Table.of(register().head(RECORDS), roles=ROLES, rest="quasi-identifier")
    at_once = dc.protect(table, dc.Plan.of(STEPS["by blocks"]), seed=11)
    assert not alone["by blocks"].table.frame["rent"].equals(at_once.table.frame["rent"])
    ages = alone["by rows"].table.frame["age"].to_numpy() - register().head(RECORDS)["age"].to_numpy()
    assert not np.allclose(ages[:BLOCK], ages[BLOCK : 2 * BLOCK])


@pytest.mark.parametrize("way", ["by rows", "by counts", "by columns"])
def test_what_is_exact_is_as_in_memory(way: str, alone: dict[str, dc.Release]) -> None:
    table = dc.Table.of(register().head(RECORDS), roles=ROLES, rest="quasi-identifier")
    at_once = dc.protect(table, dc.Plan.of(STEPS[way]), seed=11)
    assert alone[way].table.frame.equals(at_once.table.frame, null_equal=True)

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.engine.people import PART, ROLES, in_files, register
from tests.engine.test_protecting import digests

import discreet as dc
from discreet.engine import Cluster, Threads
from discreet.errors import WorkersLost

PLAN = ["add_noise columns=rent", "suppress k=50 columns=age,region,sex", "microaggregate k=3 columns=rent"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with Cluster(workers=2) as workers:
        yield workers


def release(folder: Path) -> dc.DatasetRelease:
    dataset = dc.scan(in_files(folder), roles=ROLES, rest="quasi-identifier")
    return replace(dc.protect(dataset, dc.Plan.of(PLAN), seed=9), part_records=PART)


def test_workers_write_the_same_bytes_as_threads(cluster: Cluster, tmp_path: Path) -> None:
    made = release(tmp_path / "people")
    by_threads = made.save(tmp_path / "threads", engine=Threads(2))
    by_workers = made.save(tmp_path / "workers", engine=cluster)
    assert digests(by_threads) == digests(by_workers)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["people", "threads", "workers"]


class DyingOnce:
    """A piece of work whose worker is killed the first time, in the middle of it."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __call__(self, item: int) -> int:
        if item == 2 and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return item * item


def test_the_work_of_a_killed_worker_is_done_again(cluster: Cluster, tmp_path: Path) -> None:
    work = DyingOnce(tmp_path / "died")
    done = list(cluster.each(work, range(6), scratch=tmp_path, progress=quiet, what="squares"))
    assert (tmp_path / "died").exists()
    assert done == [0, 1, 4, 9, 16, 25]
    assert [each.name for each in tmp_path.iterdir()] == ["died"]


def quiet(done: float, total: float, what: str) -> None:
    assert 0 <= done <= total


def refused(_: Any) -> int:
    raise dc.errors.BadFile("part 3 is damaged.")


def test_an_error_of_a_worker_is_the_error_of_the_release(cluster: Cluster, tmp_path: Path) -> None:
    with pytest.raises(dc.errors.BadFile, match="part 3 is damaged"):
        list(cluster.each(refused, [1], scratch=tmp_path, progress=quiet, what="refused"))


def test_a_scheduler_that_is_not_there_is_named() -> None:
    with pytest.raises(WorkersLost, match=r"no Dask scheduler at tcp://127\.0\.0\.1:9"):
        Cluster("tcp://127.0.0.1:9")


def test_workers_judge_as_threads_do(cluster: Cluster, tmp_path: Path) -> None:
    people = in_files(tmp_path / "people", register().head(700))
    dataset = dc.scan(people, roles=ROLES, rest="quasi-identifier")
    made = dc.protect(dataset, dc.Plan.of(["microaggregate k=3 columns=rent,age"]), seed=9)
    release = replace(dc.Release.scan(made.save(tmp_path / "out")), part_records=300)
    by_threads, by_workers = (dc.assess(dataset, release, engine=each) for each in (Threads(2), cluster))
    assert by_threads.to_dict() == by_workers.to_dict()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["out", "people"]

"""What goes wrong on real disks and clusters: a named error without a cell, no half release, nothing left beside it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.engine.people import PART, ROLES, in_files, register
from tests.engine.test_protecting import digests

import discreet as dc
from discreet.engine import Cluster, Engine, Threads, cluster
from discreet.errors import BadFile, Mismatch, WorkersLost
from discreet.progress import SILENT, Progress

resource = pytest.importorskip("resource")
PLAN = ["add_noise columns=rent", "suppress k=50 columns=age,region,sex"]
SMALL_DISK = 200_000


@pytest.fixture
def people(tmp_path: Path) -> Path:
    return in_files(tmp_path / "people")


def save(people: Path, engine: Engine, progress: Progress = SILENT) -> None:
    dataset = dc.scan(people, roles=ROLES, rest="quasi-identifier")
    release = replace(dc.protect(dataset, dc.Plan.of(PLAN), seed=9), part_records=PART)
    release.save(people.parent / "out", engine=engine, progress=progress)


def assert_nothing_is_left(people: Path) -> None:
    assert [each.name for each in people.parent.iterdir()] == ["people"]


def room_for(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


@pytest.fixture(scope="module")
def workers() -> Iterator[Cluster]:
    with Cluster(workers=1) as local:
        yield local


def test_a_full_disk_is_named(people: Path) -> None:
    try:
        room_for(SMALL_DISK)
        with pytest.raises(BadFile, match=r"out cannot be written: .*disk full"):
            save(people, Threads(2))
    finally:
        room_for(resource.RLIM_INFINITY)
    assert_nothing_is_left(people)


def test_a_full_disk_of_a_worker_is_named_and_not_taken_for_a_lost_scheduler(
    people: Path, workers: Cluster
) -> None:
    try:
        workers._client.run(room_for, SMALL_DISK)
        with pytest.raises(BadFile, match=r"a worker could not use a file beside the release: .*disk full"):
            save(people, workers)
    finally:
        workers._client.run(room_for, resource.RLIM_INFINITY)
    assert_nothing_is_left(people)


def damage(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 3 : len(content) // 2] = b"\xff" * (len(content) // 2 - len(content) // 3)
    file.write_bytes(content)


def test_a_partition_that_cannot_be_read_is_named_by_threads_and_workers(
    people: Path, workers: Cluster
) -> None:
    damage(people / "people-2.parquet")
    for engine in (Threads(2), workers):
        with pytest.raises(BadFile, match=r"^people-2\.parquet cannot be read: it is damaged"):
            save(people, engine)
        assert_nothing_is_left(people)


def test_a_partition_that_loses_a_column_meanwhile_is_named(people: Path, workers: Cluster) -> None:
    for engine in (Threads(2), workers):
        dataset = dc.scan(people, roles=ROLES, rest="quasi-identifier")
        release = replace(dc.protect(dataset, dc.Plan.of(PLAN), seed=9), part_records=PART)
        register()[31_000:95_001].drop("sex").write_parquet(people / "people-2.parquet")
        with pytest.raises(BadFile, match=r"^people-2\.parquet cannot be read: .*changed while it was read"):
            release.save(people.parent / "out", engine=engine)
        assert_nothing_is_left(people)
        register()[31_000:95_001].write_parquet(people / "people-2.parquet")


def started(program: str, *options: str) -> subprocess.Popen[bytes]:
    """A process of the cluster."""
    command = [sys.executable, "-m", f"distributed.cli.{program}", *options]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


@contextmanager
def scheduler_and_worker(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The address of a cluster of two real processes, and both."""
    told = folder / "scheduler.json"
    options = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(told)]
    scheduler = started("dask_scheduler", "--port", "0", *options)
    worker = started("dask_worker", "--no-nanny", *options)
    try:
        while not told.exists() or not told.read_bytes():
            time.sleep(0.05)
        yield json.loads(told.read_bytes())["address"], [scheduler, worker]
    finally:
        for each in (worker, scheduler):
            each.kill()
            each.wait()


@pytest.mark.parametrize(
    ("dies", "says"), [(0, "the scheduler of the cluster was lost"), (1, "has had no worker for 1 seconds")]
)
def test_a_lost_scheduler_and_workers_that_do_not_come_back_are_named(
    dies: int,
    says: str,
    people: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with (
        scheduler_and_worker(tmp_path_factory.mktemp("cluster")) as (address, processes),
        Cluster(address) as lost,
    ):

        def kill_in_the_middle(done: float, total: float, what: str) -> None:
            if done > total / 4:
                # There was time enough to start.
                monkeypatch.setattr(cluster, "WAIT", 1)
                processes[dies].kill()

        with pytest.raises(WorkersLost, match=f"{says}.*nothing was published"):
            save(people, lost, kill_in_the_middle)
    assert_nothing_is_left(people)


def test_a_worker_killed_in_the_middle_changes_no_byte(people: Path) -> None:
    save(people, Threads(2))
    undisturbed = digests(people.parent / "out")
    (people.parent / "out").rename(people.parent / "by threads")
    killed: list[int] = []
    with Cluster(workers=2) as workers:

        def kill_one(done: float, total: float, what: str) -> None:
            if not killed and done > total / 4:
                killed.append(next(iter(workers._client.run(os.getpid).values())))
                os.kill(killed[0], signal.SIGKILL)

        save(people, workers, kill_one)
    assert killed
    assert digests(people.parent / "out") == undisturbed
    assert sorted(each.name for each in people.parent.iterdir()) == ["by threads", "out", "people"]


class DyingAlways:
    """A piece of work of which every worker dies, as for want of memory."""

    def __call__(self, item: int) -> int:
        os.kill(os.getpid(), signal.SIGKILL)
        return item


def test_a_piece_of_which_every_worker_dies_ends_the_work(tmp_path: Path, workers: Cluster) -> None:
    with (
        pytest.raises(
            WorkersLost, match="workers died of the same piece of work, most likely for want of memory"
        ),
    ):
        list(workers.each(DyingAlways(), [1], scratch=tmp_path, progress=SILENT, what="dying"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
def test_files_that_change_or_go_while_they_are_masked_are_named(ending: str, tmp_path: Path) -> None:
    (tmp_path / "people").mkdir()
    for number in range(2):
        some = register()[number * 300 : number * 300 + 300]
        path = tmp_path / "people" / f"{number}{ending}"
        some.write_csv(path) if ending == ".csv" else some.write_parquet(path)
    for change in (cut_short, Path.unlink):
        dataset = dc.scan(tmp_path / "people", roles=ROLES, rest="quasi-identifier")
        last = tmp_path / "people" / f"1{ending}"
        content = last.read_bytes()
        change(last)
        with pytest.raises(
            (BadFile, Mismatch), match=rf"1\{ending}.*(changed while it was read|No such file)"
        ):
            dc.protect(dataset, dc.Plan.of(PLAN), seed=9).save(tmp_path / "out")
        last.write_bytes(content)
        assert_nothing_is_left(tmp_path / "people")


def cut_short(file: Path) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: len(content) * 2 // 3])


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own with room for a few megabytes, where this process may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("no disk can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a disk in memory")
def test_a_disk_that_is_really_full_is_named_and_left_as_it_was(people: Path, small_disk: Path) -> None:
    dataset = dc.scan(people, roles=ROLES, rest="quasi-identifier")
    release = replace(dc.protect(dataset, dc.Plan.of(PLAN), seed=9), part_records=PART)
    with pytest.raises(BadFile, match=r"disk.* cannot be written: .*full"):
        release.save(small_disk / "out", engine=Threads(2))
    assert list(small_disk.iterdir()) == []


PROJECT = """
[columns]
id = { role = "identifier" }
weight = { role = "weight" }
illness = { role = "confidential" }
age = { role = "quasi-identifier" }
income = { role = "quasi-identifier" }
rent = { role = "quasi-identifier" }
region = { role = "quasi-identifier" }
sex = { role = "quasi-identifier" }

[[mask]]
method = "microaggregate"
columns = ["age", "income", "rent"]
k = 3
"""


@pytest.mark.parametrize("options", [(), ("--workers", "1")], ids=["threads", "workers"])
def test_a_command_that_is_stopped_leaves_no_process_and_no_file(
    people: Path, options: tuple[str, ...]
) -> None:
    folder = people.parent
    (folder / "discreet.toml").write_text(PROJECT)
    command = [sys.executable, "-m", "discreet", "protect", "people", "--out", "out", *options]
    process = subprocess.Popen(
        command, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    while not any(folder.glob(".out.scratch*/step-0/*.arrow")):
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    out, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert told == "discreet: Interrupted: stopped before it was done; nothing half-written was left.\n"
    until = time.monotonic() + 20
    while alive(process.pid) and time.monotonic() < until:
        time.sleep(0.1)
    assert not alive(process.pid)
    assert sorted(each.name for each in folder.iterdir()) == ["discreet.toml", "people"]


def alive(group: int) -> bool:
    """Whether any process of a group is there."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True

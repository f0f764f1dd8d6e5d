"""The commands as a steward uses them, each in a process of its own."""

from __future__ import annotations

import json
import re
import stat
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from discreet.registry import methods

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_the_whole_way_from_a_file_to_a_report(discreet: Run, work: Path) -> None:
    done = discreet("protect", "people.csv", "--out", "release", folder=work)
    assert done.returncode == 0, done.stderr
    assert "checked on the file" in done.stdout
    assert "Keep secret" in done.stdout
    judged = discreet(
        "assess",
        "release",
        "--original",
        "people.csv",
        "--ceiling",
        "link=1",
        "--ceiling",
        "identity=1",
        "--json",
        folder=work,
    )
    assert judged.returncode == 0, judged.stderr + judged.stdout
    assert {"link", "k_anonymity"} <= {risk["name"] for risk in json.loads(judged.stdout)["risks"]}
    one = discreet(
        "assess", "release", "--original", "people.csv", "--attack", "link distance=gower", "--loss", "il",
        "--ceiling", "link=1", "--ceiling", "identity=1", "--json", folder=work,
    )  # fmt: skip
    assert one.returncode == 0, one.stderr + one.stdout
    found = json.loads(one.stdout)
    names = [risk["name"] for risk in found["risks"]]
    assert names[:2] == ["link distance=gower", "link"], found["not_computed"]
    told = discreet("report", "release", "--original", "people.csv", "--ceiling", "identity=1", folder=work)
    assert told.returncode == 0, told.stderr
    assert "<html" in (work / "report.html").read_text()
    outside = discreet(
        "report",
        "release",
        "--original",
        "people.csv",
        "--out",
        "outside.html",
        "--audience",
        "external",
        "--ceiling",
        "identity=1",
        folder=work,
    )
    assert outside.returncode == 0, outside.stderr


def test_a_ceiling_that_is_exceeded_gives_exit_code_1(discreet: Run, work: Path) -> None:
    assert discreet("protect", "people.csv", folder=work).returncode == 0
    judged = discreet(
        "assess", "release", "--original", "people.csv", "--ceiling", "link=0.0001", folder=work
    )
    assert judged.returncode == 1
    assert "exceeded" in judged.stdout


def test_inspect_proposes_and_writes_a_project_file_that_protect_runs(discreet: Run, work: Path) -> None:
    (work / "discreet.toml").unlink()
    seen = discreet("inspect", "people.csv", folder=work)
    assert seen.returncode == 0, seen.stderr
    assert "discreet.toml" in seen.stdout
    again = discreet("inspect", "people.csv", folder=work)
    assert again.returncode == 2
    assert "WouldOverwrite" in again.stderr
    done = discreet("protect", "people.csv", "--json", folder=work)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["file"]["name"] == "people.csv"


def test_inspect_can_only_look(discreet: Run, work: Path) -> None:
    (work / "discreet.toml").unlink()
    seen = discreet("inspect", "people.csv", "--dry-run", "--json", folder=work)
    assert seen.returncode == 0, seen.stderr
    json.loads(seen.stdout)
    assert not (work / "discreet.toml").exists()


def test_a_mask_on_the_command_line_replaces_those_of_the_project(discreet: Run, work: Path) -> None:
    masks = ("--mask", "microaggregate k=4 columns=age,income", "--mask", "round base=10 columns=rent")
    done = discreet("protect", "people.csv", *masks, "--json", folder=work)
    assert done.returncode == 0, done.stderr
    steps = json.loads(done.stdout)["steps"]
    assert [step["method"] for step in steps] == ["microaggregate", "round"]
    assert steps[0]["parameters"]["k"] == 4
    wrong = discreet("protect", "people.csv", "--mask", "microaggregate k", "--out", "other", folder=work)
    assert wrong.returncode == 2
    assert "name=value" in wrong.stderr


def test_a_seed_file_repeats_a_run_to_the_byte(discreet: Run, work: Path) -> None:
    (work / "seed").write_text("c0ffee")
    for folder in ("one", "two"):
        done = discreet("protect", "people.csv", "--seed-file", "seed", "--out", folder, folder=work)
        assert done.returncode == 0, done.stdout + done.stderr
    first, second = (work / name / "public" / "people.csv" for name in ("one", "two"))
    assert first.read_bytes() == second.read_bytes()
    (work / "seed").write_text("not a seed")
    wrong = discreet("protect", "people.csv", "--seed-file", "seed", "--out", "three", folder=work)
    assert wrong.returncode == 2
    assert "not a seed" not in wrong.stderr


def test_secrets_are_for_the_owner_only_and_the_original_is_untouched(discreet: Run, work: Path) -> None:
    before = (work / "people.csv").read_bytes()
    assert discreet("protect", "people.csv", folder=work).returncode == 0
    private = work / "release" / "private" / "manifest.private.json"
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert (work / "people.csv").read_bytes() == before
    again = discreet("protect", "people.csv", folder=work)
    assert again.returncode == 2
    assert "not empty" in again.stderr
    assert discreet("protect", "people.csv", "--force", folder=work).returncode == 0


def test_demo_leaves_everything_in_a_folder(discreet: Run, tmp_path: Path) -> None:
    shown = discreet("demo", "--folder", "demo", "--records", "300", "--json", folder=tmp_path)
    assert shown.returncode == 0, shown.stderr
    json.loads(shown.stdout)
    left = {
        path.relative_to(tmp_path / "demo").as_posix()
        for path in (tmp_path / "demo").rglob("*")
        if path.is_file()
    }
    assert left >= {
        "people.csv",
        "proposed.toml",
        "discreet.toml",
        "release/public/people.csv",
        "release/public/manifest.json",
        "release/private/manifest.private.json",
        "report.html",
    }
    assert discreet("demo", "--folder", "demo", folder=tmp_path).returncode == 2


def test_every_method_can_be_looked_up(discreet: Run) -> None:
    every = json.loads(discreet("methods", "--json").stdout)
    for kind, found in every.items():
        assert [each["name"] for each in found] == [each.name for each in methods(kind)]
    one = discreet("methods", "microaggregate")
    assert "fewest records in a group" in one.stdout
    wrong = discreet("methods", "microagregate")
    assert wrong.returncode == 2
    assert "Did you mean 'microaggregate'" in wrong.stderr


@pytest.mark.parametrize("arguments", [(), ("--help",), ("--version",), ("protect", "--help")])
def test_help_is_there(discreet: Run, arguments: tuple[str, ...]) -> None:
    shown = discreet(*arguments)
    assert shown.returncode in (0, 2)
    assert "discreet" in shown.stdout + shown.stderr


def test_protect_warns_where_identifiers_repeat_and_no_column_numbers_people(
    discreet: Run, work: Path
) -> None:
    rows = "".join(f"p{place // 2},{20 + place % 50}\n" for place in range(60))
    (work / "visits.csv").write_text("name,age\n" + rows)
    project = work / "visits.toml"
    project.write_text(
        '[columns]\nname = { role = "identifier" }\nage = { role = "quasi-identifier" }\n'
        '[[mask]]\nmethod = "microaggregate"\ncolumns = ["age"]\nk = 3\n'
    )
    asked = ("protect", str(work / "visits.csv"), "--project", str(project), "--out", str(work / "visits"))
    told = discreet(*asked)
    assert "60 of 60 records share 'name' with another record" in " ".join(told.stdout.split())
    again = json.loads(discreet(*asked, "--force", "--json").stdout)
    assert len(again["warnings"]) == 1


def test_search_writes_a_project_that_protect_runs_and_compare_shows_both(discreet: Run, work: Path) -> None:
    searched = discreet(
        "search", "people.csv", "--ceiling", "identity=0.9", "--trials", "6", "--out", "found.toml", "--map", "map.svg",
        "--journal", "journal.jsonl", folder=work,
    )  # fmt: skip
    assert searched.returncode == 0, searched.stderr
    assert "<svg" in (work / "map.svg").read_text()
    assert (
        discreet("protect", "people.csv", "--project", "found.toml", "--out", "b", folder=work).returncode
        == 0
    )
    assert discreet("protect", "people.csv", "--out", "a", folder=work).returncode == 0
    both = discreet("compare", "a", "b", "--original", "people.csv", "--map", "both.svg", folder=work)
    assert both.returncode == 1, both.stderr
    assert "None of the releases is known to meet every limit" in both.stdout
    assert "risk link" in both.stdout
    assert discreet("compare", "a", "--original", "people.csv", folder=work).returncode == 2
    assert tomllib.loads((work / "found.toml").read_text())["assess"]["ceilings"]["identity"] == 0.9
    assert re.findall(r"plan (\d+): ", searched.stderr) == ["1", "2", "3", "4", "5", "6"]


def test_a_search_that_finds_no_plan_still_draws_the_map_and_writes_the_nearest_as_a_draft(
    in_process: Run, work: Path
) -> None:
    hopeless = in_process(
        "search", "people.csv", "--ceiling", "link=0.000001", "--trials", "2", "--out", "near.toml",
        "--map", "near.svg", "--force", folder=work,
    )  # fmt: skip
    assert hopeless.returncode == 3
    assert "Raise the ceilings, publish fewer columns, or search longer" in hopeless.stderr
    assert "Wrote near.svg" in hopeless.stdout
    assert "<svg" in (work / "near.svg").read_text()
    assert "which is only a draft: it does not keep to the limits" in " ".join(hopeless.stdout.split())
    near = tomllib.loads((work / "near.toml").read_text())
    assert near["release"]["draft"] is True
    assert near["assess"]["ceilings"]["link"] == 0.000001
    floors = in_process(
        "search",
        "people.csv",
        "--floor",
        "k_anonymity=500",
        "--trials",
        "1",
        "--out",
        "near.toml",
        "--force",
        folder=work,
    )
    assert floors.returncode == 3
    assert "ower the floors" in floors.stderr

"""Which files `discreet attack` takes: halves of a release, marks and encodings, a population."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from tests.cli.small_census import PROJECT, laid_out, people, refused

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def discreet(in_process: Run) -> Run:
    """The command line in this process."""
    return in_process


@pytest.fixture
def folder(discreet: Run, tmp_path: Path) -> Path:
    """A small original, its project, its release, and the same people masked by another program."""
    assert discreet("protect", "people.csv", folder=laid_out(tmp_path)).returncode == 0
    return tmp_path


def test_an_attack_and_an_assessment_tell_the_intruder_in_the_same_shape(discreet: Run, folder: Path) -> None:
    told = [
        json.loads(discreet(command, "release", "--original", "people.csv", "--json", folder=folder).stdout)
        for command in ("attack", "assess")
    ]
    assert told[0]["intruder"] == told[1]["intruder"]


def test_a_steward_is_told_what_to_do_next(discreet: Run, folder: Path) -> None:
    shown = discreet("attack", "release", "--original", "people.csv", folder=folder).stdout
    assert re.search(r"discreet assess release --original people.csv --ceiling \w+=0.1", shown)
    assert "discreet search people.csv" in shown
    bare = discreet("attack", "masked.csv", "--original", "people.csv", folder=folder).stdout
    assert "mask the file more" in bare
    assert "discreet assess" not in bare


def test_a_file_that_names_people_or_was_not_masked_is_told_as_such(discreet: Run, folder: Path) -> None:
    shown = discreet("attack", "people.csv", "--original", "people.csv", folder=folder)
    assert "the original itself" in shown.stdout
    assert "still holds 'person'" in shown.stdout
    told = discreet("attack", "people.csv", "--original", "people.csv", "--json", folder=folder)
    assert len(json.loads(told.stdout)["warnings"]) == 2
    told = discreet("attack", "masked.csv", "--original", "people.csv", "--json", folder=folder)
    assert json.loads(told.stdout)["warnings"] == []


@pytest.mark.parametrize("place", ["private", "private/manifest.private.json", "."])
def test_the_private_half_is_found_by_its_file_or_its_folder(discreet: Run, folder: Path, place: str) -> None:
    (folder / "apart").mkdir()
    (folder / "release" / "private").rename(folder / "apart" / "private")
    given = ("attack", "release", "--original", "people.csv", "--attack", "link")
    assert "--private" in refused(discreet(*given, folder=folder), "Mismatch")
    done = discreet(*given, "--private", Path("apart") / place, folder=folder)
    assert done.returncode == 0, done.stderr
    done = discreet(*given, "--private", "people.csv", folder=folder)
    assert "cannot be read as JSON" in refused(done, "BadFile")
    bare = ("attack", "masked.csv", "--original", "people.csv", "--private", Path("apart") / place)
    assert "leave --private out" in refused(discreet(*bare, folder=folder), "BadParameter")


@pytest.mark.parametrize("place", ["public", "public/people.csv"])
def test_the_public_half_is_attacked_with_the_private_half_beside_it(
    discreet: Run, folder: Path, place: str
) -> None:
    whole, half = (
        json.loads(discreet("attack", release, "--original", "people.csv", "--json", folder=folder).stdout)
        for release in ("release", Path("release") / place)
    )
    assert half == whole


def test_a_manifest_is_no_table_and_a_damaged_one_is_not_passed_over(discreet: Run, folder: Path) -> None:
    manifest = folder / "release" / "public" / "manifest.json"
    for file in (manifest, folder / "release" / "private" / "manifest.private.json"):
        done = discreet("attack", file, "--original", "people.csv", folder=folder)
        assert "Give the folder of the release" in refused(done, "BadFile")
    manifest.write_text("{")
    done = discreet("attack", manifest.with_name("people.csv"), "--original", "people.csv", folder=folder)
    assert "Restore the manifest" in refused(done, "BadFile")


def test_a_file_without_quasi_identifiers_is_one_error(discreet: Run, folder: Path) -> None:
    people().select("ill").write_csv(folder / "ill.csv")
    done = discreet("attack", "ill.csv", "--original", "people.csv", folder=folder)
    assert "none of the quasi-identifiers of the original ('age', 'town')" in refused(done, "Mismatch")


def test_marks_of_missing_values_and_the_encoding_hold_for_the_masked_file_too(
    discreet: Run, folder: Path
) -> None:
    (folder / "discreet.toml").write_text('[read]\nmissing = ["-9"]\nencoding = "latin-1"\n' + PROJECT)
    rows = people().with_columns(ill=pl.lit("M\u00fcdigkeit")).rows()
    header, lines = "person,age,town,ill", [f"{who},-9,{town},{ill}" for who, _, town, ill in rows[:5]]
    lines += [f"{who},{age},{town},{ill}" for who, age, town, ill in rows[5:]]
    for name in ("people.csv", "masked.csv"):
        (folder / name).write_bytes("\n".join([header, *lines]).encode("latin-1"))
    given = ("attack", "masked.csv", "--original", "people.csv", "--attack", "interval_disclosure", "--json")
    told = discreet(*given, folder=folder)
    assert told.returncode == 0, told.stdout
    assert json.loads(told.stdout)["risks"][0]["attempts"] == 25


def test_people_are_counted_in_a_population(discreet: Run, folder: Path) -> None:
    pl.concat([people(), people(9)]).select("age", "town").write_csv(folder / "everybody.csv")
    given = ("attack", "masked.csv", "--original", "people.csv", "--population", "everybody.csv")
    people().write_csv(folder / "masked.csv")
    told = discreet(*given, "--json", folder=folder)
    assert told.returncode == 0, told.stdout
    found = {risk["name"]: risk for risk in json.loads(told.stdout)["risks"]}
    assert (found["k_map"]["level"], found["k_map"]["details"]["fits_nobody"]) == (1, 0)
    assert found["k_map"]["baseline"] == pytest.approx(1 / 39)
    shown = discreet(*given, "--attack", "k_map keys=town", folder=folder)
    assert "everybody in 'everybody'" in shown.stdout
    assert re.search(r"^k_map keys=town +7.7%.* 13", shown.stdout, re.MULTILINE)


def test_an_assessment_counts_people_in_a_population_and_not_in_an_earlier_one(
    discreet: Run, folder: Path
) -> None:
    given = ("assess", "release", "--original", "people.csv", "--loss", "il1")
    for times in (2, 3):
        pl.concat([people()] * times).write_csv(folder / "everybody.csv")
        everybody = ("--population", "everybody.csv")
        told = discreet(*given, "--attack", "k_map keys=town", *everybody, "--json", folder=folder)
        assert json.loads(told.stdout)["risks"][0]["level"] == 10 * times
    assert discreet(*given, "--floor", "k_map=1000", *everybody, folder=folder).returncode == 1


@pytest.mark.parametrize(
    ("arguments", "name", "code", "said"),
    [
        (("--population", "nobody.csv"), "BadFile", 2, "nobody.csv"),
        (("--population", "everybody.csv", "--attack", "link"), "BadParameter", 2, "used by k_map alone"),
        (("--population", "ages.csv", "--attack", "k_map"), "UnknownColumn", 2, "has no column 'town'"),
        (("--population", "empty.csv", "--attack", "k_map"), "NotComputable", 3, "'empty' has no records"),
        (("--population", "strange.csv", "--attack", "k_map"), "NotComputable", 3, "fits anybody"),
        (("--attack", "k_map"), "BadTable", 2, "--population"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_population_that_cannot_be_used_is_named(
    discreet: Run, folder: Path, arguments: tuple[str, ...], name: str, code: int, said: str
) -> None:
    people().write_csv(folder / "everybody.csv")
    people().select("age").write_csv(folder / "ages.csv")
    people(0).write_csv(folder / "empty.csv")
    people().with_columns(town=pl.lit("Zaphod west")).write_csv(folder / "strange.csv")
    given = ("attack", "masked.csv", "--original", "people.csv", *arguments)
    assert said in refused(discreet(*given, folder=folder), name, code)
    assert json.loads(discreet(*given, "--json", folder=folder).stdout)["error"]["name"] == name

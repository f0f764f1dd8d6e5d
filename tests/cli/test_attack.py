"""`discreet attack` as a steward uses it, and with every bad input."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from tests.cli.small_census import SECRET, laid_out, people, refused

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def discreet(in_process: Run) -> Run:
    """The command line in this process; what only a process of its own can show takes `apart`."""
    return in_process


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return laid_out(tmp_path)


def test_a_release_is_attacked_and_the_exposed_rows_are_told(apart: Run, folder: Path) -> None:
    assert apart("protect", "people.csv", folder=folder).returncode == 0
    done = apart("attack", "release", "--original", "people.csv", "--rows", "4", folder=folder)
    assert done.returncode == 0, done.stderr
    assert SECRET not in done.stdout
    assert re.search(r"^link +\d+\.\d%", done.stdout, re.MULTILINE)
    told = apart("attack", "release", "--original", "people.csv", "--attack", "link", "--json", folder=folder)
    found = json.loads(told.stdout)
    assert [risk["name"] for risk in found["risks"]] == ["link"]
    assert found["exposed_rows"][0]["chances"]["link"] > 0
    assert 1 <= found["exposed_rows"][0]["row"] <= 30
    assert SECRET not in told.stdout


def test_the_rows_told_are_those_of_the_published_file(discreet: Run, folder: Path) -> None:
    """Somebody whose age stands out by far is the first to be found, in whichever row the shuffling put the record."""
    people().with_columns(age=pl.when(pl.col("person") == "Zaphod3").then(900).otherwise("age")).write_csv(
        folder / "people.csv"
    )
    assert discreet("protect", "people.csv", folder=folder).returncode == 0
    published = pl.read_csv(folder / "release" / "public" / "people.csv")
    row = int(published["age"].arg_max() or 0) + 1
    told = discreet(
        "attack",
        "release",
        "--original",
        "people.csv",
        "--attack",
        "link keys=age",
        "--rows",
        "30",
        "--json",
        folder=folder,
    )
    rows = {each["row"]: each["chances"]["link keys=age"] for each in json.loads(told.stdout)["exposed_rows"]}
    assert rows[row] == 1.0


def test_a_file_of_another_program_is_attacked_row_by_row(discreet: Run, folder: Path) -> None:
    told = discreet("attack", "masked.csv", "--original", "people.csv", "--json", folder=folder)
    assert told.returncode == 0, told.stdout
    found = json.loads(told.stdout)
    risks = {risk["name"]: risk["risk"] for risk in found["risks"]}
    assert risks["link"] > 0.9
    assert found["intruder"]["reads_manifest"] is False
    assert "row 1 of the original" in found["assumed"]
    shown = discreet("attack", "masked.csv", "--original", "people.csv", folder=folder).stdout
    assert "risks are too low" in shown
    assert "transparency" in [each["name"] for each in found["not_computed"]]


def test_keys_that_an_attack_could_not_use_are_told(discreet: Run, folder: Path) -> None:
    told = discreet(
        "attack", "masked.csv", "--original", "people.csv", "--attack", "link_matching", folder=folder
    )
    assert told.returncode == 0, told.stderr
    assert "link_matching: without 'age', which the intruder knows and which could not be used" in told.stdout


def test_numbers_that_became_bands_are_used(discreet: Run, folder: Path) -> None:
    bands = pl.format("[{}, {})", pl.col("age"), pl.col("age") + 1)
    people().drop("person").with_columns(age=bands).write_csv(folder / "bands.csv")
    told = discreet(
        "attack", "bands.csv", "--original", "people.csv", "--attack", "link", "--json", folder=folder
    )
    found = next(risk for risk in json.loads(told.stdout)["risks"] if risk["name"] == "link")
    assert (found["risk"], found["left_out"]) == (1.0, [])


def test_a_file_without_records_has_nobody_to_find(discreet: Run, folder: Path) -> None:
    for name in ("people.csv", "masked.csv"):
        people(0).write_csv(folder / name)
    done = discreet("attack", "masked.csv", "--original", "people.csv", folder=folder)
    assert "no records" in refused(done, "NotComputable", 3)


def test_the_intruder_file_says_what_is_known(discreet: Run, folder: Path) -> None:
    (folder / "who.toml").write_text('columns = ["town"]\nrecords = 20\nreads_manifest = false\n')
    told = discreet(
        "attack", "masked.csv", "--original", "people.csv", "--intruder", "who.toml", "--json", folder=folder
    )
    found = json.loads(told.stdout)
    link = next(risk for risk in found["risks"] if risk["name"] == "link")
    assert link["attempts"] == 20
    assert link["risk"] < 0.2
    assert (found["intruder"]["columns"], found["intruder"]["records"]) == (["town"], 20)
    shown = discreet(
        "attack", "masked.csv", "--original", "people.csv", "--intruder", "who.toml", folder=folder
    )
    assert "knows town of 20 records" in shown.stdout


def test_the_intruder_can_hold_a_file_of_its_own(discreet: Run, folder: Path) -> None:
    held = people().head(12).rename({"age": "alter"}).reverse().select("person", "alter", "town")
    held.write_csv(folder / "register.csv")
    (folder / "who.toml").write_text('file = "register.csv"\nmatch = "person"\n[names]\nage = "alter"\n')
    told = discreet(
        "attack", "masked.csv", "--original", "people.csv", "--intruder", "who.toml", "--json", folder=folder
    )
    assert told.returncode == 0, told.stdout
    link = next(risk for risk in json.loads(told.stdout)["risks"] if risk["name"] == "link")
    assert link["attempts"] == 12
    assert link["risk"] > 0.9


@pytest.mark.parametrize(
    ("intruder", "name", "said"),
    [
        ('colums = ["age"]', "UnknownKey", "Did you mean 'columns'"),
        ('columns = ["aeg"]', "UnknownColumn", "Did you mean 'age'"),
        ('columns = ["ill"]', "BadParameter", "'ill' is confidential and no quasi-identifier"),
        ("records = 0", "BadParameter", "line 1: records must be a number above 0"),
        ("records = 31", "BadParameter", "31 records are to be known"),
        ("training = 1", "BadParameter", "training must be"),
        ("columns = [", "BadFile", "not valid TOML"),
        ('file = "ageless.csv"\nmatch = "person"\ncolumns = ["age"]', "BadParameter", "holds no value"),
        ('file = "register.csv"', "BadParameter", "file and match go together"),
        ('file = "nobody.csv"\nmatch = "person"', "BadFile", "nobody.csv"),
        ('file = "twice.csv"\nmatch = "person"', "BadValues", "2 records repeat somebody"),
        ('file = "other.csv"\nmatch = "person"', "Mismatch", "no quasi-identifier in common"),
        ('file = "register.csv"\nmatch = "persn"', "UnknownColumn", "Did you mean 'person'"),
        (
            'file = "register.csv"\nmatch = "person"\n[names]\ntown = "age"',
            "BadParameter",
            "column 'town' too",
        ),
    ],
    ids=lambda value: value.split("\n")[0] if isinstance(value, str) else "",
)
def test_an_intruder_that_cannot_be_is_named(
    discreet: Run, folder: Path, intruder: str, name: str, said: str
) -> None:
    people().write_csv(folder / "register.csv")
    pl.concat([people(), people().head(2)]).write_csv(folder / "twice.csv")
    people().select("person", shoe=pl.lit(42)).write_csv(folder / "other.csv")
    people().with_columns(age=pl.lit(None, dtype=pl.Int64)).write_csv(folder / "ageless.csv")
    (folder / "who.toml").write_text(intruder + "\n")
    done = discreet(
        "attack", "masked.csv", "--original", "people.csv", "--intruder", "who.toml", folder=folder
    )
    assert said in refused(done, name)


def test_a_table_in_place_of_an_intruder_is_explained(discreet: Run, folder: Path) -> None:
    done = discreet(
        "attack", "masked.csv", "--original", "people.csv", "--intruder", "people.csv", folder=folder
    )
    assert 'say there file = "people.csv"' in refused(done, "BadParameter")


def test_strangers_are_nobody_to_find(apart: Run, folder: Path) -> None:
    people().with_columns(person=pl.lit("X") + pl.int_range(30).cast(pl.String)).write_csv(
        folder / "register.csv"
    )
    (folder / "who.toml").write_text('file = "register.csv"\nmatch = "person"\n')
    done = apart("attack", "masked.csv", "--original", "people.csv", "--intruder", "who.toml", folder=folder)
    assert "nobody to re-identify" in refused(done, "NotComputable", 3)


def test_files_that_do_not_belong_together_are_named(discreet: Run, apart: Run, folder: Path) -> None:
    people(29).drop("person").write_csv(folder / "short.csv")
    pl.DataFrame({"shoe": list(range(30))}).write_csv(folder / "shoes.csv")
    attack = ("--original", "people.csv")
    assert "29 records and the original 30" in refused(
        apart("attack", "short.csv", *attack, folder=folder), "Mismatch"
    )
    assert "no column in common" in refused(
        discreet("attack", "shoes.csv", *attack, folder=folder), "Mismatch"
    )
    assert "nobody.csv" in refused(discreet("attack", "nobody.csv", *attack, folder=folder), "BadFile")
    missing = discreet("attack", "masked.csv", *attack, "--attack", "lnk", folder=folder)
    assert "Did you mean 'link'" in refused(missing, "UnknownMethod")


def test_a_changed_file_is_not_the_one_of_its_manifest(discreet: Run, folder: Path) -> None:
    assert discreet("protect", "people.csv", folder=folder).returncode == 0
    file = folder / "release" / "public" / "people.csv"
    file.write_text(file.read_text().replace("\n2", "\n3", 1) + "\n")
    for path in ("release", "release/public/people.csv"):
        done = discreet("attack", path, "--original", "people.csv", folder=folder)
        assert "digest" in refused(done, "Mismatch")
        done = discreet("coalition", path, "masked.csv", "--column", "age", folder=folder)
        assert "digest" in refused(done, "Mismatch")


def test_halves_of_different_releases_do_not_go_together(discreet: Run, folder: Path) -> None:
    for name, seed in (("one", "c0ffee"), ("two", "decaf")):
        (folder / "seed").write_text(seed)
        done = discreet("protect", "people.csv", "--seed-file", "seed", "--out", name, folder=folder)
        assert done.returncode == 0
    given = ("attack", "one", "--original", "people.csv", "--private", "two/private")
    assert "of another release" in refused(discreet(*given, folder=folder), "Mismatch")


@pytest.mark.parametrize("half", ["public/manifest.json", "private/manifest.private.json"])
def test_a_manifest_that_lacks_something_is_named(discreet: Run, folder: Path, half: str) -> None:
    assert discreet("protect", "people.csv", folder=folder).returncode == 0
    (folder / "release" / half).write_text('{"format": 3, "seed": "Zaphod"}')
    done = discreet("attack", "release", "--original", "people.csv", folder=folder)
    assert f"the {half.split('/')[0]} manifest lacks '" in refused(done, "BadFile")


def test_an_original_that_is_too_short_is_named(discreet: Run, folder: Path) -> None:
    assert discreet("protect", "people.csv", folder=folder).returncode == 0
    people(3).write_csv(folder / "few.csv")
    done = discreet("attack", "release", "--original", "few.csv", folder=folder)
    assert "made of more records" in refused(done, "Mismatch")


def test_without_quasi_identifiers_no_attack_fits(discreet: Run, folder: Path) -> None:
    (folder / "discreet.toml").write_text('[columns.ill]\nrole = "confidential"\nscale = "nominal"\n')
    people().select("ill").write_csv(folder / "people.csv")
    done = discreet("attack", "people.csv", "--original", "people.csv", folder=folder)
    assert "No attack fits" in refused(done, "NotComputable", 3)


def test_missing_and_constant_columns_give_an_answer(discreet: Run, folder: Path) -> None:
    for name, values in (("gone", None), ("constant", 5)):
        people().drop("person").with_columns(age=pl.lit(values, dtype=pl.Int64)).write_csv(
            folder / f"{name}.csv"
        )
        told = discreet("attack", f"{name}.csv", "--original", "people.csv", "--json", folder=folder)
        assert told.returncode == 0, told.stdout
        assert SECRET not in told.stdout
        assert {risk["name"] for risk in json.loads(told.stdout)["risks"]} >= {"link", "k_anonymity"}


def test_unknown_categories_are_compared_as_they_are(discreet: Run, folder: Path) -> None:
    people().drop("person").with_columns(town=pl.lit("Zaphod elsewhere")).write_csv(folder / "moved.csv")
    told = discreet("attack", "moved.csv", "--original", "people.csv", "--json", folder=folder)
    assert told.returncode == 0, told.stdout
    assert SECRET not in told.stdout


def test_suda_tells_through_which_columns_people_are_singled_out(discreet: Run, folder: Path) -> None:
    given = ("attack", "masked.csv", "--original", "people.csv", "--attack", "suda")
    shown = discreet(*given, folder=folder).stdout
    assert re.search(
        r"^suda: what singles people out goes through age \d+%(, town \d+%)?$", shown, re.MULTILINE
    )

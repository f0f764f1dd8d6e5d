"""`discreet coalition` as a steward uses it, and with every bad input."""

from __future__ import annotations

import json
import re
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from tests.cli.small_census import SECRET, TOWNS, laid_out, people, refused

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def discreet(in_process: Run) -> Run:
    """The command line in this process; what only a process of its own can show takes `apart`."""
    return in_process


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return laid_out(tmp_path)


NEGATION = """
order = ["Zaphod north", "Zaphod middle", "Zaphod south"]
[negation]
"Zaphod north" = ["Zaphod south"]
"Zaphod middle" = ["Zaphod middle"]
"Zaphod south" = ["Zaphod north"]
"""


@pytest.fixture
def towns(folder: Path) -> Path:
    """Three files of the same people, each with another few towns changed."""
    for place in range(3):
        changed = pl.Series([TOWNS[(row % 3 + (row % 10 == place)) % 3] for row in range(30)])
        people().with_columns(town=changed).write_csv(folder / f"town{place}.csv")
    return folder


FILES = ("town0.csv", "town1.csv", "town2.csv")


@pytest.mark.parametrize(
    "options", [(), ("--by", "vote"), ("--negation", "scale.toml"), ("--match", "person")]
)
def test_three_files_rebuild_a_column(discreet: Run, towns: Path, options: tuple[str, ...]) -> None:
    (towns / "scale.toml").write_text(NEGATION)
    given = ("--column", "town", "--original", "people.csv", *options)
    told = discreet("coalition", *FILES, *given, "--json", folder=towns)
    assert told.returncode == 0, told.stdout
    found = json.loads(told.stdout)["rebuilt"]
    assert found["risk"] == 1.0 or (found["risk"] > 0.9 and "--negation" in options)
    assert found["baseline"] == pytest.approx(0.9)
    shown = discreet("coalition", *FILES, *given, folder=towns)
    assert "together" in shown.stdout
    assert SECRET not in told.stdout + shown.stdout + shown.stderr


def test_each_share_is_told_with_its_file_when_another_is_left_out(discreet: Run, towns: Path) -> None:
    people().with_columns(age=pl.lit("Zaphod's")).write_csv(towns / "words.csv")
    people().with_columns(age=pl.col("age") + 30).write_csv(towns / "older.csv")
    given = ("words.csv", "town0.csv", "older.csv", "--column", "age", "--original", "people.csv")
    told = discreet("coalition", *given, folder=towns)
    assert "words.csv holds no numbers" in told.stdout
    assert re.search(r"^town0.csv alone +100.0%", told.stdout, re.MULTILINE)
    assert re.search(r"^older.csv alone +0.0%", told.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--by", "owa", "--order-weights", "1,0,0"), 32.0),
        (("--by", "wowa", "--order-weights", "0,1,0", "--weights", "0,0,1"), 22.0),
        (("--by", "mean", "--weights", "2,1,1"), 23.5),
        (("--weights", "0,1,0"), 32.0),
        (("--mean", "quadratic", "--weights", "1,0,0"), 20.0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_numbers_are_fused_by_the_operator_asked_for(
    discreet: Run, folder: Path, options: tuple[str, ...], expected: float
) -> None:
    for number, more in enumerate((0, 12, 2)):
        people().with_columns(age=pl.col("age") + more).write_csv(folder / f"{number}.csv")
    given = ("coalition", "0.csv", "1.csv", "2.csv", "--column", "age", *options)
    done = discreet(*given, "--out", "rebuilt.csv", folder=folder)
    assert done.returncode == 0, done.stderr
    rebuilt = pl.read_csv(folder / "rebuilt.csv")["age"] - people()["age"] + 20
    assert rebuilt.to_list() == pytest.approx([expected] * 30, abs=2 if "quadratic" in options else 1e-9)


def test_copies_among_the_releases_and_what_to_do_next_are_told(discreet: Run, towns: Path) -> None:
    (towns / "copy.csv").write_bytes((towns / "town0.csv").read_bytes())
    given = ("coalition", "town0.csv", "copy.csv", "--column", "town", "--original", "people.csv")
    shown = discreet(*given, folder=towns).stdout
    assert "town0.csv and copy.csv say the same of everybody" in shown
    assert "no more than the best of them by itself" in shown
    together = discreet("coalition", *FILES, "--column", "town", "--original", "people.csv", folder=towns)
    assert "give away more than the best of them by itself" in together.stdout
    ages = discreet("coalition", *FILES, "--column", "age", "--original", "people.csv", folder=towns)
    assert "A number is right within 0.1 standard deviations" in ages.stdout


def test_the_rebuilt_column_can_be_kept_for_the_owner_only(apart: Run, towns: Path) -> None:
    given = ("coalition", *FILES, "--column", "town", "--match", "person", "--out", "rebuilt.csv")
    assert apart(*given, folder=towns).returncode == 0
    assert stat.S_IMODE((towns / "rebuilt.csv").stat().st_mode) == 0o600
    assert pl.read_csv(towns / "rebuilt.csv").equals(people().select("person", "town"))
    assert "already" in refused(apart(*given, folder=towns), "WouldOverwrite")


def test_releases_are_put_side_by_side_by_their_private_half(discreet: Run, folder: Path) -> None:
    for name, seed in (("one", "a1"), ("two", "b2"), ("three", "c3")):
        (folder / "seed").write_text(seed)
        done = discreet("protect", "people.csv", "--seed-file", "seed", "--out", name, folder=folder)
        assert done.returncode == 0
    given = ("coalition", "one", "two", "three", "--column", "age", "--original", "people.csv")
    told = discreet(*given, "--json", folder=folder)
    found = json.loads(told.stdout)
    assert found["by"] == "inverse_variance"
    errors = found["rebuilt"]["details"]["error_of_each_release"]
    assert found["rebuilt"]["details"]["error_in_standard_deviations"] < max(errors)
    (folder / "one" / "private" / "manifest.private.json").unlink()
    assert "does not keep the order" in refused(discreet(*given, folder=folder), "Mismatch")


@pytest.mark.parametrize(
    ("arguments", "name", "code", "said"),
    [
        (
            ("town0.csv", "short.csv", "--column", "town"),
            "Mismatch",
            2,
            "different numbers of people: 30, 29",
        ),
        (("town0.csv", "town1.csv", "--column", "town", "--match", "town"), "BadParameter", 2, "both 'town'"),
        (("town0.csv", "town1.csv", "--column", "towm"), "UnknownColumn", 2, "Did you mean 'town'"),
        (("town0.csv", "shoes.csv", "--column", "town"), "UnknownColumn", 2, "no column 'town'"),
        (("town0.csv", "--column", "town"), "BadParameter", 2, "at least two releases"),
        (("town0.csv", "twice.csv", "--column", "town", "--match", "person"), "BadValues", 2, "2 repeated"),
        (
            ("town0.csv", "strangers.csv", "--column", "town", "--match", "person"),
            "Mismatch",
            2,
            "no person is in two",
        ),
        (("gone.csv", "lost.csv", "--column", "town"), "NotComputable", 3, "no release holds a value"),
        (("town0.csv", "town0.csv", "--column", "town"), "BadParameter", 2, "town0.csv is named twice"),
        (
            ("town0.csv", "town1.csv", "--column", "age", "--by", "owa"),
            "BadParameter",
            2,
            "needs order_weights",
        ),
        (
            ("town0.csv", "town1.csv", "--column", "age", "--weights", "1;2"),
            "BadParameter",
            2,
            "--weights takes numbers with commas",
        ),
        (
            ("town0.csv", "town1.csv", "--column", "age", "--weights", "1"),
            "BadParameter",
            2,
            "must be 2 numbers",
        ),
        (
            ("town0.csv", "town1.csv", "--column", "age", "--out", "town1.csv", "--force"),
            "WouldOverwrite",
            2,
            "belongs to one of the releases",
        ),
        (("town0.csv", "town1.csv", "--column", "town", "--by", "mean"), "WrongScale", 2, "for numbers"),
        (
            ("town0.csv", "town1.csv", "--column", "age", "--clusters", "3"),
            "BadParameter",
            2,
            "not used by 'mean'",
        ),
        (("town0.csv", "nobody.csv", "--column", "town"), "BadFile", 2, "nobody.csv"),
    ],
    ids=lambda value: value[-1] if isinstance(value, tuple) else "",
)
def test_releases_that_cannot_be_fused_are_named(
    discreet: Run, towns: Path, arguments: tuple[str, ...], name: str, code: int, said: str
) -> None:
    people(29).write_csv(towns / "short.csv")
    pl.DataFrame({"shoe": list(range(30))}).write_csv(towns / "shoes.csv")
    pl.concat([people(28), people(2)]).write_csv(towns / "twice.csv")
    people().with_columns(person=pl.lit("X") + pl.col("person")).write_csv(towns / "strangers.csv")
    for file in ("gone.csv", "lost.csv"):
        people().with_columns(town=pl.lit(None, dtype=pl.String)).write_csv(towns / file)
    assert said in refused(discreet("coalition", *arguments, folder=towns), name, code)


@pytest.mark.parametrize(
    ("negation", "name", "said"),
    [
        ("ordre = ['a', 'b']", "UnknownKey", "Did you mean 'order'"),
        ("order = 'a'", "BadParameter", "order must be a list of texts"),
        ("[negation]\na = ['b']\nb = ['a']", "BadParameter", "order = [...]"),
        (
            "order = ['a', 'b']\n[negation]\na = ['b']\nb = ['b']",
            "BadParameter",
            "label 'a' breaks condition C2",
        ),
        (
            "order = ['a', 'b']\n[negation]\na = ['b']\nc = ['a']",
            "BadParameter",
            "label 'c' is not in the order",
        ),
        ("order = ['a', 'b']\n[negation]\na = 'b'", "BadParameter", "a table of labels to lists"),
    ],
    ids=["key", "text", "no order", "C2", "label", "list"],
)
def test_a_negation_that_is_none_is_named(
    discreet: Run, towns: Path, negation: str, name: str, said: str
) -> None:
    (towns / "scale.toml").write_text(negation + "\n")
    done = discreet("coalition", *FILES, "--column", "town", "--negation", "scale.toml", folder=towns)
    assert said in refused(done, name)


def test_categories_that_no_label_stands_for_are_unknown(discreet: Run, towns: Path) -> None:
    (towns / "scale.toml").write_text("order = ['a', 'b']\n")
    done = discreet("coalition", *FILES, "--column", "town", "--negation", "scale.toml", folder=towns)
    assert "no release holds a value of the column that is known" in refused(done, "NotComputable", 3)
    judged = discreet(
        "coalition",
        *FILES,
        "--column",
        "town",
        "--negation",
        "scale.toml",
        "--original",
        "people.csv",
        folder=towns,
    )
    refused(judged, "NotComputable", 3)


def test_a_constant_column_is_rebuilt(discreet: Run, folder: Path) -> None:
    for name in ("constant.csv", "same.csv"):
        people().with_columns(town=pl.lit("Zaphod north")).write_csv(folder / name)
    told = discreet("coalition", "constant.csv", "same.csv", "--column", "town", "--json", folder=folder)
    assert json.loads(told.stdout)["unknown"] == 0

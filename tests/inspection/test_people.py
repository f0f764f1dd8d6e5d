"""Files in which people have several records: who they are is proposed to be left out, and people are counted."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.inspection.admissions import admissions

import discreet as dc
from discreet.inspection import inspect
from discreet.inspection.looks import like_ids, like_names
from discreet.table import Role, Scale

PEOPLE = admissions()


def roles(frame: pl.DataFrame) -> dict[str, Role]:
    return {each.name: each.role for each in inspect(frame).columns}


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("name", "insurance_number"),
        ("patient", "insurance"),
        ("Versicherter", "Versichertennummer"),
        ("Nom et prénom", "numéro d'assuré"),
        ("nombre", "NIF"),
        ("pacient", "codi_pacient"),
        ("nominativo", "numero cliente"),
        ("employee", "employeeNo"),
        ("x", "y"),
    ],
)
def test_names_are_identifiers_and_numbers_that_repeat_are_persons(name: str, number: str) -> None:
    found = inspect(PEOPLE.rename({"name": name, "insurance_number": number}))
    by_name = {each.name: each for each in found.columns}
    assert by_name[name].role == Role.IDENTIFIER
    assert (by_name[number].role, by_name[number].scale) == (Role.PERSON, Scale.NOMINAL)
    assert any("values repeat" in reason for reason in by_name[number].reasons)


def test_whole_numbers_of_people_are_persons_too() -> None:
    numbers = PEOPLE.with_columns(pl.col("insurance_number").str.slice(1).cast(pl.Int64))
    assert roles(numbers)["insurance_number"] == Role.PERSON


def test_only_one_column_is_the_person_and_the_others_are_identifiers() -> None:
    found = roles(PEOPLE.with_columns(patient_id=pl.col("insurance_number")))
    assert found["insurance_number"] == Role.PERSON
    assert found["patient_id"] == Role.IDENTIFIER


def test_numbers_of_people_that_do_not_repeat_are_identifiers() -> None:
    assert roles(PEOPLE.unique("insurance_number"))["insurance_number"] == Role.IDENTIFIER


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("insurance", ["public", "private"] * 30),
        ("patient_count", list(range(60)) * 2),
        ("town", [f"Santa {chr(65 + place % 26)}na" for place in range(60)]),
        ("postcode", [f"4{place % 50:04}" for place in range(60)]),
        ("customer_type", ["firm", "person", "state"] * 20),
    ],
)
def test_what_speaks_of_people_without_numbering_them_is_a_quasi_identifier(
    name: str, values: list[object]
) -> None:
    assert roles(pl.DataFrame({name: values}))[name] == Role.KEY


def test_without_a_number_of_people_identifiers_that_repeat_are_remarked() -> None:
    (said,) = inspect(PEOPLE.drop("insurance_number")).remarks
    assert "share 'name' with another record" in said
    assert inspect(PEOPLE).remarks == ()
    assert f"# {said}" in inspect(PEOPLE.drop("insurance_number")).to_toml()


def test_values_look_like_names_and_numbers() -> None:
    names = ["Anna Müller", "Müller, Anna", "José María de la Cruz", "Jean-Luc O'Brien", "Ludwig van B."]
    assert like_names(pl.Series(names))
    assert not like_names(pl.Series(["Barcelona", "Reus", "Salt", "nurse"]))
    assert like_ids(pl.Series(["A1234567", "12345678Z", "1-85-07-123", "AB 123456"]))
    assert not like_ids(pl.Series(["2020-01-05", "2020-01-17"]))
    assert not like_ids(pl.Series(["E11.9", "I10", "43002"[:4]]))
    assert not like_names(pl.Series([], dtype=pl.String))


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """The admissions as a file, with the project that is proposed for it beside."""
    PEOPLE.write_csv(tmp_path / "admissions.csv")
    (tmp_path / "discreet.toml").write_text(inspect(tmp_path / "admissions.csv").to_toml())
    return tmp_path


def test_the_proposed_plan_publishes_no_name_and_no_number(beside: Path) -> None:
    table = dc.read(beside / "admissions.csv")
    persons = table.persons()
    assert persons is not None
    assert len(set(persons.tolist())) == PEOPLE.n_unique("insurance_number")
    release = dc.protect(table, dc.Project.load(beside / "discreet.toml").plan, seed=1)
    published = release.table.frame.write_csv()
    for column in ("name", "insurance_number"):
        assert column in release.secrets.dropped
        assert not any(value in published for value in PEOPLE[column].unique())


def test_the_proposed_plan_keeps_its_guarantees_by_people_on_the_file(beside: Path) -> None:
    table = dc.read(beside / "admissions.csv")
    plan = dc.Project.load(beside / "discreet.toml").plan
    release = dc.Release.load(dc.protect(table, plan, seed=1).save(beside / "out"))
    counted = release.counted_table(table)
    for step in plan.steps:
        keys, k = step.parameters["columns"], step.parameters["k"]
        assert dc.attack.k_anonymity(counted, keys=keys).k >= k


def test_rare_weights_are_told_with_what_to_do() -> None:
    rare = inspect(pl.DataFrame({"wgt": [1000.5 + place // 2 for place in range(60)]})).columns[0]
    assert rare.role == Role.WEIGHT
    assert any("fewer than 10 share" in reason and "round the weights" in reason for reason in rare.reasons)
    shared = inspect(pl.DataFrame({"wgt": [1000.5 + place % 4 for place in range(60)]})).columns[0]
    assert not any("share" in reason for reason in shared.reasons)

"""What is proposed of a file's columns, with reasons, and a first plan that runs."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import polars as pl
import pytest

import discreet as dc
from discreet import demo
from discreet.errors import BadFile, BadTable
from discreet.inspection import Proposal, Proposed, inspect
from discreet.project import Project
from discreet.table import Column, Role, Scale
from discreet.writing import write_frame

N = 60


def proposed(name: str, values: list[object] | pl.Series) -> Proposed:
    return inspect(pl.DataFrame({name: values})).columns[0]


def texts(*choices: str) -> list[object]:
    return [choices[place % len(choices)] for place in range(N)]


@pytest.mark.parametrize(
    "name",
    [
        "name",
        "Apellidos",
        "prénom",
        "Nachname",
        "patient_id",
        "personId",
        "UTILNAME",
        "e-mail",
        "correo",
        "Téléphone",
        "dirección",
        "passport no",
        "DNI",
        "iban",
        "ip_address",
        "homeAddress",
        "custid",
    ],
)
def test_names_of_identity_propose_an_identifier(name: str) -> None:
    found = proposed(name, texts("a", "b", "c"))
    assert (found.role, found.scale) == (Role.IDENTIFIER, Scale.NOMINAL)


@pytest.mark.parametrize(
    "name",
    [
        "age",
        "Edad",
        "sexo",
        "Geschlecht",
        "gender",
        "postcode",
        "ZIP",
        "codigo_postal",
        "región",
        "birthYear",
        "covid",
    ],
)
def test_what_others_know_and_what_nothing_is_known_of_are_quasi_identifiers(name: str) -> None:
    assert proposed(name, texts("a", "b", "c")).role == Role.KEY


@pytest.mark.parametrize(
    "name", ["diagnosis", "Diagnóstico", "income", "salaire", "religion", "benefit", "krankheit"]
)
def test_names_of_secrets_propose_confidential(name: str) -> None:
    assert proposed(name, texts("a", "b", "c")).role == Role.CONFIDENTIAL


def test_secrets_that_single_people_out_are_quasi_identifiers() -> None:
    found = proposed("income", [1000 + 37 * place for place in range(N)])
    assert (found.role, found.scale) == (Role.KEY, Scale.NUMERIC)
    assert any("single people out" in reason for reason in found.reasons)


def test_texts_of_their_own_and_row_numbers_are_identifiers() -> None:
    assert proposed("x", [f"t{place * 7 % 61}" for place in range(N)]).role == Role.IDENTIFIER
    assert proposed("x", list(range(100, 100 + N))).role == Role.IDENTIFIER


def test_free_text_is_free_text_and_so_left_out() -> None:
    found = proposed(
        "x", texts("a long remark in somebody's own words " * 2, "another long remark about a person " * 2)
    )
    assert (found.role, found.scale) == (Role.CONFIDENTIAL, Scale.TEXT)


def test_constant_and_empty_columns_are_insensitive() -> None:
    assert proposed("age", [7] * N).role == Role.INSENSITIVE
    assert proposed("age", pl.Series([None] * N, dtype=pl.String)).role == Role.INSENSITIVE


def test_a_value_that_only_some_records_have_is_not_constant() -> None:
    assert proposed("flag", [1, None] * (N // 2)).role == Role.KEY


def test_weights_households_and_strata_are_proposed_once() -> None:
    frame = pl.DataFrame(
        {
            "hh_id": [place // 2 for place in range(N)],
            "household": [place // 3 for place in range(N)],
            "household_size": [1 + place % 4 for place in range(N)],
            "sample_weight": [1000.5 + place // 2 for place in range(N)],
            "wgt": [2000.5 + place // 2 for place in range(N)],
            "stratum": texts("n", "s"),
        }
    )
    roles = [each.role for each in inspect(frame).columns]
    assert roles == [Role.HOUSEHOLD, Role.IDENTIFIER, Role.KEY, Role.WEIGHT, Role.KEY, Role.STRATUM]


def test_a_weight_that_may_be_a_bodys_is_a_quasi_identifier() -> None:
    assert proposed("weight", [50.5 + place % 40 for place in range(N)]).role == Role.KEY
    assert proposed("weight", [5000.5 + place % 40 for place in range(N)]).role == Role.WEIGHT


def test_whole_numbers_with_few_values_may_be_codes_unless_they_count() -> None:
    few: list[object] = [place % 5 for place in range(N)]
    assert proposed("zone", few).scale == Scale.NOMINAL
    assert proposed("children", few).scale == Scale.NUMERIC
    assert proposed("age", few).scale == Scale.NUMERIC
    assert proposed("zone", [place / 2 for place in range(N)]).scale == Scale.NUMERIC


def test_dates_are_numeric_quasi_identifiers() -> None:
    found = proposed("day", [date(2020, 1, 1 + place % 28) for place in range(N)])
    assert (found.role, found.scale) == (Role.KEY, Scale.NUMERIC)


def test_well_known_words_get_their_order_as_they_are_written() -> None:
    found = proposed("level", texts("High", "low", "medium"))
    assert (found.scale, found.order) == (Scale.ORDINAL, ("low", "medium", "High"))


def test_labels_and_measures_of_spss_decide_the_scale(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"v1": [1 + place % 3 for place in range(N)], "v2": [place % 30 for place in range(N)]}
    )
    columns = [
        Column(name="v1", role=Role.KEY, scale=Scale.NOMINAL, value_labels={"1": "a", "2": "b", "3": "c"}),
        Column(name="v2", role=Role.KEY, scale=Scale.ORDINAL),
    ]
    write_frame(frame, columns, tmp_path / "people.sav")
    write_frame(frame, columns, tmp_path / "people.dta")
    assert [each.scale for each in inspect(tmp_path / "people.sav").columns] == [Scale.NOMINAL, Scale.ORDINAL]
    assert [each.scale for each in inspect(tmp_path / "people.dta").columns] == [Scale.NOMINAL, Scale.NUMERIC]


def test_marks_that_spoil_numbers_are_proposed_as_missing(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(
        "age,town\n" + "".join(f"{20 + place % 50},t{place % 5}\n" for place in range(N)) + "NA,?\n.,?\n"
    )
    proposal = inspect(path)
    assert proposal.read.missing_in == {"age": (".", "NA"), "town": ("?",)}
    assert proposal.columns[0].scale == Scale.NUMERIC
    assert any('".", "NA"' in reason for reason in proposal.columns[0].reasons)
    assert Project.load(saved(proposal, tmp_path)).read.missing_in == proposal.read.missing_in


def test_a_real_word_among_numbers_is_no_mark(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age\n" + "".join(f"{20 + place % 50}\n" for place in range(N)) + "NA\nold\n")
    assert inspect(path).columns[0].scale == Scale.NOMINAL


def test_what_was_found_out_about_the_text_is_written_down(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes("edad;año\n31;1,5\n45;2,5\n".replace("año", "Cádiz").encode("cp1252"))
    proposal = inspect(path)
    assert proposal.read.to_dict() == {"delimiter": ";", "encoding": "cp1252", "decimal": ","}
    assert Project.load(saved(proposal, tmp_path)).read == proposal.read


def saved(proposal: Proposal, folder: Path) -> Path:
    path = folder / "discreet.toml"
    path.write_text(proposal.to_toml())
    return path


def test_the_proposed_project_says_what_was_proposed(tmp_path: Path) -> None:
    demo.people(300).write_csv(tmp_path / "census.csv")
    proposal = inspect(tmp_path / "census.csv")
    project = Project.load(saved(proposal, tmp_path))
    assert project.file == tmp_path / "census.csv"
    for each in proposal.columns:
        said = project.columns[each.name]
        assert (said.role, said.scale, said.order) == (each.role, each.scale, each.order)
    for each in proposal.columns:
        for reason in each.reasons:
            assert f"# {reason}" in proposal.to_toml()


def test_the_proposed_plan_runs_as_it_stands(tmp_path: Path) -> None:
    demo.people(200).write_csv(tmp_path / "census.csv")
    project = Project.load(saved(inspect(tmp_path / "census.csv"), tmp_path))
    table = dc.read(tmp_path / "census.csv")
    release = dc.protect(table, project.plan, seed=1)
    assert not set(release.table.names) & set(table.having(Role.IDENTIFIER))
    verdict = dc.assess(
        table,
        release,
        attacks=project.assess.attacks or None,
        losses=project.assess.losses or None,
        ceilings=project.assess.ceilings,
    )
    assert {risk.name.split(".")[0] for risk in verdict.risks} >= {"link", "k_anonymity"}
    assert [limit.name for limit in verdict.limits] == ["identity"]
    assert verdict.limits[0].status in ("met", "exceeded")


@pytest.mark.parametrize("names", [["a b", 'quo"te', "dot.ted", "ünï", "[x]", "#", "new\nline"]])
def test_any_column_name_survives_the_project_file(tmp_path: Path, names: list[str]) -> None:
    frame = pl.DataFrame({name: texts("a", "b", "c") for name in names})
    project = Project.load(saved(inspect(frame), tmp_path))
    assert list(project.columns) == names
    assert project.plan.steps[0].parameters["columns"] == names


def test_few_records_get_no_plan(tmp_path: Path) -> None:
    proposal = inspect(pl.DataFrame({"age": [1, 2, 3]}))
    assert Project.load(saved(proposal, tmp_path)).plan.steps == ()


def test_a_file_without_records_is_remarked(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age,town\n")
    assert "no records" in inspect(path).remarks[0]


def test_a_proposal_holds_no_cell(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"town": texts("Perpetua", "Zebedee"), "wage": [90210.75 + place for place in range(N)]}
    )
    proposal = inspect(frame)
    for text in (str(proposal), proposal.to_toml(), str(proposal.to_dict())):
        assert "Perpetua" not in text
        assert "90210" not in text


def test_frames_of_other_kinds_are_looked_at_too() -> None:
    frame = pl.DataFrame({"age": [31, 45], "name": ["a", "b"]})
    assert inspect(frame.to_pandas()).to_dict() == inspect(frame).to_dict()


def test_a_proposal_is_one_line_a_column() -> None:
    told = str(inspect(pl.DataFrame({"age": [31, 45], "sex": ["f", "m"]}))).splitlines()
    assert told[0] == "table: 2 records, 2 columns"
    assert told[1].startswith("age  quasi-identifier  numeric  2 different values in 2 records")


def test_what_cannot_be_looked_at_is_a_named_error(tmp_path: Path) -> None:
    with pytest.raises(BadFile):
        inspect(tmp_path / "nobody.csv")
    with pytest.raises(BadTable, match="no column"):
        inspect(pl.DataFrame())

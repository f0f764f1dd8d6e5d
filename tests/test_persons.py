"""Several records of one person: counted as one, never published by number, and warned of where nothing says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc
from discreet.classes import classes_of
from discreet.errors import BadTable, GuaranteeBroken
from discreet.guarantees import KAnonymous
from discreet.persons import persons_behind, warnings_about
from discreet.table import ATTACHED_PERSON, Role, Scale, Table

ROLES = {"who": "person", "age": "quasi-identifier", "town": "quasi-identifier", "illness": "confidential"}
PLAN = dc.Plan.of([("recode_numbers", {"columns": ["age"], "bins": 2})])


def admissions() -> Table:
    """Six people; the first three have been there three times, and are alike three records at a time."""
    who = [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 6]
    frame = pl.DataFrame(
        {
            "who": who,
            "age": [20, 20, 20, 20, 20, 20, 60, 60, 60, 61, 62, 63],
            "town": ["a"] * 6 + ["b"] * 6,
            "illness": ["x", "y", "z"] * 4,
        }
    )
    return Table.of(frame, roles=ROLES, name="admissions")


def test_the_number_of_a_person_is_left_out_of_a_release(tmp_path: Path) -> None:
    release = dc.protect(admissions(), PLAN, seed=1)
    assert "who" in release.secrets.dropped
    assert release.table.having(Role.PERSON) == ()
    folder = release.save(tmp_path / "out")
    for file in (folder / "public").iterdir():
        assert "who" not in pl.read_csv(file).columns if file.suffix == ".csv" else True
    assert ATTACHED_PERSON not in (folder / "public" / "manifest.json").read_text()
    assert "persons" not in (folder / "private" / "manifest.private.json").read_text()


def test_a_pseudonym_of_the_person_keeps_its_role(tmp_path: Path) -> None:
    release = dc.protect(admissions(), PLAN, seed=1, pseudonymise=["who"])
    assert release.table["who"].role == Role.PERSON
    assert release.table["who"].scale == Scale.NOMINAL
    assert release.table.frame["who"].n_unique() == 6
    loaded = dc.Release.load(release.save(tmp_path / "out"))
    assert loaded.table["who"].role == Role.PERSON
    assert loaded.table.persons() is not None
    assert loaded.counted_table(admissions()) is loaded.table


@pytest.mark.parametrize("file", ["people.parquet", "people.csv"])
def test_guarantees_on_the_written_file_count_people(tmp_path: Path, file: str) -> None:
    honest = dc.protect(admissions(), PLAN, seed=1)
    kept = replace(honest, guarantees=(KAnonymous(columns=("town",), k=2),))
    kept.save(tmp_path / "kept", file=file)
    broken = replace(honest, guarantees=(KAnonymous(columns=("town",), k=3),))
    with pytest.raises(GuaranteeBroken, match="at least 3"):
        broken.save(tmp_path / "out", file=file)
    by_rows = replace(broken, persons=None)
    by_rows.save(tmp_path / "rows", file=file)


def test_a_loaded_release_counts_people_by_its_original(tmp_path: Path) -> None:
    table = admissions()
    loaded = dc.Release.load(dc.protect(table, PLAN, seed=1).save(tmp_path / "out"))
    counted = loaded.counted_table(table)
    assert sorted(classes_of(counted, ["town"]).sizes.tolist()) == [2] * 6 + [4] * 6
    assert sorted(classes_of(loaded.table, ["town"]).sizes.tolist()) == [6] * 12
    assert not set(counted.having(Role.PERSON)) & set(table.names)


def test_an_attached_column_of_persons_takes_no_name_that_is_there() -> None:
    frame = pl.DataFrame({ATTACHED_PERSON: [1, 2], "age": [3, 4]})
    table = Table.of(frame, roles={}, rest="quasi-identifier")
    attached = table.with_persons(np.array([0, 0]))
    assert attached.having(Role.PERSON) == (f"{ATTACHED_PERSON}*",)
    assert attached.with_persons(np.array([5, 6])) is attached


@given(
    persons=st.lists(st.integers(0, 3) | st.none(), min_size=1, max_size=8),
    data=st.data(),
)
def test_records_are_of_one_person_exactly_where_their_originals_are(
    persons: list[int | None], data: st.DataObject
) -> None:
    table = Table.of(pl.DataFrame({"who": pl.Series(persons, dtype=pl.Int64)}), roles={"who": "person"})
    truth = np.array(data.draw(st.lists(st.integers(-1, len(persons) - 1), min_size=1, max_size=8)))
    behind = persons_behind(table, truth)
    assert behind is not None
    for i, one in enumerate(truth):
        for j, other in enumerate(truth):
            same = i == j or (
                one >= 0 and other >= 0 and (one == other or persons[one] == persons[other] is not None)
            )
            assert (behind[i] == behind[j]) == same


def test_a_table_without_persons_has_none_behind_its_records() -> None:
    bare = admissions().without(["who"])
    assert persons_behind(bare, np.arange(12)) is None
    release = dc.protect(bare, PLAN, seed=1)
    assert release.counted_table(bare) is release.table


def test_what_is_not_of_a_person_gets_no_pseudonym() -> None:
    with pytest.raises(BadTable, match="only identifiers and persons"):
        dc.protect(admissions(), PLAN, pseudonymise=["age"])


def repeated(share: float, records: int = 100) -> Table:
    again = int(share * records)
    numbers = [f"n{place}" for place in range(records)]
    numbers[:again] = [f"n{place // 2}" for place in range(again)]
    frame = pl.DataFrame(
        {"row": list(range(records)), "number": numbers, "age": [n % 7 for n in range(records)]}
    )
    return Table.of(frame, roles={"row": "identifier", "number": "identifier", "age": "quasi-identifier"})


def test_identifiers_that_repeat_are_warned_of_unless_the_person_is_told() -> None:
    (said,) = dc.protect(repeated(0.5), PLAN, seed=1).warnings
    assert said.startswith("50 of 100 records share 'number' with another record")
    assert "role 'person'" in said
    assert warnings_about(repeated(0.02)) == ()
    table = repeated(0.5)
    told = Table.of(table.frame, roles={"row": "identifier", "number": "person", "age": "quasi-identifier"})
    assert warnings_about(told) == ()


def test_a_dataset_warns_as_its_table_does_whatever_its_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Equal identifiers lie in several files and parts; blanks are nobody's; a person that is told needs no word."""
    monkeypatch.setattr("discreet.dataset.PART_RECORDS", 7)
    for share in (0.5, 0.02):
        frame = repeated(share).frame
        frame = frame.with_columns(number=pl.when(pl.col("row") % 10 == 9).then(None).otherwise("number"))
        frame = frame.sample(fraction=1.0, shuffle=True, seed=1)
        folder = tmp_path / f"{share}"
        folder.mkdir()
        frame[:33].write_parquet(folder / "a.parquet")
        frame[33:].write_parquet(folder / "b.parquet")
        roles = {"row": "identifier", "number": "identifier", "age": "quasi-identifier"}
        dataset = dc.scan(folder, roles=roles)
        pairs = frame["number"].drop_nulls().is_duplicated().sum()
        said = warnings_about(dataset)
        assert (
            said
            == warnings_about(Table.of(frame, roles=roles))
            == dc.protect(dataset, PLAN, seed=1).warnings()
        )
        assert [each.startswith(f"{pairs} of 100 records share 'number'") for each in said] == [True] * (
            share == 0.5
        )
        assert warnings_about(dc.scan(folder, roles={**roles, "number": "person"})) == ()


def test_names_that_others_have_too_are_no_reason_to_warn() -> None:
    frame = pl.DataFrame({"name": ["a", "b"] * 20, "born": list(range(20)) * 2, "age": [1] * 40})
    frame = frame.with_columns(born=pl.Series([place % 39 for place in range(40)]))
    roles = {"name": "identifier", "born": "identifier", "age": "quasi-identifier"}
    assert warnings_about(Table.of(frame, roles=roles)) == ()


def test_masks_refuse_the_number_of_a_person() -> None:
    with pytest.raises(BadTable, match="'who' is the number of a person"):
        dc.mask.add_noise(admissions(), columns=["who"], seed=1)
    plan = dc.Plan.of([("add_noise", {"columns": ["who"]})])
    with pytest.raises(BadTable, match="'who' is the number of a person and is dropped"):
        dc.protect(admissions(), plan)


def test_a_synthetic_table_draws_no_persons() -> None:
    made = dc.mask.synthesise_copula(admissions(), seed=1).table
    assert made.frame["who"].null_count() == len(made)


def test_an_attack_on_a_release_counts_people_as_an_assessment_does_and_a_loss_sees_what_is_published() -> (
    None
):
    table = admissions()
    release: Any = dc.protect(table, dc.Plan.of([("round", {"columns": ["age"], "base": 10})]), seed=1)
    by_people = dc.attack.k_anonymity(release, keys=["age", "town"])
    by_rows = dc.attack.k_anonymity(release.table, keys=["age", "town"])
    # Twenty is the age of two people with three records each; at sixty there are four people with six records.
    assert (by_people.level, by_rows.level) == (2, 6)
    assert dc.assess(table, release, attacks=["k_anonymity"], losses=[]).risks[0].level == 2
    assert dc.attack.link(table, release).risk == pytest.approx(
        dc.attack.link(table, release.counted_table(table), truth=release.truth).risk
    )
    assert dc.loss.il1(table, release).loss == dc.loss.il1(table, release.table, truth=release.truth).loss


def test_an_attack_on_a_release_fills_blanks_from_the_household_and_a_loss_does_not() -> None:
    frame = pl.DataFrame({"town": list("aabbccc"), "home": [1, 1, 2, 2, 3, 3, 4], "n": range(7)})
    roles = {"home": "household", "town": "quasi-identifier", "n": "insensitive"}
    table = dc.Table.of(frame, roles=roles)
    plain = dc.protect(table, dc.Plan.of([]), seed=1)
    # One of two in the third household; the others show that a town is that of a household.
    of_two = (pl.col("town") == "c") & pl.col("home").is_duplicated()
    first = plain.table.frame.with_row_index("place").filter(of_two)["place"][0]
    towns = plain.table.frame["town"].scatter(first, None)
    release: Any = replace(plain, table=plain.table.with_values({"town": towns}))
    assert towns.null_count() == 1
    found = dc.attack.k_anonymity(release, keys=["town"])
    assert found.level == 2
    assert dc.loss.category_distance(table, release, columns=["town"]).columns["town"] == pytest.approx(1 / 7)

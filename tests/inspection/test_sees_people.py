"""People are seen in columns of any name: by headers of many languages, check digits, shapes and rising numbers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc
from discreet import identity_numbers
from discreet.inspection import Proposed, inspect
from discreet.inspection.looks import like_addresses, like_contacts, like_ids, like_names, like_phones
from discreet.project import Project
from discreet.table import Role

N = 300
LEFT_OUT = (Role.IDENTIFIER, Role.PERSON)


def one(name: str, values: Sequence[object]) -> Proposed:
    return inspect(pl.DataFrame({name: values})).columns[0]


def scattered(place: int, low: int = 10_000, high: int = 99_999) -> int:
    """Numbers without an order, each place its own."""
    return low + place * 7919 % (high - low + 1)


@pytest.mark.parametrize(
    "name",
    [
        "patient_number", "Patient no", "insurance number", "member no", "case_number", "caseNo", "record_id", "MRN",
        "Pat.-Nr", "PatNr", "Patientennummer", "Versicherten-Nr", "VersNr", "Fall-Nr", "Fallnummer", "Aktenzeichen",
        "Kunden-Nr.", "Personal-Nr", "Numéro de dossier", "N° assuré", "no_patient", "numéro de sécurité sociale",
        "matricule", "Número de historia clínica", "núm. expediente", "num_paciente", "DNI", "codice fiscale",
        "numero pratica", "cod. paziente", "codice cliente", "número d'expedient", "codi pacient", "num. afiliat",
    ],
)  # fmt: skip
def test_numbers_of_people_and_cases_are_left_out_whether_they_repeat_or_not(name: str) -> None:
    once = one(name, [scattered(place) for place in range(N)])
    assert once.role in LEFT_OUT, once.reasons
    repeated = one(name, [scattered(place // 3) for place in range(N)])
    assert repeated.role in LEFT_OUT, repeated.reasons


@pytest.mark.parametrize(
    "name",
    ["name", "Nachname", "Vorname", "apellidos", "prénom", "nom complet", "cognome", "Nom i cognoms", "E-Mail", "Tel.",
     "móvil", "Straße", "adreça", "indirizzo", "Adresse", "courriel", "Geburtsname"],
)  # fmt: skip
def test_names_and_ways_to_reach_people_are_left_out_where_they_repeat(name: str) -> None:
    assert one(name, [f"w{place % 40}" for place in range(N)]).role == Role.IDENTIFIER


@pytest.mark.parametrize(
    "name",
    [
        "num_visits",
        "number of children",
        "household_size",
        "patient_count",
        "Anzahl Kinder",
        "n_hijos",
        "nr_rooms",
    ],
)
def test_counts_are_no_numbers_of_people(name: str) -> None:
    assert one(name, [place * 7 % 14 for place in range(N)]).role == Role.KEY


@pytest.mark.parametrize("name", ["lfd. Nr", "Nr", "number", "x", "income", "visits"])
def test_numbers_that_rise_without_a_gap_are_left_out_whatever_the_header(name: str) -> None:
    assert one(name, [5000 + place for place in range(N)]).role in LEFT_OUT


def test_years_that_rise_are_no_numbers_of_people() -> None:
    assert one("x", [1850 + place for place in range(N)]).role == Role.KEY


def test_rising_numbers_that_repeat_number_people() -> None:
    found = one("x", [40 + place // 3 for place in range(N)])
    assert found.role == Role.PERSON
    assert any("values repeat" in reason for reason in found.reasons)


def nhs(place: int) -> str:
    """A British number of nine digits with its check digit; the next one where there is none."""
    for first in range(943_476_000 + 10 * place, 943_476_010 + 10 * place):
        for last in range(10):
            if identity_numbers.is_number_of("gb.nhs", f"{first}{last}"):
                return f"{first}{last}"
    raise AssertionError


def with_check(sort: str, stem: str, ends: Sequence[str]) -> str:
    return next(stem + end for end in ends if identity_numbers.is_number_of(sort, stem + end))


def dni(place: int) -> str:
    return with_check("es.dni", f"{10_000_000 + 7919 * place:08}", "ABCDEFGHJKLMNPQRSTVWXYZ")


def cpf(place: int) -> str:
    ends = [f"{last:02}" for last in range(100)]
    return with_check("br.cpf", f"{390_533_000 + place}", ends)


CHECKED = {"gb.nhs": nhs, "es.dni": dni, "br.cpf": cpf}


@pytest.mark.parametrize("sort", ["gb.nhs", "es.dni", "br.cpf"])
@pytest.mark.parametrize("as_numbers", [False, True])
def test_check_digits_tell_numbers_of_people_under_any_header(sort: str, as_numbers: bool) -> None:
    pytest.importorskip("stdnum")
    make = CHECKED[sort]
    texts = [make(place // 2) for place in range(60)]
    values: list[object] = [int(each) for each in texts] if as_numbers and texts[0].isdigit() else list(texts)
    found = one("income", values)
    assert found.role in LEFT_OUT, found.reasons
    assert any("check digits" in reason for reason in found.reasons)


def test_what_cannot_be_checked_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity_numbers, "find_spec", lambda library: None)
    said = " ".join(inspect(pl.DataFrame({"age": [31, 45]})).remarks)
    assert "Not looked for" in said
    assert "identity and insurance numbers" in said


@given(st.lists(st.integers(1000, 9_999_999), min_size=40, max_size=60, unique=True))
def test_plain_amounts_have_no_check_digits(numbers: list[int]) -> None:
    assert not any("check digits" in reason for reason in one("income", numbers).reasons)


@pytest.mark.parametrize(
    ("like", "values"),
    [
        (like_phones, ["0151 1234567", "0171 7654321", "0160 2345678"]),
        (like_phones, ["+34 971 12 34 56", "+34 971 65 43 21"]),
        (like_phones, ["06 12 34 56 78", "07 98 76 54 32"]),
        (like_phones, ["(212) 555-0147", "(646) 555-0192"]),
        (like_addresses, ["Hauptstr. 5", "Am Ring 12a", "Lange Gasse 7"]),
        (like_addresses, ["Carrer Major, 12", "Calle de Alcalá 4"]),
        (like_addresses, ["12 rue de la Paix", "7 avenue Foch"]),
        (like_names, ["Müller, Jürgen", "Anna Böhm", "Maria del Mar Vidal"]),
        (like_ids, ["A-12345", "A-54321"]),
    ],
)
def test_values_show_what_they_are(like: object, values: list[str]) -> None:
    assert like(pl.Series("x", values))  # type: ignore[operator]


@pytest.mark.parametrize(
    ("values", "what"),
    [
        (["a.b@example.org", "c@example.com"], "e-mail addresses"),
        (["10.1.2.3", "192.168.0.1"], "network addresses"),
        (["https://example.org/a", "www.example.org"], "addresses of pages"),
        (["3f2504e0-4f89-11d3-9a0c-0305e82c3301"], "random identifiers"),
        (["red", "blue"], ""),
    ],
)
def test_values_by_which_people_are_reached_or_traced(values: list[str], what: str) -> None:
    assert like_contacts(pl.Series("x", values)) == what


FULL_NAMES = {
    "Titular": ["García Gil, Ana", "Ruiz Sanz, Luis", "López Mora, Eva", "Pérez Vidal, Pau"],
    "c3": ["Jürgen Koch", "Dr. Anna Weber", "Hans von der Heide", "Ute Neumann"],
    "x": ["ROSSI GIULIA", "BIANCHI MARCO", "FERRARI LUCA", "RUSSO SARA"],
    "résident": ["Jean-Luc Petit", "Zoé Durand", "Hélène Martin", "Anne Blanc"],
    "col": ["montserrat puig", "jordi serra", "laia vila", "pere roca"],
    "who": ["Emily", "James", "Olivia", "Priya"],
}


@pytest.mark.parametrize("header", FULL_NAMES)
@pytest.mark.parametrize("often", [4, 80])
def test_names_are_left_out_under_any_header_however_few_they_are(header: str, often: int) -> None:
    found = one(header, FULL_NAMES[header] * often)
    assert found.role == Role.IDENTIFIER, found.reasons


@pytest.mark.parametrize(
    "values",
    [
        ["Santa Clara", "San Jose", "Santa Maria", "Fort Frances"],
        ["Never married", "Married", "Divorced", "Widowed"],
        ["Full Time", "Part Time", "Mark Up", "None At All"],
        ["Mercedes", "Ford", "Seat", "Skoda", "Opel"],
        ["North", "South", "Florence", "East"],
    ],
)
def test_words_that_name_nobody_are_not_taken_for_names(values: list[str]) -> None:
    assert one("zz", values * 40).role == Role.KEY


def test_italian_tax_codes_and_payment_cards_are_told_by_their_check_digits() -> None:
    pytest.importorskip("stdnum")
    stems = [f"RSSMRA{70 + place % 20}A{10 + place % 18}H{501 + place}" for place in range(20)]
    codes = [with_check("it.codicefiscale", stem, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") for stem in stems]
    assert any("codicefiscale" in reason for reason in one("x", codes * 2).reasons)
    cards = [
        next(str(each) for each in range(4_000_000_000_000_000 + 10 * place, 4_000_000_000_000_010 + 10 * place)
             if identity_numbers.is_card(str(each)))
        for place in range(1, 2001, 37)
    ]  # fmt: skip
    assert any("payment cards" in reason for reason in one("x", cards).reasons)


@pytest.mark.parametrize(("name", "role"), [("hid", Role.HOUSEHOLD), ("w_final", Role.WEIGHT)])
def test_households_and_weights_of_surveys_are_seen(name: str, role: Role) -> None:
    values = [100 + place // 3 for place in range(N)]
    assert one(name, values if role == Role.HOUSEHOLD else [each * 0.25 for each in values]).role == role


def test_dates_and_amounts_are_no_phones() -> None:
    assert not like_phones(pl.Series("x", ["16-10-1967", "01-02-1990"]))
    assert not like_phones(pl.Series("x", ["1234567", "7654321"]))


def visits() -> pl.DataFrame:
    """A file in which each of 100 people has three records."""
    people = [scattered(place) for place in range(100)]
    return pl.DataFrame(
        {
            "patient_id": [each for each in people for _ in range(3)],
            "alias": [f"x{each * 31 % 99_991}y" for each in people for _ in range(3)],
            "ref": [each * 17 % 99_991 for each in people for _ in range(3)],
            "age": [20 + each % 60 for each in people for _ in range(3)],
            "score_a": [float(each % 977) for each in people for _ in range(3)],
            "town": [f"t{each % 9}" for each in people for _ in range(3)],
        }
    )


def test_columns_that_say_the_same_as_an_identifier_are_identifiers() -> None:
    roles = {each.name: each.role for each in inspect(visits()).columns}
    assert roles == {
        "patient_id": Role.PERSON,
        "alias": Role.IDENTIFIER,
        "ref": Role.IDENTIFIER,
        "age": Role.KEY,
        "score_a": Role.KEY,
        "town": Role.KEY,
    }


def test_the_number_of_the_person_wins_over_that_of_the_case() -> None:
    frame = visits().select(
        pl.Series("case_no", [scattered(place // 2, 1000, 9999) for place in range(300)]), "patient_id"
    )
    assert [each.role for each in inspect(frame).columns] == [Role.IDENTIFIER, Role.PERSON]


def test_what_nobody_understood_is_not_published_until_the_steward_says(tmp_path: Path) -> None:
    words = [f"{chr(97 + place % 26)}{chr(97 + place // 26)}q{place % 7}" for place in range(200)]
    frame = pl.DataFrame(
        {
            "zz": [words[place % 200] for place in range(N * 2)],
            "age": [20 + place % 60 for place in range(N * 2)],
        }
    )
    frame.write_csv(tmp_path / "people.csv")
    proposal = inspect(tmp_path / "people.csv")
    assert proposal.columns[0].role == Role.IDENTIFIER
    assert any('write role = "quasi-identifier"' in reason for reason in proposal.columns[0].reasons)
    (tmp_path / "discreet.toml").write_text(proposal.to_toml())
    project = Project.load(tmp_path / "discreet.toml")
    release = dc.protect(dc.read(tmp_path / "people.csv"), project.plan, seed=1)
    assert release.table.names == ("age",)


@pytest.mark.parametrize(
    ("file", "left_out"),
    [("census.csv", set()), ("adult.csv.gz", set()), ("eia.csv", {"UTILITYID", "UTILNAME"})],
)
def test_no_false_alarm_on_public_files(reference_data: Path, file: str, left_out: set[str]) -> None:
    proposal = inspect(reference_data / file)
    assert {each.name for each in proposal.columns if each.role in LEFT_OUT} == left_out
    assert not proposal.read.formats
    assert set(proposal.read.missing_in.values()) <= {("?",)}


@pytest.mark.parametrize(
    "name",
    [
        "client", "patient", "Teilnehmer", "respondent", "borrower", "PERSNR", "respnr", "idpers", "pnr", "KVNR", "NIR",
        "IPP", "NHC", "NASS", "Ausweisnummer", "Passnr", "numéro sécu", "numéro allocataire", "nº tarjeta",
        "nº de colegiado", "tessera", "matricola", "n. pratica", "cod_fiscale", "PATIENT_HASH", "customer ref",
        "encounter", "case", "record", "serial", "key", "klantnummer", "burgerservicenummer", "IMEI",
    ],
)  # fmt: skip
def test_whose_a_record_is_is_seen_in_names_of_one_word_and_short_forms(name: str) -> None:
    assert one(name, [scattered(place // 3) for place in range(N)]).role in LEFT_OUT
    assert one(name, [scattered(place) for place in range(N)]).role in LEFT_OUT


@pytest.mark.parametrize(
    "name",
    ["household_number", "HH-Nr", "HHNR", "hhid", "Haushaltsnr", "Haushalt Nr.", "numero hogar", "nº hogar",
     "n° ménage", "id_menage", "num_famiglia", "codice famiglia", "idllar", "family_id", "id famille", "HHX"],
)  # fmt: skip
def test_numbers_of_households_are_seen_and_left_out_where_each_stands_once(name: str) -> None:
    assert one(name, [scattered(place // 3) for place in range(N)]).role == Role.HOUSEHOLD
    assert one(name, [scattered(place) for place in range(N)]).role == Role.IDENTIFIER


@pytest.mark.parametrize(
    "name",
    [
        "household_income", "hh_size", "household_type", "family_income", "family_size", "insurance", "versicherung",
        "staff", "cases", "claims", "customers", "patients", "num_employees", "mother_age", "spouse_income", "records",
        "families", "fall_count", "n_employees", "visits", "reference_week", "carte", "individual_income",
    ],
)  # fmt: skip
def test_amounts_of_people_and_households_number_nobody(name: str) -> None:
    amounts = [120 + place * 131 % 900 for place in range(N)]
    assert one(name, amounts).role in (Role.KEY, Role.CONFIDENTIAL), one(name, amounts).reasons


@pytest.mark.parametrize("step", [1, 7, 100])
def test_numbers_that_rise_in_even_steps_and_repeat_number_people(step: int) -> None:
    assert one("x", [1000 + step * (place // 3) for place in range(N)]).role == Role.PERSON
    steps = one("x", [1000 + step * (place // 3) + place // 60 * 5 * step for place in range(N)])
    assert steps.role == Role.PERSON


def test_amounts_by_which_a_file_is_sorted_number_nobody() -> None:
    assert one("x", [int(1000 * 1.06 ** (place // 2)) for place in range(N)]).role == Role.KEY


BY_CHANCE = ["f" if place * place // 7 % 2 else "m" for place in range(N)]


def panel(**further: Sequence[object]) -> pl.DataFrame:
    """A hundred people with three records each, in no order."""
    whose = [place * 7 % 100 for place in range(N)]
    mine = {
        "x": [scattered(each * 13) for each in whose],
        "sex": ["f" if each * 3 % 7 < 4 else "m" for each in whose],
        "town": [place * 11 % 5 for place in range(N)],
    }
    return pl.DataFrame({**mine, **further})


def test_what_decides_the_sex_of_its_records_numbers_people() -> None:
    found = {each.name: each for each in inspect(panel()).columns}
    assert found["x"].role == Role.PERSON
    assert any("'sex' alone" in reason for reason in found["x"].reasons)
    assert found["town"].role == Role.KEY
    loose = panel().with_columns(sex=pl.Series(BY_CHANCE))
    assert inspect(loose).columns[0].role == Role.KEY


def test_what_decides_the_weights_numbers_households() -> None:
    whose = [place * 7 % 100 for place in range(N)]
    frame = panel(
        weight=[1 + each * 31 % 97 / 7 for each in whose],
        sex=BY_CHANCE,
    )
    found = {each.name: each.role for each in inspect(frame).columns}
    assert (found["x"], found["weight"]) == (Role.HOUSEHOLD, Role.WEIGHT)


def test_a_town_that_decides_its_region_numbers_nobody() -> None:
    frame = panel(
        place=[f"p{place * 7 % 100}" for place in range(N)],
        region=[place * 7 % 100 % 4 for place in range(N)],
    )
    found = {each.name: each.role for each in inspect(frame.drop("x", "sex")).columns}
    assert found["place"] == Role.KEY


@pytest.mark.parametrize(
    ("label", "role"),
    [
        ("Fallnummer", Role.IDENTIFIER),
        ("Sozialversicherungsnummer", Role.IDENTIFIER),
        ("Do you have a mobile phone?", Role.KEY),
        ("Number of the mobile phones at home", Role.KEY),
    ],
)
def test_labels_of_a_statistical_file_are_read_where_names_say_nothing(
    label: str, role: Role, tmp_path: Path
) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    frame = pl.DataFrame({"V1": [float(scattered(place)) for place in range(N)]}).to_pandas()
    pyreadstat.write_sav(frame, str(tmp_path / "people.sav"), column_labels=[label])
    assert inspect(tmp_path / "people.sav").columns[0].role == role

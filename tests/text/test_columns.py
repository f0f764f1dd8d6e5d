"""Columns of text inside a table: sanitised by the recognisers and one register, with what the table knows of names."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.page_runner import answer

import discreet as dc
from discreet.errors import BadParameter, BadTable, GuaranteeBroken, UnknownColumn
from discreet.guarantees import NoMaskedNames, Wordings, guarantee_of
from discreet.manifest import PublicManifest
from discreet.plan import Plan
from discreet.protection import protect
from discreet.release import Release
from discreet.table import Table

NOTHING = Plan.of([])
ROLES = {"name": "identifier", "number": "person", "age": "quasi-identifier"}
SCALES = {"remark": "text", "note": "text", "number": "nominal"}
SENTENCES = (
    "{} came late.",
    "Seen with {}, again.",
    "no words of {}'s",
    "{}",
    "a rose for {}\nand more",
    "ask {}!",
)


def people(**columns: Sequence[Any]) -> Table:
    frame = pl.DataFrame(columns, schema_overrides={"remark": pl.String, "note": pl.String})
    return Table.of(
        frame,
        roles={name: role for name, role in ROLES.items() if name in columns},
        rest="confidential",
        scales={name: scale for name, scale in SCALES.items() if name in columns},
    )


def sanitised(table: Table, *columns: str, seed: int = 5) -> Release:
    return protect(table, NOTHING, seed=seed, sanitise_text=columns or ["remark"])


def texts(table: Table, *columns: str) -> list[Any]:
    return sanitised(table, *columns).table.frame["remark"].to_list()


SMALL: dict[str, list[Any]] = {
    "name": ["Anna Smith", "Bob Rose", "Kowalski, Jan", None],
    "number": ["A-17", "B-20", "C-31", "D-44"],
    "age": [31, 42, 53, 64],
    "remark": [
        "Anna came with Mr Rose; call 555-123-4567.",
        "bob rose saw A. Smith and a rose. Jan Kowalski (c-31) too.",
        None,
        "Dr. Green of Reedham wrote to SMITH. Green was late; green grass.",
    ],
    "note": ["", "see Rose", None, "Anna Smith"],
}


def test_one_register_for_all_cells_and_columns_replaces_names_numbers_and_identifiers() -> None:
    release = sanitised(people(**SMALL), "remark", "note")
    pers = {"Smith": "", "Rose": "", "Kowalski": "", "Green": ""}
    frame = release.table.frame
    first, second, third, last = frame["remark"].to_list()
    pers["Smith"], pers["Rose"] = first.split()[0], first.split()[3].rstrip(";")
    assert first == f"{pers['Smith']} came with {pers['Rose']}; call Phone1."
    pers["Kowalski"] = second.split(". ")[1].split()[0]
    assert second == f"{pers['Rose']} saw {pers['Smith']} and a rose. {pers['Kowalski']} (Code1) too."
    assert third is None
    pers["Green"] = last.split()[0]
    assert last == f"{pers['Green']} of Loc1 wrote to {pers['Smith']}. {pers['Green']} was late; green grass."
    assert frame["note"].to_list() == ["", f"see {pers['Rose']}", None, pers["Smith"]]
    assert sorted(pers.values()) == ["Pers1", "Pers2", "Pers3", "Pers4"]


NAMES = st.text("abcdefghijklmnopqrstuvwxyzäéßøłñ", min_size=2, max_size=9).map(str.capitalize)
PEOPLE = st.lists(st.tuples(NAMES, NAMES).map(" ".join), min_size=1, max_size=4, unique=True)


@given(names=PEOPLE, which=st.lists(st.integers(0, 23), min_size=1, max_size=6), loud=st.booleans())
def test_a_name_in_an_identifier_column_and_in_a_text_is_gone_from_every_public_byte(
    names: list[str], which: list[int], loud: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    written = [
        SENTENCES[each % 6].format(name.upper() if loud else name)
        for each in which
        for name in [names[each % len(names)]]
    ]
    rows = max(len(names), len(written))
    table = people(
        name=[*names, *[None] * (rows - len(names))],
        age=list(range(rows)),
        remark=[*written, *[None] * (rows - len(written))],
    )
    folder = sanitised(table).save(tmp_path_factory.mktemp("release") / "out")
    public = "".join(each.read_text().casefold() for each in sorted((folder / "public").iterdir()))
    assert [name for name in names if name.casefold() in public] == []


@given(
    names=PEOPLE,
    remarks=st.lists(st.none() | st.text(max_size=60), min_size=4, max_size=4),
    seed=st.integers(0, 99),
)
def test_missing_cells_stay_missing_other_columns_are_unchanged_and_the_same_input_gives_the_same_output(
    names: list[str], remarks: list[str | None], seed: int
) -> None:
    table = people(name=[*names, None, None, None][:4], age=[1, 2, 3, 4], remark=remarks)
    release = sanitised(table, seed=seed)
    frame = release.table.frame
    assert frame["remark"].is_null().to_list() == [each is None for each in remarks]
    assert frame["age"].equals(table.frame["age"])
    assert frame.equals(sanitised(table, seed=seed).table.frame)
    assert release.guarantees[-1].fault(release.table) == ""


def test_an_empty_column_and_an_empty_table_stay_so() -> None:
    assert texts(people(name=["Anna Smith", None], remark=[None, None])) == [None, None]
    assert texts(people(name=["Anna Smith"], remark=[""])) == [""]
    assert texts(people(remark=[])) == []


def test_texts_without_identifiers_beside_them_are_sanitised_too() -> None:
    assert texts(people(age=[3], remark=["Write to jane.doe@example.org."])) == ["Write to Mail1."]


def test_columns_that_are_no_text_or_not_there_are_refused_by_name() -> None:
    table = people(**SMALL)
    with pytest.raises(BadTable, match="column 'age' is not a free text that could be sanitised"):
        protect(table, NOTHING, sanitise_text=["age"])
    with pytest.raises(UnknownColumn, match="'remarks'"):
        protect(table, NOTHING, sanitise_text=["remarks"])
    with pytest.raises(BadParameter, match="column 'note' is to be published as it is and to be sanitised"):
        protect(table, NOTHING, sanitise_text=["note"], publish_text=["note"])


def test_a_name_that_looks_like_a_pseudonym_is_not_given_to_somebody_else() -> None:
    found = texts(people(name=["pers1", "PERS2"], remark=["pers1 met Pers2", "Dr. Green met Pers3"]))
    assert {"pers1", "pers2", "pers3"}.isdisjoint(each.casefold() for each in found[0].split())
    assert found[1].split()[0] not in ("Pers1", "Pers2", "Pers3")


def test_pseudonyms_are_numbered_along_the_published_file_and_do_not_tell_the_order_of_the_original(
    tmp_path: Path,
) -> None:
    many = 40
    names = [f"{chr(65 + each % 26)}arl {chr(65 + each // 2)}umberton" for each in range(many)]
    table = people(name=names, remark=[f"{each} called." for each in names])
    release = sanitised(table)
    told = [int(each.removeprefix("Pers").split()[0]) for each in release.table.frame["remark"]]
    assert told != sorted(told)
    folder = release.save(tmp_path / "out", file="people.csv")
    published = pl.read_csv(folder / "public" / "people.csv")["remark"].to_list()
    first = list(dict.fromkeys(int(each.removeprefix("Pers").split()[0]) for each in published))
    assert first == sorted(first) == list(range(1, len(first) + 1))


def test_the_guarantee_is_checked_on_the_written_file_and_a_name_left_stops_the_release(
    tmp_path: Path,
) -> None:
    release = sanitised(people(**SMALL))
    leaking = release.table.with_values({"remark": pl.Series(["ok", "met\nANNA  smith.", None, ""])})
    with pytest.raises(
        GuaranteeBroken, match=r"no name that was masked .* 1 places where one stands"
    ) as told:
        replace(release, table=leaking).save(tmp_path / "out")
    assert "Anna" not in str(told.value)
    assert not (tmp_path / "out").exists()


def test_the_public_half_tells_counts_and_no_name_and_others_cannot_check_it(tmp_path: Path) -> None:
    release = sanitised(people(**SMALL), "remark", "note")
    folder = release.save(tmp_path / "out")
    manifest = json.loads((folder / "public" / "manifest.json").read_text())
    told = manifest["checked_on_the_published_file"][-1]
    assert set(told) == {"guarantee", "columns", "masked", "not_looked_for", "policy", "says"}
    assert told["columns"] == ["remark", "note"]
    assert told["masked"] == {"code": 1, "person": 10, "phone": 1, "place": 1}
    assert "Smith" not in json.dumps(manifest)
    assert "Smith" not in repr(release.guarantees)
    checked = dc.verify(folder)
    state = {each.says: (each.state, each.why) for each in checked.findings}[told["says"]]
    assert state == ("not checked", "the names that were masked are secret, and not here")
    with pytest.raises(TypeError, match="does not know the names"):
        guarantee_of(told, "it").fault(release.table)


def test_short_identifiers_that_were_not_looked_for_are_told() -> None:
    release = sanitised(people(number=["7", "8"], remark=["7 cats", "none"]))
    assert release.table.frame["remark"].to_list()[1] == "none"
    assert any("fewer than six digits" in each for each in release.manifest.not_looked_for)
    longer = sanitised(people(number=["700123", "800456"], remark=["no. 700123", "none"]))
    assert "700123" not in longer.table.frame["remark"].to_list()[0]
    assert not any("fewer than six digits" in each for each in longer.manifest.not_looked_for)


@pytest.mark.parametrize("how", ["sanitise_text", "publish_text"])
def test_published_text_leaves_limits_on_headlines_not_checked(how: str) -> None:
    table = people(
        name=[f"Anna Smith{'e' * each}" for each in range(40)],
        age=[30, 40] * 20,
        remark=["Anna was here"] * 40,
        ill=["yes", "no", "no", "no"] * 10,
    )
    options: dict[str, list[str]] = {how: ["remark"]}
    ceilings = {"identity": 0.9, "attribute": 0.9}
    without = dc.assess(table, protect(table, NOTHING, seed=1), ceilings=ceilings)
    assert without.verdict == "met"
    found = dc.assess(table, protect(table, NOTHING, seed=1, **options), ceilings=ceilings)  # type: ignore[call-overload]
    assert [limit.status for limit in found.limits] == ["not checked", "not checked"]
    assert all("no attack reads the free text in 'remark'" in limit.unchecked for limit in found.limits)
    facts = dc.report(found).facts
    said = " ".join(facts.limitations.not_tested)
    sanitised_text = how == "sanitise_text"
    assert ("Names in the free text of remark were replaced as far as recognisers found them." in said) == (
        sanitised_text
    )
    assert ("Free text in remark was not searched" in said) != sanitised_text
    assert any("can still name people" in each for each in facts.summary) == sanitised_text


def test_wordings_are_found_as_whole_words_whatever_stands_between() -> None:
    wordings = Wordings.of(["Anna Smith", "Müller", "王小明"], ["Rose"])

    def found(text: str) -> list[str]:
        return [text[start:end] for start, end, _ in wordings.found_in(text)]

    assert found("ANNA\n smith, Anna-Smith's") == ["ANNA\n smith", "Anna-Smith"]
    assert found("Annas Smith Smithson Anna") == []
    assert found("Rose ROSE rose") == ["Rose", "ROSE"]
    assert found("mu\u0308ller M\u00adüller") == ["mu\u0308ller", "M\u00adüller"]
    assert found("见到王小明了") == ["王小明"]
    assert Wordings.of(["...", ""]).found_in("...") is not None
    assert (
        NoMaskedNames(columns=("remark",), masked={}, wordings=Wordings.of(["..."])).fault(
            people(remark=["..."])
        )
        == ""
    )


def test_a_column_is_sanitised_when_the_project_or_the_command_line_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text(
        "who,age,remark,note\nAnna Smith,30,Anna Smith left.,ask anna smith\nBob Wu,31,,Wu!\n"
    )
    Path("discreet.toml").write_text(
        '[columns]\nwho = {role = "identifier"}\nage = {role = "quasi-identifier"}\n'
        'remark = {role = "confidential", scale = "text"}\nnote = {role = "confidential", scale = "text"}\n'
        '[[mask]]\nmethod = "round"\ncolumns = ["age"]\nbase = 10\n[release]\nsanitise_text = ["remark"]\n'
    )
    for options, columns in (
        ([], ["age", "remark"]),
        (["--sanitise-text", "note"], ["age", "remark", "note"]),
    ):
        code, said = answer(["protect", "people.csv", "--force", *options])
        assert (code, "no name that was masked stands as whole words in 'remark'" in said) == (0, True), said
        public = Path("release/public/people.csv").read_text()
        assert public.splitlines()[0].split(",") == columns
        assert not any(name in public for name in ("Smith", "smith", "Wu"))
    code, said = answer(["protect", "people.csv", "--force", "--sanitise-text", "remarks"])
    assert (code, "'remarks'" in said) == (2, True), said


POLICY = """
[entities]
date = "generalise"
place = "keep"

[allow]
any = ["Dr Green", "Anna Smith"]

[patterns.ward]
kind = "code"
pattern = 'ward \\d+'

[lists.ships]
kind = "other"
words = ["Calypso"]

[topics.arms]
keywords = ["weapon"]

[blocks]
density = 0.01
automatic = 0.15
"""
RULED: dict[str, list[Any]] = {
    "name": ["Anna Smith", "Bob Rose"],
    "age": [31, 42],
    "remark": [
        "Dr Green saw Anna Smith in ward 17 on 4 May 1981, on the Calypso. She lives in Kowary.",
        "Weapon and weapon, he said.\n\nThe weapon of Rose was old and nobody in the village had seen another one.",
    ],
}


def test_a_policy_adds_keeps_generalises_and_allows_in_columns_too(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(POLICY)
    table = people(**RULED)
    release = protect(table, NOTHING, seed=5, sanitise_text=["remark"], policy=str(tmp_path / "own.toml"))
    first, second = release.table.frame["remark"].to_list()
    assert "Dr Green" in first
    assert "Kowary" in first
    assert " on 1981," in first
    assert not any(each in first for each in ("ward 17", "Calypso", "4 May"))
    assert "Anna" not in first, "an identifier of the table is masked whatever the policy allows"
    assert "Rose" not in second
    assert second.startswith("[cut]\n\nThe weapon of ")
    guarantee = next(each for each in release.guarantees if isinstance(each, NoMaskedNames))
    assert guarantee.fault(release.table) == ""
    assert any(
        "Nobody reviewed 2 stretches about sensitive topics: a threshold cut 1" in each
        for each in guarantee.not_looked_for
    )


def test_the_manifest_names_the_policy_of_columns_that_were_sanitised(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(POLICY)
    table = people(**RULED)
    for policy, name in ((str(tmp_path / "own.toml"), "own"), ("eo13526", "eo13526"), (None, "")):
        release = protect(table, NOTHING, seed=5, sanitise_text=["remark"], policy=policy)
        folder = release.save(tmp_path / f"by {name}")
        public = json.loads((folder / "public" / "manifest.json").read_text())
        (told,) = (each for each in public["checked_on_the_published_file"] if "policy" in each)
        assert told["policy"] == name
        assert str(tmp_path) not in json.dumps(public)
        assert Release.load(folder).manifest.policy == name
        # Releases of earlier versions do not tell it.
        public["checked_on_the_published_file"] = [
            {key: value for key, value in each.items() if key != "policy"}
            | {"says": each["says"].replace(f"; policy '{name}'", "")}
            for each in public["checked_on_the_published_file"]
        ]
        assert PublicManifest.from_dict(public).policy == ""


def test_a_release_sanitised_by_a_policy_is_made_again_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the command line named the column; a project that names another policy is told."""
    (tmp_path / "own.toml").write_text(POLICY)
    (tmp_path / "people.csv").write_text(
        "who,age,remark\nAnna Smith,30,Seen in ward 17.\nBob Wu,31,In ward 9.\n"
    )
    text = (
        '[columns]\nwho = {role = "identifier"}\nage = {role = "quasi-identifier"}\n'
        'remark = {role = "confidential", scale = "text"}\n'
        '[[mask]]\nmethod = "round"\ncolumns = ["age"]\nbase = 10\n[release]\n'
    )
    (tmp_path / "discreet.toml").write_text(f'{text}policy = "own.toml"\n')
    monkeypatch.chdir(tmp_path)
    assert answer(["protect", "people.csv", "--sanitise-text", "remark"])[0] == 0
    code, said = answer(["reproduce", "release", "--original", "people.csv"])
    assert code == 0, said
    assert "--sanitise-text remark" in said
    code, said = answer(["reproduce", "release", "--original", "people.csv", "--script", "again.py"])
    assert code == 0, said
    monkeypatch.setattr("sys.argv", ["again.py"])
    exec(compile(Path("again.py").read_text(), "again.py", "exec"), {})
    (tmp_path / "discreet.toml").write_text(f'{text}policy = "eo13526"\n')
    code, said = answer(["reproduce", "release", "--original", "people.csv"])
    assert (code, "sanitised by policy 'own', which discreet.toml does not name" in said) == (2, True), said


def test_a_policy_without_a_column_to_sanitise_is_refused() -> None:
    with pytest.raises(BadParameter, match="policy is for columns of text"):
        protect(people(**SMALL), NOTHING, policy="eo13526")


def test_a_policy_comes_from_the_project_or_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "people.csv").write_text("who,age,remark\nAnna Smith,30,Seen in ward 17.\nBob Wu,31,In ward 9.\n")
    (home / "own.toml").write_text(POLICY)
    project = (
        '[columns]\nwho = {role = "identifier"}\nage = {role = "quasi-identifier"}\n'
        'remark = {role = "confidential", scale = "text"}\n'
        '[[mask]]\nmethod = "round"\ncolumns = ["age"]\nbase = 10\n[release]\nsanitise_text = ["remark"]\n'
    )
    monkeypatch.chdir(tmp_path)
    published = Path("release/public/people.csv")
    for text, options, masked in (
        (project, [], False),
        (project, ["--policy", "home/own.toml"], True),
        (f'{project}policy = "own.toml"\n', [], True),
    ):
        (home / "discreet.toml").write_text(text)
        code, said = answer(["protect", "home/people.csv", "--force", *options])
        assert code == 0, said
        assert ("ward 17" not in published.read_text()) is masked
    code, said = answer(["protect", "home/people.csv", "--force", "--policy", "nowhere.toml"])
    assert (code, "nowhere.toml" in said) == (2, True), said

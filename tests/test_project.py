"""The project file: read whole, checked, and every error with its place."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
import tomlkit

from discreet import registry
from discreet.errors import (
    BadFile,
    BadInput,
    BadParameter,
    BadProject,
    UnknownColumn,
    UnknownKey,
    UnknownMethod,
    UnknownParameter,
)
from discreet.project import Project
from discreet.project.lines import line_of
from discreet.project.sections import READ_KEYS, SECTIONS
from discreet.table import ColumnSpec, Role, Scale

ROLES = "one of " + ", ".join(Role)
SCALES = "one of " + ", ".join(Scale)
WHOLE = """\
[read]
file = "people.csv"
delimiter = ";"
encoding = "cp1252"
decimal = ","
missing = ["NA", "?"]

[columns.name]
role = "identifier"

[columns."home town"]
role = "quasi-identifier"
scale = "nominal"
ontology = "towns"

[columns.age]
role = "quasi-identifier"

[columns.level]
role = "confidential"
scale = "ordinal"
order = [1, 2, "3"]

[[mask]]
method = "microaggregate"
columns = ["age"]
k = 5

[[mask]]
method = "suppress"
columns = ["home town"]
k = 3

[assess]
attacks = ["link", "k_anonymity"]
losses = ["il1"]
alpha = 0.5

[assess.ceilings]
link = 0.1

[assess.floors]
k_anonymity = 3

[release]
order = "kept"
pseudonymise = ["name"]
format = "parquet"
"""


def load(folder: Path, text: str) -> Project:
    path = folder / "discreet.toml"
    path.write_text(text)
    return Project.load(path)


def test_a_whole_project_is_read(tmp_path: Path) -> None:
    project = load(tmp_path, WHOLE)
    assert project.file == tmp_path / "people.csv"
    assert project.read.to_dict() == {
        "delimiter": ";", "encoding": "cp1252", "decimal": ",", "missing": ["NA", "?"],
    }  # fmt: skip
    assert project.columns["home town"].role == Role.KEY
    assert project.columns["home town"].ontology == "towns"
    assert project.columns["age"].scale is None
    assert project.columns["level"].scale == Scale.ORDINAL
    assert project.columns["level"].order == ("1", "2", "3")
    assert str(project.plan) == "microaggregate(columns=age, k=5) | suppress(columns=home town, k=3)"
    assert project.assess.attacks == ("link", "k_anonymity")
    assert dict(project.assess.ceilings) == {"link": 0.1}
    assert dict(project.assess.floors) == {"k_anonymity": 3.0}
    assert project.assess.alpha == 0.5
    assert project.release.to_dict() == {"order": "kept", "pseudonymise": ["name"], "format": "parquet"}


def test_an_empty_project_keeps_the_defaults(tmp_path: Path) -> None:
    project = load(tmp_path, "")
    assert (dict(project.columns), project.plan.steps, project.file) == ({}, (), None)
    assert (project.release.order, project.assess.attacks) == ("shuffled", ())


def test_what_a_project_says_can_be_written_and_read_again(tmp_path: Path) -> None:
    first = load(tmp_path, WHOLE)
    second = load(tmp_path, tomlkit.dumps(first.to_dict()))
    assert second == first


@pytest.mark.parametrize(
    ("old", "new", "error", "says"),
    [
        ("[read]", "[raed]", UnknownKey, "line 1: unknown key 'raed'. Did you mean 'read'?"),
        ("delimiter", "delimeter", UnknownKey, "line 3: unknown key 'delimeter' in [read]. Did you mean 'delimiter'?"),
        ('role = "identifier"', 'rol = "identifier"', UnknownKey, "line 9: unknown key 'rol' in [columns.name]. Did"),
        ('"identifier"', '"identifer"', BadParameter, f"line 9: role must be {ROLES}. Did you mean 'identifier'?"),
        ('"nominal"', '"nomnal"', BadParameter, f"line 13: scale must be {SCALES}. Did you mean 'nominal'?"),
        ('"microaggregate"', '"microagregate"', UnknownMethod, "line 24: there is no mask method 'microagregate'. Did"),
        ("k = 5", "kk = 5", UnknownParameter, "line 24: microaggregate has no parameter 'kk'."),
        ("k = 5", "k = 1", BadParameter, "line 24: microaggregate: k must be a whole number"),
        ("k = 3", "k = 0", BadParameter, "line 29: suppress: k must be a whole number"),
        ('["age"]', '["agee"]', UnknownColumn, "line 26: column 'agee' is not described under [columns]. Did"),
        ('["home town"]', '["town"]', UnknownColumn, "line 31: column 'town' is not described"),
        ('"link", ', '"lnk", ', UnknownMethod, "line 35: there is no headline or attack 'lnk'."),
        ('["il1"]', '["ill1"]', UnknownMethod, "line 36: there is no loss method 'ill1'."),
        ("alpha = 0.5", "alpha = 2", BadParameter, "line 37: alpha must be a number at least 0 and at most 1."),
        ("link = 0.1", "link = 10", BadParameter, "line 40: link must be a number at least 0 and at most 1."),
        ("link = 0.1", "lnik = 0.1", UnknownMethod, "line 40: there is no headline or attack 'lnik'. Did you"),
        ("link = 0.1", "interval_disclosure = 0.1", BadProject, "line 40: ceilings names 'interval_di"),
        ("k_anonymity = 3", "k_anonymity = -1", BadParameter, "line 43: k_anonymity must be a number at least 0."),
        ('"kept"', '"sorted"', BadParameter, "line 46: order must be one of shuffled, kept."),
        ('["name"]', '["nam"]', UnknownColumn, "line 47: column 'nam' is not described"),
        ('"parquet"', '"docx"', BadParameter, "line 48: format must be one of csv, "),
        ('delimiter = ";"', 'delimiter = ";;"', BadParameter, "line 1: delimiter must be one character"),
        ('"cp1252"', '"cp125222"', BadParameter, "line 1: encoding 'cp125222' is not known"),
        ('missing = ["NA", "?"]', 'missing = "NA"', BadParameter, "line 6: missing must be a list of texts."),
        ('missing = ["NA", "?"]', 'missing = ["?", "?"]', BadParameter, "line 6: missing names '?' twice."),
        ('role = "identifier"', "", BadProject, "line 8: column 'name' has no role; it is one of identifier, "),
        ('role = "identifier"', 'role = ["identifier", "weight"]', BadParameter, "line 9: role must be one of"),
        ('role = "identifier"', 'role = "weight"\nrole = "stratum"', BadProject, "line 10: 'role' is given twice."),
        ("[columns.level]", "[columns.age]", BadProject, "line 19: 'columns.age' is given twice. A column has"),
        ('scale = "nominal"', 'scale = "nominal"\norder = ["a"]', BadProject, "line 14: the order of 'home town' must"),
        ("[[mask]]\nmethod", "[mask]\nmethod", BadProject, "mask"),
        ('method = "suppress"\n', "", BadProject, "line 29: masking step 2 names no method"),
        ('[read]\nfile = "people.csv"', 'read = 1\nfile = "x"', BadInput, "line"),
        ('[columns.name]\nrole = "identifier"', '[columns]\nname = "identifier"', BadProject, "line 9: column 'na"),
        ('file = "people.csv"', "file = people.csv", BadProject, "line 2: not valid TOML"),
        ('file = "people.csv"', 'file = "people.csv', BadProject, "line 2: not valid TOML"),
    ],
)  # fmt: skip
def test_each_mistake_is_one_error_with_its_place(
    tmp_path: Path, old: str, new: str, error: type[BadInput], says: str
) -> None:
    assert WHOLE.count(old) >= 1
    with pytest.raises(error) as caught:
        load(tmp_path, WHOLE.replace(old, new, 1))
    assert str(caught.value).startswith("discreet.toml")
    assert says in str(caught.value)


def test_a_project_that_is_not_there_or_not_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there is no project file"):
        Project.load(tmp_path / "discreet.toml")
    (tmp_path / "discreet.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadFile, match="not UTF-8"):
        Project.load(tmp_path / "discreet.toml")


def test_a_line_is_found_for_dotted_and_quoted_keys() -> None:
    text = "[a]\nb.c = 1\n\n['d e']\nf = 2\n[[g]]\nh = 1\n[[g]]\nh = 2\n"
    assert line_of(text, ["a", "b"]) == 2
    assert line_of(text, ["a", "b", "c"]) == 2
    assert line_of(text, ["d e", "f"]) == 5
    assert line_of(text, ["g"]) == 6
    assert line_of(text, ["g"], 2) == 8
    assert line_of(text, ["g", "h"], 2) == 9
    assert line_of(text, ["a", "z"]) is None


def test_every_mask_attack_and_loss_may_be_named(tmp_path: Path) -> None:
    attacks = [method.name for method in registry.methods("attack")]
    losses = [method.name for method in registry.methods("loss")]
    project = load(tmp_path, f"[assess]\nattacks = {attacks}\nlosses = {losses}\n")
    assert project.assess.attacks == tuple(attacks)
    assert project.assess.losses == tuple(losses)


def test_the_project_on_the_how_to_page_is_one(tmp_path: Path) -> None:
    page = Path(__file__).parents[1] / "docs" / "howto" / "write-a-project-file.md"
    example = page.read_text().split("```toml\n")[1].split("```")[0]
    project = load(tmp_path, example)
    assert [step.name for step in project.plan.steps] == ["microaggregate", "suppress"]
    assert project.release.pseudonymise == ("name",)


def test_the_how_to_page_lists_every_key_as_it_is_declared() -> None:
    page = Path(__file__).parents[1] / "docs" / "howto" / "write-a-project-file.md"
    listed = [line for line in page.read_text().splitlines() if line.startswith("| `[")]
    declared = [
        f"| `[{'columns.NAME' if section == 'columns' else section}]` | `{key}` | {kind.about} | {kind.wants()} |"
        for section, keys in SECTIONS.items()
        for key, kind in keys.items()
    ]
    assert listed == declared


def test_the_keys_of_a_column_are_fields_of_its_description_or_say_how_it_is_read() -> None:
    assert set(SECTIONS["columns"]) - set(READ_KEYS) <= {each.name for each in fields(ColumnSpec)}
    assert set(READ_KEYS) <= set(SECTIONS["columns"])

"""Reading a table: roles from a project or from the call, and values that are what was declared."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from discreet.errors import BadFile, BadParameter, BadProject, BadTable, BadValues, UnknownColumn
from discreet.project import Project
from discreet.reading import read
from discreet.table import Role, Scale

PROJECT = """
[read]
missing = ["NA"]

[columns]
name = { role = "identifier" }
age = { role = "quasi-identifier", scale = "numeric" }
level = { role = "quasi-identifier", order = ["low", "high"] }
illness = { role = "confidential" }
"""
PEOPLE = "name,age,level,illness\nAnn,31,low,flu\nBob,NA,high,\n"


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE)
    return path


def test_a_project_gives_every_column_its_role_and_scale(people: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(PROJECT)
    table = read(people, project=tmp_path / "mine.toml")
    assert [(each.name, each.role, each.scale) for each in table.columns] == [
        ("name", Role.IDENTIFIER, Scale.NOMINAL),
        ("age", Role.KEY, Scale.NUMERIC),
        ("level", Role.KEY, Scale.ORDINAL),
        ("illness", Role.CONFIDENTIAL, Scale.NOMINAL),
    ]
    assert table["level"].order == ("low", "high")
    assert table.frame["age"].to_list() == [31, None]
    assert table.name == "people"
    assert table.source is not None
    assert table.source.path == "people.csv"


def test_a_loaded_project_and_a_path_to_it_mean_the_same(people: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(PROJECT)
    loaded = Project.load(tmp_path / "mine.toml")
    assert read(people, project=loaded).columns == read(people, project=str(tmp_path / "mine.toml")).columns


def test_roles_may_be_given_in_the_call(people: Path) -> None:
    table = read(people, roles={"name": "identifier"}, rest="confidential", missing=["NA"])
    assert table.having(Role.IDENTIFIER) == ("name",)
    assert table.having(Role.CONFIDENTIAL) == ("age", "level", "illness")


def test_the_project_beside_the_file_is_used_when_nothing_else_is_said(people: Path, tmp_path: Path) -> None:
    (tmp_path / "discreet.toml").write_text(PROJECT)
    assert read(people).having(Role.IDENTIFIER) == ("name",)
    assert read(people, rest="insensitive").having(Role.IDENTIFIER) == ()


def test_a_project_about_another_file_is_not_picked_up(people: Path, tmp_path: Path) -> None:
    (tmp_path / "discreet.toml").write_text(PROJECT.replace("[read]", '[read]\nfile = "others.csv"'))
    with pytest.raises(BadProject, match=r"is about others\.csv"):
        read(people)
    assert len(read(people, project=tmp_path / "discreet.toml")) == 2


def test_without_roles_the_error_says_what_to_run(people: Path) -> None:
    with pytest.raises(BadProject, match=r"discreet inspect people\.csv"):
        read(people)


def test_a_missing_file_is_named_even_without_roles(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"no file nobody\.csv"):
        read(tmp_path / "nobody.csv")


def test_a_project_and_roles_together_are_refused(people: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(PROJECT)
    with pytest.raises(BadParameter, match="together with a project"):
        read(people, project=tmp_path / "mine.toml", rest="insensitive")


def test_a_column_that_the_file_lacks_is_an_error_with_a_suggestion(people: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(PROJECT.replace("illness =", "ilness ="))
    with pytest.raises(
        UnknownColumn, match=r"mine\.toml describes column 'ilness', .*Did you mean 'illness'"
    ):
        read(people, project=tmp_path / "mine.toml")


def test_a_column_without_a_role_is_an_error_that_names_it(people: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(PROJECT.replace('illness = { role = "confidential" }', ""))
    with pytest.raises(BadTable, match="gives no role: 'illness'"):
        read(people, project=tmp_path / "mine.toml")
    with pytest.raises(BadTable, match="gives no role: 'name', 'level', 'illness'"):
        read(people, roles={"age": "quasi-identifier"}, missing=["NA"])


def test_values_that_are_not_numbers_are_counted_and_placed(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text('age,note\n31,"two\nlines"\nPerpetua,x\n7,y\nunknown,z\n')
    with pytest.raises(
        BadValues, match="'age' is declared numeric, but 2 of 4 values are not numbers, the first in line 4"
    ) as caught:
        read(path, rest="confidential", scales={"age": "numeric"})
    assert "Perpetua" not in str(caught.value)


def test_a_mark_of_missing_values_is_suspected_when_all_strange_values_are_one(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("age\n31\nNA\nNA\n")
    with pytest.raises(BadValues, match=r"all the same.* under \[read\] missing"):
        read(path, rest="confidential", scales={"age": "numeric"})


def test_a_decimal_comma_is_suspected_when_it_would_explain_all(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("wage;x\n1,500;1\n2,250;2\n")
    with pytest.raises(BadValues, match='say decimal = ","'):
        read(path, rest="confidential", scales={"wage": "numeric"})
    table = read(path, rest="confidential", scales={"wage": "numeric"}, decimal=",")
    assert table.frame["wage"].to_list() == [1.5, 2.25]


def test_leading_zeros_give_way_to_a_declared_scale(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("code,x\n007,1\n012,2\n")
    assert read(path, rest="confidential").frame["code"].to_list() == ["007", "012"]
    assert read(path, rest="confidential", scales={"code": "numeric"}).frame["code"].to_list() == [7, 12]


def test_numbers_declared_as_text_are_text(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("remark,x\n7,1\n12,2\n")
    assert read(path, rest="confidential", scales={"remark": "text"}).frame["remark"].to_list() == ["7", "12"]


def test_a_column_of_missing_values_may_be_numeric(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("a,b\n,1\n,2\n")
    table = read(path, rest="quasi-identifier", scales={"a": "numeric"})
    assert table.frame["a"].dtype.is_numeric()
    assert table.frame["a"].null_count() == 2


def test_a_header_alone_is_a_table_without_records(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("a,b\n")
    assert len(read(path, rest="quasi-identifier", scales={"a": "numeric"})) == 0


def test_infinite_values_are_refused_by_name_and_count(tmp_path: Path) -> None:
    path = tmp_path / "people.parquet"
    pl.DataFrame({"wage": [1.0, float("inf")]}).write_parquet(path)
    with pytest.raises(BadValues, match="column 'wage': 1 values are infinite"):
        read(path, rest="confidential")


def test_an_unknown_role_or_a_scale_without_a_role_is_an_error(people: Path) -> None:
    with pytest.raises(BadParameter, match="Did you mean 'identifier'"):
        read(people, rest="identifer")
    with pytest.raises(UnknownColumn, match="'lvel'"):
        read(people, roles={"age": "confidential"}, scales={"lvel": "nominal"})

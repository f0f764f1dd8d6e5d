"""Changing the text of a project file: what is not changed stays as it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from discreet.demo import project
from discreet.errors import BadParameter, UnknownColumn
from discreet.project import Project
from discreet.project.editing import moved, with_column, with_limits, with_steps
from discreet.states import States, version_of

TEXT = """# on top
[columns.age]
# why it is one
role = "quasi-identifier"
[columns.sex]
role = "confidential"

# the first step
[[mask]]
method = "microaggregate"
columns = ["age"]
k = 5 # five
"""


def steps_of(text: str) -> list[dict[str, Any]]:
    return Project.parse(text).plan.to_dict()


def test_a_column_changes_alone_and_comments_stay() -> None:
    made = with_column(TEXT, "sex", {"role": "insensitive", "scale": "nominal"})
    assert Project.parse(made).columns["sex"].role == "insensitive"
    assert "# why it is one" in made
    assert "# on top" in made
    assert with_column(made, "sex", {"role": "confidential", "scale": None}) == TEXT


def test_a_column_that_is_not_described_is_named() -> None:
    with pytest.raises(UnknownColumn, match="Did you mean 'age'"):
        with_column(TEXT, "agee", {"role": "insensitive"})


def test_steps_are_those_given_and_one_that_stays_keeps_its_comments() -> None:
    first = steps_of(TEXT)[0]
    more = {"method": "recode", "columns": ["sex"], "rarer_than": 0.1}
    made = with_steps(TEXT, [more, first])
    assert steps_of(made) == [more, first]
    assert "# five" in made
    assert steps_of(with_steps(made, [])) == []


def test_steps_of_the_demo_can_be_turned_around() -> None:
    text = project()
    turned = list(reversed(steps_of(text)))
    assert steps_of(with_steps(text, turned)) == turned
    assert Project.parse(with_steps(text, turned)).columns == Project.parse(text).columns


def test_limits_are_those_given() -> None:
    made = with_limits(TEXT, {"identity": 0.2}, {"k_anonymity": 3})
    assert dict(Project.parse(made).assess.ceilings) == {"identity": 0.2}
    assert dict(Project.parse(made).assess.floors) == {"k_anonymity": 3}
    assert not Project.parse(with_limits(made, {}, {})).assess.ceilings


def test_a_step_moves_and_stops_at_either_end() -> None:
    steps: list[dict[str, Any]] = [{"method": name} for name in "abc"]
    assert [each["method"] for each in moved(steps, 0, 1)] == ["b", "a", "c"]
    assert [each["method"] for each in moved(steps, 0, -1)] == ["a", "b", "c"]
    assert [each["method"] for each in moved(steps, 0, 9)] == ["b", "c", "a"]
    with pytest.raises(BadParameter, match="3 steps"):
        moved(steps, 3, 1)


def test_states_go_back_and_on_and_a_new_one_ends_what_was_undone(tmp_path: Path) -> None:
    file = tmp_path / "discreet.toml"
    file.write_text("a = 1\n")
    states = States(file, tmp_path / "states")
    assert not states.undo()
    states.record("a = 2\n")
    states.record("a = 3\n")
    assert states.steps == (2, 0)
    assert states.undo()
    assert states.undo()
    assert file.read_text() == "a = 1\n"
    assert states.steps == (0, 2)
    assert states.redo()
    states.record("a = 4\n")
    assert states.steps == (2, 0)
    assert not states.redo()
    assert States(file, tmp_path / "states").steps == (2, 0)


def test_states_keep_names_and_refuse_those_that_lead_away(tmp_path: Path) -> None:
    file = tmp_path / "discreet.toml"
    file.write_text("a = 1\n")
    states = States(file, tmp_path / "states")
    states.save("before the change")
    states.record("a = 2\n")
    states.restore("before the change")
    assert file.read_text() == "a = 1\n"
    assert states.saved() == ("before the change",)
    for name in ("../away", "", "a/b", ".hidden", "x" * 99):
        with pytest.raises(BadParameter, match="name of a state"):
            states.save(name)
    with pytest.raises(BadParameter, match="no state"):
        states.restore("nothing")


def test_versions_differ_where_texts_do() -> None:
    assert version_of("a") == version_of("a") != version_of("b")

"""Going on from a project: what it says stays, and only what it leaves open is proposed."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.demo import people
from discreet.inspection import inspect_further
from discreet.project import Project

TEXT = """# mine
[read]
file = "people.csv"

[columns.age]
role = "confidential"      # on purpose
scale = "numeric"
importance = 3

[columns.sex]
role = "quasi-identifier"
scale = "nominal"

[columns.gone]
role = "quasi-identifier"

[[mask]]
method = "microaggregate"
columns = ["gone", "sex"]
k = 3

[[mask]]
method = "suppress"        # stays
columns = ["sex"]
k = 3

[release]
pseudonymise = ["gone"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    people(80, seed=2).select("age", "sex", "income").write_csv(tmp_path / "people.csv")
    (tmp_path / "discreet.toml").write_text(TEXT)
    return Project.load(tmp_path / "discreet.toml")


def test_what_the_project_says_stays_and_the_rest_is_proposed(project: Project) -> None:
    found = inspect_further(project.path.with_name("people.csv"), project)
    assert (found.new, found.gone) == (("income",), ("gone",))
    columns = {each.name: each for each in found.proposal.columns}
    assert (columns["age"].role, columns["age"].importance) == ("confidential", 3)
    assert columns["income"].role != "confidential" or columns["income"].reasons
    text = found.text(TEXT)
    made = Project.parse(text)
    assert list(made.columns) == ["age", "sex", "income"]
    assert [step.name for step in made.plan.steps] == ["suppress"]
    assert made.release.pseudonymise == ()
    for comment in ("# mine", "# on purpose", "# stays"):
        assert comment in text


def test_a_project_that_describes_all_stays_byte_for_byte(project: Project) -> None:
    place = project.path.with_name("people.csv")
    text = inspect_further(place, project).text(TEXT)
    project.path.write_text(text)
    assert inspect_further(place, Project.load(project.path)).text(text) == text

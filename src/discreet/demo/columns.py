"""What each column of the invented census is: its role, its scale, its order and its ontology."""

from __future__ import annotations

import json

from discreet.demo.vocabulary import EDUCATION, HEALTH
from discreet.table import Column, Role, Scale

COLUMNS = (
    Column(name="person", role=Role.IDENTIFIER, scale=Scale.NOMINAL, label="Number of the person"),
    Column(name="name", role=Role.IDENTIFIER, scale=Scale.NOMINAL, label="Full name"),
    Column(name="household", role=Role.HOUSEHOLD, scale=Scale.NOMINAL, label="Number of the household"),
    Column(name="region", role=Role.STRATUM, scale=Scale.NOMINAL, label="Region, the stratum of the sample"),
    Column(name="postcode", role=Role.KEY, scale=Scale.NOMINAL, label="Postcode: region, town, sector"),
    Column(name="date_of_birth", role=Role.IDENTIFIER, scale=Scale.NUMERIC, label="Date of birth"),
    Column(name="age", role=Role.KEY, scale=Scale.NUMERIC, label="Age in completed years"),
    Column(name="sex", role=Role.KEY, scale=Scale.NOMINAL, label="Sex"),
    Column(name="marital_status", role=Role.KEY, scale=Scale.NOMINAL, label="Marital status"),
    Column(
        name="country_of_birth",
        role=Role.KEY,
        scale=Scale.NOMINAL,
        ontology="wordnet",
        label="Country of birth",
    ),
    Column(
        name="education",
        role=Role.KEY,
        scale=Scale.ORDINAL,
        order=EDUCATION,
        label="Highest level of schooling completed",
    ),
    Column(name="occupation", role=Role.KEY, scale=Scale.NOMINAL, ontology="wordnet", label="Occupation"),
    Column(name="hours", role=Role.KEY, scale=Scale.NUMERIC, label="Hours worked in a usual week"),
    Column(name="income", role=Role.KEY, scale=Scale.NUMERIC, label="Income of the year in euros"),
    Column(name="rent", role=Role.KEY, scale=Scale.NUMERIC, label="Monthly rent of the household in euros"),
    Column(name="commute", role=Role.INSENSITIVE, scale=Scale.NUMERIC, label="Minutes to work"),
    Column(
        name="health", role=Role.CONFIDENTIAL, scale=Scale.ORDINAL, order=HEALTH, label="Self-rated health"
    ),
    Column(
        name="diagnosis",
        role=Role.CONFIDENTIAL,
        scale=Scale.NOMINAL,
        ontology="wordnet",
        label="Chronic illness diagnosed",
    ),
    Column(name="benefit", role=Role.CONFIDENTIAL, scale=Scale.NOMINAL, label="Benefit received"),
    Column(name="remarks", role=Role.CONFIDENTIAL, scale=Scale.TEXT, label="Remarks in the person's words"),
    Column(name="weight", role=Role.WEIGHT, scale=Scale.NUMERIC, label="People this person stands for"),
)


def describe() -> dict[str, dict[str, object]]:
    """For each column of the census its role and scale, and its order and ontology where it has one.

    The full date of birth is an identifier, not a key: age carries what a user needs of it. Region is the
    stratum of the sample and is published as it is; what an intruder knows of the place finer than that is
    the postcode, which begins with the region's letters.

    >>> describe()["age"]
    {'role': 'quasi-identifier', 'scale': 'numeric', 'label': 'Age in completed years'}
    """
    return {each.name: each.to_dict() for each in COLUMNS}


STEWARD = {"postcode": Role.IDENTIFIER, "region": Role.KEY}
"""What the steward of the demo changes: postcodes are too fine to publish, and anybody can know a region."""

MASKING = """
[[mask]]
method = "recode"
columns = ["country_of_birth"]
rarer_than = 0.01
label = "elsewhere"

[[mask]]
method = "recode"
columns = ["occupation"]
rarer_than = 0.02
label = "other work"

[[mask]]
method = "pram"
columns = ["country_of_birth", "occupation", "marital_status", "region"]
theta = 0.95

[[mask]]
method = "suppress"
columns = ["sex", "region", "marital_status"]
k = 3

[[mask]]
method = "rank_swap"
columns = ["age", "hours", "income", "rent", "education"]
p = 30

[[mask]]
method = "round"
columns = ["weight"]
base = 50

[assess]
ceilings = { identity = 0.25 }
"""


def project(file: str = "") -> str:
    """The text of the demo's project file: one [columns.NAME] table a column, the masking, and the limits.

    With a file it says that it is about this one, so that other tables beside it get projects of their own.

    >>> print(project().splitlines()[0])
    [columns.person]
    """
    about = f"[read]\nfile = {_toml(file)}\n\n" if file else ""
    return about + "\n".join(_section(name, facts) for name, facts in describe().items()) + MASKING


def _section(name: str, facts: dict[str, object]) -> str:
    """The [columns.NAME] table of one column; labels are for manifests, not for project files."""
    entries = facts | ({"role": str(STEWARD[name])} if name in STEWARD else {})
    lines = [f"{key} = {_toml(value)}\n" for key, value in entries.items() if key != "label"]
    return f"[columns.{name}]\n" + "".join(lines)


def _toml(value: object) -> str:
    # A string or a list of strings is written alike in JSON and in TOML.
    return json.dumps(value, ensure_ascii=False)

"""Changing one key of a project file, with everything else, comments too, left as it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tomlkit

from discreet.errors import UnknownColumn, did_you_mean
from discreet.project.load import Project


def with_column_key(path: str | Path, column: str, key: str, value: str) -> str:
    """The text of the project file with this key of a column set.

    Raises what `Project.load` raises, and UnknownColumn where the project does not describe the column.
    """
    place = Path(path)
    project = Project.load(place)
    if column not in project.columns:
        raise UnknownColumn(
            f"{place.name} does not describe a column '{column}' under [columns]."
            f"{did_you_mean(column, project.columns)}"
        )
    text = tomlkit.parse(place.read_bytes().decode("utf-8-sig"))
    columns: Any = text["columns"]
    columns[column][key] = value
    return tomlkit.dumps(text)

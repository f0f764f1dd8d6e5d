"""Small TOML files of settings: every key is known, every value checked, and errors say where."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from discreet.parameters import Kind
from discreet.project.toml_file import TomlFile


def read_settings(path: str | Path, kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """The settings in a TOML file, each of the kind that is declared for its key.

    Raises BadFile where the file cannot be read or is not TOML, UnknownKey for a key that is not declared, with the
    nearest one, and BadParameter for a value of another kind; each says the file and, where known, the line.
    """
    file = TomlFile.read(path)
    settings = file.parsed()
    file.check(settings, kinds)
    return settings

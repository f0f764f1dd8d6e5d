"""What lies in the folder of a release, read without discreet."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import polars as pl


def digest(path: Path) -> str:
    """The SHA-256 digest of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def manifest(folder: Path) -> dict[str, Any]:
    """The public manifest."""
    told: dict[str, Any] = json.loads((folder / "public" / "manifest.json").read_text(encoding="utf-8"))
    return told


def published(folder: Path) -> pl.DataFrame:
    """The published CSV file, every cell as the text that stands in it; empty cells are missing."""
    return pl.read_csv(folder / "public" / manifest(folder)["file"]["name"], infer_schema=False)


def broken(folder: Path) -> str:
    """What is wrong with a release that must be whole; empty where nothing is."""
    if not folder.exists():
        return "there is no release"
    try:
        told = manifest(folder)["file"]
        if digest(folder / "public" / told["name"]) != told["sha256"]:
            return "the published file is not the one its manifest tells of"
        private = json.loads((folder / "private" / "manifest.private.json").read_text(encoding="utf-8"))
        if private["published_sha256"] != told["sha256"]:
            return "the private half is that of another release"
    except (OSError, ValueError, KeyError) as problem:
        return f"half a release: {type(problem).__name__}"
    return ""


def leftovers(folder: Path) -> list[str]:
    """Names of what was left unfinished in the folder."""
    return [each.name for each in folder.rglob("*.part")]

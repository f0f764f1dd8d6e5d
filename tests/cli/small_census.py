"""Thirty people for the command line, whose every text holds a word that no message may show."""

from __future__ import annotations

import subprocess
from pathlib import Path

import polars as pl

PROJECT = """
[columns.person]
role = "identifier"
[columns.age]
role = "quasi-identifier"
scale = "numeric"
[columns.town]
role = "quasi-identifier"
scale = "ordinal"
order = ["Zaphod north", "Zaphod middle", "Zaphod south"]
[columns.ill]
role = "confidential"
[[mask]]
method = "add_noise"
columns = ["age"]
p = 0.2
"""
SECRET = "Zaphod"
TOWNS = ("Zaphod north", "Zaphod middle", "Zaphod south")


def people(records: int = 30) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "person": [f"Zaphod{row}" for row in range(records)],
            "age": [20 + row * 7 % 50 for row in range(records)],
            "town": [TOWNS[row % 3] for row in range(records)],
            "ill": [f"Zaphod flu {row % 4}" for row in range(records)],
        }
    )


def laid_out(folder: Path) -> Path:
    """The folder with a small original, its project, and the same people masked by another program."""
    people().write_csv(folder / "people.csv")
    (folder / "discreet.toml").write_text(PROJECT)
    people().drop("person").with_columns(age=pl.col("age") + 1).write_csv(folder / "masked.csv")
    return folder


def refused(done: subprocess.CompletedProcess[str], name: str, code: int = 2) -> str:
    """The message of an error of this name, which shows no cell."""
    assert done.returncode == code, done.stdout + done.stderr
    assert done.stderr.startswith(f"discreet: {name}: "), done.stderr
    assert SECRET not in done.stderr + done.stdout
    return done.stderr

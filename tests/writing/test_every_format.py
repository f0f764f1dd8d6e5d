"""Every ending comes from the one table of formats, and whatever can be read can be released."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from pkgutil import resolve_name

import polars as pl
import pytest
from typer.testing import CliRunner

import discreet as dc
from discreet.cli.app import app
from discreet.formats import BY_ENDING, FORMATS, WRITTEN, released_ending
from discreet.release import Release
from discreet.writing import write_frame
from discreet.writing.statistical import NAME_RULES

FRAME = pl.DataFrame({"AGE": [31, 45, 52, 38] * 5, "TOWN": ["Reus", "Salt", "Vic", "Olot"] * 5})
ROLES = {"AGE": "quasi-identifier", "TOWN": "confidential"}
CONTENT = {"excel": ".xlsx", "sas7bdat": ".xpt", "xpt": ".xpt", "csv": ".csv"}
"""What stands in for a format that cannot be written; its content tells what it is, whatever its name."""
ROOT = Path(dc.__file__).parent


def original(folder: Path, ending: str) -> Path:
    """A file with this ending, in its format or in one that is told by its content."""
    table = dc.Table.of(FRAME, roles=ROLES)
    known = BY_ENDING.get(ending)
    written = ending if ending in WRITTEN else ".csv" if known is None else CONTENT[known.name]
    source = folder / f"source{written}"
    write_frame(table.frame, table.columns, source)
    return source.rename(folder / f"people{ending}")


@pytest.mark.parametrize("ending", [*BY_ENDING, "", ".dat"])
def test_whatever_can_be_read_can_be_released(tmp_path: Path, ending: str) -> None:
    table = dc.read(original(tmp_path, ending), roles=ROLES)
    release = dc.protect(table, dc.Plan.of([("microaggregate", {"columns": ["AGE"], "k": 5})]), seed=1)
    loaded = Release.load(release.save(tmp_path / "release"))
    assert loaded.manifest.file is not None
    assert loaded.manifest.file.name == f"people{released_ending(ending)}"
    assert loaded.table.frame.equals(release.table.frame)


@pytest.mark.parametrize("ending", BY_ENDING)
def test_a_release_keeps_its_format_where_that_can_be_written(ending: str) -> None:
    assert released_ending(ending) in WRITTEN
    assert released_ending(ending) == ending or ending not in WRITTEN or ending == ".por"


def test_a_compressed_original_is_released_without_compression(tmp_path: Path) -> None:
    path = tmp_path / "people.tsv.gz"
    path.write_bytes(gzip.compress(FRAME.write_csv(separator="\t").encode()))
    release = dc.protect(
        dc.read(path, roles=ROLES), dc.Plan.of([("microaggregate", {"columns": ["AGE"], "k": 5})]), seed=1
    )
    assert (release.save(tmp_path / "release") / "public" / "people.tsv").exists()


@pytest.mark.parametrize(
    ("ending", "published"), [(".ods", "people.xlsx"), (".tsv", "people.tsv"), (".csv", "people.csv")]
)
def test_protect_says_what_was_written_where_it_is_another_format(
    tmp_path: Path, ending: str, published: str
) -> None:
    file = original(tmp_path, ending)
    project = tmp_path / "discreet.toml"
    project.write_text(
        '[columns]\nAGE = { role = "quasi-identifier" }\nTOWN = { role = "confidential" }\n'
        '[[mask]]\nmethod = "microaggregate"\ncolumns = ["AGE"]\nk = 5\n'
    )
    ran = CliRunner().invoke(app, ["protect", str(file), "--out", str(tmp_path / "release")])
    assert ran.exit_code == 0, ran.output
    assert (f"written as: {published}" in ran.output) == (ending == ".ods")
    assert (tmp_path / "release" / "public" / published).exists()


@pytest.mark.parametrize("each", FORMATS, ids=lambda each: each.name)
def test_the_functions_that_the_table_names_are_there(each: dc.formats.Format) -> None:
    for name in (each.read, each.write, each.read_exactly):
        assert name is None or callable(resolve_name(name))
    assert set(each.written) <= set(each.endings)
    assert bool(each.written) == (each.write is not None)
    assert each.released_as is not None or set(each.written) == set(each.endings)


def test_every_ending_is_of_one_format_only() -> None:
    assert sum(len(each.endings) for each in FORMATS) == len(BY_ENDING)
    assert len({first for each in FORMATS for first in each.first_bytes}) == sum(
        len(each.first_bytes) for each in FORMATS
    )


def test_no_other_module_lists_endings() -> None:
    """An ending may be named where a rule is about it alone; two or more together are a table of their own."""
    named = re.compile("|".join(rf'"{re.escape(ending)}"' for ending in BY_ENDING))
    rules = {
        "formats.py": "the table",
        "writing/statistical.py": "what columns may be called in each of its formats",
        "ontology/readers/formats.py": "files of hierarchies, which are other formats",
    }
    lists = [
        path.relative_to(ROOT).as_posix()
        for path in sorted(ROOT.rglob("*.py"))
        if any(len(set(named.findall(line))) > 1 for line in path.read_text().splitlines())
    ]
    assert [path for path in lists if path not in rules and not path.startswith("text/")] == []
    assert set(NAME_RULES) <= set(WRITTEN)


def test_the_help_and_the_project_name_the_formats_of_the_table(tmp_path: Path) -> None:
    shown = " ".join(CliRunner().invoke(app, ["protect", "--help"], env={"COLUMNS": "300"}).output.split())
    assert all(each.title in shown for each in FORMATS)
    for ending in WRITTEN:
        path = tmp_path / "discreet.toml"
        path.write_text(f'[columns]\nage = {{ role = "insensitive" }}\n[release]\nformat = "{ending[1:]}"\n')
        assert dc.Project.load(path).release.format == ending[1:]

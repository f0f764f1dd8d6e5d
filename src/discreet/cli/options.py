"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from discreet.cli.given import data_file, writable
from discreet.errors import BadFile, BadParameter, UnknownColumn, WouldOverwrite, did_you_mean
from discreet.headline import checked_name
from discreet.plan import Plan
from discreet.project import FILE_NAME, Project
from discreet.project.sections import SECTIONS
from discreet.reading.content import is_dataset, is_piped
from discreet.reading.scan import project_of
from discreet.writing import refuse_overwrite, same_file

AsJson = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]
Force = Annotated[bool, typer.Option("--force", help="Replace what is there already (never the original).")]
ProjectFile = Annotated[
    Path | None,
    typer.Option("--project", help=f"The project file; {FILE_NAME} beside the data when left out."),
]
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="Whether the first row of the original holds the names of its columns, where that is in doubt.",
        show_default=False,
    ),
]
Original = Annotated[Path, typer.Option("--original", help="The original file that was masked.")]
Private = Annotated[
    Path | None,
    typer.Option("--private", help="The private manifest or its folder, where it is kept apart."),
]
Population = Annotated[
    Path | None,
    typer.Option(
        "--population",
        help="A file of everybody, its columns coded as in the release: k_map counts people in it.",
    ),
]
Ceilings = Annotated[
    list[str] | None,
    typer.Option("--ceiling", help="The highest risk allowed, such as identity=0.1; can be repeated."),
]
Importances = Annotated[
    list[str] | None,
    typer.Option(
        "--importance",
        help="How much a column counts in what is lost, such as income=3; 1 for the others; can be repeated.",
    ),
]
Attacks = Annotated[
    list[str] | None,
    typer.Option(
        "--attack",
        help="An attack instead of the usual ones, such as 'link distance=gower'; can be repeated.",
    ),
]
Losses = Annotated[
    list[str] | None, typer.Option("--loss", help="A measure instead of the usual ones; can be repeated.")
]
Floors = Annotated[
    list[str] | None,
    typer.Option("--floor", help="The lowest level allowed, such as k_anonymity=3; can be repeated."),
]


def project_beside(file: Path, given: Path | None, header: bool | None = None) -> Project:
    """The project given, or the one beside the file, with what --header or --no-header says of the first row."""
    data_file(file)
    if given is None and is_dataset(file):
        project = project_of(file)
    else:
        project = Project.load(given or folder_of(file) / FILE_NAME)
    return project if header is None else replace(project, read=replace(project.read, header=header))


def folder_of(file: Path) -> Path:
    """The folder that a file lies in; the one we are in for what is piped in, which lies nowhere."""
    return Path() if is_piped(file) else file.parent


def check_output(
    place: Path | None,
    force: bool,
    *inputs: Path | None,
    project: bool = False,
    endings: Sequence[str] = (),
) -> None:
    """Raises before any work is done, where a file to write is one that is read or there already, or cannot be.

    A project file is replaced by another `project` only, whatever else is forced. `endings` are those that the name of
    the file may have.
    """
    if place is None:
        return
    if any(each is not None and same_file(place, each) for each in inputs):
        raise WouldOverwrite(
            f"{place.name} is the original or another of the files given, which stay as they are. Choose another name."
        )
    refuse_overwrite(place, force)
    if not project and place.suffix == ".toml" and place.exists():
        raise WouldOverwrite(f"{place} is a project file, which nothing else replaces. Choose another name.")
    writable(place, endings)


def chart_endings() -> Sequence[str]:
    """How the name of a chart may end."""
    from discreet.reporting.charts import FORMS

    return tuple(FORMS)


def limits(given: Sequence[str] | None, option: str, names: Sequence[str] | None = None) -> dict[str, float]:
    """The limits that an option was given, by name: of attacks on tables, or one of the `names`."""
    found: dict[str, float] = {}
    for each in given or ():
        name, equals, bound = each.rpartition("=")
        wrong = f"--{option} takes a headline or an attack and a number, such as identity=0.1; got '{each}'."
        if not equals:
            raise BadParameter(wrong)
        if names is not None and name not in names:
            raise BadParameter(
                f"--{option}: there is no headline or attack '{name}'.{did_you_mean(name, names)}"
            )
        if (name if names is not None else checked_name(name)) in found:
            raise BadParameter(f"--{option} is given twice for {name}. Give it once.")
        try:
            found[name] = float(bound)
        except ValueError:
            raise BadParameter(wrong) from None
    return found


def with_importance(project: Project, given: Sequence[str] | None) -> Project:
    """The project with the importance that --importance gives some of its columns, such as income=3."""
    columns = dict(project.columns)
    for each in given or ():
        name, equals, number = each.rpartition("=")
        wrong = f"--importance takes a column and a number above 0 and at most 1000, such as income=3; got '{each}'."
        if not equals:
            raise BadParameter(wrong)
        if name not in columns:
            raise UnknownColumn(
                f"--importance: {project.path.name} describes no column '{name}'.{did_you_mean(name, columns)}"
            )
        try:
            value = float(number)
        except ValueError:
            raise BadParameter(wrong) from None
        if not SECTIONS["columns"]["importance"].accepts(value):
            raise BadParameter(wrong)
        columns[name] = replace(columns[name], importance=value)
    return replace(project, columns=columns)


def plan_of(masks: Sequence[str]) -> Plan:
    """The plan of --mask options, each a method and its parameters: 'microaggregate k=5 columns=age,income'."""
    return Plan.of(masks)


def seed_in(file: Path | None) -> int | None:
    """The secret seed in a file, as a hexadecimal number; None where no file is given."""
    if file is None:
        return None
    try:
        return int(file.read_text().strip(), 16)
    except FileNotFoundError:
        raise BadFile(f"there is no seed file {file}.") from None
    except (OSError, ValueError):
        raise BadFile(f"{file.name} does not hold a seed: one hexadecimal number.") from None

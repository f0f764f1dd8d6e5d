"""`discreet reproduce`: a release as command lines or as a Python script that gives the same bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.cli import options, show
from discreet.cli.assess import ReleaseFolder
from discreet.errors import Mismatch
from discreet.project import Project
from discreet.release import Release
from discreet.reproducing import commands_of, script_of
from discreet.writing import write_text


def reproduce(
    release: ReleaseFolder,
    original: options.Original,
    script: Annotated[
        Path | None, typer.Option("--script", help="A Python script to write, which makes the release again.")
    ] = None,
    seed_to: Annotated[
        Path | None,
        typer.Option("--seed-to", help="A private file to write the secret seed to, for protect."),
    ] = None,
    project: options.ProjectFile = None,
    private: options.Private = None,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Tell how to make a release again: as command lines, or as a Python script that gives the same bytes."""
    options.check_output(script, force, original, project)
    options.check_output(seed_to, force, original, project, script)
    settings = options.project_beside(original, project)
    found = Release.load(release, private=private)
    if seed_to is not None:
        write_text(seed_to, f"{found.secrets.seed:x}\n", force=force, private=True)
        show.out.print(f"Keep secret: {seed_to} (it can undo the masking)")
        return
    text = script_of(found, settings, folder=str(release), file=str(original))
    if script is not None:
        write_text(script, text, force=force)
        show.out.print(f"Wrote {script}: run it with python.")
        return
    if json:
        show.as_json({**_commands(found, settings, release, original), "script": text})
        return
    for each in commands_of(found, settings, folder=str(release), file=str(original)):
        show.out.print(each)


def _commands(found: Release, settings: Project, release: Path, original: Path) -> dict[str, Any]:
    """The commands, or why there are none; there is a script all the same."""
    try:
        return {
            "commands": commands_of(found, settings, folder=str(release), file=str(original)),
            "why_not": "",
        }
    except Mismatch as problem:
        return {"commands": [], "why_not": str(problem)}

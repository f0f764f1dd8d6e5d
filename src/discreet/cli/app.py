"""The commands of discreet, each loaded when it is chosen.

What a command needs may be polars, scipy and two hundred modules; `discreet --help` needs none of them. So the names
and the one-line helps stand here, and the function of a command stands in the module of its name.
"""

from __future__ import annotations

import importlib
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from discreet import __version__

COMMANDS = {
    "demo": "Invent a census, inspect it, mask it, attack the result and write the report.",
    "inspect": "Propose a role and a scale for every column and a plan that was tried, and write a project file to "
    "correct.",
    "columns": "Tell of every column its type, its values in a small histogram, its role, and what is proposed.",
    "preview": "Show what each step of the plan does to risk, loss and columns, on some of the records; nothing is "
    "written.",
    "protect": "Mask a file as its project says, check the result, and write the release.",
    "assess": "Attack a release, or a file as it is, as an intruder would and measure what use is left.",
    "attack": "Attack a release as a given intruder would, and tell which rows of the published file are exposed.",
    "coalition": "Rebuild a column from several releases of the same people, and tell how much of it is right.",
    "report": "Assess a release and write the report; exit code 1 when a limit is exceeded or could not be checked.",
    "verify": "Check the file of a release against its manifest, the manifest against its signature, and each "
    "guarantee.",
    "reproduce": "Tell how to make a release again: as command lines, or as a Python script that gives the same bytes.",
    "keygen": "Make a key that signs releases, and its public half, which others check them by.",
    "search": "Try many plans and find the one with the least loss that keeps to the limits.",
    "compare": "Put releases of the same original side by side: risks, losses, score and limits.",
    "history": "List the releases of a project: when each was made and how, its risks and loss, and its verdict.",
    "methods": "List the masks, attacks and losses, or tell all about one of them.",
    "sanitise": "Replace names in documents by pseudonyms, carry out decisions about sensitive stretches, and write "
    "the release.",
    "review": "Review documents on a full screen: sensitive stretches, and who and what was found in them.",
    "learn": "Learn from reviewed documents what to hide, and choose a threshold that keeps a bound on what is missed.",
    "corpus": "Publish a corpus as vectors: build the document-term matrix, mask it, attack it, report.",
    "hierarchy": "Build the hierarchy of a column, from its values to what holds them all, and write it to a file.",
    "serve": "Open the steward's desk: the whole work on tables in the browser, on this machine.",
    "ontology": "Look words up in an ontology, or tell what the values of a file's columns stand for, those of nothing "
    "first.",
}
"""The name of each command, which is also that of its module and of its function there, and its help in one line."""


class LazyCommands(TyperGroup):
    """The group of all commands: listed from `COMMANDS`, and loaded once one of them is to be run."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = {name: TyperCommand(name, help=line) for name, line in COMMANDS.items()}

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The name of the chosen command, the command with its options, and the arguments left for it."""
        name, _, rest = super().resolve_command(ctx, args)
        return name, None if name is None else load_command(name), rest


def load_command(name: str) -> Any:
    """The command of this name, made from the function in its module; or the group of commands that is there."""
    made = getattr(importlib.import_module(f"discreet.cli.{name}"), name)
    if isinstance(made, typer.Typer):
        return typer.main.get_command(made)
    alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    alone.command(name)(made)
    return typer.main.get_command(alone)


app = typer.Typer(
    name="discreet",
    cls=LazyCommands,
    help="Publish data without publishing people: mask a table, attack the result, measure the loss, report.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"discreet {__version__}")
        raise typer.Exit


@app.callback()
def discreet(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Tell the version and stop."),
    ] = False,
) -> None:
    """Publish data without publishing people."""

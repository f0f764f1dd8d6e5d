"""The commands of discreet."""

from __future__ import annotations

from typing import Annotated

import typer

from discreet import __version__
from discreet.cli import (
    assess,
    attack,
    coalition,
    compare,
    demo,
    inspect,
    keygen,
    methods,
    ontology,
    protect,
    report,
    search,
    verify,
)

app = typer.Typer(
    name="discreet",
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


app.command("demo")(demo.demo)
app.command("inspect")(inspect.inspect)
app.command("protect")(protect.protect)
app.command("assess")(assess.assess)
app.command("attack")(attack.attack)
app.command("coalition")(coalition.coalition)
app.command("report")(report.report)
app.command("verify")(verify.verify)
app.command("keygen")(keygen.keygen)
app.command("search")(search.search)
app.command("compare")(compare.compare)
app.command("methods")(methods.methods)
app.command("ontology")(ontology.ontology)

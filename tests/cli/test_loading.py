"""What is loaded before a command is chosen: its name and one line of help, and nothing that computes."""

from __future__ import annotations

import importlib
import inspect
import json
import subprocess
import sys

import pytest
import typer

from discreet.cli.app import COMMANDS, load_command

HEAVY = {"polars", "numpy", "scipy", "numba", "altair", "sklearn", "pyarrow"}
COUNT = (
    "import json, sys, atexit\n"
    "atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))\n"
    "import discreet.cli\n"
)


def loaded(code: str) -> tuple[int, set[str]]:
    """How many modules of discreet the code loads, and which heavy libraries."""
    done = subprocess.run([sys.executable, "-c", COUNT + code], capture_output=True, text=True, check=True)
    modules = json.loads(done.stderr.splitlines()[-1])
    return sum(each.split(".")[0] == "discreet" for each in modules), HEAVY & set(modules)


@pytest.mark.parametrize(
    "code",
    [
        "",
        "import discreet.cli.app",
        *(f"discreet.cli.main(['{option}'])" for option in ("--help", "--version", "no-such-command")),
    ],
)
def test_what_is_no_command_loads_next_to_nothing(code: str) -> None:
    if "no-such" in code:
        code = f"try: {code}\nexcept SystemExit: print()"
    count, heavy = loaded(code)
    assert count <= 10
    assert not heavy


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_of_help_is_that_of_the_command(name: str) -> None:
    command = getattr(importlib.import_module(f"discreet.cli.{name}"), name)
    told = command.info.help if isinstance(command, typer.Typer) else inspect.getdoc(command)
    first = (told or "").split("\n\n")[0]
    assert " ".join(first.split()) == COMMANDS[name]
    assert load_command(name).name == name

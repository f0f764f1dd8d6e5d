"""The edge of the command line: where errors become a sentence and an exit code.

Exit codes: 0 done, 1 a limit set by the user was exceeded, 2 bad input, 3 unreachable, 70 our bug, 130 stopped.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from discreet.errors import DiscreetError, Interrupted

OUR_BUG = 70


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line and leaves with its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        from discreet.cli.app import app

        app(given, prog_name="discreet")
    except DiscreetError as error:
        _say(type(error).__name__, str(error), error.exit_code, "--json" in given)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        stopped = Interrupted("stopped before it was done; nothing half-written was left.")
        _say("Interrupted", str(stopped), stopped.exit_code, "--json" in given)
        sys.exit(stopped.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception as error:  # the edge: what is not ours must not spill data or a traceback
        _say("Bug", _whereabouts(error), OUR_BUG, "--json" in given)
        if os.environ.get("DISCREET_DEBUG"):
            traceback.print_exc()
        sys.exit(OUR_BUG)


def _say(name: str, message: str, code: int, as_json: bool) -> None:
    """The error, for a person on the error stream or for a program on the output."""
    if as_json:
        print(json.dumps({"error": {"name": name, "message": message, "exit_code": code}}))  # noqa: T201
    else:
        print(f"discreet: {name}: {message}", file=sys.stderr)  # noqa: T201


def _whereabouts(error: Exception) -> str:
    """Where an unexpected error came from. Its own message may quote the data, so it is not shown."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{type(error).__name__} in {Path(last.filename).name}, line {last.lineno}. This is a fault of discreet, "
        "not of your data; nothing was written. Please report it. Setting DISCREET_DEBUG=1 shows details, which may "
        "quote the data."
    )

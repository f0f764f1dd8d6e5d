"""The edge of the command line: where errors become a sentence and an exit code.

Exit codes: 0 done, 1 a limit set by the user was exceeded, 2 bad input, 3 unreachable, 70 our bug, 130 stopped.
A reader that goes away before the end (`| head -1`) is code 0. An output that is closed from the start (`>&-`) is taken
for /dev/null: the work is done, nothing is shown, and the code is that of the work.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import json
import os
import sys
import time
import traceback
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from discreet.cli.memory import give_back_at_once
from discreet.cli.stopping import ignore_stops, stoppable
from discreet.errors import DiscreetError, Interrupted
from discreet.visible import visible_line

BAD_INPUT, OUR_BUG, STOPPED = 2, 70, Interrupted.exit_code
INTERRUPTED = "stopped before it was done; nothing half-written was left."
REFUSALS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS, errno.EACCES, errno.EPERM)
"""What an operating system refuses for reasons that are no fault of discreet: no room, no permission."""


class Start:
    """When the command that runs was begun, before anything it needs was loaded."""

    at = time.monotonic()


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line and leaves with its exit code."""
    Start.at = time.monotonic()
    given = list(sys.argv[1:] if arguments is None else arguments)
    give_back_at_once()
    try:
        _open_what_is_closed()
        with stoppable(partial(_end_at_once, "--json" in given)):
            code = _run(given)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except BaseException as error:  # the edge: what is not ours must not spill data or a traceback
        name, message, code = _name_message_and_code(error)
        _say(name, message, code, "--json" in given)
        if code == OUR_BUG and os.environ.get("DISCREET_DEBUG"):
            traceback.print_exc()
    ignore_stops()
    _let_go_of_output()
    if code == STOPPED:
        _leave_at_once()
    sys.exit(code)


def _leave_at_once() -> None:
    """Ends the process without the work of taking Python apart, which takes longer than clearing away what was begun.

    Python would wait for threads, free what the data take piece by piece, and end by the signal where an interruption
    came while a library had it run code of its own, whatever we answer.
    """
    atexit._run_exitfuncs()
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    os._exit(STOPPED)


def _open_what_is_closed() -> None:
    """Lets an input or output that was closed from the start lead nowhere.

    Otherwise the next file that is opened would take its place, and what is said would be written into that file.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def _run(given: list[str]) -> int:
    """The exit code of the command, which has no say in what an interruption or a closed pipe mean."""
    from discreet.cli.app import app

    try:
        code = app(given, prog_name="discreet", standalone_mode=False)
    except SystemExit as leaving:
        if isinstance(leaving.__context__, BrokenPipeError):
            raise leaving.__context__ from None
        raise
    except (
        Exception
    ) as misuse:  # what is wrong with the arguments has a sentence of its own; all else goes on
        if not hasattr(misuse, "format_message"):
            raise
        code = _tell_misuse(misuse, "--json" in given)
    if code == STOPPED:
        raise KeyboardInterrupt
    sys.stdout.flush()
    return int(code or 0)


def _tell_misuse(misuse: Any, as_json: bool) -> int:
    """Tells a person, and a program, what was wrong with the arguments; the exit code."""
    from typer.rich_utils import rich_format_error

    exact = misuse.format_message()
    misuse.format_message = lambda: visible_line(exact)
    rich_format_error(misuse)
    if as_json:
        _say("BadUsage", exact, BAD_INPUT, as_json=True)
    return int(misuse.exit_code)


def _let_go_of_output() -> None:
    """Writes out what is left; where that fails, nothing of it is tried again when the process ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _end_at_once(as_json: bool) -> None:
    """Ends the process from beside work that did not answer, with the same words and code as work that did."""
    text, written_to = f"discreet: Interrupted: {INTERRUPTED}\n", 2
    if as_json:
        text, written_to = json.dumps(_error("Interrupted", INTERRUPTED, STOPPED)) + "\n", 1
    with contextlib.suppress(OSError):
        os.write(written_to, text.encode())
    os._exit(STOPPED)


def _name_message_and_code(error: BaseException) -> tuple[str, str, int]:
    """The name, the sentence and the exit code of an error."""
    if isinstance(error, DiscreetError):
        return type(error).__name__, str(error), error.exit_code
    if isinstance(error, KeyboardInterrupt):
        return "Interrupted", INTERRUPTED, STOPPED
    if isinstance(error, OSError) and error.errno in REFUSALS:
        return "BadFile", f"the system refused: {error.strerror}.", BAD_INPUT
    if isinstance(error, MemoryError):
        return "BadInput", "there is not enough memory for data of this size.", BAD_INPUT
    return "Bug", _whereabouts(error), OUR_BUG


def _say(name: str, message: str, code: int, as_json: bool) -> None:
    """The error, for a person on the error stream or for a program on the output, where they can be written to."""
    if as_json:
        with contextlib.suppress(OSError):
            print(json.dumps(_error(name, message, code)), flush=True)  # noqa: T201
            return
    with contextlib.suppress(OSError):
        print(f"discreet: {name}: {visible_line(message)}", file=sys.stderr)  # noqa: T201


def _error(name: str, message: str, code: int) -> dict[str, Any]:
    return {"error": {"name": name, "message": message, "exit_code": code}}


def _whereabouts(error: BaseException) -> str:
    """Where an unexpected error came from. Its own message may quote the data, so it is not shown."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{type(error).__name__} in {Path(last.filename).name}, line {last.lineno}. This is a fault of discreet, "
        "not of your data. Please report it. Setting DISCREET_DEBUG=1 shows details, which may quote the data."
    )

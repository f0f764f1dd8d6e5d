"""Runs the commands of discreet that come in, one JSON line each, and tells their exit codes and all they said."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from typing import IO


def main() -> None:
    """Answers until the input ends; what commands write, even below Python, goes to a file and not to the answers."""
    answers = os.fdopen(os.dup(1), "w")
    with tempfile.TemporaryFile() as heard:
        for line in sys.stdin:
            asked = json.loads(line)
            os.chdir(asked["folder"])
            code = run(asked["arguments"], heard)
            heard.seek(0)
            said = heard.read().decode(errors="replace")
            answers.write(json.dumps({"code": code, "said": said}) + "\n")
            answers.flush()
            os.chdir("/")


def run(arguments: Sequence[str], heard: IO[bytes]) -> int:
    """The exit code of a command."""
    from discreet.cli import main as discreet

    heard.seek(0)
    heard.truncate()
    for stream in (1, 2):
        os.dup2(heard.fileno(), stream)
    try:
        discreet(arguments)
    except SystemExit as leaving:
        return int(leaving.code or 0)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


if __name__ == "__main__":
    main()

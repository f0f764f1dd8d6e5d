"""The process of one piece of work: it runs a command of discreet and keeps what it answers.

It runs as a script of its own and knows nothing of the desk, which can be closed or killed meanwhile. Its folder holds
what is to be done; the answer, the exit code and how far it is come beside it. Whoever holds the lock is at work.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType
from typing import BinaryIO

AT_ONCE, EVERY = 2, 0.1
"""Pieces of work that run at once; the others wait, and look so often whether it is their turn."""


def main() -> None:
    """Runs the work in the folder that is named; the lock of the folder is handed over as an open file."""
    folder, lock = Path(sys.argv[1]), int(sys.argv[2])
    # The desk that started this may have been killed before it could write the number down.
    _put(folder / "pid", str(os.getpid()))
    stopped = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal stopped
        stopped = True

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    turn = None
    while turn is None and not stopped:
        turn = _turn(folder.parent)
        if turn is None:
            time.sleep(EVERY)
    code = 130 if turn is None else _run(folder, (lock, turn))
    _put(folder / "exit.json", json.dumps({"code": 130 if stopped else code}))


def _turn(works: Path) -> int | None:
    """A place among those that work at once; None while there is none."""
    for number in range(AT_ONCE):
        place = os.open(works / f"turn{number}", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(place)
        else:
            return place
    return None


def _run(folder: Path, held: tuple[int, ...]) -> int:
    """The exit code of the command; it holds the locks too, so that they tell of it should this process be killed."""
    todo = json.loads((folder / "work.json").read_text(encoding="utf-8"))
    environment = {**os.environ, "DISCREET_PROGRESS": str(folder / "progress.json")}
    answer, errors = folder / "answer.next", folder / "errors"
    with _opened(answer) as out, _opened(errors) as err:
        command = [sys.executable, "-P", "-m", "discreet", *todo["arguments"]]
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            cwd=todo["folder"],
            env=environment,
            pass_fds=held,
        )
        code = child.wait()
    answer.replace(folder / "answer.json")
    return code if code >= 0 else 128 - code


def _opened(path: Path) -> BinaryIO:
    """A new file for the owner's eyes only: it may hold what is known of single records."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


def _put(path: Path, text: str) -> None:
    beside = path.with_name(f"{path.name}.next")
    with _opened(beside) as file:
        file.write(text.encode())
    beside.replace(path)


if __name__ == "__main__":
    main()

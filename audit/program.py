"""Running discreet: many commands in one process that stays, or one command in a process that can be killed."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

PATIENCE = 120
"""Seconds after which a command is said not to end."""
ANSWERS = (0, 1, 2, 3)
"""Done, a limit exceeded, bad input, unreachable: what a command may answer. 70 is a fault of its own."""
RUNS_OF_A_WORKER = 150


class Answer(NamedTuple):
    """The exit code of a command and all that it said; the code is None where its process died or did not end."""

    code: int | None
    said: str

    def fault(self, allowed: Sequence[int] = ANSWERS) -> str:
        """What is wrong with the answer itself; empty where nothing is."""
        if self.code is None:
            return "the process died or did not end"
        if "Traceback (most recent call last)" in self.said:
            return "a traceback was shown"
        return "" if self.code in allowed else f"exit code {self.code}: {self.said.strip()[-160:]}"


class Worker:
    """A process that has discreet loaded and runs one command after the other; a new one takes over where it dies."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.runs = 0

    def run(self, arguments: Sequence[str | Path], folder: Path) -> Answer:
        """What the command answers, run in the folder."""
        process = self._living()
        assert process.stdin is not None
        asked = {"arguments": [str(each) for each in arguments], "folder": str(folder)}
        process.stdin.write(json.dumps(asked).encode() + b"\n")
        process.stdin.flush()
        self.runs += 1
        return self._answer(process)

    def _living(self) -> subprocess.Popen[bytes]:
        if self.process is None or self.process.poll() is not None or self.runs >= RUNS_OF_A_WORKER:
            self.close()
            self.process = subprocess.Popen(
                [sys.executable, str(Path(__file__).with_name("worker.py"))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            self.runs = 0
        return self.process

    def _answer(self, process: subprocess.Popen[bytes]) -> Answer:
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
        line = process.stdout.readline() if ready else b""
        if not line:
            self.close()
            return Answer(None, "")
        told = json.loads(line)
        return Answer(told["code"], told["said"])

    def close(self) -> None:
        """Ends the process."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
        self.process = None


def start(
    arguments: Sequence[str | Path],
    folder: Path,
    *,
    environment: Mapping[str, str] | None = None,
    before: Callable[[], None] | None = None,
) -> subprocess.Popen[bytes]:
    """The command in a process of its own, in the folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "discreet", *map(str, arguments)],
        cwd=folder,
        env={**os.environ, **(environment or {})},
        preexec_fn=before,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def finished(process: subprocess.Popen[bytes]) -> Answer:
    """What the process answers when it ends."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        said, _ = process.communicate(timeout=PATIENCE)
        return Answer(process.returncode, said.decode(errors="replace"))
    process.kill()
    process.communicate()
    return Answer(None, "")

"""Long work: commands of discreet in processes of their own, found again by what they were asked.

Each piece of work is a folder whose name is the digest of the command and of all that its answer depends on. So two
tabs share one piece of work, an answer is kept until anything it depends on changes, and a desk that was closed or
killed finds what went on without it.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, Literal

from discreet.apart import command, environment
from discreet.caching import source_digest
from discreet.digests import digest_of
from discreet.web.refused import Refused
from discreet.writing.atomic import write_json, write_text

State = Literal["none", "running", "done", "failed", "stopped", "died"]
MOST_KEPT = 150
"""Answers that are kept; the oldest go first."""
GRACE = 5.0
"""Seconds in which work that is to stop can clear away what it has begun."""
STOPPED, NOT_ACCEPTABLE = 130, 1
SENTENCES: Mapping[str, str] = {
    "stopped": "Stopped before it was done; nothing half-written was left.",
    "died": "The process ended without an answer: it was killed, or the machine was short of memory. Try again, "
    "perhaps on fewer records.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A command of discreet, what it does in words, and digests of all that its answer depends on.

    `once` tells work apart that is to be done anew each time it is asked for.
    """

    name: str
    says: str
    arguments: tuple[str, ...]
    depends_on: Mapping[str, str] = field(default_factory=dict)
    once: str = ""

    @property
    def key(self) -> str:
        """The name of its folder."""
        return digest_of([self.name, self.arguments, self.depends_on, self.once, source_digest()])[:32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How a piece of work stands: `done` is a share from 0 to 1; `answer` is what a finished command told."""

    key: str
    state: State
    says: str = ""
    done: float = 0.0
    what: str = ""
    error: str = ""
    code: int | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "work": self.key,
            "state": self.state,
            "says": self.says,
            "done": self.done,
            "what": self.what,
            "error": self.error,
        }


_STARTED: dict[int, subprocess.Popen[bytes]] = {}
"""Processes that this one started, by their number: they outlive it, and are looked after while it lives."""


class Works:
    """All pieces of work of a desk."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.folder, self.root = folder, root
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._turn = threading.Lock()

    def start(self, work: Work) -> Progress:
        """How the work stands, which is begun unless it is done or going on."""
        with self._turn:
            now = self.progress(work.key)
            if now.state not in ("running", "done"):
                self._begin(work)
                self._forget_old()
        return self.progress(work.key)

    def progress(self, key: str) -> Progress:
        """How the work of this key stands."""
        place = self._place(key)
        todo = _read(place / "work.json")
        if todo is None:
            return Progress(key=key, state="none")
        code = (_read(place / "exit.json") or {}).get("code")
        says = str(todo["says"])
        if code is None:
            state: State = "running" if self._is_held(key) else "died"
            # It may have ended between the two looks.
            code = (_read(place / "exit.json") or {}).get("code") if state == "died" else None
            if code is None:
                asked_to = state == "died" and (place / "stopping").exists()
                return self._going_on(key, "stopped" if asked_to else state, says)
        return self._ended(key, says, int(code))

    def answer(self, key: str) -> Any:
        """What the command told; None where it is not done."""
        return _read(self._place(key) / "answer.json") if self.progress(key).state == "done" else None

    def stop(self, key: str) -> Progress:
        """Asks the work to stop, and ends it where it does not within a moment."""
        if self.progress(key).state == "running":
            (self._place(key) / "stopping").touch(mode=0o600)
            process = int((self._place(key) / "pid").read_text())
            _signal(process, signal.SIGTERM)
            late = threading.Timer(GRACE, self._end, (key, process))
            late.daemon = True
            late.start()
        return self.progress(key)

    def forget(self, key: str) -> None:
        """Forgets work that ended without an answer, so that whoever needs it begins it anew."""
        with self._turn:
            if self.progress(key).state in ("failed", "stopped", "died"):
                shutil.rmtree(self._place(key), ignore_errors=True)

    def running(self) -> list[Progress]:
        """The work that is going on."""
        found = (self.progress(each.name) for each in self.folder.iterdir() if each.is_dir())
        return [each for each in found if each.state == "running"]

    def _going_on(self, key: str, state: State, says: str) -> Progress:
        told = _read(self._place(key) / "progress.json") or {}
        total = float(told.get("total") or 1)
        share = min(max(float(told.get("done", 0)) / total, 0.0), 1.0)
        error = SENTENCES.get(state, "")
        return Progress(
            key=key, state=state, says=says, done=share, what=str(told.get("what", "")), error=error
        )

    def _ended(self, key: str, says: str, code: int) -> Progress:
        _forget_ended()
        if code in (0, NOT_ACCEPTABLE):
            return Progress(key=key, state="done", says=says, done=1.0, code=code)
        if code == STOPPED:
            return Progress(key=key, state="stopped", says=says, error=SENTENCES["stopped"], code=code)
        told = _read(self._place(key) / "answer.json")
        error = told.get("error", {}).get("message") if isinstance(told, dict) else None
        sentence = str(error or SENTENCES["died"])
        return Progress(key=key, state="failed", says=says, error=sentence, code=code)

    def _begin(self, work: Work) -> None:
        place = self._place(work.key)
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(mode=0o700)
        lock = os.open(place / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            todo = {
                "name": work.name,
                "says": work.says,
                "arguments": list(work.arguments),
                "folder": str(self.root),
            }
            write_json(place / "work.json", todo, private=True)
            script = Path(__file__).with_name("run_apart.py")
            process = subprocess.Popen(
                command(script, str(place), str(lock)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment(),
                pass_fds=(lock,),
                start_new_session=True,
            )
        finally:
            os.close(lock)
        write_text(place / "pid", str(process.pid), force=True, private=True)
        _STARTED[process.pid] = process

    def _is_held(self, key: str) -> bool:
        """Whether a process is at work: it holds the lock as long as it, or the command it runs, lives."""
        _forget_ended()
        try:
            lock = os.open(self._place(key) / "lock", os.O_RDWR)
        except OSError:
            return False
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(lock)
        return False

    def _end(self, key: str, process: int) -> None:
        if self.progress(key).state == "running":
            _signal(process, signal.SIGKILL)

    def _forget_old(self) -> None:
        kept = sorted((each for each in self.folder.iterdir() if each.is_dir()), key=lambda each: -_age(each))
        for old in kept[MOST_KEPT:]:
            if not self._is_held(old.name):
                shutil.rmtree(old, ignore_errors=True)

    def _place(self, key: str) -> Path:
        if len(key) != 32 or not set(key) <= set("0123456789abcdef"):
            raise Refused(HTTPStatus.BAD_REQUEST, "This is no piece of work.")
        return self.folder / key


def _forget_ended() -> None:
    for number in [number for number, each in _STARTED.items() if each.poll() is not None]:
        _STARTED.pop(number, None)


def _age(place: Path) -> float:
    with contextlib.suppress(OSError):
        return place.stat().st_mtime
    return 0.0


def _signal(process: int, number: signal.Signals) -> None:
    """Sends a signal to the process of a piece of work and to the command it runs."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, number)


def _read(path: Path) -> Any:
    """What a JSON file holds; None where there is none, or none that is whole."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None

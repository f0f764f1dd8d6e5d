"""The states that a project file has had: undo, redo, and states that were given a name.

A history is a folder beside the work: each state a file, numbered, and a file that says which of them is now. Whatever
changes the project file by other means, such as an editor, is a state like any other from the next time on.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from pathlib import Path

from discreet.errors import BadParameter
from discreet.writing.atomic import write_text

MOST = 200
"""States that are kept; the oldest go first."""
NAME = re.compile(r"[\w][\w .-]{0,59}")


def version_of(text: str) -> str:
    """What tells one state of a project file from another."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class States:
    """The states of one project file."""

    def __init__(self, file: Path, folder: Path) -> None:
        self.file, self.folder = file, folder

    def record(self, text: str) -> None:
        """Writes a new state of the project; what had been undone cannot be redone from then on."""
        self._notice()
        now = self._now()
        for number in self._numbers():
            if number > now:
                self._place(number).unlink()
        self._keep(now + 1, text)
        write_text(self.file, text, force=True)

    def undo(self) -> bool:
        """Goes back to the state before; whether there is one."""
        return self._go(-1)

    def redo(self) -> bool:
        """Goes on to the state that was undone; whether there is one."""
        return self._go(1)

    @property
    def steps(self) -> tuple[int, int]:
        """How many states can be undone, and how many redone."""
        now, numbers = self._now(), self._numbers()
        changed = (
            self.file.exists() and bool(numbers) and self._place(now).read_text() != self.file.read_text()
        )
        back = sum(number < now for number in numbers) + changed
        return back, 0 if changed else sum(number > now for number in numbers)

    def save(self, name: str) -> None:
        """Keeps the state of now under a name."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_text(self._named(name), self.file.read_text(encoding="utf-8"), force=True, private=True)

    def saved(self) -> tuple[str, ...]:
        """The names under which states are kept."""
        return tuple(sorted(each.stem for each in self.folder.glob("*.kept")))

    def restore(self, name: str) -> None:
        """Makes a state that was kept the one of now; it can be undone. BadParameter where there is none."""
        place = self._named(name)
        if not place.exists():
            raise BadParameter(f"no state is kept as '{name}'.")
        self.record(place.read_text(encoding="utf-8"))

    def _named(self, name: str) -> Path:
        if not NAME.fullmatch(name):
            raise BadParameter(
                "the name of a state holds letters, digits, spaces, dots and hyphens, 60 at most."
            )
        return self.folder / f"{name}.kept"

    def _go(self, by: int) -> bool:
        self._notice()
        target = self._now() + by
        if not self._place(target).exists():
            return False
        write_text(self.file, self._place(target).read_text(encoding="utf-8"), force=True)
        self._set_now(target)
        return True

    def _notice(self) -> None:
        """Takes what was written by other means for a state of its own."""
        if not self.file.exists():
            return
        text, now = self.file.read_text(encoding="utf-8"), self._now()
        place = self._place(now)
        if not place.exists() or place.read_text(encoding="utf-8") != text:
            for number in self._numbers():
                if number > now:
                    self._place(number).unlink()
            self._keep(now + 1, text)

    def _keep(self, number: int, text: str) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_text(self._place(number), text, force=True, private=True)
        self._set_now(number)
        for old in self._numbers():
            if old <= number - MOST:
                self._place(old).unlink()

    def _now(self) -> int:
        with contextlib.suppress(OSError, ValueError):
            return int((self.folder / "now").read_text())
        return max(self._numbers(), default=0)

    def _set_now(self, number: int) -> None:
        write_text(self.folder / "now", str(number), force=True, private=True)

    def _numbers(self) -> list[int]:
        return sorted(int(each.stem) for each in self.folder.glob("*.state") if each.stem.isdigit())

    def _place(self, number: int) -> Path:
        return self.folder / f"{number:06d}.state"

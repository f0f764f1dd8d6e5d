"""Ending a command when it is asked to stop, also while it is in a loop that hears nothing.

Python answers a signal between two instructions of its own, and a compiled loop or a library may work for minutes
between them. So a thread beside it watches for signals: where the command has not answered one by itself within a
moment, or has answered and waits for threads that hear nothing, the watching thread removes what was begun and ends the
process.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType

GRACE = 0.3
"""Seconds in which a command can answer by itself, and then again to clear away what it has begun."""
SHOW_CURSOR = "\x1b[?25h"


@contextlib.contextmanager
def stoppable(end: Callable[[], None]) -> Iterator[None]:
    """A block in which Ctrl-C, a request to end and a terminal that closes raise KeyboardInterrupt.

    Where the block does not answer in time, what it has begun to write is removed and `end` is called, which must end
    the process. A signal that somebody else answers, or that is ignored as under nohup, keeps its meaning.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    watch = _Watch(end)
    kept = {number: signal.getsignal(number) for number in _stops()}
    for number in kept:
        signal.signal(number, watch.answer)
    before = signal.set_wakeup_fd(watch.sender.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=watch.run, name="stopping", daemon=True).start()
    try:
        yield
    finally:
        watch.leave()
        signal.set_wakeup_fd(before)
        for number, handler in kept.items():
            signal.signal(number, handler)
        watch.sender.close()


def ignore_stops() -> None:
    """From here on the work is done: a request to end does not change the exit code while Python clears up."""
    if threading.current_thread() is threading.main_thread():
        for number in _stops():
            signal.signal(number, signal.SIG_IGN)


def _stops() -> list[signal.Signals]:
    """The signals that ask a command to end, and that nobody else answers."""
    known = [getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP")]
    unanswered = (signal.SIG_DFL, signal.default_int_handler)
    return [each for each in known if each is not None and signal.getsignal(each) in unanswered]


class _Watch:
    """What the main thread, which answers signals, and the thread beside it, which waits for that, have in common."""

    def __init__(self, end: Callable[[], None]) -> None:
        self.end = end
        self.receiver, self.sender = socket.socketpair()
        self.sender.setblocking(False)
        self.answered = -GRACE
        self.is_left = False
        self.ending = threading.Lock()

    def answer(self, number: int, frame: FrameType | None) -> None:
        """Asked to end: what was begun is cleared away as if the user had stopped it."""
        # Never given back once the other thread ends the process, which it does from beside this one.
        with self.ending:
            self.answered = time.monotonic()
        raise KeyboardInterrupt

    def leave(self) -> None:
        """The block is left, and what ends it is said elsewhere; too late where the other thread ends the process."""
        with self.ending:
            self.is_left = True

    def run(self) -> None:
        """Waits for signals until the block is left."""
        stops = _numbers()
        while heard := self.receiver.recv(1):
            if heard[0] in stops:
                self._wait()
        self.receiver.close()

    def _wait(self) -> None:
        """Ends the process unless it answers, and then leaves the block, in time."""
        since = time.monotonic()
        time.sleep(GRACE)
        # The main thread may have been quicker than this one.
        if self.answered > since - GRACE:
            time.sleep(GRACE)
        self.ending.acquire()
        if not self.is_left:
            self._end()
        self.ending.release()

    def _end(self) -> None:
        # Nothing may be imported here: the main thread may be importing something.
        writing = sys.modules.get("discreet.writing.unfinished")
        if writing is not None:
            writing.clear_own()
        if sys.stderr is not None and sys.stderr.isatty():
            os.write(sys.stderr.fileno(), SHOW_CURSOR.encode())
        self.end()


def _numbers() -> frozenset[int]:
    names = ("SIGINT", "SIGTERM", "SIGHUP")
    return frozenset(int(getattr(signal, name)) for name in names if hasattr(signal, name))

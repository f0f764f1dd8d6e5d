"""Drawing: charts become pictures in a process apart, so that a renderer that dies ends a chart and not a notebook.

The process is started with the first chart, draws all that follow, and ends with this one.
"""

from __future__ import annotations

import atexit
import base64
import json
import os
import secrets
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from discreet.apart import command, environment
from discreet.errors import NotDrawn
from discreet.visible import visible, visible_line

if TYPE_CHECKING:
    import altair as alt

Form = Literal["svg", "png", "pdf", "html"]
SECONDS = 120.0
"""How long one chart may take; a usual one takes a tenth of a second."""


def draw(chart: alt.TopLevelMixin, form: Form) -> bytes:
    """The picture of a chart: SVG, PNG or PDF, or a page that can be used without a network.

    Raises NotDrawn where the renderer refuses the chart, dies of it or takes too long.
    """
    return draw_specification(chart.to_dict(), form)


def draw_specification(specification: dict[str, Any], form: Form) -> bytes:
    """The same for a chart as plain data; every text in it is made visible first."""
    chart, mark = drawable(specification), f"less-than-{secrets.token_hex(8)}"
    if form == "html":
        # The page holds the chart as a script, which no "<" in a text may end or open a comment in.
        chart = _each_text(chart, lambda text: text.replace("<", mark))
    request = {"chart": chart, "form": form, "version": vega_lite_version()}
    try:
        answer = _artist.ask(request)
    except _Died as death:
        raise NotDrawn(_sorry(specification, str(death))) from None
    if "failed" in answer:
        raise NotDrawn(_sorry(specification, answer["failed"]))
    return base64.b64decode(answer["picture"]).replace(mark.encode(), rb"\u003c")


def drawable(specification: dict[str, Any]) -> dict[str, Any]:
    """The specification of a chart with every text in it made visible: renderers die of some characters."""
    made: dict[str, Any] = _each_text(specification, visible)
    return made


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    """Plain data with every text in it changed, names too."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {change(str(name)): _each_text(each, change) for name, each in value.items()}
    return [_each_text(each, change) for each in value] if isinstance(value, list | tuple) else value


def vega_lite_version() -> str:
    """The version of Vega-Lite that altair writes, as vl_convert names it."""
    import altair as alt

    return ".".join(alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])


def _sorry(specification: dict[str, Any], why: str) -> str:
    about = visible_line(str(specification.get("description") or "without a description"))
    return (
        f"the chart '{about}' could not be drawn: {why}. All that a report says can be had without its pictures: give "
        "it a name that ends in .json. Please report this as a fault of discreet, with the kind of column."
    )


class _Died(Exception):
    """The process that draws ended before it answered."""


class _Artist:
    """The process that draws, for one caller at a time; where it died, the next chart starts another."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._turn = threading.Lock()

    def ask(self, request: dict[str, Any]) -> dict[str, str]:
        """The answer of the process; _Died where it gives none in time."""
        with self._turn:
            process = self._running()
            late = threading.Event()
            watch = threading.Timer(SECONDS, self._too_late, (process, late))
            watch.start()
            try:
                line = _exchanged(process, json.dumps(request).encode())
            except BaseException:
                # Stopped in the middle: the answer to this chart would be taken for that to the next.
                self.end()
                raise
            finally:
                watch.cancel()
            if not line.endswith(b"\n"):
                self.end()
                raise _Died(f"it took longer than {SECONDS:g} seconds" if late.is_set() else _cause(process))
            answer: dict[str, str] = json.loads(line)
            return answer

    def _running(self) -> subprocess.Popen[bytes]:
        """The process, started where there is none, or where it belongs to a process that this one was forked from."""
        if self._process is None or self._owner != os.getpid() or self._process.poll() is not None:
            self.end()
            self._process, self._owner = _started(), os.getpid()
        return self._process

    @staticmethod
    def _too_late(process: subprocess.Popen[bytes], late: threading.Event) -> None:
        late.set()
        process.kill()

    def end(self) -> None:
        """Ends the process, where there is one; one that this process was forked with is only let go of."""
        process, self._process = self._process, None
        if process is None:
            return
        if self._owner == os.getpid():
            process.kill()
            process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                _close(pipe)


def _started() -> subprocess.Popen[bytes]:
    """A new process that draws; it hears nothing of Ctrl-C, and says nothing but its answers."""
    script = Path(__file__).with_name("draw_apart.py")
    return subprocess.Popen(
        command(script),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,
    )


def _exchanged(process: subprocess.Popen[bytes], line: bytes) -> bytes:
    """The line that answers one; what there is of it where the process died."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(line + b"\n")
        process.stdin.flush()
    except OSError:
        return b""
    return process.stdout.readline()


def _close(pipe: Any) -> None:
    try:
        pipe.close()
    except OSError:
        # What was not sent to a process that died is lost with it.
        return


def _cause(process: subprocess.Popen[bytes]) -> str:
    """How a process ended, in words."""
    code = process.wait()
    try:
        how = f"by {signal.Signals(-code).name}" if code < 0 else f"with code {code}"
    except ValueError:
        how = f"with code {code}"
    return f"the process that draws ended {how}"


_artist = _Artist()
atexit.register(_artist.end)

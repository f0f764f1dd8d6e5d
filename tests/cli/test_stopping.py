"""Asked to stop, a command ends: while it works in Python, in a compiled loop, or in a library that hears nothing."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from discreet.cli.stopping import stoppable
from discreet.writing import new_file, new_folder
from discreet.writing.unfinished import OWN, clear_own

DEAF = """
import hashlib, signal, sys
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # ignored where the tests run under nohup
from pathlib import Path
from discreet.cli import app, edge
from discreet.writing.atomic import new_folder

def work(given, **_):
    with new_folder("release") as folder:
        (folder / "half").write_text("half of it")
        Path("begun").touch()
        hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)

app.app = work
edge.main(sys.argv[1:])
"""
"""A command that has begun to write a folder and then works for an hour in a library that answers no signal."""


SLOW_TO_LEAVE = DEAF.replace(
    '        hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)\n',
    """        try:
            while True:
                pass
        finally:
            hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)
""",
)
"""A command that hears the signal, and then waits for something that does not."""


def started(folder: Path, *command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *command], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("script", [DEAF, SLOW_TO_LEAVE])
def test_a_command_that_hears_nothing_is_ended_and_leaves_nothing(
    number: int, as_json: bool, script: str, tmp_path: Path
) -> None:
    running = started(tmp_path, "-c", script, *(["--json"] if as_json else []))
    while not (tmp_path / "begun").exists():
        assert running.poll() is None, running.communicate()
        time.sleep(0.02)
    running.send_signal(number)
    said, complained = running.communicate(timeout=120)
    assert running.returncode == 130
    if as_json:
        assert json.loads(said)["error"]["name"] == "Interrupted"
    else:
        assert (
            complained
            == "discreet: Interrupted: stopped before it was done; nothing half-written was left.\n"
        )
    assert [each.name for each in tmp_path.iterdir()] == ["begun"]


def test_a_block_that_is_left_in_time_is_left_alone() -> None:
    ended: list[str] = []
    # Where the tests run in the background, the shell lets them ignore Ctrl-C.
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), stoppable(lambda: ended.append("ended")):
            signal.raise_signal(signal.SIGINT)
        time.sleep(2)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, usual)
    assert ended == []


def test_signals_that_somebody_else_answers_keep_their_meaning() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    try:
        with stoppable(lambda: heard.append(-1)):
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert heard == [signal.SIGTERM]


def test_a_thread_that_is_not_the_main_one_watches_nothing() -> None:
    left: list[str] = []

    def work() -> None:
        with stoppable(lambda: left.append("ended")):
            left.append("worked")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert left == ["worked"]


def test_what_is_unfinished_is_cleared_and_what_is_in_place_stays(tmp_path: Path) -> None:
    with new_file(tmp_path / "whole") as file:
        file.write_text("all of it")
    half_file, half_folder = new_file(tmp_path / "a"), new_folder(tmp_path / "b")
    half_file.__enter__().write_text("half")
    (half_folder.__enter__() / "half").write_text("half")
    clear_own()
    assert [each.name for each in tmp_path.iterdir()] == ["whole"]
    for each in (half_file, half_folder):
        assert not each.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert not OWN


INSIDE_A_LIBRARY = """
import ctypes, sys
from discreet.cli import app, edge

def work(given, **_):
    run = ctypes.pythonapi.PyRun_String
    run.argtypes, run.restype = [ctypes.c_char_p, ctypes.c_int, ctypes.py_object, ctypes.py_object], ctypes.py_object
    run(b"raise KeyboardInterrupt", 257, {}, {})

app.app = work
edge.main(sys.argv[1:])
"""
"""A command that is interrupted while a library has Python run code of its own."""


def test_an_interruption_inside_code_that_a_library_runs_has_the_same_exit_code(tmp_path: Path) -> None:
    running = started(tmp_path, "-c", INSIDE_A_LIBRARY)
    _, complained = running.communicate(timeout=120)
    assert complained.startswith("discreet: Interrupted: ")
    assert running.returncode == 130


SLOW_TO_TAKE_APART = """
import sys, threading, time
from discreet.cli import app, edge

def work(given, **_):
    import atexit
    atexit.register(lambda: print("cleared"))
    threading.Thread(target=time.sleep, args=(3600,)).start()
    raise KeyboardInterrupt

app.app = work
edge.main(sys.argv[1:])
"""
"""A command that is stopped while another thread, for which Python would wait, works for an hour."""


def test_a_command_that_is_stopped_does_not_wait_until_python_is_taken_apart(tmp_path: Path) -> None:
    running = started(tmp_path, "-c", SLOW_TO_TAKE_APART)
    said, complained = running.communicate(timeout=120)
    assert (running.returncode, said) == (130, "cleared\n")
    assert complained.startswith("discreet: Interrupted: ")


LEAVING = """
import atexit, signal, sys, time
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # ignored where the tests run under nohup
signal.signal(signal.SIGINT, signal.default_int_handler)
from pathlib import Path
from discreet.cli import app, edge

def clear_up():
    Path("leaving").touch()
    while not Path("asked").exists():
        time.sleep(0.01)

atexit.register(clear_up)
app.app = lambda given, **_: 3
edge.main(sys.argv[1:])
"""
"""A command whose work is done, and whose process takes its time to end."""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_command_that_is_done_keeps_its_exit_code(number: int, tmp_path: Path) -> None:
    running = started(tmp_path, "-c", LEAVING)
    while not (tmp_path / "leaving").exists():
        assert running.poll() is None, running.communicate()
        time.sleep(0.02)
    running.send_signal(number)
    (tmp_path / "asked").touch()
    assert running.communicate(timeout=120) == ("", "")
    assert running.returncode == 3

"""The desk killed (-9) at random moments of its work: what is on the disk after each, and whether it goes on.

    python -m audit.desk_kills --rounds 30

Each round opens the desk on the same folder, does several things at once in a random order, and kills the server at a
random moment. After that every file of the folder must be whole: tables as they were sent, projects and decisions that
can be read, releases that verify, private files that only their owner can read. Then the desk is opened again, and
every page must answer.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import stat
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from audit.desk_soak import PAGES, TABLE, Desk
from audit.release_files import broken
from discreet.demo import people, project
from discreet.errors import DiscreetError
from discreet.project import Project
from discreet.states import version_of
from discreet.text.decisions import Decisions
from discreet.text.policy import Policy

LONGEST = 4.0
"""Seconds within which the server is killed."""
POLICY = '[topics.arms]\nabout = "weapons"\nkeywords = ["missile", "gun"]\n'
LETTER = "The missile and the gun were moved by Trillian Astra of {place}. The missile is old.\n\nYours, Arthur Dent\n"
DOCS = "docs=letters&policy=arms.toml"
KINDS = {
    "upload": 4,
    "column": 4,
    "undo": 4,
    "look": 1,
    "make": 1,
    "decide": 6,
    "keep": 6,
    "release": 1,
    "pages": 6,
}
"""What is done, and how often of so many times."""
PAPERS = ("documents", "entities", "topics", "sanitised", "reviewers")


def main() -> None:
    """Kills, looks, and leaves with 1 where something was wrong."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--rounds", type=int, default=30)
    given.add_argument("--seed", type=int, default=1)
    asked = given.parse_args()
    chance = random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as place:
        folder = _begun(Path(place))
        wrong: list[str] = []
        done: Counter[str] = Counter()
        for number in range(asked.rounds):
            after = _round(folder, chance, done)
            found = [*_broken(folder), *_opened_again(folder)]
            wrong += [f"round {number}, killed after {after:.2f} s: {each}" for each in found]
        _settled(folder)
    print(f"{asked.rounds} kills, {len(wrong)} wrong; answered before: {dict(sorted(done.items()))}")
    for each in wrong[:20]:
        print(f"  {each}")
    sys.exit(1 if wrong else 0)


def _begun(folder: Path) -> Path:
    people(400, seed=2).write_csv(folder / TABLE)
    (folder / "discreet.toml").write_text(project())
    (folder / "arms.toml").write_text(POLICY)
    (folder / "letters").mkdir()
    for number in range(12):
        (folder / "letters" / f"{number:02}.txt").write_text(LETTER.format(place=f"Reedham {number}"))
    return folder


def _round(folder: Path, chance: random.Random, done: Counter[str]) -> float:
    """Uses a desk from several sides at once, and kills it; after how many seconds."""
    desk = Desk(folder)
    over = threading.Event()
    sides = [
        threading.Thread(target=_side, args=(desk, random.Random(chance.random()), over, done))
        for _ in range(3)
    ]
    for each in sides:
        each.start()
    after = chance.uniform(0.02, LONGEST)
    time.sleep(after)
    desk.process.kill()
    over.set()
    desk.process.wait(60)
    for each in sides:
        each.join(60)
    return after


def _side(desk: Desk, chance: random.Random, over: threading.Event, done: Counter[str]) -> None:
    """One tab: whatever it asks may be cut off."""
    while not over.is_set():
        try:
            name, status = _something(desk, chance)
            done[f"{name} {status}"] += 1
        except (OSError, http.client.HTTPException, ValueError, KeyError):
            time.sleep(0.01)


def _something(desk: Desk, chance: random.Random) -> tuple[str, int]:
    kind = chance.choices(tuple(KINDS), tuple(KINDS.values()))[0]
    told = {"table": TABLE, "version": version_of((desk.folder / "discreet.toml").read_text())}
    if kind == "upload":
        return kind, _upload(desk, chance)
    if kind == "column":
        role = chance.choice(("confidential", "insensitive", "quasi-identifier"))
        sent = {**told, "column": "commute", "role": role, "scale": "numeric"}
        return kind, desk.send("POST", "/columns/change", sent)[0]
    if kind == "undo":
        return kind, desk.send("POST", f"/plan/{chance.choice(('undo', 'redo'))}", told)[0]
    if kind == "look":
        return kind, desk.send("POST", "/plan/look", {**told, "on": "sample"})[0]
    if kind == "make":
        release = f"r{chance.randrange(10**6)}"
        return kind, desk.send("POST", "/plan/make", {**told, "release": release})[0]
    if kind == "pages":
        return kind, desk.send("GET", f"/{chance.choice(PAGES)}?table={TABLE}")[0]
    return kind, _about_documents(desk, chance, kind)


def _about_documents(desk: Desk, chance: random.Random, kind: str) -> int:
    """A decision about a stretch or an entity, or a release of the documents."""
    page = {"decide": "documents", "keep": "entities", "release": "sanitised"}[kind]
    status, _, body = desk.send("GET", f"/{page}?{DOCS}", accept="application/json")
    facts = json.loads(body)
    if status != 200 or facts["looking"]:
        return status
    sent = {**facts["asked"], "version": facts["version"], "reviewer": "Ford"}
    if kind == "release":
        return desk.send("POST", "/sanitised/make", {**sent, "release": f"d{chance.randrange(10**6)}"})[0]
    if kind == "keep":
        entity = chance.choice(facts["listed"])
        change = "mask" if entity["kept"] else "keep"
        return desk.send("POST", f"/entities/{change}", {**sent, "entity": str(entity["id"])})[0]
    if facts["block"] is None:
        return desk.send("POST", "/documents/undo", sent)[0]
    block = {name: str(facts["block"][name]) for name in ("document", "start", "end")}
    return desk.send("POST", "/documents/decide", {**sent, **block, "action": "keep", "replacement": ""})[0]


def _upload(desk: Desk, chance: random.Random) -> int:
    """A table of two megabytes in pieces; its name tells how many rows it has."""
    rows = 100_000 + chance.randrange(100_000)
    line = http.client.HTTPConnection("127.0.0.1", desk.port, timeout=60)
    content = b"n\n" + b"1234567\n" * rows
    headers = {
        "Cookie": desk.cookie,
        "Origin": f"http://127.0.0.1:{desk.port}",
        "Content-Type": "application/octet-stream",
        "X-File-Name": f"up-{rows}.csv",
    }
    pieces = (content[place : place + (1 << 16)] for place in range(0, len(content), 1 << 16))
    line.request("POST", "/files/add", pieces, headers, encode_chunked=True)
    status = line.getresponse().status
    line.close()
    return status


def _broken(folder: Path) -> Iterator[str]:
    """What is not whole, or can be read by others, on the disk as the kill left it."""
    for each in folder.glob("up-*.csv"):
        if each.read_bytes() != b"n\n" + b"1234567\n" * int(each.stem[3:]):
            yield f"{each.name} is not what was sent"
        each.unlink()
    for check in (
        lambda: Project.load(folder / "discreet.toml"),
        lambda: Policy.load(folder / "arms.toml"),
        lambda: [Decisions.load(each) for each in folder.glob("letters*.jsonl")],
    ):
        try:
            check()
        except DiscreetError as problem:
            yield f"cannot be read: {problem}"
    for each in folder.glob("[rd][0-9]*"):
        fault = broken(each) if each.name[0] == "r" else ""
        if fault:
            yield f"{each.name}: {fault}"
    for each in (folder / ".discreet").rglob("*"):
        if each.is_file() and each.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            yield f"{each.relative_to(folder)} can be read by others"


def _opened_again(folder: Path) -> Iterator[str]:
    """What a desk that is opened again does not answer as it should."""
    desk = Desk(folder)
    try:
        targets = [f"/{page}?table={TABLE}" for page in PAGES] + [f"/{page}?{DOCS}" for page in PAPERS]
        for target in targets:
            status, _, _ = desk.send("GET", target)
            if status != 200:
                yield f"{target}: {status}"
        for each, state in desk.states().items():
            if state not in ("running", "done", "stopped", "died", "failed"):
                yield f"work {each} is {state}"
    finally:
        desk.process.kill()
        desk.process.wait(60)


def _settled(folder: Path) -> None:
    """Stops all work before the folder goes."""
    desk = Desk(folder)
    desk.stop_all()
    desk.close()


if __name__ == "__main__":
    main()

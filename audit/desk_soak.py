"""The desk in use for some minutes: pages, changes, work begun and stopped; no error, and memory that stays flat.

    python -m audit.desk_soak --minutes 10

It serves a folder of its own on this machine alone, does what stewards do in a random order, and watches the memory of
the server. What runs is ended, and what was written is removed.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

from discreet.demo import people, project
from discreet.states import version_of

MOST_MINUTES, WARM_UP, GROWTH = 10.0, 0.25, 1.25
"""Memory may grow by a quarter from the end of the first quarter of the time on."""
PAGES = ("files", "columns", "plan", "search", "result", "export", "help")
TABLE = "people.csv"
MOST_LOOKS = 100
"""How often it is looked whether work that was stopped has ended."""


class Desk:
    """A desk that is served, and a browser of a few lines."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "discreet", "serve", str(folder), "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        told = next(
            found for line in self.process.stdout if (found := re.search(r"127\.0\.0\.1:(\d+)(/\S+)", line))
        )
        self.port, self.cookie = int(told[1]), ""
        _, headers, _ = self.send("GET", told[2])
        self.cookie = headers["set-cookie"].split(";")[0]

    def send(
        self, method: str, target: str, fields: dict[str, str] | None = None, accept: str = "text/html"
    ) -> tuple[int, dict[str, str], bytes]:
        """The status, the headers and the body of an answer."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        headers = {"Cookie": self.cookie, "Origin": f"http://127.0.0.1:{self.port}", "Accept": accept}
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        line.request(method, target, None if fields is None else urlencode(fields), headers)
        answer = line.getresponse()
        body = answer.read()
        line.close()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body

    def memory(self) -> float:
        """Megabytes that the server holds."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024

    def states(self) -> dict[str, str]:
        """How each piece of work stands, by its name and key."""
        found = {}
        for each in sorted((self.folder / ".discreet" / "work").glob("*/work.json")):
            _, _, body = self.send("GET", f"/work/progress?work={each.parent.name}")
            found[f"{json.loads(each.read_text())['name']} {each.parent.name}"] = json.loads(body)["state"]
        return found

    def stop_all(self) -> None:
        """Stops all work that goes on, and waits until it has ended."""
        for _ in range(MOST_LOOKS):
            going_on = [name.split()[-1] for name, state in self.states().items() if state == "running"]
            for key in going_on:
                self.send("POST", "/work/stop", {"work": key, "back": "/files"})
            if not going_on:
                return
            time.sleep(0.2)

    def close(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)


def main() -> None:
    """Uses the desk, and leaves with 1 where something went wrong."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--minutes", type=float, default=MOST_MINUTES)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    seconds = 60 * min(given.minutes, MOST_MINUTES)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        people(400, seed=2).write_csv(folder / TABLE)
        (folder / "discreet.toml").write_text(project())
        desk = Desk(folder)
        try:
            wrong, memory, sent = _used(desk, seconds, random.Random(given.seed))
        finally:
            desk.stop_all()
            desk.close()
    warm = [megabytes for at, megabytes in memory if at >= WARM_UP * seconds]
    half = len(warm) // 2
    first, last = statistics.median(warm[:half] or warm), statistics.median(warm[half:])
    print(
        f"{sent} requests in {seconds:.0f} s, {len(wrong)} wrong; memory {first:.0f} MB, then {last:.0f} MB"
    )
    for each in wrong[:20]:
        print(f"  {each}")
    sys.exit(1 if wrong or last > GROWTH * first else 0)


def _used(
    desk: Desk, seconds: float, chance: random.Random
) -> tuple[list[str], list[tuple[float, float]], int]:
    """What went wrong, the memory over time, and how many requests were sent."""
    wrong, memory, sent, began = [], [], 0, time.monotonic()
    while (at := time.monotonic() - began) < seconds:
        method, target, fields, fine = _something(desk, chance)
        status, _, _ = desk.send(method, target, fields)
        sent += 1
        if status not in fine:
            wrong.append(f"{method} {target}: {status}")
        memory.append((at, desk.memory()))
        time.sleep(0.02)
    return wrong, memory, sent


def _something(desk: Desk, chance: random.Random) -> tuple[str, str, dict[str, str] | None, set[int]]:
    """Something that a steward, or somebody else, might do now, and the statuses that are right for it."""
    version = version_of((desk.folder / "discreet.toml").read_text())
    told = {"table": TABLE, "version": version}
    page = f"/{chance.choice(PAGES)}?table={TABLE}"
    role = chance.choice(("confidential", "insensitive", "quasi-identifier"))
    change = {**told, "column": "commute", "role": role, "scale": "numeric"}
    search = {"table": TABLE, "identity": str(chance.randint(20, 60)), "seconds": "20"}
    possible: list[tuple[str, str, dict[str, str] | None, set[int]]] = [
        *[("GET", page, None, {200})] * 8,
        ("POST", "/columns/change", change, {303}),
        ("POST", "/plan/undo", told, {303}),
        ("POST", "/plan/redo", told, {303}),
        ("POST", "/plan/look", {"table": TABLE, "on": "sample"}, {303}),
        ("POST", "/search/begin", search, {303}),
        ("GET", f"/search/map?table={TABLE}", None, {200}),
        ("POST", "/columns/change", {**change, "version": "stale"}, {409}),
        ("GET", "/columns?table=../people.csv", None, {400}),
    ]
    if chance.random() < 0.05:
        desk.stop_all()
    return chance.choice(possible)


if __name__ == "__main__":
    main()

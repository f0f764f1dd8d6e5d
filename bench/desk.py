"""Server time of each page of the desk for a large file of mixed columns, and the memory of the server.

    python -m bench.desk                             # 1,000,000 records of ten columns, from CSV
    python -m bench.desk --records 100000 --format parquet

A real server is asked over a socket: the file is uploaded, every page is opened once while its work begins, once when
the work is over, and once more after the server was killed and started anew. Wall and CPU seconds are those of the
server alone; the work that a page begins runs in processes of its own, and is told apart. The bar: no page over a
second of the server's CPU.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from audit.desk_soak import Desk
from bench.scale import EDUCATION, HEALTH, PROJECT, RECORDS, people
from bench.timing import table

SLOW = 1.0
PATIENCE = 3000.0
"""Seconds that one piece of work may take."""
PAGES = ("files", "columns", "plan", "search", "result", "export", "help")


class Bench:
    """A desk that is asked, and what was measured."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.desk = Desk(folder)
        self.rows: list[dict[str, object]] = []

    def cpu(self) -> float:
        """CPU seconds that the server has used so far; those of its children do not count."""
        fields = Path(f"/proc/{self.desk.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def peak(self) -> float:
        """The most megabytes that the server held."""
        status = Path(f"/proc/{self.desk.process.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024

    def ask(self, what: str, method: str, target: str, fields: dict[str, str] | None = None) -> bytes:
        """The body of an answer; its time is written down."""
        cpu, wall = self.cpu(), time.perf_counter()
        status, _, body = self.desk.send(method, target, fields)
        assert status in (200, 303), (status, target, body[:300])
        self.row(what, time.perf_counter() - wall, self.cpu() - cpu)
        return body

    def row(self, what: str, wall: float, cpu: float) -> None:
        self.rows.append(
            {
                "page": what,
                "server CPU s": round(cpu, 2),
                "wall s": round(wall, 2),
                "holds MB": round(self.desk.memory()),
                "peak MB": round(self.peak()),
            }
        )
        print(self.rows[-1], flush=True)

    def wait(self, what: str) -> None:
        """Waits for all work, asking seldom, and tells how long it took."""
        begun = time.perf_counter()
        while time.perf_counter() - begun < PATIENCE and self.running():
            time.sleep(1)
        print(f"  work of {what}: {time.perf_counter() - begun:.0f} s", flush=True)

    def running(self) -> bool:
        """Whether any work goes on, as the desk tells it."""
        return "running" in self.desk.states().values()

    def upload(self, file: Path) -> None:
        """Sends a file as the script of the page does, a piece at a time."""
        cpu, wall = self.cpu(), time.perf_counter()
        line = http.client.HTTPConnection("127.0.0.1", self.desk.port, timeout=600)
        headers = {
            "Cookie": self.desk.cookie,
            "Origin": f"http://127.0.0.1:{self.desk.port}",
            "Content-Type": "application/octet-stream",
            "X-File-Name": file.name,
            "Content-Length": str(file.stat().st_size),
        }
        with file.open("rb") as content:
            line.request("POST", "/files/add", content, headers)
            assert line.getresponse().status == 303
        self.row(
            f"upload of {file.stat().st_size / 1e6:.0f} MB", time.perf_counter() - wall, self.cpu() - cpu
        )

    def restart(self) -> None:
        """Ends the server as a power cut would, and starts it anew."""
        self.desk.process.kill()
        self.desk.process.wait(60)
        self.desk = Desk(self.folder)


def main() -> None:
    """Measures, and prints a table."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--records", type=int, default=RECORDS)
    given.add_argument("--format", choices=("csv", "parquet"), default="csv")
    asked = given.parse_args()
    with tempfile.TemporaryDirectory(prefix="desk-") as place:
        folder, source = Path(place) / "desk", Path(place) / f"people.{asked.format}"
        folder.mkdir()
        made = people(asked.records)
        made.write_csv(source) if asked.format == "csv" else made.write_parquet(source)
        bench = Bench(folder)
        try:
            _measure(bench, source)
            states = bench.desk.states()
        finally:
            bench.desk.stop_all()
            bench.desk.close()
    print(table(bench.rows))
    slow = [str(each["page"]) for each in bench.rows if float(str(each["server CPU s"])) > SLOW]
    print(f"work: {', '.join(f'{name} {state}' for name, state in states.items())}")
    print(f"over {SLOW:g} CPU s: {', '.join(slow) or 'none'}")


def _measure(bench: Bench, source: Path) -> None:
    """The way of a steward, from the upload to the export."""
    bench.upload(source)
    about = urlencode({"table": source.name})
    bench.ask("columns, no project yet", "GET", f"/columns?{about}")
    bench.wait("inspect")
    described = PROJECT.format(education=list(EDUCATION), health=list(HEALTH))
    (bench.folder / "discreet.toml").write_text(described)
    for page in PAGES:
        bench.ask(f"{page}, first", "GET", f"/{page}?{about}")
    bench.wait("columns")
    told = {"table": source.name}
    bench.ask("columns, attack", "POST", "/columns/attack", told)
    bench.ask("plan, look at a sample", "POST", "/plan/look", {**told, "on": "sample"})
    bench.wait("exposure and preview")
    version = _twin(bench, f"/plan?{about}")["version"]
    bench.ask("plan, make", "POST", "/plan/make", {**told, "release": "release", "version": version})
    bench.wait("protect")
    for page in ("result", "export"):
        bench.ask(f"{page}, begins its work", "GET", f"/{page}?{about}")
    bench.wait("report")
    bench.ask("search, begin", "POST", "/search/begin", {**told, "identity": "20", "seconds": "120"})
    bench.ask("search, while it runs", "GET", f"/search?{about}")
    bench.ask("search map, while it runs", "GET", f"/search/map?{about}")
    bench.wait("search")
    for page in PAGES:
        bench.ask(f"{page}, all there", "GET", f"/{page}?{about}")
    bench.ask("report", "GET", f"/result/report?{about}&release=release")
    bench.restart()
    for page in PAGES:
        bench.ask(f"{page}, after a restart", "GET", f"/{page}?{about}")
    for page in PAGES:
        bench.ask(f"{page}, again", "GET", f"/{page}?{about}")


def _twin(bench: Bench, target: str) -> Any:
    _, _, body = bench.desk.send("GET", target, accept="application/json")
    return json.loads(body)


if __name__ == "__main__":
    main()

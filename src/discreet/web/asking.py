"""What the pages ask of the library, each as a command that one can type as well."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

from discreet.digests import digest_of
from discreet.distributions import NOT_SHOWN
from discreet.web.desk import Subject
from discreet.web.work import Work

DESCRIBED = ("read", "columns")
"""The sections of a project that say what a file holds."""
JUDGED = (*DESCRIBED, "assess")


def inspect_work(subject: Subject) -> Work:
    """Proposing roles and scales, and writing them as the project of a table that has none."""
    return Work(
        name="inspect",
        says=f"Proposing roles for the columns of {subject.name}",
        arguments=("inspect", subject.file, "--out", subject.desk.given(subject.project_file), "--json"),
        depends_on={"file": subject.desk.digest(subject.table)},
    )


def columns_work(subject: Subject) -> Work:
    """Looking at every column."""
    shown = {
        name: [each.scale, each.order, each.role in NOT_SHOWN]
        for name, each in subject.project.columns.items()
    }
    made = subject.work(
        "columns",
        f"Looking at the columns of {subject.name}",
        "columns",
        subject.file,
        "--json",
        parts=("read",),
    )
    return replace(made, depends_on={**made.depends_on, "shown": digest_of(shown)})


def exposure_work(subject: Subject) -> Work:
    """How exposed the file is as it is, and which columns single records out."""
    asked = ("--attack", "identity", "--attack", "attribute", "--attack", "suda", "--loss", "lost")
    says = f"Attacking {subject.name} as it is"
    return subject.work("exposure", says, "assess", subject.file, *asked, "--json", parts=DESCRIBED)


def report_work(
    subject: Subject, release: Path, audience: Literal["internal", "external"] = "internal"
) -> Work:
    """Attacking a release and measuring what is lost, as the report tells it."""
    name = subject.desk.folder.name_of(release)
    place = subject.desk.folder.own / "reports" / f"{name.replace('/', '_')}.{audience}.html"
    place.parent.mkdir(mode=0o700, exist_ok=True)
    made = subject.work(
        f"report {audience}",
        f"Attacking the release {name}",
        "report",
        subject.desk.given(release),
        "--original",
        subject.file,
        "--audience",
        audience,
        "--out",
        f"./{place.relative_to(subject.desk.root).as_posix()}",
        "--force",
        "--json",
        parts=JUDGED,
    )
    digest = subject.desk.digest(release / "public" / "manifest.json")
    return replace(made, depends_on={**made.depends_on, "release": digest})

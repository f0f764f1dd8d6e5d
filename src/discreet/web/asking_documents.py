"""What the pages about documents ask of the library, each as a command that one can type as well."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from discreet.manifest import PUBLIC_NAME
from discreet.web.document_limits import limits_of
from discreet.web.papers import Papers
from discreet.web.work import Work

Audience = Literal["internal", "external"]


def sanitise_work(papers: Papers, release: str, options: tuple[str, ...], once: str) -> Work:
    """Making a release of documents under their policy, with the decisions carried out."""
    arguments: tuple[str, ...] = ("sanitise", papers.desk.given(papers.place), "--out", f"./{release}")
    if papers.policy_given is not None:
        arguments = (*arguments, "--policy", papers.policy_given)
    if papers.text:
        arguments = (*arguments, "--decisions", papers.desk.given(papers.file))
    return Work(
        name="sanitise",
        says=f"Making the release {release} of {papers.name}",
        arguments=(*arguments, *options, "--json"),
        depends_on={"documents": papers.mark, "decisions": papers.version},
        once=once,
    )


def report_documents_work(papers: Papers, release: Path, audience: Audience = "internal") -> Work:
    """Attacking a release of documents, as a report tells it, held against the limits of the folder."""
    desk = papers.desk
    name = desk.folder.name_of(release)
    limits = [f"{each}={bound:g}" for each, bound in limits_of(papers).items()]
    return Work(
        name=f"report documents {audience}",
        says=f"Attacking the release {name}",
        arguments=(
            "report",
            desk.given(release),
            "--original",
            desk.given(papers.place),
            "--audience",
            audience,
            *(each for limit in limits for each in ("--ceiling", limit)),
            "--out",
            desk.given(report_place(papers, release, audience)),
            "--force",
            "--json",
        ),
        depends_on={
            "release": desk.digest(release / "public" / PUBLIC_NAME),
            "documents": papers.files_mark,
        },
    )


def report_place(papers: Papers, release: Path, audience: Audience) -> Path:
    """Where the page of a report is written."""
    name = papers.desk.folder.name_of(release).replace("/", "_")
    place = papers.desk.folder.own / "reports" / f"{name}.documents.{audience}.html"
    place.parent.mkdir(mode=0o700, exist_ok=True)
    return place

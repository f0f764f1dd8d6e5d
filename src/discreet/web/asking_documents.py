"""What the pages about documents ask of the library, each as a command that one can type as well."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from discreet.manifest import PUBLIC_NAME
from discreet.web.papers import Papers
from discreet.web.work import Work


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


def report_documents_work(papers: Papers, release: Path) -> Work:
    """Attacking a release of documents, as the internal report tells it."""
    desk = papers.desk
    name = desk.folder.name_of(release)
    place = desk.folder.own / "reports" / f"{name.replace('/', '_')}.documents.html"
    place.parent.mkdir(mode=0o700, exist_ok=True)
    made = Work(
        name="report documents",
        says=f"Attacking the release {name}",
        arguments=(
            "report",
            desk.given(release),
            "--original",
            desk.given(papers.place),
            "--out",
            f"./{place.relative_to(desk.root).as_posix()}",
            "--force",
            "--json",
        ),
        depends_on={"release": desk.digest(release / "public" / PUBLIC_NAME)},
    )
    return replace(made, depends_on={**made.depends_on, "documents": papers.files_mark})

"""Export: the release, the project, and the same work as command lines and as a script that gives the same bytes."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path
from urllib.parse import quote

from starlette.responses import Response

from discreet.web.asking import keygen_work, reproduce_work, verify_work
from discreet.web.desk import as_typed
from discreet.web.page import Facts, Go, Page, Visit, about_work, download
from discreet.web.pages.files import verdict_of
from discreet.web.refused import Refused

MEANINGS = {
    "manifest.json": "methods, parameters and digests, by which others can check the file",
    "manifest.json.sig": "the signature of the manifest",
}


def show(visit: Visit) -> Facts:
    """The files of one release that are for others, and how it can be made again."""
    subject = visit.subject
    releases = subject.releases
    name = visit.given("release", "")
    chosen = subject.desk.folder.release(name) if name else next(iter(releases), None)
    facts: Facts = {
        "table": subject.name,
        "project": subject.project_file.name,
        "key": _key(visit),
        "releases": [subject.desk.folder.name_of(each) for each in releases],
        "release": None if chosen is None else subject.desk.folder.name_of(chosen),
        "typed": [
            as_typed(("inspect", subject.name, "--out", subject.project_file.name)),
            as_typed(("protect", subject.name, "--project", subject.project_file.name, "--out", "release")),
            as_typed(
                ("report", "release", "--original", subject.name, "--project", subject.project_file.name)
            ),
        ],
    }
    if chosen is None:
        return facts
    told = about_work(visit, reproduce_work(subject, chosen), begin=True)
    checked = about_work(visit, verify_work(subject, chosen), begin=False)
    return {
        **facts,
        "verdict": verdict_of(subject.desk, chosen),
        "files": [
            {
                "name": each.name,
                "bytes": each.stat().st_size,
                "about": MEANINGS.get(each.name, "the published file"),
            }
            for each in _public(chosen)
        ],
        "work": {key: value for key, value in told.items() if key != "answer"},
        "again": told["answer"],
        "check": {key: value for key, value in checked.items() if key != "answer"},
        "checked": checked["answer"],
    }


def _key(visit: Visit) -> Facts:
    """Whether the desk has a key that signs releases, and how the making of one stands."""
    making = about_work(visit, keygen_work(visit.subject), begin=False)
    return {
        "there": visit.desk.public_key.is_file(),
        "work": {key: value for key, value in making.items() if key != "answer"},
    }


def _public(release: Path) -> list[Path]:
    """The files of a release that are for others."""
    found = [
        each for each in sorted((release / "public").iterdir()) if each.is_file() and not each.is_symlink()
    ]
    return sorted(found, key=lambda each: each.name in MEANINGS)


def check(visit: Visit) -> Go:
    """Begins to check the release as `discreet verify` does."""
    subject = visit.subject
    release = visit.desk.folder.release(visit.given("release"))
    visit.start(verify_work(subject, release))
    return Go("export", {"table": subject.name, "release": visit.given("release")})


def keygen(visit: Visit) -> Go:
    """Begins to make a key that signs releases; one that is there is never replaced."""
    if visit.desk.key.exists():
        raise Refused(HTTPStatus.CONFLICT, "The desk has a key already; it was left as it is.")
    visit.desk.works.forget(keygen_work(visit.subject).key)
    visit.start(keygen_work(visit.subject))
    return Go("export", {"table": visit.subject.name, "release": visit.given("release", "")})


def key(visit: Visit) -> Response:
    """The public key; the secret one has no address."""
    place = visit.desk.public_key
    if not place.is_file():
        raise Refused(HTTPStatus.NOT_FOUND, "The desk has no key yet.")
    return Response(place.read_bytes(), media_type="application/x-pem-file", headers=_kept_as(place.name))


def file(visit: Visit) -> Response:
    """One published file; what is private has no address."""
    release = visit.desk.folder.release(visit.given("release"))
    found = next((each for each in _public(release) if each.name == visit.given("name")), None)
    if found is None:
        raise Refused(HTTPStatus.NOT_FOUND, "The release publishes no such file.")
    return download(visit.desk, found, found.name)


def project(visit: Visit) -> Response:
    """The project file."""
    subject = visit.subject
    return Response(subject.text, media_type="application/toml", headers=_kept_as(subject.project_file.name))


def script(visit: Visit) -> Response:
    """The script that makes the release again."""
    subject = visit.subject
    release = visit.desk.folder.release(visit.given("release"))
    told = visit.desk.works.answer(reproduce_work(subject, release).key)
    if told is None:
        raise Refused(HTTPStatus.NOT_FOUND, "The script is not written yet.")
    return Response(
        told["script"], media_type="text/x-python", headers=_kept_as(f"make_{release.name}_again.py")
    )


def _kept_as(name: str) -> dict[str, str]:
    return {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}


PAGE = Page(
    name="export",
    title="Export",
    about="What goes out, what stays here, and the same work without this page.",
    show=show,
    changes={"check": check, "keygen": keygen},
    parts={"file": file, "project": project, "script": script, "key": key},
    script=True,
)

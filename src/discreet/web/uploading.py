"""Files that are added to the folder: written to the disk as they come, whole or not at all."""

from __future__ import annotations

import shutil
from http import HTTPStatus
from pathlib import Path
from urllib.parse import unquote

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import ClientDisconnect, Request

from discreet.formats import BY_ENDING, ending_of
from discreet.web.desk import Desk
from discreet.web.page import Go
from discreet.web.refused import Refused
from discreet.writing.atomic import new_file

NAME_HEADER, KIND_HEADER, DOCUMENT = "x-file-name", "x-file-kind", "document"


async def received(desk: Desk, request: Request) -> Go:
    """Where to go on with the file that was added: a table by its columns, a document by the folder it is in.

    A script of the page sends the bytes as they are, and the name in a header; without a script a form does.
    """
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind == "application/octet-stream":
        name = _decoded(request.headers.get(NAME_HEADER, ""))
        place = _new(desk, name, request.headers.get(KIND_HEADER, ""))
        await _streamed(request, place)
    elif kind == "multipart/form-data":
        form = await request.form(max_files=1, max_fields=4)
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise Refused(HTTPStatus.BAD_REQUEST, "No file was chosen.")
        place = _new(desk, file.filename or "", str(form.get("kind", "")))
        await run_in_threadpool(_copied, file, place)
    else:
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "A file is sent as its bytes, or by a form.")
    if place.parent != desk.root:
        return Go("documents", {"docs": desk.folder.name_of(place.parent)})
    return Go("columns", {"table": desk.folder.name_of(place)})


def _decoded(name: str) -> str:
    """A name as a header holds it; refused where it is not UTF-8."""
    try:
        return unquote(name, errors="strict")
    except UnicodeDecodeError:
        raise Refused(HTTPStatus.BAD_REQUEST, "This is no name of a file.") from None


def _new(desk: Desk, name: str, kind: str) -> Path:
    """Where a new table, or a new document, goes; Refused where the name is neither, or is taken.

    A text can be either: `kind` says which.
    """
    from discreet.text.documents.formats import ENDINGS, format_of

    place = desk.folder.new_name(name)
    if ending_of(place) in BY_ENDING and not (kind == DOCUMENT and format_of(place.name)):
        return place
    if format_of(place.name) is None:
        tables, documents = ", ".join(BY_ENDING), ", ".join(sorted(ENDINGS))
        says = f"discreet reads tables that end in {tables}, and documents that end in {documents}."
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, says)
    return desk.folder.new_document(place.name)


async def _streamed(request: Request, place: Path) -> None:
    got = 0
    try:
        with new_file(place, private=True) as temporary, temporary.open("wb") as file:
            async for chunk in request.stream():
                got += len(chunk)
                await run_in_threadpool(file.write, chunk)
            if not got:
                raise Refused(HTTPStatus.BAD_REQUEST, "The file is empty.")
    except ClientDisconnect:
        raise Refused(
            HTTPStatus.BAD_REQUEST, "The file did not come whole, so nothing was written."
        ) from None


def _copied(file: UploadFile, place: Path) -> None:
    if not file.size:
        raise Refused(HTTPStatus.BAD_REQUEST, "The file is empty.")
    with new_file(place, private=True) as temporary, temporary.open("wb") as target:
        shutil.copyfileobj(file.file, target)

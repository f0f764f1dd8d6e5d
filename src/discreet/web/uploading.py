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
from discreet.web.refused import Refused
from discreet.writing.atomic import new_file

NAME_HEADER = "x-file-name"


async def received(desk: Desk, request: Request) -> str:
    """The name of the file that was added.

    A script of the page sends the bytes as they are, and the name in a header; without a script a form does.
    """
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind == "application/octet-stream":
        place = _new(desk, _decoded(request.headers.get(NAME_HEADER, "")))
        await _streamed(request, place)
    elif kind == "multipart/form-data":
        form = await request.form(max_files=1, max_fields=4)
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise Refused(HTTPStatus.BAD_REQUEST, "No file was chosen.")
        place = _new(desk, file.filename or "")
        await run_in_threadpool(_copied, file, place)
    else:
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "A file is sent as its bytes, or by a form.")
    return desk.folder.name_of(place)


def _decoded(name: str) -> str:
    """A name as a header holds it; refused where it is not UTF-8."""
    try:
        return unquote(name, errors="strict")
    except UnicodeDecodeError:
        raise Refused(HTTPStatus.BAD_REQUEST, "This is no name of a file.") from None


def _new(desk: Desk, name: str) -> Path:
    place = desk.folder.new_name(name)
    if ending_of(place) not in BY_ENDING:
        known = ", ".join(BY_ENDING)
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"discreet reads tables that end in {known}.")
    return place


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

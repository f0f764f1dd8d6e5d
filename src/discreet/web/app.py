"""The desk as an application: its pages, their changes and parts, how work goes on, and answers to what goes wrong."""

from __future__ import annotations

import asyncio
import errno
import json
import traceback
from collections.abc import AsyncIterator, Callable
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from discreet.errors import BadInput, DiscreetError
from discreet.visible import visible
from discreet.web.desk import Desk
from discreet.web.guard import Door, Guard
from discreet.web.page import Facts, Go, Page, Visit
from discreet.web.pages import PAGES
from discreet.web.refused import Refused, Stale
from discreet.web.rendering import assets, render, version_of_assets
from discreet.web.uploading import received

MOST_FIELDS, LARGEST_FIELD = 2000, 1 << 20
LOOKS_EVERY = 0.4
"""Seconds from one look at how work stands to the next."""
FULL = "Nothing was written, and what was there is as it was. Make room on the disk, then try again."
FORM_KINDS = ("application/x-www-form-urlencoded", "multipart/form-data")


def make_app(folder: Path, door: Door) -> ASGIApp:
    """The desk of a folder behind its door."""
    desk = Desk(folder)
    desk.folder.clear_leftovers()
    routes = [
        Route("/", partial(_first, desk), methods=["GET"]),
        Route("/health", _health, methods=["GET"]),
        Route("/static/{name}", _asset, methods=["GET"]),
        Route("/work/progress", partial(_progress, desk), methods=["GET"]),
        Route("/work/stop", partial(_end, desk.works.stop), methods=["POST"]),
        Route("/work/again", partial(_end, desk.works.forget), methods=["POST"]),
        Route("/files/add", partial(_add, desk), methods=["POST"]),
    ]
    for page in PAGES:
        routes.append(Route(f"/{page.name}", partial(_show, desk, page), methods=["GET"]))
        for name, change in page.changes.items():
            routes.append(
                Route(f"/{page.name}/{name}", partial(_change, desk, page, change), methods=["POST"])
            )
        for name, part in page.parts.items():
            routes.append(Route(f"/{page.name}/{name}", partial(_part, desk, part), methods=["GET"]))
    handlers: Any = {
        Exception: _went_wrong,
        HTTPException: _not_here,
        Refused: _refused,
        DiscreetError: partial(_error, desk),
    }
    return Guard(Starlette(routes=routes, exception_handlers=handlers), door)


async def _first(desk: Desk, request: Request) -> Response:
    return RedirectResponse(f"/{PAGES[0].name}", status_code=HTTPStatus.SEE_OTHER)


async def _health(request: Request) -> Response:
    return Response(status_code=HTTPStatus.NO_CONTENT)


async def _asset(request: Request) -> Response:
    found = assets().get(request.path_params["name"])
    if found is None:
        raise Refused(HTTPStatus.NOT_FOUND, "There is no such page.")
    content, kind = found
    return Response(content, media_type=kind)


async def _show(desk: Desk, page: Page, request: Request) -> Response:
    visit = Visit(desk=desk, asked=dict(request.query_params))
    return await run_in_threadpool(_shown, page, visit, _wants_json(request))


def _shown(page: Page, visit: Visit, as_json: bool) -> Response:
    facts = page.show(visit)
    if as_json:
        return JSONResponse(facts)
    drawings = page.draw(visit, facts) if page.draw else {}
    return HTMLResponse(render(page.name, facts=facts, drawings=drawings, **_frame(page, visit)))


def _frame(page: Page | None, visit: Visit) -> dict[str, Any]:
    """What stands around every page."""
    table = visit.subject.name if page is not None and page.of == "table" else visit.asked.get("table", "")
    running = [each.to_dict() for each in visit.desk.works.running()]
    return {"page": page, "pages": PAGES, "table": table, "running": running, "assets": version_of_assets()}


async def _change(desk: Desk, page: Page, change: Callable[[Visit], Go], request: Request) -> Response:
    visit = Visit(desk=desk, asked=dict(request.query_params), form=await _form(request))
    request.state.form = visit.form
    go = await run_in_threadpool(change, visit)
    if _wants_json(request):
        return JSONResponse({"see": go.address})
    return RedirectResponse(go.address, status_code=HTTPStatus.SEE_OTHER)


async def _form(request: Request) -> FormData:
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind not in FORM_KINDS:
        raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "A change is sent as a form.")
    return await request.form(max_files=0, max_fields=MOST_FIELDS, max_part_size=LARGEST_FIELD)


async def _part(desk: Desk, part: Callable[[Visit], Response], request: Request) -> Response:
    return await run_in_threadpool(part, Visit(desk=desk, asked=dict(request.query_params)))


async def _add(desk: Desk, request: Request) -> Response:
    address = (await received(desk, request)).address
    if _wants_json(request):
        return JSONResponse({"see": address}, status_code=HTTPStatus.CREATED)
    return RedirectResponse(address, status_code=HTTPStatus.SEE_OTHER)


async def _progress(desk: Desk, request: Request) -> Response:
    key = request.query_params.get("work", "")
    now = desk.works.progress(key)
    if "text/event-stream" not in request.headers.get("accept", ""):
        return JSONResponse(now.to_dict())
    return StreamingResponse(_events(desk, key, request), media_type="text/event-stream")


async def _events(desk: Desk, key: str, request: Request) -> AsyncIterator[str]:
    """How the work stands, each time that this changes, until it is over or nobody listens."""
    told = None
    while not await request.is_disconnected():
        now = await run_in_threadpool(desk.works.progress, key)
        if now != told:
            yield f"data: {json.dumps(now.to_dict())}\n\n"
            told = now
        if now.state != "running":
            return
        await asyncio.sleep(LOOKS_EVERY)


async def _end(end: Callable[[str], object], request: Request) -> Response:
    """Stops or forgets a piece of work, and goes back to the page that told of it, which begins it where it must."""
    form = await _form(request)
    await run_in_threadpool(end, str(form.get("work", "")))
    back = str(form.get("back", ""))
    safe = back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/"
    return RedirectResponse(safe, status_code=HTTPStatus.SEE_OTHER)


def _wants_json(request: Request) -> bool:
    """Whether a program asks: JSON is accepted, and HTML is not preferred to it."""
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted and "text/html" not in accepted


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return _answer(request, error.status, error.title, error.message, error)


async def _error(desk: Desk, request: Request, error: Exception) -> Response:
    """An error of the library: its sentence holds no cell of the data. Files are named below the folder."""
    problem = error.__context__
    if isinstance(problem, OSError) and problem.errno in (errno.ENOSPC, errno.EDQUOT):
        return _answer(request, HTTPStatus.INSUFFICIENT_STORAGE, "The disk is full", FULL, error)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if isinstance(error, BadInput) else HTTPStatus.CONFLICT
    return _answer(request, status, "That is not possible", str(error).replace(f"{desk.root}/", ""), error)


async def _not_here(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    says = {404: "There is no such page.", 405: "That page does not take this kind of request."}
    return _answer(request, status, status.phrase, says.get(status, "The request could not be read."), error)


async def _went_wrong(request: Request, error: Exception) -> Response:
    """The edge: what is not ours may quote the data, so that only the place is told."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{type(error).__name__} in {Path(last.filename).name}, line {last.lineno}"
    says = f"{where}. This is a fault of discreet, not of your data. Nothing was changed. Please report it."
    return _answer(request, HTTPStatus.INTERNAL_SERVER_ERROR, "Something went wrong", says, error)


def _answer(request: Request, status: int, title: str, says: str, error: Exception) -> Response:
    if _wants_json(request):
        return JSONResponse(
            {"error": {"name": type(error).__name__, "message": says, "status": int(status)}},
            status_code=status,
        )
    facts: Facts = {"title": title, "says": visible(says), "status": int(status), "again": None}
    if isinstance(error, Stale):
        sent = [(name, value) for name, value in request.state.form.multi_items() if isinstance(value, str)]
        facts["again"] = {
            "action": request.url.path,
            "fields": [(name, error.version if name == "version" else value) for name, value in sent],
        }
    table = request.query_params.get("table") or dict(facts["again"]["fields"] if facts["again"] else []).get(
        "table", ""
    )
    page = render(
        "error", facts=facts, page=None, pages=PAGES, table=table, running=[], assets=version_of_assets()
    )
    return HTMLResponse(page, status_code=status)

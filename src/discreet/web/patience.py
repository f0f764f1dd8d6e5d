"""How long the desk waits for whoever opened a line to it: lines that say nothing would keep others out."""

from __future__ import annotations

import asyncio

from starlette.types import Message, Receive
from uvicorn.protocols.http.h11_impl import H11Protocol

from discreet.web.refused import TooSlow

FOR_A_REQUEST, FOR_A_PIECE = 20.0, 60.0
"""Seconds that the head of the first request of a line may take, and each piece of a body."""


class Line(H11Protocol):
    """A line that is let go of where no whole request came over it in time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begins to wait for a request."""
        super().connection_made(transport)
        self.loop.call_later(FOR_A_REQUEST, self._let_go)

    def _let_go(self) -> None:
        # A request that came whole has a cycle, whether it was answered or not.
        if not self.cycle and not self.transport.is_closing():
            self.transport.close()


def impatient(receive: Receive) -> Receive:
    """The body of a request, each piece in its time; what comes after the body can take as long as it likes."""
    whole = False

    async def received() -> Message:
        nonlocal whole
        if whole:
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), FOR_A_PIECE)
        except TimeoutError:
            raise TooSlow from None
        whole = not message.get("more_body", False)
        return message

    return received

"""What the desk answers to a request that it does not carry out."""

from __future__ import annotations

from http import HTTPStatus


class Refused(Exception):
    """A request that is not carried out: its status, and one sentence that holds nothing of the data."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = int(status), message

    @property
    def title(self) -> str:
        return HTTPStatus(self.status).phrase


class Stale(Refused):
    """A change to a project, or to decisions, that another tab or program has changed in the meantime."""

    def __init__(self, version: str, what: str = "This project was") -> None:
        super().__init__(
            HTTPStatus.CONFLICT,
            f"{what} changed in the meantime, in another tab or by another program, so nothing was written: "
            "neither that change nor yours is lost. Look at how it is now, then make your change again or put it on "
            "top.",
        )
        self.version = version


"""`version` is that of the project, or of the decisions, as it is now."""


class TooLarge(Refused):
    """A body that turned out larger than it may be."""

    def __init__(self) -> None:
        super().__init__(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "That is more than the desk takes at once.")


class TooSlow(Refused):
    """A body that stopped coming."""

    def __init__(self) -> None:
        super().__init__(HTTPStatus.REQUEST_TIMEOUT, "The rest of what was sent did not come.")

"""The steward's desk: pages on this machine, made by the server from what the library and the command line tell."""

from discreet.web.app import make_app
from discreet.web.server import serve

__all__ = ["make_app", "serve"]

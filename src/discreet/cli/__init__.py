"""The command line: parse, call one library function, show."""

from discreet.cli.edge import main

__all__ = ["main"]

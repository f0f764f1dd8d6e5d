"""Entities in XML files: what a file may not declare, because reading it could take for ever or reach other files."""

from __future__ import annotations

from pathlib import Path
from xml.parsers import expat

from discreet.errors import BadFile

CHUNK = 1 << 16


class _Begun(Exception):
    """The first element: all that comes before it has been seen."""


def refuse_entities(path: Path) -> None:
    """Raises BadFile where an XML file declares an entity that stands for another file or for other entities.

    Entities for plain text, as OWL files have them for their namespaces, are fine. What is not XML is left for the
    reader to refuse. Nothing is fetched.
    """
    parser = expat.ParserCreate()

    def declared(name: str, parameter: bool, value: str | None, *places: str | None) -> None:
        # `value` is None where the text is elsewhere; other entities stand in it as they are written.
        if value is None or "&" in value or parameter:
            raise BadFile(
                f"'{path}', line {parser.CurrentLineNumber}: this declares an entity that stands for another "
                "file or for other entities, which are not read. Put plain text in its place."
            )

    def begun(name: str, attributes: dict[str, str]) -> None:
        raise _Begun

    parser.EntityDeclHandler = declared
    parser.StartElementHandler = begun
    try:
        with path.open("rb") as file:
            while chunk := file.read(CHUNK):
                parser.Parse(chunk)
    except (_Begun, expat.ExpatError):
        return
    except (LookupError, ValueError) as error:
        raise BadFile(f"'{path}' names an encoding that is not read. Save it in UTF-8.") from error
    except OSError as error:
        raise BadFile(f"'{path}' cannot be read: {type(error).__name__}.") from error

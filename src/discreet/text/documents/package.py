"""Documents that are zip archives: members read within limits, and written the same way every time."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping

from discreet.reading.limits import check_growth
from discreet.text.documents.opened import Opening

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
CHUNK = 1 << 20
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of every member that is written: a time tells who worked when."""


def members(raw: bytes, opening: Opening) -> dict[str, bytes]:
    """The members of an archive by name. Raises BadFile where it is damaged, locked, or grows beyond the limits."""
    if raw.startswith(OLE):
        raise opening.broken(
            "it is locked by a password, or in the binary format of old programs",
            "Save it anew without a password, as .docx, .odt or .rtf.",
        )
    found: dict[str, bytes] = {}
    grown = 0
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            for each in archive.infolist():
                if each.is_dir():
                    continue
                if each.filename in found:
                    raise opening.broken("it holds two members of one name, of which programs show only one")
                pieces: list[bytes] = []
                with archive.open(each) as packed:
                    while piece := packed.read(CHUNK):
                        grown += len(piece)
                        check_growth(opening.name, len(raw), grown)
                        pieces.append(piece)
                found[each.filename] = b"".join(pieces)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError):
        raise opening.broken("it is damaged or locked by a password: its archive cannot be read") from None
    return found


def archive(parts: Mapping[str, bytes], *, stored: tuple[str, ...] = ()) -> bytes:
    """The bytes of an archive of these members in this order; the same members give the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for name, content in parts.items():
            info = zipfile.ZipInfo(name, date_time=LONG_AGO)
            info.compress_type = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            package.writestr(info, content)
    return out.getvalue()

"""Which format a file is in: by the ending of its name, and by its first bytes where they say otherwise."""

from __future__ import annotations

from pathlib import Path

from discreet.errors import BadFile

ENDINGS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".txt": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".xlsb": "excel",
    ".xls": "excel",
    ".ods": "excel",
    ".sav": "sav",
    ".zsav": "sav",
    ".por": "por",
    ".dta": "dta",
    ".sas7bdat": "sas7bdat",
    ".xpt": "xpt",
    ".xport": "xpt",
}
GZIP = b"\x1f\x8b"
FIRST_BYTES = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"\xff\xff\xff\xff", "arrow"),
    (b"PK\x03\x04", "excel"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "excel"),
    (b"$FL2", "sav"),
    (b"$FL3", "sav"),
    (b"<stata_dta>", "dta"),
    (b"\x00" * 12 + b"\xc2\xea\x81\x60", "sas7bdat"),
    (b"HEADER RECORD*******LIB", "xpt"),
)
OLD_STATA = {104, 105, 108, 110, 111, 112, 113, 114, 115}
HEAD = 512
"""How many first bytes are enough to tell the format."""


def kind_of(path: Path, head: bytes) -> str:
    """The format of a file with these first bytes: csv, parquet, arrow, excel, sav, por, dta, sas7bdat or xpt.

    The content wins where it contradicts the name. Raises BadFile where the name guarantees a format that the
    content is not in, or where neither says what the file is.
    """
    named = ENDINGS.get(ending_of(path))
    seen = _kind_by_content(head)
    if seen is not None:
        return seen
    if named == "csv" or head.startswith(GZIP):
        return "csv"
    if named is not None:
        raise BadFile(
            f"{path.name} ends in {ending_of(path)} but its content is not in that format. "
            "Was it cut short, or given a wrong name?"
        )
    if b"\x00" not in head or head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "csv"
    raise BadFile(
        f"{path.name} is in no format discreet can read. It reads files that end in {', '.join(ENDINGS)}."
    )


def ending_of(path: Path) -> str:
    """The ending of the file's name in small letters, that of the compressed file where it ends in .gz."""
    endings = [each.lower() for each in path.suffixes]
    if endings and endings[-1] == ".gz":
        endings.pop()
    return endings[-1] if endings else ""


def stem_of(path: Path) -> str:
    """The file's name without its endings: `adult` for adult.csv.gz."""
    name = path.name.removesuffix(".gz")
    return Path(name).stem or name


def _kind_by_content(head: bytes) -> str | None:
    for first, kind in FIRST_BYTES:
        if head.startswith(first):
            return kind
    if b"SPSSPORT" in head:
        return "por"
    # Stata before version 13: the version, then the byte order (1 or 2), then the file type 1.
    if len(head) > 3 and head[0] in OLD_STATA and head[1] in (1, 2) and head[2] == 1:
        return "dta"
    return None

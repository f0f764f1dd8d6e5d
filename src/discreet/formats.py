"""The formats of files, in one table: how each is told, what reads and writes it, and what is released instead."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from discreet.errors import BadFile

GZIP = b"\x1f\x8b"
OLD_STATA = {104, 105, 108, 110, 111, 112, 113, 114, 115}
HEAD = 512
"""How many first bytes are enough to tell the format."""
USUAL = ".csv"
"""What a release is written as where the name of its original tells no format."""
TABBED = (".tsv", ".tab")
"""Texts whose name says that tabs stand between their cells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One format: its endings, the bytes it begins with, and the functions that read and write it.

    Functions are named as `module:function` and looked up when a file needs them, so that the table stands below the
    rooms that it names. `written` are the endings it can be written with. `released_as` is the ending of a release
    whose original is in this format, where that is not the original's own. `read_exactly` reads back what was
    written to the last bit; a format without it may lose something, and what is written in it is compared.
    """

    name: str
    title: str
    endings: tuple[str, ...]
    read: str
    first_bytes: tuple[bytes, ...] = ()
    write: str | None = None
    written: tuple[str, ...] = ()
    released_as: str | None = None
    read_exactly: str | None = None


FORMATS = (
    Format(
        name="csv",
        title="CSV",
        endings=(".csv", ".tsv", ".tab", ".txt"),
        read="discreet.reading.csv:read_csv",
        write="discreet.writing.csv:write_csv",
        written=(".csv", ".tsv", ".tab", ".txt"),
        read_exactly="discreet.reading.csv:read_written",
    ),
    Format(
        name="parquet",
        title="Parquet",
        endings=(".parquet", ".pq"),
        first_bytes=(b"PAR1",),
        read="discreet.reading.arrow:read_parquet",
        write="discreet.writing.arrow:write_parquet",
        written=(".parquet", ".pq"),
        read_exactly="discreet.reading.arrow:parquet_values",
    ),
    Format(
        name="excel",
        title="Excel",
        endings=(".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"),
        first_bytes=(b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
        read="discreet.reading.excel:read_excel",
        write="discreet.writing.excel:write_excel",
        written=(".xlsx",),
        released_as=".xlsx",
    ),
    Format(
        name="sav",
        title="SPSS",
        endings=(".sav", ".zsav"),
        first_bytes=(b"$FL2", b"$FL3"),
        read="discreet.reading.statistical:read_sav",
        write="discreet.writing.statistical:write_statistical",
        written=(".sav", ".zsav"),
    ),
    Format(
        # It can be asked for, but has names of eight capitals and loses digits: not what a release should fall into.
        name="por",
        title="SPSS",
        endings=(".por",),
        read="discreet.reading.statistical:read_por",
        write="discreet.writing.statistical:write_statistical",
        written=(".por",),
        released_as=".sav",
    ),
    Format(
        name="dta",
        title="Stata",
        endings=(".dta",),
        first_bytes=(b"<stata_dta>",),
        read="discreet.reading.statistical:read_dta",
        write="discreet.writing.statistical:write_statistical",
        written=(".dta",),
    ),
    Format(
        name="sas7bdat",
        title="SAS",
        endings=(".sas7bdat",),
        first_bytes=(b"\x00" * 12 + b"\xc2\xea\x81\x60",),
        read="discreet.reading.statistical:read_sas7bdat",
        released_as=".xpt",
    ),
    Format(
        name="xpt",
        title="SAS",
        endings=(".xpt", ".xport"),
        first_bytes=(b"HEADER RECORD*******LIB",),
        read="discreet.reading.statistical:read_xpt",
        write="discreet.writing.statistical:write_statistical",
        written=(".xpt",),
        released_as=".xpt",
    ),
    Format(
        name="arrow",
        title="Arrow",
        endings=(".arrow", ".feather", ".ipc"),
        first_bytes=(b"ARROW1", b"\xff\xff\xff\xff"),
        read="discreet.reading.arrow:read_arrow",
        write="discreet.writing.arrow:write_arrow",
        written=(".arrow", ".feather", ".ipc"),
        read_exactly="discreet.reading.arrow:arrow_values",
    ),
)
BY_NAME = {each.name: each for each in FORMATS}
BY_ENDING = {ending: each for each in FORMATS for ending in each.endings}
WRITTEN = tuple(ending for each in FORMATS for ending in each.written)
"""The endings that a file can be written with."""
WRITTEN_NAMES = tuple(ending.removeprefix(".") for ending in WRITTEN)
"""The same as the `format` of a project names them."""
COLUMNAR = tuple(ending for name in ("parquet", "arrow") for ending in BY_NAME[name].endings)
"""The endings of files that tell their columns and how many records they hold."""
TABLES_IN_PARTS = (*COLUMNAR, *(ending for ending in BY_NAME["csv"].endings if ending != ".txt"))
"""The endings of files that a dataset can consist of; texts that end in .txt may be anything, and are named."""
TITLES = tuple(dict.fromkeys(each.title for each in FORMATS))


def format_of(path: Path, head: bytes) -> Format:
    """The format of a file with these first bytes.

    The content wins where it contradicts the name. Raises BadFile where the name guarantees a format that the
    content is not in, or where neither says what the file is.
    """
    by_name = BY_ENDING.get(ending_of(path))
    by_content = format_by_content(head)
    text = BY_NAME["csv"]
    if by_content is not None:
        return by_content
    if by_name is text or head.startswith(GZIP):
        return text
    if by_name is not None:
        raise BadFile(
            f"{path.name} ends in {ending_of(path)} but its content is not in that format. "
            "Was it cut short, or given a wrong name?"
        )
    if b"\x00" not in head or head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return text
    raise BadFile(
        f"{path.name} is in no format discreet can read. It reads files that end in {', '.join(BY_ENDING)}."
    )


def format_by_content(head: bytes) -> Format | None:
    """The format that the first bytes of a file tell; None where they tell none, as those of a text."""
    for each in FORMATS:
        if head.startswith(each.first_bytes):
            return each
    if b"SPSSPORT" in head:
        return BY_NAME["por"]
    # Stata before version 13: the version, then the byte order (1 or 2), then the file type 1.
    if len(head) > 3 and head[0] in OLD_STATA and head[1] in (1, 2) and head[2] == 1:
        return BY_NAME["dta"]
    return None


def released_ending(ending: str) -> str:
    """The ending of a release of a file with this ending: its own, or what is written instead of it."""
    known = BY_ENDING.get(ending.lower())
    return USUAL if known is None else known.released_as or ending


def released_name(original: str) -> str:
    """The name of the file that a release of this original holds: people.tsv for people.tsv.gz.

    >>> released_name("people.sas7bdat")
    'people.xpt'
    """
    plain = Path(original).name
    name = Path(plain[: -len(".gz")] if plain.lower().endswith(".gz") else plain)
    return str(name.with_suffix(released_ending(name.suffix)))


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


def is_delimited(path: Path) -> bool:
    """Whether a file of this name is written as delimited text."""
    return BY_ENDING.get(path.suffix.lower()) is BY_NAME["csv"]


def separator_of(path: Path, separator: str, original: str = "") -> str:
    """What stands between the cells of a file of this name, whose original has this separator: tabs where it says so.

    An `original` that is named for its tabs gives a file that is not so named commas.

    >>> separator_of(Path("people.tsv"), ";"), separator_of(Path("people.csv"), ";")
    ('\\t', ';')
    >>> separator_of(Path("people.csv"), "\\t", "people.tsv"), separator_of(Path("people.csv"), "\\t", "people.csv")
    (',', '\\t')
    """
    if path.suffix.lower() in TABBED:
        return "\t"
    return "," if separator == "\t" and ending_of(Path(original)) in TABBED else separator

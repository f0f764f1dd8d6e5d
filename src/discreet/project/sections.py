"""The sections of a project file as frozen records."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from discreet.errors import BadParameter
from discreet.table import Role, Scale


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How a file is to be read; whatever is None is found out from the file.

    `missing` lists the marks that stand for a missing value besides the empty cell. `encoding = "guess"` accepts
    the likeliest encoding of a text that is neither UTF-8 nor UTF-16; without it such a text is refused. `header`
    says whether the first row of a text or a sheet holds the names of the columns: while it is None, it should, and
    names that look like values are refused; True believes them; False numbers the columns (column_1 and so on).
    """

    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    missing: tuple[str, ...] = ()
    sheet: str | None = None
    header: bool | None = None

    def __post_init__(self) -> None:
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '"\r\n.\\'):
            raise BadParameter('delimiter must be one character such as "," or ";" or a tab.')
        if self.delimiter is not None and not self.delimiter.isascii():
            raise BadParameter("delimiter must be an ASCII character.")
        if self.decimal not in (None, ".", ","):
            raise BadParameter('decimal must be "." or ",".')
        if self.decimal == "," and self.delimiter == ",":
            raise BadParameter('delimiter and decimal cannot both be ",".')
        if self.encoding not in (None, "guess"):
            _check_encoding(str(self.encoding))

    def to_dict(self) -> dict[str, Any]:
        said = {
            "delimiter": self.delimiter,
            "encoding": self.encoding,
            "decimal": self.decimal,
            "missing": list(self.missing),
            "sheet": self.sheet,
        }
        told: dict[str, Any] = {name: value for name, value in said.items() if value}
        return told if self.header is None else {**told, "header": self.header}


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnSpec:
    """What a project says of one column: its role always; its scale, order, ontology and mapping where they matter."""

    role: Role
    scale: Scale | None = None
    order: tuple[str, ...] = ()
    ontology: str = ""
    mapping: str = ""

    def to_dict(self) -> dict[str, Any]:
        said = {
            "role": str(self.role),
            "scale": None if self.scale is None else str(self.scale),
            "order": list(self.order),
            "ontology": self.ontology,
            "mapping": self.mapping,
        }
        return {name: value for name, value in said.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessOptions:
    """How a release is judged: attacks and losses by name (none given: the usual ones), the highest risk
    allowed for each attack, the lowest level a privacy model must reach, and the weight of loss in the score.
    """

    attacks: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    ceilings: Mapping[str, float] = field(default_factory=dict)
    floors: Mapping[str, float] = field(default_factory=dict)
    alpha: float | None = None

    def to_dict(self) -> dict[str, Any]:
        said = {
            "attacks": list(self.attacks),
            "losses": list(self.losses),
            "ceilings": dict(self.ceilings),
            "floors": dict(self.floors),
        }
        kept: dict[str, Any] = {name: value for name, value in said.items() if value}
        return kept if self.alpha is None else {**kept, "alpha": self.alpha}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseOptions:
    """How a release is written: records shuffled unless their order is kept, columns whose values are replaced
    by pseudonyms, columns of free text that are published as they are, the format (None: that of the original), and
    whether an apostrophe stops spreadsheets from running texts of a CSV file as formulas.
    """

    order: Literal["shuffled", "kept"] = "shuffled"
    pseudonymise: tuple[str, ...] = ()
    publish_text: tuple[str, ...] = ()
    format: str | None = None
    spreadsheet_safe: bool = True

    def to_dict(self) -> dict[str, Any]:
        said: dict[str, Any] = {"order": self.order}
        if not self.spreadsheet_safe:
            said["spreadsheet_safe"] = False
        if self.pseudonymise:
            said["pseudonymise"] = list(self.pseudonymise)
        if self.publish_text:
            said["publish_text"] = list(self.publish_text)
        return said if self.format is None else {**said, "format": self.format}


def _check_encoding(name: str) -> None:
    try:
        # What is no encoding of text, such as zip, fails here; what is no name at all is a ValueError.
        "a".encode(codecs.lookup(name).name)
    except (LookupError, ValueError):
        raise BadParameter(
            f"encoding '{name}' is not known; usual ones are utf-8, cp1252, iso8859-15 and utf-16."
        ) from None

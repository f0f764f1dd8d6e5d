"""The sections of a project file, each key declared once: its name, its default, what it must be and what it is for.

The check, the records and the table of keys on the how-to page all follow from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Annotated, Any, Literal, get_type_hints

from discreet.dialect import check_delimiter, check_encoding, form_of
from discreet.errors import BadParameter
from discreet.formats import WRITTEN_NAMES
from discreet.parameters import Choice, Flag, Kind, Real, Whole, Word, Words
from discreet.project.kinds import Levels, Limits
from discreet.table import Role, Scale


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How a file is to be read; whatever is None is found out from the file.

    `missing` lists the marks that stand for a missing value besides the empty cell. `encoding = "guess"` accepts
    the likeliest encoding of a text that is neither UTF-8 nor UTF-16; without it such a text is refused. `header`
    says whether the first row of a text or a sheet holds the names of the columns: while it is None, it should, and
    names that look like values are refused; True believes them; False numbers the columns (column_1 and so on).
    `header_row` is the row that holds them where rows of titles stand above, `unit_rows` how many rows of units
    stand below, and `note_rows` how many rows of notes stand below the last record. `formats` tell by column how its
    days or numbers are written, and `missing_in` which further marks stand for a missing value in it; a project file
    says both of these with the columns.
    """

    delimiter: Annotated[str | None, Word(about="what stands between the cells of a text file")] = None
    encoding: Annotated[str | None, Word(about='the encoding of a text file, or "guess"')] = None
    decimal: Annotated[str | None, Word(about="the decimal mark of numbers in a text file")] = None
    missing: Annotated[tuple[str, ...], Words(about="marks of a missing value besides the empty cell")] = ()
    sheet: Annotated[str | None, Word(about="the sheet of a workbook")] = None
    header: Annotated[bool | None, Flag(about="whether the first row holds the names of the columns")] = None
    header_row: Annotated[
        int, Whole(about="the row with the names of the columns, where titles stand above", at_least=1)
    ] = 1
    unit_rows: Annotated[int, Whole(about="rows of units below the names of the columns", at_least=0)] = 0
    note_rows: Annotated[
        int, Whole(about="rows of notes below the last record, such as a source", at_least=0)
    ] = 0
    formats: Mapping[str, str] = field(default_factory=dict)
    missing_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.delimiter is not None:
            check_delimiter(self.delimiter)
        if self.decimal not in (None, ".", ","):
            raise BadParameter('decimal must be "." or ",".')
        if self.header is False and (self.header_row > 1 or self.unit_rows):
            raise BadParameter(
                "header_row and unit_rows say where the names stand; header = false says there are none."
            )
        for text in self.formats.values():
            form_of(text)
        if self.encoding not in (None, "guess"):
            check_encoding(str(self.encoding))

    def to_dict(self) -> dict[str, Any]:
        """The keys of the section; what is said by column is written with the columns, as `of_column` tells it."""
        return {key: value for key, value in keys_given(self).items() if key not in ("formats", "missing_in")}

    def of_column(self, name: str) -> dict[str, Any]:
        """What the table of a column says of how it is read."""
        form, marks = self.formats.get(name), self.missing_in.get(name)
        return {**({"format": form} if form else {}), **({"missing": list(marks)} if marks else {})}

    def is_told_of(self, name: str) -> bool:
        """Whether anything is said of how this column is read."""
        return name in self.formats or name in self.missing_in


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessOptions:
    """How a release is judged: attacks and losses by name (none given: the usual ones), the highest risk
    allowed for each attack, the lowest level a privacy model must reach, and the weight of loss in the score.
    """

    attacks: Annotated[tuple[str, ...], Words(about="the attacks to run; all that fit when left out")] = ()
    losses: Annotated[
        tuple[str, ...], Words(about="the losses to measure; the usual ones when left out")
    ] = ()
    ceilings: Annotated[
        Mapping[str, float], Limits(about="the highest risk allowed, attack by attack", at_most=1)
    ] = field(default_factory=dict)
    floors: Annotated[
        Mapping[str, float], Limits(about="the lowest level that must be reached, attack by attack")
    ] = field(default_factory=dict)
    alpha: Annotated[float | None, Real(about="the weight of loss in the score", at_least=0, at_most=1)] = (
        None
    )

    def to_dict(self) -> dict[str, Any]:
        return keys_given(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseOptions:
    """How a release is written: records shuffled unless their order is kept, columns whose values are replaced
    by pseudonyms, columns of free text that are published as they are or sanitised and by which policy, the format
    (None: that of the original), and whether an apostrophe stops spreadsheets from running texts of a CSV file as
    formulas. A draft is a
    release that is not meant to be published: it says so, and is not signed.
    """

    order: Annotated[
        Literal["shuffled", "kept"], Choice(about="the order of the records", among=("shuffled", "kept"))
    ] = "shuffled"
    spreadsheet_safe: Annotated[
        bool, Flag(about="whether an apostrophe stops spreadsheets from running texts of a CSV file")
    ] = True
    pseudonymise: Annotated[
        tuple[str, ...], Words(about="columns whose values are replaced by keyed pseudonyms")
    ] = ()
    publish_text: Annotated[
        tuple[str, ...], Words(about="columns of free text that are published as they are")
    ] = ()
    sanitise_text: Annotated[
        tuple[str, ...], Words(about="columns of free text that are published with pseudonyms for names")
    ] = ()
    policy: Annotated[
        str | None,
        Word(about="what is sensitive in these texts: a policy file beside the project, or one that ships"),
    ] = None
    format: Annotated[
        str | None,
        Choice(
            about="the format of the published file; that of the original when left out", among=WRITTEN_NAMES
        ),
    ] = None

    draft: Annotated[bool, Flag(about="whether the release is only a draft, which is not signed")] = False

    def to_dict(self) -> dict[str, Any]:
        return {"order": self.order, **keys_given(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOptions:
    """Where a dataset is worked on: in threads of this process unless a cluster or a number of workers is given."""

    cluster: Annotated[
        str | None, Word(about="the address of a Dask scheduler whose workers mask and judge datasets")
    ] = None
    workers: Annotated[
        int | None,
        Whole(about="workers that are started on this machine to mask and judge datasets", at_least=1),
    ] = None

    def __post_init__(self) -> None:
        if self.cluster is not None and self.workers is not None:
            raise BadParameter(
                "a cluster has its own workers: give either its address or a number of workers."
            )

    def to_dict(self) -> dict[str, Any]:
        return keys_given(self)


COLUMN_KEYS: Mapping[str, Kind] = {
    "role": Choice(about="what the column is to an intruder", among=tuple(Role)),
    "scale": Choice(
        about="what may be done with its values; by their type when left out", among=tuple(Scale)
    ),
    "order": Levels(about="the values of an ordinal column from low to high"),
    "ontology": Word(about='what its values mean: "wordnet", or a file of levels or of an ontology'),
    "mapping": Word(about="a file that says which concept each value stands for"),
    "importance": Real(about="how much it counts in what is lost; 1 when left out", above=0, at_most=1000),
    "format": Word(about="how its days or numbers are written, such as DD.MM.YYYY or 9.999,99 €"),
    "missing": Words(about="marks of a missing value in this column, besides those under [read]"),
}
"""The fields of a ColumnSpec that a steward gives, and how the column is read; the others come from the data file."""
READ_KEYS = ("format", "missing")
"""The keys of a column that say how it is read."""


def keys_of(section: type[Any]) -> dict[str, Kind]:
    """The keys of a section and what each must be, as the fields of its dataclass declare them.

    A field that declares nothing, such as the name of its table, is no key.
    """
    hints = get_type_hints(section, include_extras=True)
    declared = {each.name: getattr(hints[each.name], "__metadata__", None) for each in fields(section)}
    return {name: kinds[0] for name, kinds in declared.items() if kinds is not None}


def keys_given(section: Any) -> dict[str, Any]:
    """The keys of a section whose values are not the defaults, as a TOML file holds them."""
    given: dict[str, Any] = {}
    for each in fields(section):
        value = getattr(section, each.name)
        default = each.default if each.default_factory is MISSING else each.default_factory()
        if value != default:
            given[each.name] = _plain(value)
    return given


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


SECTIONS: Mapping[str, Mapping[str, Kind]] = {
    "read": {
        "file": Word(about="the data file, beside the project file or by its whole path"),
        **keys_of(ReadOptions),
    },
    "columns": COLUMN_KEYS,
    "mask": {},
    "assess": keys_of(AssessOptions),
    "release": keys_of(ReleaseOptions),
    "engine": keys_of(EngineOptions),
}
"""All that a project file can hold. Each column has a table of its own; a masking step has the keys of its method."""

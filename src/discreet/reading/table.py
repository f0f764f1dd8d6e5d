"""Reading a file as a table: its values, with the roles that the steward gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from discreet.errors import BadParameter, BadProject, BadTable, BadValues, UnknownColumn, did_you_mean, listed
from discreet.formats import stem_of
from discreet.project import FILE_NAME, Project, ReadOptions
from discreet.reading.content import is_dataset, is_piped
from discreet.reading.csv import line_of_record
from discreet.reading.frame import read_frame
from discreet.reading.infer import is_number, numbers
from discreet.reading.loaded import Loaded
from discreet.reading.options import check_told_columns, options_with
from discreet.table import ColumnSpec, Scale, Table, column_of, column_spec


def read(
    path: str | Path,
    *,
    project: str | Path | Project | None = None,
    roles: Mapping[str, str] | None = None,
    scales: Mapping[str, str] | None = None,
    orders: Mapping[str, Sequence[object]] | None = None,
    rest: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    decimal: str | None = None,
    missing: Sequence[str] | None = None,
    sheet: str | None = None,
    header: bool | None = None,
    formats: Mapping[str, str] | None = None,
    missing_in: Mapping[str, Sequence[str]] | None = None,
) -> Table:
    """The table in a file, every column with its role and scale.

    Roles come from a project file or from `roles` (with `scales`, `orders` and `rest`, as in `Table.of`), never
    from both. Where neither is given, a discreet.toml in the file's folder is used, unless it says that it is
    about another file. Options on how to read come from the project and are overruled by those given here.
    `header=False` says that the first row of a text or a sheet is a record, and names the columns column_1 and so on;
    `header=True` that names which look like values are names all the same. `formats` tell by column how its days or
    numbers are written ("DD.MM.YYYY", "9.999,99 €"), and `missing_in` which marks stand for a missing value in it.

    A folder or pattern of Parquet, Arrow or CSV files is one table, its files one after the other; larger than memory,
    it is for `scan`.

    A column that is declared numeric but was not found so is read as numbers, leading zeros and all. Raises
    BadFile where the file cannot be read, NoHeader where its first row looks like a record, BadValues where a column
    does not hold what was declared, UnknownColumn where a role is given to a column that is not there, and BadTable
    where a column is given none.
    """
    place = Path(path)
    how: dict[str, Any] = {
        "delimiter": delimiter,
        "encoding": encoding,
        "decimal": decimal,
        "missing": missing,
        "header": header,
        "formats": formats,
        "missing_in": missing_in,
    }
    if is_dataset(place):
        from discreet.reading.scan import read_dataset

        return read_dataset(
            place, project=project, roles=roles, scales=scales, orders=orders, rest=rest, **how
        )
    found = project if isinstance(project, Project) else _project(place, project, roles, rest)
    if found is not None and (roles or scales or orders or rest):
        raise BadParameter(
            "roles, scales, orders and rest cannot be given together with a project; use one of them."
        )
    options = options_with(ReadOptions() if found is None else found.read, sheet=sheet, **how)
    loaded = read_frame(place, options)
    check_told_columns(place.name, loaded.frame.columns, options)
    if found is not None:
        table = described(place, loaded, found.columns, found.path.name)
        return replace(table, home=str(found.path.resolve().parent))
    return described(
        place, loaded, spelt_out(loaded.frame.columns, roles or {}, scales or {}, orders or {}, rest), "roles"
    )


def described(path: Path, loaded: Loaded, columns: Mapping[str, ColumnSpec], by: str) -> Table:
    """The table of a file that was read, with what a project or the roles say of each column."""
    check_named(path.name, loaded.frame.columns, columns, by)
    series = [_as_declared(path, loaded, each, columns[each.name].scale) for each in loaded.frame]
    settled = [column_of(_merged(columns[each.name], loaded.spec(each.name)), each) for each in series]
    table = Table.assemble(pl.DataFrame(series), settled, name=stem_of(path), source=loaded.source)
    return replace(table, dialect=loaded.dialect)


def _merged(given: ColumnSpec, by_format: ColumnSpec) -> ColumnSpec:
    """What the steward gave, with the labels and codes of the format; the scale of a format is only proposed."""
    return replace(
        given,
        label=by_format.label,
        value_labels=by_format.value_labels,
        missing_codes=by_format.missing_codes,
    )


def _project(
    path: Path, given: str | Path | None, roles: Mapping[str, str] | None, rest: str | None
) -> Project | None:
    """The project that was named, or the one beside the file where nothing says what its columns are."""
    if given is not None:
        return Project.load(given)
    if roles is not None or rest is not None:
        return None
    beside = path.parent / FILE_NAME
    if not path.exists() or not beside.exists():
        if path.exists():
            raise BadProject(
                f"nothing says what the columns of {path.name} are. Run `discreet inspect {path.name}` for a "
                f"proposal and correct it, or give project= or roles=."
            )
        return None
    found = Project.load(beside)
    if found.file is not None and found.file.resolve() != path.resolve():
        raise BadProject(
            f"the {FILE_NAME} beside {path.name} is about {found.file.name}. Name the project to use with project=."
        )
    return found


def spelt_out(
    columns: Sequence[str],
    roles: Mapping[str, str],
    scales: Mapping[str, str],
    orders: Mapping[str, Sequence[object]],
    rest: str | None,
) -> dict[str, ColumnSpec]:
    """What roles, scales and orders say, column by column."""
    every_role = dict(roles) if rest is None else {**dict.fromkeys(columns, rest), **roles}
    for name in (*scales, *orders):
        if name not in every_role:
            raise UnknownColumn(
                f"column '{name}' is given a scale or an order but no role.{did_you_mean(name, columns)}"
            )
    return {name: column_spec(name, role, scales, orders) for name, role in every_role.items()}


def check_named(file: str, present: list[str], columns: Mapping[str, ColumnSpec], by: str) -> None:
    """Raises where a project or the roles describe a column that is not there, or leave one out."""
    for name in columns:
        if name not in present:
            raise UnknownColumn(
                f"{by} describes column '{name}', which {file} does not have.{did_you_mean(name, present)}"
            )
    silent = [name for name in present if name not in columns]
    if silent:
        raise BadTable(
            f"{file} has {len(silent)} columns to which {by} gives no role: {listed(silent)}. "
            "Give each a role: one guessed wrongly publishes people."
        )


def _as_declared(path: Path, loaded: Loaded, values: pl.Series, scale: Scale | None) -> pl.Series:
    """The values with the type that their declared scale asks for."""
    if scale == Scale.TEXT and values.dtype != pl.String:
        return values.cast(pl.String)
    if scale == Scale.NUMERIC and values.dtype == pl.String:
        values = _declared_numbers(path, loaded, values)
    if values.dtype.is_float():
        infinite = int(values.is_infinite().sum())
        if infinite:
            raise BadValues(f"{path.name}, column '{values.name}': {infinite} values are infinite.")
    return values


def _declared_numbers(path: Path, loaded: Loaded, values: pl.Series) -> pl.Series:
    decimal = loaded.found.get("decimal", ".")
    good = is_number(values, decimal)
    if not bool(good.all()):
        raise _not_numbers(path, loaded, values, good, decimal)
    return numbers(values, decimal)


def _not_numbers(path: Path, loaded: Loaded, values: pl.Series, good: pl.Series, decimal: str) -> BadValues:
    """The error that says how many values are not numbers, where the first is, and what may be the matter."""
    bad = ~good.fill_null(value=True)
    first = int(bad.arg_true()[0])
    place = f"record {first + 1}"
    if loaded.format == "csv" and not is_piped(path):
        place = f"line {line_of_record(path, loaded.found, first)}"
    strange = values.filter(bad)
    hint = "Correct them, declare the column nominal or ordinal, or list marks of missing values under [read] missing."
    other = "," if decimal == "." else "."
    if bool(is_number(strange, other).all()):
        hint = f"They are numbers with a decimal '{other}': say decimal = \"{other}\" under [read]."
    elif strange.len() > 1 and strange.n_unique() == 1:
        hint = "They are all the same: if it is a mark of missing values, list it under [read] missing."
    return BadValues(
        f"{path.name}, column '{values.name}' is declared numeric, but {int(bad.sum())} of {values.len()} values are "
        f"not numbers, the first in {place}. {hint}"
    )

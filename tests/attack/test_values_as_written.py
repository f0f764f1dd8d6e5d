"""How values are written changes no risk, and coarser true values never raise that of the compatible set.

On random small tables of a number, a day, an ordered category and a category, with ties and blanks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet.attack import compatible, link, link_matching, link_probabilistic, link_semantic, transparency
from discreet.errors import NotComputable
from discreet.ontology import Ontology, of_edges
from discreet.plan import Plan
from discreet.protection import protect
from discreet.results import Risk
from discreet.table import IntArray, Table

GRADES = ["low", "mid", "high", "top"]
TOWNS = ["1", "2", "10", "11", "3"]
SINCE = date(2000, 1, 28)
SEEDS = st.integers(0, 2**32 - 1)
Cells = dict[str, list[Any]]


def cells_of(rng: np.random.Generator, count: int, blanks: float) -> Cells:
    """Random cells: numbers as quarters, days as their number, ordered categories as places, categories as texts."""
    cells: Cells = {
        "age": (rng.integers(0, 12, count) / 4).tolist(),
        "day": rng.integers(0, 90, count).tolist(),
        "grade": rng.integers(0, 4, count).tolist(),
        "town": rng.choice(TOWNS, count).tolist(),
    }
    gaps = {name for name in cells if rng.random() < 0.5}
    return {
        name: [None if name in gaps and rng.random() < blanks else each for each in column]
        for name, column in cells.items()
    }


@dataclass(frozen=True)
class Files:
    """The cells of a known and a published file, whose each published record is, and which columns are keys."""

    known: Cells
    published: Cells
    truth: IntArray
    names: tuple[str, ...]

    @classmethod
    def of(cls, seed: int, *, changed: float, blanks: float = 0.2) -> Files:
        """A file and a part of its records in another order, some of their cells exchanged for others."""
        rng = np.random.default_rng(seed)
        count = int(rng.integers(2, 13))
        known = cells_of(rng, count, blanks)
        truth = rng.permutation(count)[: rng.integers(1, count + 1)]
        other = cells_of(rng, len(truth), blanks)
        published = {
            name: [
                other[name][row] if rng.random() < changed else column[owner]
                for row, owner in enumerate(truth.tolist())
            ]
            for name, column in known.items()
        }
        names = tuple(str(each) for each in rng.permutation(list(known))[: rng.integers(1, 5)])
        return cls(known, published, truth, names)

    def keeping(self, names: Sequence[str]) -> Files:
        return replace(self, names=tuple(names))


@dataclass(frozen=True)
class Writing:
    """How one file is written: the unit of its numbers, the names of its categories, types, and orders."""

    unit: float = 1.0
    grades: Sequence[str] = tuple(GRADES)
    towns: Mapping[str, str] = field(default_factory=lambda: {each: each for each in TOWNS})
    types: Mapping[str, Any] = field(default_factory=dict)

    def table(self, cells: Cells, names: Sequence[str]) -> Table:
        made: dict[str, Callable[[Any], Any]] = {
            "age": lambda each: each * self.unit,
            "day": lambda each: SINCE + timedelta(days=each),
            "grade": lambda each: self.grades[each],
            "town": lambda each: self.towns[each],
        }
        kinds = {"age": pl.Float64, "day": pl.Date, "grade": pl.String, "town": pl.String}
        columns = [
            pl.Series(name, [None if each is None else made[name](each) for each in cells[name]], kinds[name])
            for name in names
        ]
        frame = pl.DataFrame(
            [each.cast(self.types[each.name]) if each.name in self.types else each for each in columns]
        )
        return described(frame, self.grades)


def described(frame: pl.DataFrame, grades: Sequence[str] = GRADES) -> Table:
    scales = {"age": "numeric", "day": "numeric", "grade": "ordinal", "town": "nominal"}
    shown = {"age", "day"} & {name for name, kind in frame.schema.items() if kind == pl.String}
    return Table.of(
        frame,
        roles={},
        rest="quasi-identifier",
        scales={name: "nominal" if name in shown else scales[name] for name in frame.columns},
        orders={"grade": list(grades)} if "grade" in frame.columns else {},
    )


def tree(towns: Mapping[str, str]) -> Ontology:
    """A small hierarchy of the towns, under whatever names they have."""
    edges = [(towns[town], f"region {place // 2}") for place, town in enumerate(TOWNS)]
    return of_edges([*edges, *((f"region {each}", "country") for each in range(3))], name="towns")


def categories(names: Sequence[str]) -> list[str]:
    return sorted({"grade", "town"} & set(names))


Attack = Callable[[Table, Table, IntArray, Mapping[str, str]], Risk]


def by_meaning(known: Table, masked: Table, truth: IntArray, towns: Mapping[str, str]) -> Risk:
    return link_semantic(
        known, masked, keys=categories(known.names), ontology={"town": tree(towns)}, truth=truth
    )


def by_manifest(known: Table, masked: Table, truth: IntArray, _: Mapping[str, str]) -> Risk:
    manifest = protect(masked, Plan.of([]), seed=1).manifest
    return transparency(known, masked, truth=truth, manifest=manifest)


ATTACKS: dict[str, Attack] = {
    "link": lambda known, masked, truth, _: link(known, masked, truth=truth),
    "link_from_originals": lambda known, masked, truth, _: link(
        known, masked, truth=truth, direction="original to masked", distance="euclidean"
    ),
    "link_mahalanobis": lambda known, masked, truth, _: link(
        known, masked, truth=truth, distance="mahalanobis"
    ),
    "link_probabilistic": lambda known, masked, truth, _: link_probabilistic(known, masked, truth=truth),
    "compatible": lambda known, masked, truth, _: compatible(known, masked, truth=truth),
    "transparency": by_manifest,
    "link_matching": lambda known, masked, truth, _: link_matching(
        known, masked, keys=categories(known.names), truth=truth
    ),
    "link_semantic": by_meaning,
}
OF_CATEGORIES = ("link_matching", "link_semantic")


def outcome(
    attack: str, known: Table, masked: Table, truth: IntArray, towns: Mapping[str, str] | None = None
) -> Any:
    """The risk, or why there is none."""
    if attack in OF_CATEGORIES and not categories(known.names):
        return "no category"
    try:
        return ATTACKS[attack](known, masked, truth, towns or {each: each for each in TOWNS}).risk
    except NotComputable as error:
        return str(error)


def same(found: Any, expected: Any) -> bool:
    if isinstance(expected, str) or isinstance(found, str):
        return bool(found == expected)
    return bool(found == pytest.approx(expected, abs=1e-9))


# 1. Writing the same values with another type, unit, order or name changes no risk.


@pytest.mark.parametrize("attack", ATTACKS)
@settings(max_examples=40)
@given(SEEDS)
def test_the_types_of_the_columns_make_no_difference(attack: str, seed: int) -> None:
    files, rng = Files.of(seed, changed=0.4), np.random.default_rng(seed)
    expected = outcome(attack, *plainly(files), files.truth)
    types: dict[str, list[Any]] = {
        "age": [pl.Float64, pl.Float32],
        "day": [pl.Date, pl.Datetime("us"), pl.Datetime("ms"), pl.Datetime("ns")],
        "grade": [pl.String, pl.Categorical, pl.Enum(GRADES)],
        "town": [pl.String, pl.Int64, pl.Float64, pl.UInt8, pl.Categorical],
    }
    chosen = [{name: kinds[rng.integers(len(kinds))] for name, kinds in types.items()} for _ in range(2)]
    if attack == "link_probabilistic":
        # Numbers in both files stand in another order, and so may the pairing be that is drawn of those as good.
        chosen[0]["town"] = pl.String
    known, masked = (
        Writing(types=kinds).table(cells, files.names)
        for kinds, cells in zip(chosen, (files.known, files.published), strict=True)
    )
    assert same(outcome(attack, known, masked, files.truth), expected)


@pytest.mark.parametrize("attack", ATTACKS)
@settings(max_examples=40)
@given(SEEDS, st.sampled_from([2.0**-40, 0.5, 1024.0, 0.1, 1 / 3, 3.7, 1e5, 2.54]))
def test_units_make_no_difference(attack: str, seed: int, unit: float) -> None:
    files = Files.of(seed, changed=0.4)
    expected = outcome(attack, *plainly(files), files.truth)
    writing = Writing(unit=unit)
    tables = [writing.table(cells, files.names) for cells in (files.known, files.published)]
    assert same(outcome(attack, tables[0], tables[1], files.truth), expected)


@pytest.mark.parametrize("attack", ATTACKS)
@settings(max_examples=40)
@given(SEEDS)
def test_the_orders_of_rows_and_columns_make_no_difference(attack: str, seed: int) -> None:
    files, rng = Files.of(seed, changed=0.4), np.random.default_rng(seed)
    known, masked = plainly(files)
    expected = outcome(attack, known, masked, files.truth)
    ours, theirs = rng.permutation(len(known)), rng.permutation(len(masked))
    truth = np.argsort(ours)[files.truth[theirs]]
    turned = [
        described(table.frame.select(rng.permutation(list(files.names)).tolist())[order])
        for table, order in ((known, ours), (masked, theirs))
    ]
    assert same(outcome(attack, turned[0], turned[1], truth), expected)


@pytest.mark.parametrize("attack", [each for each in ATTACKS if each != "link_probabilistic"])
@settings(max_examples=40)
@given(SEEDS)
def test_the_names_of_categories_make_no_difference(attack: str, seed: int) -> None:
    files, rng = Files.of(seed, changed=0.4), np.random.default_rng(seed)
    expected = outcome(attack, *plainly(files), files.truth)
    tables, towns = renamed(files, rng)
    assert same(outcome(attack, *tables, files.truth, towns), expected)


@settings(max_examples=40)
@given(SEEDS)
def test_the_names_of_categories_make_no_difference_to_what_agreement_weighs(seed: int) -> None:
    """Which of several pairings that weigh the same is taken is drawn, and the draw may differ by the names."""
    files, rng = Files.of(seed, changed=0.0), np.random.default_rng(seed)
    tables, _ = renamed(files, rng)
    expected, found = (
        link_probabilistic(*each, truth=files.truth, tolerance=0.3).details
        for each in (plainly(files), tables)
    )
    for name in ("agree_in_matches", "agree_in_others"):
        assert found[name] == pytest.approx(expected[name])


def renamed(files: Files, rng: np.random.Generator) -> tuple[tuple[Table, Table], dict[str, str]]:
    """Both files with other names of categories, and those of the towns."""
    towns = dict(zip(TOWNS, rng.permutation(["b", "a", "Å", "q r", "01"]).tolist(), strict=True))
    writing = Writing(grades=rng.permutation(["x", "y", "w", "v"]).tolist(), towns=towns)
    return (writing.table(files.known, files.names), writing.table(files.published, files.names)), towns


def plainly(files: Files) -> tuple[Table, Table]:
    one, other = (Writing().table(cells, files.names) for cells in (files.known, files.published))
    return one, other


# 2. Bands that hold one value each give the risk of the unmasked file, and those of all values that without the column.

LABELS: dict[str, Callable[[Any], str]] = {
    "age": lambda each: f"[{each}, {each + 0.25})",
    "day": lambda each: f"[{SINCE + timedelta(days=each)}, {SINCE + timedelta(days=each + 1)})",
    "grade": lambda each: f"{GRADES[each]} to {GRADES[each]}",
    "town": lambda each: f"city of {each}",
}


def labelled(files: Files, labels: Mapping[str, Callable[[Any], str]]) -> Table:
    """The published file with these columns as labels."""
    frame = Writing().table(files.published, files.names).frame
    for name in set(files.names) & set(labels):
        told = [None if each is None else labels[name](each) for each in files.published[name]]
        frame = frame.with_columns(pl.Series(name, told, dtype=pl.String))
    return described_labels(frame)


def described_labels(frame: pl.DataFrame) -> Table:
    """A table whose ordered column may hold runs of levels, which are no levels."""
    scales = {
        "age": "numeric" if "age" in frame.columns and frame["age"].dtype.is_numeric() else "nominal",
        "day": "numeric" if "day" in frame.columns and frame["day"].dtype.is_temporal() else "nominal",
        "grade": "nominal",
        "town": "nominal",
    }
    return Table.of(
        frame, roles={}, rest="quasi-identifier", scales={name: scales[name] for name in frame.columns}
    )


@pytest.mark.parametrize("attack", ["link", "link_from_originals", "link_probabilistic", "compatible"])
@settings(max_examples=60)
@given(SEEDS)
def test_bands_that_hold_one_value_each_give_the_risk_of_the_unmasked_file(attack: str, seed: int) -> None:
    files, rng = Files.of(seed, changed=0.0), np.random.default_rng(seed)
    known, masked = plainly(files)
    some = {name: label for name, label in LABELS.items() if rng.random() < 0.6}
    found = outcome(attack, known, labelled(files, some), files.truth)
    assert same(found, outcome(attack, known, masked, files.truth))


WHOLE: dict[str, Callable[[Any], str]] = {
    "age": lambda _: "[0, 3)",
    "day": lambda _: ">= 2000-01-28",
    "grade": lambda _: "low to top",
    "town": lambda _: "*",
}


@pytest.mark.parametrize("attack", ["link", "link_from_originals", "compatible"])
@settings(max_examples=60)
@given(SEEDS, st.sampled_from(list(WHOLE)))
def test_bands_as_wide_as_the_column_give_the_risk_without_it(attack: str, seed: int, wide: str) -> None:
    files = Files.of(seed, changed=0.3 if attack != "compatible" else 0.0, blanks=0.0)
    rest = tuple(name for name in files.names if name != wide) or tuple(n for n in WHOLE if n != wide)[:1]
    found = outcome(
        attack,
        Writing().table(files.known, (*rest, wide)),
        labelled(files.keeping((*rest, wide)), {wide: WHOLE[wide]}),
        files.truth,
    )
    assert same(found, outcome(attack, *plainly(files.keeping(rest)), files.truth))


# 3. No key is left out in silence.

FORMS: dict[str, Callable[[pl.Series], pl.Series]] = {
    "as it is": lambda values: values,
    "text": lambda values: values.cast(pl.String),
    "bands": lambda values: pl.Series(
        values.name,
        [
            f"[{low}, {high})"
            for low, high in zip(values.to_list(), [*values.to_list()[1:], ends_after(values)], strict=True)
        ],
    ),
}


def ends_after(values: pl.Series) -> Any:
    last = values.to_list()[-1]
    return last + timedelta(days=1) if isinstance(last, date | datetime) else last + 1


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("attack", ATTACKS)
@settings(max_examples=10)
@given(SEEDS)
def test_a_key_that_tells_all_records_apart_is_used_or_said_to_be_left_out(
    hierarchy: Path, attack: str, form: str, seed: int
) -> None:
    """All other keys are the same for everybody, so that who does not use the key finds nobody."""
    rng = np.random.default_rng(seed)
    days = sorted(rng.choice(9999, 6, replace=False).tolist())
    for values in (
        pl.Series("key", days, dtype=pl.Int64),
        pl.Series("key", [each / 8 for each in days]),
        pl.Series("key", [SINCE + timedelta(days=each) for each in days]),
        pl.Series("key", [datetime(2000, 1, 1) + timedelta(minutes=each) for each in days]),
    ):
        shown = FORMS[form](values)
        constant = {"grade": ["low"] * 6, "town": ["1"] * 6}
        tables = [
            Table.of(
                pl.DataFrame([each, *(pl.Series(name, cells) for name, cells in constant.items())]),
                roles={},
                rest="quasi-identifier",
                scales={"key": "nominal" if each.dtype == pl.String else "numeric", "town": "nominal"},
                orders={"grade": GRADES},
                ontologies={"town": str(hierarchy)},
            )
            for each in (values, shown)
        ]
        order = rng.permutation(6)
        found = by_role(attack, tables[0], tables[1].take(order), order)
        assert "key" in found.left_out or found.risk == 1.0
        assert ("key" in found.left_out) == (attack in OF_CATEGORIES)


@pytest.fixture(scope="module")
def hierarchy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The towns and their regions in a file."""
    path = tmp_path_factory.mktemp("ontologies") / "towns.csv"
    path.write_text("".join(f"{town};region;country\n" for town in TOWNS), encoding="utf-8")
    return path


def by_role(attack: str, known: Table, masked: Table, truth: IntArray) -> Risk:
    """The result of the attack with the keys that it takes if nobody names any."""
    if attack == "link_matching":
        return link_matching(known, masked, truth=truth)
    if attack == "link_semantic":
        return link_semantic(known, masked, truth=truth)
    return ATTACKS[attack](known, masked, truth, {})


# 4. An unmasked file of distinct records is found to 100 percent.


@settings(max_examples=100)
@given(SEEDS)
def test_an_unmasked_file_of_distinct_records_is_found_as_a_whole(seed: int) -> None:
    files = Files.of(seed, changed=0.0)
    known = Writing().table(files.known, files.names)
    rows = known.frame.rows()
    distinct = np.array([place for place, row in enumerate(rows) if row not in rows[:place]])
    known = known.take(distinct)
    truth = np.random.default_rng(seed).permutation(len(known))
    masked = known.take(truth)
    assert outcome("link", known, masked, truth) == 1.0
    assert outcome("link_from_originals", known, masked, truth) == 1.0
    every = [outcome(attack, known, masked, truth) for attack in ATTACKS]
    assert max(each for each in every if not isinstance(each, str)) == 1.0


# 5. Making a release coarser in a truthful way never raises the risk of the compatible set.


@dataclass(frozen=True)
class Coarseness:
    """Where numbers and days are cut, which grades begin a run, how towns are joined, and which cells are blank."""

    ages: frozenset[float] | None
    days: frozenset[int] | None
    grades: frozenset[int] | None
    towns: Mapping[str, str]
    blank: frozenset[tuple[int, str]]

    def cell(self, row: int, name: str, value: Any) -> str | None:
        if value is None or (row, name) in self.blank:
            return None
        if name == "town":
            return self.towns[value]
        if name == "grade":
            low, high = _between(self.grades, value, 4)
            return GRADES[value] if low == high - 1 else f"{GRADES[low]} to {GRADES[high - 1]}"
        if name == "age":
            return str(value) if self.ages is None else "[{}, {})".format(*_between(self.ages, value, 3.0))
        first, last = _between(self.days, value, 90)
        return f"[{SINCE + timedelta(days=first)}, {SINCE + timedelta(days=last)})"

    def coarser(self, rng: np.random.Generator, rows: int) -> Coarseness:
        """Some cuts left out, some labels of towns joined under a new name, more cells blank."""

        def fewer(cuts: Any, every: Sequence[Any]) -> Any:
            kept = every if cuts is None else sorted(cuts)
            return cuts if rng.random() < 0.3 else frozenset(each for each in kept if rng.random() < 0.6)

        chosen = [label for label in sorted(set(self.towns.values())) if rng.random() < 0.5]
        joined = {label: " or ".join(chosen) for label in chosen}
        return Coarseness(
            fewer(self.ages, [each / 4 for each in range(12)]),
            fewer(self.days, range(90)),
            fewer(self.grades, range(4)),
            {town: joined.get(label, label) for town, label in self.towns.items()},
            self.blank | {(row, name) for row in range(rows) for name in WHOLE if rng.random() < 0.08},
        )

    def table(self, files: Files) -> Table:
        frame = pl.DataFrame(
            [
                pl.Series(
                    name,
                    [self.cell(row, name, each) for row, each in enumerate(files.published[name])],
                    pl.String,
                )
                for name in files.names
            ]
        )
        return described_labels(frame)


def _between(cuts: Any, value: Any, end: Any) -> tuple[Any, Any]:
    """From the last cut that is not above the value to the next one; all values are cuts where none are given."""
    if cuts is None:
        return value, value + 1
    return max([0, *(each for each in cuts if each <= value)]), min(
        [end, *(each for each in cuts if each > value)]
    )


@settings(max_examples=150)
@given(SEEDS)
def test_a_coarser_release_is_never_more_at_risk_by_the_compatible_set(seed: int) -> None:
    files, rng = Files.of(seed, changed=0.0), np.random.default_rng(seed)
    known = Writing().table(files.known, files.names)
    # Some of the published records are of people whom the intruder does not know.
    truth = np.where(rng.random(len(files.truth)) < 0.2, -1, files.truth)
    truth[0] = files.truth[0]
    level = Coarseness(None, None, None, {each: each for each in TOWNS}, frozenset())
    before = compatible(known, level.table(files), truth=truth)
    assert before.failed == 0
    for _ in range(4):
        level = level.coarser(rng, len(truth))
        found = compatible(known, level.table(files), truth=truth)
        assert found.failed == 0
        assert found.risk <= before.risk + 1e-12
        assert (found.candidates >= before.candidates).all()
        before = found

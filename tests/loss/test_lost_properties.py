"""What holds of the headline loss on random tables of every scale, masked in random ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discreet import loss
from discreet.errors import NotComputable
from discreet.results import Loss
from discreet.table import IntArray, Scale, Table

WORDS = ["ash", "beech", "cedar", "date", "elm"]
KINDS = ("real", "whole", "skewed", "constant", "day", "flag", "word", "code", "ordered")
ROLES = ("quasi-identifier", "confidential", "insensitive", "stratum")
SEEDS = st.integers(0, 1 << 32)
Change = Callable[[np.random.Generator, pl.Series], pl.Series]


def values(rng: np.random.Generator, kind: str, count: int, blanks: bool) -> pl.Series:
    made: Mapping[str, Callable[[], pl.Series]] = {
        "real": lambda: pl.Series(rng.normal(size=count).round(3)),
        "whole": lambda: pl.Series(rng.integers(-5, 20, count)),
        "skewed": lambda: pl.Series(np.exp(rng.normal(0, 3, count))),
        "constant": lambda: pl.Series(np.full(count, 0.1)),
        "day": lambda: pl.Series(rng.integers(0, 20_000, count).astype(np.int32)).cast(pl.Date),
        "flag": lambda: pl.Series(rng.random(count) < 0.3),
        "code": lambda: pl.Series(rng.integers(1, 5, count).astype(str)),
    }
    words = pl.Series(rng.choice(WORDS, count).tolist(), dtype=pl.String)
    found = made[kind]() if kind in made else words
    absent = rng.random(count) < (0.2 if blanks else 0.0)
    return found.set(pl.Series(absent, dtype=pl.Boolean), None)


def random_table(rng: np.random.Generator, *, blanks: bool = True) -> Table:
    count = int(rng.choice([1, 2, 5, 30, 80]))
    kinds = rng.choice(KINDS, rng.integers(1, 6)).tolist()
    columns = {f"c{place}": values(rng, kind, count, blanks) for place, kind in enumerate(kinds)}
    roles = {name: str(rng.choice(ROLES)) for name in columns}
    if rng.random() < 0.3:
        columns["w"], roles["w"] = pl.Series(rng.integers(1, 5, count).astype(float)), "weight"
    orders = {f"c{place}": WORDS for place, kind in enumerate(kinds) if kind == "ordered"}
    return Table.of(pl.DataFrame(columns), roles=roles, orders=orders)


def analysed(table: Table) -> list[str]:
    return [name for name in table.names if name != "w"]


def masked_somehow(rng: np.random.Generator, original: Table) -> Table:
    """Columns kept, shuffled in part, in bands or groups, moved or blanked here and there."""
    ways: list[Change] = [lambda _, each: each, _shuffled, _vague, _blanked, _moved]
    fresh = {
        name: ways[int(rng.integers(len(ways)))](rng, original.frame[name]) for name in analysed(original)
    }
    return _described(original, fresh)


def _described(original: Table, fresh: Mapping[str, pl.Series]) -> Table:
    """The original with other values, nominal where these became labels."""
    labels = [name for name, each in fresh.items() if each.dtype == pl.String]
    columns = [
        replace(original[name], scale=Scale.NOMINAL, order=())
        for name in labels
        if original.frame[name].dtype != pl.String
    ]
    return original.with_values(fresh, columns)


def _shuffled(rng: np.random.Generator, each: pl.Series) -> pl.Series:
    moved = pl.Series(rng.random(len(each)) < 0.5, dtype=pl.Boolean)
    return each.zip_with(moved, each.gather(pl.Series(rng.permutation(len(each)))))


def _blanked(rng: np.random.Generator, each: pl.Series) -> pl.Series:
    return each.set(pl.Series(rng.random(len(each)) < 0.4, dtype=pl.Boolean), None)


def _moved(rng: np.random.Generator, each: pl.Series) -> pl.Series:
    return each + pl.Series(rng.normal(size=len(each))) if each.dtype.is_float() else _shuffled(rng, each)


def _vague(rng: np.random.Generator, each: pl.Series) -> pl.Series:
    return in_bands(each, 4.0, 0.5) if each.dtype.is_numeric() else in_groups(each, int(rng.integers(1, 6)))


def in_bands(each: pl.Series, width: float, start: float) -> pl.Series:
    low = ((each.cast(pl.Float64) - start) / width).floor() * width + start
    texts = [None if value is None else f"[{value!r}, {value + width!r})" for value in low.to_list()]
    return pl.Series(texts, dtype=pl.String)


def in_groups(each: pl.Series, size: int) -> pl.Series:
    """Words joined in groups, those of twice the size holding two of the others."""
    levels = sorted(str(value) for value in each.drop_nulls().unique())
    label = {}
    for place, level in enumerate(levels):
        group = levels[place // size * size : place // size * size + size]
        label[level] = level if len(group) == 1 else "{" + ", ".join(group) + "}"
    return pl.Series([None if value is None else label[str(value)] for value in each], dtype=pl.String)


def measured(original: Table, masked: Table, truth: IntArray | None = None) -> Loss | None:
    """The loss; None where no cell of either table has a value."""
    try:
        return loss.lost(original, masked, truth=truth)
    except NotComputable:
        assert original.frame.select(analysed(original)).null_count().sum_horizontal()[0] == len(
            original
        ) * len(analysed(original))
        return None


def same(one: Loss | None, two: Loss | None) -> None:
    assert (one is None) == (two is None)
    if one is not None and two is not None:
        assert two.loss == pytest.approx(one.loss, rel=1e-6, abs=1e-6)
        assert two.details["cells"] == pytest.approx(one.details["cells"], rel=1e-9, abs=1e-9)
        assert sorted(two.columns.values()) == pytest.approx(sorted(one.columns.values()), rel=1e-9, abs=1e-9)


@settings(max_examples=100)
@given(seed=SEEDS)
def test_it_is_0_for_the_same_table_and_from_0_to_100_for_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    original = random_table(rng)
    unchanged = measured(original, original)
    assert unchanged is None or unchanged.loss == 0
    found = measured(original, masked_somehow(rng, original))
    if found is not None:
        parts = [
            found.loss,
            found.details["cells"],
            found.details.get("statistics", 0.0),
            *found.columns.values(),
        ]
        assert all(0 <= part <= 100 + 1e-9 for part in parts)
        assert found.loss == pytest.approx(np.mean([found.details[name] for name in ("cells", "statistics")]))


@settings(max_examples=100)
@given(seed=SEEDS)
def test_a_single_changed_cell_is_a_loss(seed: int) -> None:
    rng = np.random.default_rng(seed)
    original = random_table(rng)
    name = str(rng.choice(analysed(original)))
    each, row = original.frame[name], int(rng.integers(len(original)))
    others = [value for value in [*each.unique().to_list(), None] if value != each[row]]
    if not others:
        return
    changed = each.to_list()
    changed[row] = others[int(rng.integers(len(others)))]
    found = measured(original, original.with_values({name: pl.Series(changed, dtype=each.dtype)}))
    assert found is not None
    assert found.loss > 0
    assert found.details["cells"] > 0


@settings(max_examples=100)
@given(seed=SEEDS)
def test_it_is_100_for_a_table_of_blanks(seed: int) -> None:
    original = random_table(np.random.default_rng(seed))
    blanks = {
        name: pl.Series([None] * len(original), dtype=original.frame[name].dtype)
        for name in analysed(original)
    }
    found = measured(original, original.with_values(blanks))
    if found is not None:
        assert found.loss == pytest.approx(100)
        assert found.details["cells"] == found.details["statistics"] == pytest.approx(100)


@settings(max_examples=150)
@given(seed=SEEDS)
def test_blanking_one_more_true_cell_never_lowers_cells(seed: int) -> None:
    rng = np.random.default_rng(seed)
    original = random_table(rng)
    masked = masked_somehow(rng, original)
    name = str(rng.choice(analysed(original)))
    rows = np.flatnonzero(original.frame[name].is_not_null().to_numpy())
    if len(rows) == 0:
        return
    gone = np.arange(len(original)) == rng.choice(rows)
    blanker = masked.with_values({name: masked.frame[name].set(pl.Series(gone), None)})
    before, after = measured(original, masked), measured(original, blanker)
    assert before is not None
    assert after is not None
    assert after.details["cells"] >= before.details["cells"] - 1e-9
    assert after.columns[name] >= before.columns[name] - 1e-9


@settings(max_examples=100)
@given(seed=SEEDS)
def test_leaving_a_column_out_equals_blanking_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    original = random_table(rng)
    masked = masked_somehow(rng, original)
    if len(original.names) < 2:
        return  # A frame without columns has no records either.
    name = str(rng.choice(analysed(original)))
    blank = pl.Series([None] * len(original), dtype=masked.frame[name].dtype)
    one, two = (
        measured(original, masked.without([name])),
        measured(original, masked.with_values({name: blank})),
    )
    same(one, two)
    if one is not None and two is not None:
        assert {**one.details, "columns_gone": []} == two.details


@settings(max_examples=150)
@given(seed=SEEDS)
def test_nested_coarser_bands_never_lower_cells(seed: int) -> None:
    rng = np.random.default_rng(seed)
    original = random_table(rng)
    start = float(rng.normal())
    width = float(np.exp(rng.normal(0, 2)))
    numbers = [name for name in analysed(original) if original.frame[name].dtype.is_numeric()]
    finer = {name: in_bands(original.frame[name], width, start) for name in numbers}
    coarser = {name: in_bands(original.frame[name], 2 * width, start) for name in numbers}
    words = [
        name for name in analysed(original) if name not in numbers and original[name].scale == Scale.NOMINAL
    ]
    finer |= {name: in_groups(original.frame[name], 2) for name in words}
    coarser |= {name: in_groups(original.frame[name], 4) for name in words}
    one, two = (measured(original, _described(original, fresh)) for fresh in (finer, coarser))
    if one is not None and two is not None:
        assert all(two.columns[name] >= one.columns[name] - 1e-9 for name in one.columns)
        assert two.details["cells"] >= one.details["cells"] - 1e-9


@settings(max_examples=150)
@given(seed=SEEDS)
def test_widening_a_single_band_never_lowers_cells(seed: int) -> None:
    rng = np.random.default_rng(seed)
    numbers = rng.integers(-20, 20, 12).astype(float)
    original = Table.of(pl.DataFrame({"x": numbers}), roles={"x": "quasi-identifier"})
    found = []
    low = high = numbers[0]
    for _ in range(6):
        labels = [f"[{low}, {high}]", *(str(each) for each in numbers[1:])]
        masked = Table.of(pl.DataFrame({"x": labels}), roles={"x": "quasi-identifier"})
        found.append(loss.lost(original, masked).details["cells"])
        low, high = low - rng.choice([0.0, 1.0, 9.0]), high + rng.choice([0.0, 1.0, 9.0])
    assert found == sorted(found)


@settings(max_examples=100)
@given(seed=SEEDS)
def test_lengthening_a_single_run_of_ordered_categories_never_lowers_cells(seed: int) -> None:
    rng = np.random.default_rng(seed)
    words = rng.choice(WORDS, 12).tolist()
    original = Table.of(pl.DataFrame({"x": words}), roles={"x": "quasi-identifier"}, orders={"x": WORDS})
    found = []
    low = high = WORDS.index(words[0])
    for _ in range(4):
        run = f"{WORDS[low]} to {WORDS[high]}" if low < high else words[0]
        masked = Table.of(pl.DataFrame({"x": [run, *words[1:]]}), roles={"x": "quasi-identifier"})
        found.append(loss.lost(original, masked).details["cells"])
        low, high = max(0, low - int(rng.integers(2))), min(4, high + int(rng.integers(2)))
    assert found == sorted(found)


@settings(max_examples=100)
@given(seed=SEEDS)
def test_the_order_of_records_and_columns_does_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    original = random_table(rng)
    masked = masked_somehow(rng, original)
    expected = measured(original, masked)
    rows = rng.permutation(len(original))
    same(expected, measured(original, masked.take(rows), truth=rows))
    names = rng.permutation(list(original.names)).tolist()

    def turned(table: Table) -> Table:
        return replace(table, columns=tuple(table[name] for name in names), frame=table.frame.select(names))

    same(expected, measured(turned(original), turned(masked)))


@settings(max_examples=100)
@given(seed=SEEDS)
def test_units_and_types_do_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    original = random_table(rng)
    masked = masked_somehow(rng, original)

    def written_otherwise(table: Table) -> Table:
        fresh = {}
        for name in analysed(original):
            each, kind = table.frame[name], original.frame[name].dtype
            # A day that was published as a text stands for all moments of it in a column of times.
            if each.dtype == pl.Date and masked.frame[name].dtype == kind:
                fresh[name] = each.cast(pl.Datetime("us"))
            elif each.dtype == pl.Boolean:
                fresh[name] = each.cast(pl.String)
            elif each.dtype.is_integer():
                fresh[name] = each.cast(pl.Float64)
            elif each.dtype.is_float() and masked.frame[name].dtype == kind:
                fresh[name] = each * 64.0 + 32.0
        return table.with_values(fresh)

    same(measured(original, masked), measured(written_otherwise(original), written_otherwise(masked)))


@settings(max_examples=100)
@given(seed=SEEDS)
def test_the_names_of_categories_do_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    original = random_table(rng)
    masked = masked_somehow(rng, original)
    other = dict(
        zip(WORDS, rng.permutation(["fig", "gum", "holly", "iroko", "jujube"]).tolist(), strict=True)
    )

    def renamed(table: Table) -> Table:
        words = [name for name in analysed(table) if table.frame[name].dtype == pl.String]
        fresh = {name: table.frame[name].str.replace_many(other) for name in words}
        described = [
            replace(each, order=tuple(other[level] for level in each.order))
            for each in table.columns
            if each.order
        ]
        return table.with_values(fresh, described)

    same(measured(original, masked), measured(renamed(original), renamed(masked)))


@settings(max_examples=100)
@given(seed=SEEDS)
def test_a_record_left_out_counts_1_for_each_of_its_cells(seed: int) -> None:
    rng = np.random.default_rng(seed)
    original = random_table(rng, blanks=False)
    # Labels that only the records say the meaning of would mean less without some of them.
    fresh = {name: _blanked(rng, original.frame[name]) for name in analysed(original)}
    masked = original.with_values(fresh)
    kept = np.flatnonzero(rng.random(len(original)) < 0.6)
    blank = np.isin(np.arange(len(original)), kept, invert=True)
    hidden = {name: masked.frame[name].set(pl.Series(blank, dtype=pl.Boolean), None) for name in fresh}
    without, blanked = (
        measured(original, masked.take(kept), truth=kept),
        measured(original, masked.with_values(hidden)),
    )
    assert without is not None
    assert blanked is not None
    assert without.columns == pytest.approx(blanked.columns)

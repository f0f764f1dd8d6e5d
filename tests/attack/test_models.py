"""l-diversity and t-closeness against their definitions on small tables, and the published example."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import wasserstein_distance

from discreet.attack import l_diversity, t_closeness
from discreet.errors import NotComputable
from discreet.models import Variant
from discreet.table import Table

ROWS = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from([1, 2, 3, 5, 8, None])), min_size=1, max_size=14
)
ORDER = ("low", "middle", "high", "top")

# The example of Li, Li and Venkatasubramanian: nine records in three classes, salaries in thousands, and diseases.
ZIP = ["476**"] * 3 + ["4790*"] * 3 + ["476*0"] * 3
SALARY = [3, 4, 5, 6, 11, 8, 7, 9, 10]


def table_of(rows: list[tuple[str, int | None]], scale: str) -> Table:
    frame = pl.DataFrame(
        {
            "key": [key for key, _ in rows],
            "secret": pl.Series([value for _, value in rows], dtype=pl.Int64),
        }
    )
    return Table.of(
        frame, roles={"key": "quasi-identifier", "secret": "confidential"}, scales={"secret": scale}
    )


def classes(rows: list[tuple[str, int | None]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for key, value in rows:
        found.setdefault(key, []).extend([] if value is None else [value])
    return {key: values for key, values in found.items() if values}


def level_of(values: list[int], variant: Variant, c: float) -> float:
    counts = sorted(Counter(values).values(), reverse=True)
    if variant == "distinct":
        return len(counts)
    if variant == "entropy":
        shares = [count / len(values) for count in counts]
        return math.exp(-sum(share * math.log(share) for share in shares))
    return max(
        (level for level in range(1, len(counts) + 1) if counts[0] < c * sum(counts[level - 1 :])), default=0
    )


@pytest.mark.parametrize("variant", ["distinct", "entropy", "recursive"])
@given(rows=ROWS, c=st.sampled_from([0.5, 1.0, 2.0, 3.0]))
def test_l_is_that_of_the_least_diverse_class(
    rows: list[tuple[str, int | None]], variant: Variant, c: float
) -> None:
    known = classes(rows)
    table = table_of(rows, "nominal")
    if not known:
        with pytest.raises(NotComputable, match="no value"):
            l_diversity(table)
        return
    found = l_diversity(table, variant=variant, c=c)
    assert found.level == pytest.approx(min(level_of(values, variant, c) for values in known.values()))
    top = {key: max(Counter(values).values()) / len(values) for key, values in known.items()}
    assert found.risk == pytest.approx(max(top.values()))
    assert found.records == pytest.approx([top.get(key, 0.0) for key, _ in rows])


@given(rows=ROWS, scale=st.sampled_from(["numeric", "nominal"]))
def test_t_is_the_largest_distance_of_a_class_from_the_file(
    rows: list[tuple[str, int | None]], scale: str
) -> None:
    known = classes(rows)
    table = table_of(rows, scale)
    if not known:
        with pytest.raises(NotComputable, match="no value"):
            t_closeness(table)
        return
    everything = [value for values in known.values() for value in values]
    places = {value: place for place, value in enumerate(sorted(set(everything)))}

    def moved(values: list[int]) -> float:
        if scale == "nominal":
            shares = (
                values.count(each) / len(values) - everything.count(each) / len(everything) for each in places
            )
            return sum(abs(share) for share in shares) / 2
        if len(places) == 1:
            return 0.0
        far = wasserstein_distance([places[v] for v in values], [places[v] for v in everything])
        return float(far) / (len(places) - 1)

    found = t_closeness(table)
    expected = {key: moved(values) for key, values in known.items()}
    assert found.risk == pytest.approx(max(expected.values()), abs=1e-12)
    assert found.records == pytest.approx([expected.get(key, 0.0) for key, _ in rows], abs=1e-12)


def test_t_closeness_of_the_published_example() -> None:
    """The salaries 3, 4, 5 are at distance 0.375 from all nine, and 6, 8, 11 at 0.167."""
    frame = pl.DataFrame({"zip": ZIP, "salary": SALARY})
    table = Table.of(frame, roles={"zip": "quasi-identifier", "salary": "confidential"})
    records = t_closeness(table).records
    assert records is not None
    assert records[0] == pytest.approx(0.375)
    assert records[3] == pytest.approx(0.167, abs=0.001)


def test_ordinal_values_are_moved_along_their_order() -> None:
    frame = pl.DataFrame({"key": ["a", "a", "b", "b"], "level": ["low", "low", "top", "high"]})
    table = Table.of(
        frame, roles={"key": "quasi-identifier", "level": "confidential"}, orders={"level": ORDER}
    )
    # Three levels occur: low, high and top, at places 0, 1/2 and 1; the file is (1/2, 1/4, 1/4).
    assert t_closeness(table).records == pytest.approx([0.375, 0.375, 0.375, 0.375])


def test_several_columns_count_by_the_worst() -> None:
    frame = pl.DataFrame(
        {"key": ["a", "a", "b", "b"], "one": ["x", "y", "x", "y"], "two": ["x", "x", "x", "y"]}
    )
    table = Table.of(frame, roles={"key": "quasi-identifier"}, rest="confidential")
    found = l_diversity(table)
    assert found.level == 1
    assert found.columns == {"one": 0.5, "two": 1.0}
    assert found.levels.tolist() == [1, 1, 2, 2]
    assert found.baseline == 0.75
    assert t_closeness(table).columns == pytest.approx({"one": 0.0, "two": 0.25})


def test_one_class_of_all_records_tells_nothing() -> None:
    rng = np.random.default_rng(3)
    frame = pl.DataFrame({"key": ["a"] * 50, "secret": rng.normal(size=50)})
    table = Table.of(frame, roles={"key": "quasi-identifier", "secret": "confidential"})
    assert t_closeness(table).risk == pytest.approx(0, abs=1e-12)

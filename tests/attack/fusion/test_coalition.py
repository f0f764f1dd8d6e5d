"""The coalition attack: the published example, and what holds on any releases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from discreet.attack import Fused, Negation, coalition
from discreet.attack.fusion.categories import combinations_of
from discreet.attack.fusion.fuse import AMONG, OF_CATEGORIES
from discreet.demo import table as census
from discreet.errors import (
    BadParameter,
    BadValues,
    Mismatch,
    NotComputable,
    UnknownColumn,
    WrongScale,
)
from discreet.plan import Plan
from discreet.protection import protect
from discreet.release import Release
from discreet.table import Table

ORACLE = json.loads((Path(__file__).parents[2] / "oracle" / "coalition.json").read_text())
ORDER = ("hot", "mixed", "mild", "cool", "cold", "coldest")
NAMES = [record["name"] for record in ORACLE["records"]]
NEGATION = Negation.of(ORACLE["negation"], order=ORDER)


def degrees(values: list[int | None]) -> Table:
    labels = [None if each is None else ORACLE["categories"][str(each)] for each in values]
    return Table.of(
        pl.DataFrame({"degree": pl.Series(labels, dtype=pl.String)}),
        roles={"degree": "quasi-identifier"},
        orders={"degree": ORDER},
    )


RELEASES = [degrees([record["released"][place] for record in ORACLE["records"]]) for place in range(7)]
ORIGINAL = degrees([record["original"] for record in ORACLE["records"]])


def words(values: list[str | None], **more: list[Any]) -> Table:
    frame = pl.DataFrame({"town": pl.Series(values, dtype=pl.String), **more})
    return Table.of(frame, roles={}, rest="quasi-identifier")


def partition(fused: Fused) -> set[str]:
    assert fused.clusters is not None
    return {
        "".join(name for name, each in zip(NAMES, fused.clusters, strict=True) if each == cluster)
        for cluster in set(fused.clusters.tolist())
    }


def test_the_published_example_is_rebuilt_but_for_one_record() -> None:
    fused = coalition(RELEASES, column="degree", original=ORIGINAL, negation=NEGATION)
    assert fused.by == "clusters"
    assert partition(fused) == set(ORACLE["clusters"])
    expected = [ORACLE["categories"][str(record["rebuilt"])] for record in ORACLE["records"]]
    assert fused.values.to_list() == expected
    assert fused.rebuilt is not None
    assert fused.rebuilt.risk == pytest.approx(19 / 20)
    assert fused.rebuilt.records is not None
    assert [name for name, right in zip(NAMES, fused.rebuilt.records, strict=True) if not right] == ["f"]
    assert fused.values[NAMES.index("r")] == ORACLE["categories"]["5"]
    assert fused.rebuilt.details["cells_that_differ"] == 2
    assert fused.rebuilt.confusion is not None
    assert fused.rebuilt.confusion.sum() == 20
    assert fused.rebuilt.confusion[ORDER.index("mild"), ORDER.index("coldest")] == 1
    # Record f is three steps off on a scale of five.
    assert fused.rebuilt.distance == pytest.approx(3 / 5 / 20)


def test_five_clusters_can_be_asked_for() -> None:
    fused = coalition(RELEASES, column="degree", negation=NEGATION, clusters=5)
    assert partition(fused) == set(ORACLE["clusters"])


def test_voting_misses_what_clusters_find() -> None:
    voted = coalition(RELEASES, column="degree", original=ORIGINAL, by="vote")
    assert voted.values[NAMES.index("r")] != "mixed"
    assert voted.rebuilt is not None
    assert voted.rebuilt.risk == pytest.approx(18 / 20)


@pytest.mark.parametrize("by", ["clusters", "vote", "likelihood"])
def test_the_order_of_records_and_releases_does_not_matter(by: Any) -> None:
    rows = np.random.default_rng(2).permutation(20)
    expected = coalition(RELEASES, column="degree", by=by).values
    turned = coalition([each.take(rows) for each in RELEASES], column="degree", by=by).values
    assert turned.to_list() == expected.gather(pl.Series(rows)).to_list()
    backwards = coalition(RELEASES[::-1], column="degree", by=by).values
    assert backwards.to_list() == expected.to_list()


@pytest.mark.parametrize("by", ["clusters", "vote", "likelihood"])
@pytest.mark.parametrize("scale", ["nominal", "ordinal"])
def test_releases_that_agree_are_believed(by: Any, scale: str) -> None:
    values: list[str | None] = ["a", "b", "c", "a", None, "b"]
    table = Table.of(
        pl.DataFrame({"town": values}),
        roles={"town": "quasi-identifier"},
        scales={"town": scale},
        orders={"town": ["a", "b", "c"]} if scale == "ordinal" else {},
    )
    fused = coalition([table, table], column="town", by=by)
    assert fused.values.to_list() == values
    assert fused.known_in.tolist() == [2, 2, 2, 2, 0, 2]


def test_renamed_categories_change_nothing_in_the_clusters() -> None:
    rng = np.random.default_rng(4)
    true = rng.integers(0, 3, 60)
    columns = []
    for _ in range(4):
        moved = np.where(rng.random(60) < 0.15, rng.integers(0, 3, 60), true)
        columns.append([f"town {each}" for each in moved])
    tables = [words(list(each)) for each in columns]
    foreign = {"town 0": "gamma", "town 1": "alpha", "town 2": "beta"}
    renamed = [*tables[:3], words([foreign[each] for each in columns[3]])]
    plain = coalition(tables, column="town", clusters=3)
    other = coalition(renamed, column="town", clusters=3, renamed=[3], levels=["town 0", "town 1", "town 2"])
    assert plain.clusters is not None
    assert other.clusters is not None
    pairs = set(zip(plain.clusters.tolist(), other.clusters.tolist(), strict=True))
    assert len(pairs) == 3
    learned = coalition(renamed, column="town", renamed=[3], levels=["town 0", "town 1", "town 2"])
    right = np.array([int(str(each)[-1]) for each in learned.values]) == true
    assert right.mean() > 0.95


@pytest.fixture(scope="module")
def people() -> Table:
    return census(600, seed=31)


@pytest.fixture(scope="module")
def releases(people: Table) -> list[Release]:
    steps: list[tuple[str, dict[str, Any]]] = [
        ("pram", {"columns": ["education"], "theta": 0.9}),
        ("pram", {"columns": ["education"], "theta": 0.7}),
        ("top_code", {"columns": ["education"], "categories": 3}),
        ("rank_swap", {"columns": ["education"], "p": 10}),
    ]
    return [protect(people, Plan.of([step]), seed=place) for place, step in enumerate(steps)]


def test_together_releases_tell_more_than_the_best_of_them(people: Table, releases: list[Release]) -> None:
    fused = coalition(releases, column="education", original=people)
    assert fused.rebuilt is not None
    assert fused.rebuilt.baseline is not None
    assert fused.by == "likelihood"
    assert fused.rebuilt.risk > fused.rebuilt.baseline + 0.01
    json.dumps(fused.to_dict(), allow_nan=False)
    assert "best single release" in str(fused)


def test_made_up_categories_are_unknown_and_counted(people: Table, releases: list[Release]) -> None:
    fused = coalition(releases, column="education", original=people, by="vote")
    made_up = fused.details["values_not_among_the_levels"]
    assert made_up[0] == made_up[1] == made_up[3] == 0
    assert made_up[2] > 0
    assert set(fused.values.drop_nulls()) <= set(people["education"].order)


def test_a_published_matrix_is_used(people: Table) -> None:
    """One release with its manifest and one without say the same; only the published chances of PRAM differ."""
    matrix = {"male": {"male": 0.1, "female": 0.9}, "female": {"male": 0.9, "female": 0.1}}
    step = ("pram", {"columns": ["sex"], "variant": "given", "matrix": matrix})
    turned = [protect(people, Plan.of([step]), seed=seed) for seed in range(3)]
    told = coalition(turned, column="sex", original=people)
    blind = coalition([each.table for each in turned], column="sex", original=people)
    assert told.rebuilt is not None
    assert blind.rebuilt is not None
    assert told.rebuilt.risk > 0.9
    assert blind.rebuilt.risk < 0.1


@pytest.mark.parametrize("more", [[], ["unheard of"]])
def test_a_published_matrix_that_does_not_know_a_level_is_left_aside(people: Table, more: list[str]) -> None:
    step = ("pram", {"columns": ["sex"], "theta": 0.1})
    told = [protect(people, Plan.of([step]), seed=seed) for seed in range(3)]
    fused = coalition(told, column="sex", original=people, levels=["female", "male", *more])
    assert fused.rebuilt is not None
    assert fused.rebuilt.risk > 0.9
    assert set(fused.values) == {"female", "male"}


def test_releases_are_put_side_by_side_by_their_private_half(people: Table, releases: list[Release]) -> None:
    sampled = protect(people, Plan.of([("sample", {"fraction": 0.5})]), seed=9)
    fused = coalition([*releases[:2], sampled], column="education", original=people)
    assert fused.values.len() == len(people)
    assert fused.known_in.max() == 3
    assert fused.known_in.min() <= 2


def test_implicates_count_as_releases(people: Table) -> None:
    first = protect(people, Plan.of([("impute", {"columns": ["income"], "implicates": 3})]), seed=2)
    second = protect(people, Plan.of([("add_noise", {"columns": ["income"], "p": 0.2})]), seed=3)
    fused = coalition([first, second], column="income")
    assert fused.releases == 4


def test_a_public_release_in_random_order_cannot_be_put_beside_others(
    people: Table, releases: list[Release], tmp_path: Path
) -> None:
    folder = releases[0].save(tmp_path / "release")
    public = Release.load(folder / "public")
    with pytest.raises(Mismatch, match="does not keep the order"):
        coalition([public, releases[1]], column="education")


def test_a_match_column_tells_who_is_who() -> None:
    one = words(["x", "y", "z"], who=["p", "q", "r"])
    other = words(["z", "y", "y"], who=["r", "q", "s"])
    original = words(["x", "y", "z"], who=["p", "q", "r"])
    fused = coalition([one, other], column="town", match="who")
    assert fused.values.to_list() == ["x", "y", "z", "y"]
    assert fused.known_in.tolist() == [1, 2, 2, 1]
    assert fused.people is not None
    assert fused.people.to_list() == ["p", "q", "r", "s"]
    judged = coalition([one, other], column="town", match="who", original=original)
    assert judged.rebuilt is not None
    assert judged.rebuilt.risk == 1
    assert judged.rebuilt.single == pytest.approx((1.0, 2 / 3))


def test_records_that_cannot_be_paired_are_named() -> None:
    one, two = words(["x", "y", "z"], who=["p", "q", "r"]), words(["z", "y"], who=["s", "t"])
    with pytest.raises(Mismatch, match="different numbers of people: 3, 2"):
        coalition([one, two], column="town")
    with pytest.raises(Mismatch, match="the last is the original"):
        coalition([one, one], column="town", original=two)
    with pytest.raises(Mismatch, match="no person is in two of the releases"):
        coalition([one, two], column="town", match="who")
    with pytest.raises(BadValues, match="0 missing and 1 repeated"):
        coalition([one, words(["x", "y"], who=["p", "p"])], column="town", match="who")
    with pytest.raises(UnknownColumn, match="Did you mean 'town'"):
        coalition([one, one], column="towm")
    with pytest.raises(BadParameter, match="at least two releases"):
        coalition([one], column="town")


def test_noise_is_averaged_out_by_what_the_manifests_say(people: Table) -> None:
    steps = [("add_noise", {"columns": ["rent"], "p": p, "variant": variant}) for p, variant in NOISES]
    noisy = [protect(people, Plan.of([step]), seed=place) for place, step in enumerate(steps)]
    fused = coalition(noisy, column="rent", original=people)
    assert fused.by == "inverse_variance"
    assert fused.rebuilt is not None
    precision = np.array([1 / p**2 for p, _ in NOISES])
    assert fused.details["weights"] == pytest.approx(precision / precision.sum(), rel=0.15)
    errors = [each for each in fused.rebuilt.details["error_of_each_release"] if each is not None]
    assert fused.rebuilt.distance < min(errors)
    assert fused.rebuilt.distance == pytest.approx(1 / np.sqrt(precision.sum()), rel=0.15)
    even = coalition(noisy, column="rent", original=people, by="mean")
    assert even.rebuilt is not None
    assert fused.rebuilt.distance < even.rebuilt.distance


NOISES = [(0.2, "uncorrelated"), (0.4, "correlated"), (0.3, "linear")]


@pytest.mark.parametrize(("variant", "part"), [("deterministic", 12), ("stochastic", 6)])
def test_rounding_is_off_by_its_base(people: Table, variant: str, part: int) -> None:
    step = ("round", {"columns": ["rent"], "base": 100.0, "variant": variant})
    rounded = protect(people, Plan.of([step]), seed=1)
    noisy = protect(people, Plan.of([("add_noise", {"columns": ["rent"], "p": 0.5})]), seed=1)
    weights = coalition([rounded, noisy], column="rent").details["weights"]
    spread = np.nanstd(people.numbers(["rent"]))
    expected = 1 / (100**2 / part) / (1 / (100**2 / part) + 1 / (0.5 * spread) ** 2)
    assert weights[0] == pytest.approx(expected, rel=0.05)


def test_a_mean_that_is_asked_for_is_not_replaced_by_another_way() -> None:
    table = Table.of(pl.DataFrame({"n": np.linspace(50.0, 90.0, 30)}), roles={}, rest="quasi-identifier")
    noisy = [protect(table, Plan.of([("add_noise", {"columns": ["n"], "p": p})]), seed=1) for p in (0.1, 0.4)]
    assert coalition(noisy, column="n").by == "inverse_variance"
    told = coalition(noisy, column="n", mean="geometric")
    assert told.by == "mean"
    assert told.values.to_list() == coalition(noisy, column="n", by="mean", mean="geometric").values.to_list()
    assert told.values.to_list() != coalition(noisy, column="n", by="mean").values.to_list()


@pytest.mark.parametrize("by", ["owa", "wowa"])
def test_ordered_averages_need_their_weights(people: Table, by: Any) -> None:
    noisy = [
        protect(people, Plan.of([("add_noise", {"columns": ["age"], "p": 0.05})]), seed=s) for s in (1, 2)
    ]
    with pytest.raises(BadParameter, match="needs order_weights"):
        coalition(noisy, column="age", by=by)


def test_releases_without_numbers_are_left_out(people: Table) -> None:
    bands = protect(people, Plan.of([("recode_numbers", {"columns": ["age"], "bins": 4})]))
    noisy = [
        protect(people, Plan.of([("add_noise", {"columns": ["age"], "p": 0.1})]), seed=s) for s in (1, 2)
    ]
    fused = coalition([bands, *noisy], column="age", original=people)
    assert fused.details["left_out"] == [0]
    assert fused.releases == 2


def numbers(*columns: list[float | None]) -> list[Table]:
    frames = [pl.DataFrame({"income": pl.Series(each, dtype=pl.Float64)}) for each in columns]
    return [Table.of(frame, roles={"income": "confidential"}) for frame in frames]


def test_numbers_of_two_unpublished_releases_are_averaged() -> None:
    fused = coalition(numbers([1, 2, None, None], [3, None, 5, None]), column="income")
    assert fused.by == "mean"
    assert fused.values.to_list() == [2, 2, 5, None]


def test_operators_are_chosen_by_name() -> None:
    tables = numbers([1, 10], [4, 20], [16, 30])
    assert coalition(tables, column="income", by="mean", weights=[1, 1, 0]).values.to_list() == [2.5, 15]
    assert coalition(tables, column="income", by="mean", mean="geometric").values[0] == pytest.approx(4)
    assert coalition(tables, column="income", by="owa", order_weights=[1, 0, 0]).values.to_list() == [16, 30]
    assert coalition(
        tables, column="income", by="wowa", weights=[1, 1, 0], order_weights=[1, 1, 1]
    ).values.to_list() == [2.5, 15]
    huge = numbers([1e300, -1e300], [-1e300, 1e300], [1e300, 1e300])
    assert coalition(huge, column="income").values.is_finite().all()


def test_one_enormous_number_does_not_change_how_the_others_are_judged() -> None:
    rng = np.random.default_rng(4)
    true = 1e9 + rng.normal(size=40) * 100
    near, far = true + rng.normal(size=40), np.where(np.arange(40) == 0, 1e300, true)
    original, one, two = (
        Table.of(pl.DataFrame({"income": each}), roles={}, rest="quasi-identifier")
        for each in (true, near, far)
    )
    found = coalition([one, two], column="income", original=original, by="mean").rebuilt
    assert found is not None
    assert found.single == (1.0, 39 / 40)
    assert found.risk == 39 / 40


@pytest.mark.parametrize("constant", [0.1, 7.0, 1e9, 1e300])
def test_of_a_constant_column_only_the_constant_is_right(constant: float) -> None:
    tables = [
        Table.of(pl.DataFrame({"income": [constant * each] * 6}), roles={}, rest="quasi-identifier")
        for each in (1.0, 1.0, 1.0, 1.01)
    ]
    found = coalition(tables[:3], column="income", original=tables[0], by="mean").rebuilt
    assert found is not None
    assert found.risk == 1
    found = coalition(tables, column="income", original=tables[0], by="mean").rebuilt
    assert found is not None
    assert found.single == (1.0, 1.0, 1.0, 0.0)
    assert found.risk == 0


def test_releases_that_say_the_same_of_everybody_are_told(people: Table, releases: list[Release]) -> None:
    one, two = releases[:2]
    told = coalition([one, two, one], column="education", original=people)
    assert told.details["same_values"] == [[0, 2]]
    assert "same_values" not in coalition([one, two], column="education", original=people).details


def test_releases_of_another_original_are_refused(people: Table, releases: list[Release]) -> None:
    other = census(len(people), seed=99)
    with pytest.raises(Mismatch, match="the original given has"):
        coalition(releases, column="marital_status", original=other.take(np.arange(10)))


def test_infinite_numbers_are_named() -> None:
    with pytest.raises(BadValues, match="'income' has 1 infinite"):
        coalition(numbers([1, float("inf")], [1, 2]), column="income")


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([True, False, None, True]),
        pl.Series([1, 2, None, 1], dtype=pl.Int8),
        pl.Series([1.0, 2.0, None, 1.0]),
        pl.Series([3600, 60, None, 3600]).cast(pl.Duration("ms")),
        pl.Series([0, 1, None, 0]).cast(pl.Date),
        pl.Series(["", "b", None, ""], dtype=pl.Categorical),
    ],
    ids=["truth", "whole", "float", "duration", "date", "category"],
)
def test_any_type_can_be_a_category(values: pl.Series) -> None:
    frame = values.to_frame("town")
    tables = [
        Table.of(frame, roles={"town": "quasi-identifier"}),
        Table.of(frame.reverse(), roles={"town": "quasi-identifier"}),
    ]
    for by in ("clusters", "vote", "likelihood"):
        fused = coalition([tables[0], tables[0]], column="town", by=by, original=tables[0])
        assert fused.rebuilt is not None
        assert fused.rebuilt.risk == 1
        assert coalition(tables, column="town", by=by).values.null_count() == 0


def test_dates_stay_dates() -> None:
    frames = [
        pl.DataFrame({"born": pl.Series(days, dtype=pl.Int32).cast(pl.Date)}) for days in ([0, 10], [2, 20])
    ]
    tables = [Table.of(frame, roles={"born": "quasi-identifier"}) for frame in frames]
    assert coalition(tables, column="born").values.cast(pl.Int32).to_list() == [1, 15]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"by": "voting"}, "by must be one of"),
        ({"linkage": "wards"}, "Did you mean 'ward'"),
        ({"by": "vote", "linkage": "ward"}, "linkage is not used by 'vote', only by clusters"),
        ({"weights": [1, 1]}, "weights is not used by 'likelihood'"),
        ({"renamed": [2]}, "renamed counts releases from 0 to 1; got 2"),
        ({"renamed": [0, 1]}, "at least one release must use the names"),
        ({"levels": ["x", "x"]}, "each once"),
        ({"clusters": 9}, "clusters must be from 1 to"),
        ({"tolerance": 0}, "tolerance"),
    ],
)
def test_what_makes_no_sense_is_named(parameters: dict[str, Any], message: str) -> None:
    table = words(["x", "y"])
    with pytest.raises(BadParameter, match=message):
        coalition([table, table], column="town", **parameters)


def test_nothing_to_fuse_is_said() -> None:
    nothing = words([None, None])
    for by in ("clusters", "vote", "likelihood"):
        with pytest.raises(NotComputable, match="no release holds a value"):
            coalition([nothing, nothing], column="town", by=by)
        with pytest.raises(NotComputable, match="no release holds a value"):
            coalition([nothing, nothing], column="town", by=by, levels=["x"])
    with pytest.raises(NotComputable, match="no release holds a value"):
        coalition(numbers([None], [None]), column="income")
    with pytest.raises(NotComputable, match="the original has no value"):
        coalition([words(["x"]), words(["x"])], column="town", original=words([None]))
    with pytest.raises(WrongScale, match="'mean' is for numbers"):
        coalition([words(["x"]), words(["x"])], column="town", by="mean")
    with pytest.raises(BadValues, match="1 records of the original have a category"):
        coalition([words(["x"]), words(["x"])], column="town", original=words(["y"]), levels=["x"])
    empty = words([])
    with pytest.raises(NotComputable, match="no release holds a value"):
        coalition([empty, empty], column="town")


def test_a_constant_column_is_rebuilt() -> None:
    table = words(["x"] * 4)
    for by in ("clusters", "vote", "likelihood"):
        fused = coalition([table, table], column="town", original=table, by=by)
        assert fused.values.to_list() == ["x"] * 4


def test_too_many_different_things_are_refused_by_name() -> None:
    values: list[str | None] = [f"town {place}" for place in range(6001)]
    with pytest.raises(NotComputable, match="6001 different things, and at most 6000"):
        coalition([words(values), words(values)], column="town", by="clusters")
    combinations = combinations_of([pl.Series("value", values)] * 2, [str(each) for each in values], [])
    assert len(combinations.codes) == 6001


def test_the_published_distances() -> None:
    from discreet.attack.fusion.distances import differences, distances

    place = {label: number for number, label in enumerate(ORDER)}
    codes = np.array(
        [
            [-1 if each is None else place[ORACLE["categories"][str(each)]] for each in record["released"]]
            for record in ORACLE["records"]
        ]
    )
    matrix = differences(np.array([NEGATION.positions[label] for label in ORDER]), 6, "published")
    found = distances(codes, [matrix] * 7, range(7))
    printed = np.array([[np.nan if each is None else each for each in row] for row in ORACLE["distances"]])
    assert np.nanmax(np.abs(found - printed)) < 0.002
    assert found[np.isnan(printed)] == pytest.approx(0)


def test_every_way_and_every_choice_of_it_can_be_asked_for() -> None:
    numbers = [
        Table.of(pl.DataFrame({"n": each}), roles={}, rest="quasi-identifier")
        for each in ([1.0, 4.0, 2.0], [4.0, 9.0, 8.0])
    ]
    means = {
        "arithmetic": [2.5, 6.5, 5.0],
        "geometric": [2.0, 6.0, 4.0],
        "harmonic": [1.6, 72 / 13, 3.2],
        "quadratic": [8.5**0.5, 48.5**0.5, 34**0.5],
    }
    assert AMONG["mean"] == tuple(means)
    for mean, expected in means.items():
        assert coalition(numbers, column="n", mean=mean).values.to_list() == pytest.approx(expected)  # type: ignore[arg-type]
    largest = coalition(numbers, column="n", by="owa", order_weights=[1, 0])
    assert largest.values.to_list() == [4.0, 9.0, 8.0]
    both = coalition(numbers, column="n", by="wowa", order_weights=[1, 1], weights=[3, 1])
    assert both.values.to_list() == pytest.approx([1.75, 5.25, 3.5])
    words_of = [words(list("aabb")), words(list("aabb"))]
    for name in ("distance", "linkage"):
        for choice in AMONG[name]:
            given: dict[str, Any] = {name: choice}
            assert coalition(words_of, column="town", **given).values.to_list() == list("aabb")
    for by in OF_CATEGORIES:
        assert coalition(words_of, column="town", by=by).by == by  # type: ignore[arg-type]
    for name in AMONG:
        with pytest.raises(BadParameter, match=f"{name} must be one of {', '.join(AMONG[name])}"):
            coalition(words_of, column="town", **{name: "other"})  # type: ignore[arg-type]


def test_what_a_way_has_no_use_for_is_refused_with_who_has() -> None:
    tables = [words(list("aabb")), words(list("aabb"))]
    for by, given, takers in (
        ("vote", {"linkage": "ward"}, "clusters"),
        ("likelihood", {"clusters": 2}, "clusters"),
        ("vote", {"weights": [1, 1]}, "mean, wowa"),
        ("clusters", {"order_weights": [1, 1]}, "owa, wowa"),
        ("vote", {"mean": "harmonic"}, "mean"),
    ):
        (name,) = given
        with pytest.raises(BadParameter, match=f"{name} is not used by '{by}', only by {takers}"):
            coalition(tables, column="town", by=by, **given)  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="tolerance must be a number above 0"):
        coalition(tables, column="town", tolerance=0.0)
    with pytest.raises(BadParameter, match="renamed counts releases from 0 to 1; got 2"):
        coalition(tables, column="town", renamed=[2])
    with pytest.raises(BadParameter, match="match and column are both 'town'"):
        coalition(tables, column="town", match="town")

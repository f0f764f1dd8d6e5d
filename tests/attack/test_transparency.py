"""Attacks that read the manifest: sound, strong, and stopped by the methods made to stop them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from discreet.assessment import assess
from discreet.attack import compatible, link, transparency
from discreet.demo import table as census
from discreet.errors import NotComputable, Unreachable
from discreet.intruder import Intruder
from discreet.manifest import PublicManifest
from discreet.plan import Plan
from discreet.protection import protect
from discreet.table import Scale, Table
from discreet.transitions import likely_matrix

ORACLE = Path(__file__).resolve().parents[1] / "oracle" / "rank_swapping_attack.json"
NUMERIC = ["age", "hours", "income", "rent"]
CATEGORIES = ["sex", "marital_status", "education"]


def numbers(values: NDArray[np.float64]) -> Table:
    names = [chr(ord("a") + place) for place in range(values.shape[1])]
    return Table.of(pl.DataFrame(values, schema=names), roles={}, rest="quasi-identifier")


def manifest_of(table: Table, *steps: tuple[str, dict[str, Any]]) -> PublicManifest:
    return PublicManifest(
        steps=tuple({"method": method, "parameters": parameters} for method, parameters in steps),
        columns=table.columns,
        guarantees=(),
        dropped=0,
        pseudonymised=(),
        order="shuffled",
        rows_kept=True,
    )


def attacked(table: Table, *steps: tuple[str, dict[str, Any]], seed: int = 1, **given: Any) -> Any:
    release = protect(table, Plan.of(steps), seed=seed)
    return transparency(table, release.table, truth=release.truth, manifest=release.manifest, **given)


def linked(table: Table, *steps: tuple[str, dict[str, Any]], seed: int = 1, **given: Any) -> float:
    release = protect(table, Plan.of(steps), seed=seed)
    given = {"direction": "original to masked", "distance": "euclidean", **given}
    return link(table, release.table, truth=release.truth, **given).risk


@pytest.fixture(scope="module")
def people() -> Table:
    return census(300, seed=3)


@pytest.fixture(scope="module")
def skewed() -> Table:
    """Four hundred records of six correlated columns, as sums of money are."""
    rng = np.random.default_rng(6)
    hidden = rng.normal(size=(400, 2)) @ rng.normal(size=(2, 6)) + 0.5 * rng.normal(size=(400, 6))
    return numbers(np.exp(0.7 * hidden).round(2))


def test_the_worked_example_leaves_one_candidate_for_its_record() -> None:
    example = json.loads(ORACLE.read_text(encoding="utf-8"))
    original, masked = (numbers(np.array(example[name], dtype=float)) for name in ("original", "masked"))
    manifest = manifest_of(
        masked, ("rank_swap", {"columns": ["a", "b", "c", "d"], "p": 20, "variant": "window"})
    )
    who = example["record"] - 1
    for place, rows in example["candidates"].items():
        column = "abcd"[int(place) - 1]
        found = transparency(original, masked, keys=[column], manifest=manifest)
        assert found.candidates[who] == len(rows)
    found = transparency(original, masked, manifest=manifest)
    assert found.candidates[who] == 1
    assert found.records is not None
    assert found.records[who] == 1
    assert found.details["true_record_ruled_out"] == 0


SURE: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "rank swapping": [("rank_swap", {"columns": [*NUMERIC, "education"], "p": 7})],
    "individual ranking": [
        ("microaggregate", {"columns": [*NUMERIC, "education"], "k": 4, "variant": "individual"})
    ],
    "projection by z-scores": [("microaggregate", {"columns": NUMERIC, "k": 4, "variant": "zscore"})],
    "projection by components": [
        (
            "microaggregate",
            {"columns": NUMERIC, "k": 4, "variant": "component", "groups": [NUMERIC[:2], NUMERIC[2:]]},
        )
    ],
    "projection without standardising": [
        ("microaggregate", {"columns": NUMERIC, "k": 4, "variant": "component", "standardise": False})
    ],
    "rounding": [("round", {"columns": NUMERIC, "base": 7})],
    "rounding by chance": [("round", {"columns": NUMERIC, "base": 7, "variant": "stochastic"})],
    "rounding of records": [("round", {"columns": NUMERIC, "base": 7, "variant": "multivariate"})],
    "top coding by share": [("top_code", {"columns": NUMERIC, "share": 0.2})],
    "top coding by threshold": [("top_code", {"columns": ["age"], "threshold": 60})],
    "top coding by mean": [("top_code", {"columns": NUMERIC, "share": 0.2, "replace": "mean"})],
    "bottom coding": [("bottom_code", {"columns": NUMERIC, "share": 0.3, "replace": "mean"})],
    "coding of levels": [("top_code", {"columns": ["education"], "categories": 2})],
    "recoding of the rarest": [("recode", {"columns": ["occupation"], "rarest": 6})],
    "recoding by a mapping": [
        ("recode", {"columns": ["sex"], "mapping": {"male": "person", "female": "person"}})
    ],
    "bins": [("recode_numbers", {"columns": NUMERIC, "bins": 5})],
    "bins of equally many": [("recode_numbers", {"columns": NUMERIC, "bins": 5, "variant": "quantile"})],
    "camouflage": [("camouflage", {"columns": NUMERIC, "width": 10})],
    "camouflage of any width": [("camouflage", {"columns": NUMERIC, "width": 7.3})],
    "bins that end anywhere": [("recode_numbers", {"columns": NUMERIC, "bins": 7})],
    "generalisation": [
        ("generalise", {"columns": [*NUMERIC, "education", "sex", "postcode"], "max_suppressed": 0.1})
    ],
    "generalisation where it is needed": [
        ("generalise_locally", {"columns": ["education", "sex", "marital_status"]})
    ],
    "partitions": [("mondrian", {"columns": [*NUMERIC, "education", "sex"]})],
    "resampling": [("resample", {"columns": [*NUMERIC, "education"]})],
    "distortion": [("distort", {"columns": NUMERIC})],
    "suppression": [("suppress", {"columns": ["education", "sex", "marital_status", "occupation"], "k": 3})],
    "swapping and suppression": [
        ("rank_swap", {"columns": NUMERIC, "p": 10}),
        ("suppress", {"columns": ["age", "education", "sex"], "k": 3}),
    ],
    "a sample that was rounded": [("sample", {"fraction": 0.5}), ("round", {"columns": NUMERIC, "base": 5})],
    "a sample that was swapped": [
        ("sample", {"fraction": 0.5}),
        ("rank_swap", {"columns": NUMERIC, "p": 10}),
    ],
    "a swapped file that was sampled": [
        ("rank_swap", {"columns": NUMERIC, "p": 10}),
        ("sample", {"fraction": 0.5}),
    ],
    "nothing": [],
}


def _fits(people: Table, steps: list[tuple[str, dict[str, Any]]]) -> list[tuple[str, dict[str, Any]]]:
    """The steps, with a mapping that joins the categories the table has."""
    levels = [str(level) for level in people.levels("sex")]
    return [
        (method, {**given, "mapping": dict.fromkeys(levels, "person")} if "mapping" in given else given)
        for method, given in steps
    ]


@pytest.mark.parametrize("name", list(SURE))
@pytest.mark.parametrize("seed", [1, 2])
def test_sure_clues_never_rule_out_the_true_record(people: Table, name: str, seed: int) -> None:
    found = attacked(people, *_fits(people, SURE[name]), seed=seed)
    assert found.details["true_record_ruled_out"] == 0
    assert found.details["contradictions"] == 0
    assert found.failed == 0
    assert found.certain == found.details["single_candidates_right"] == found.details["single_candidates"]


@settings(max_examples=40)
@given(
    rows=st.lists(
        st.tuples(*(st.one_of(st.none(), st.integers(0, 6)) for _ in range(2))), min_size=12, max_size=40
    ),
    p=st.floats(10, 60),
    k=st.integers(2, 4),
    seed=st.integers(0, 999),
)
def test_sure_clues_hold_with_ties_and_missing_values(
    rows: list[tuple[int | None, int | None]], p: float, k: int, seed: int
) -> None:
    table = Table.of(
        pl.DataFrame(rows, schema={"a": pl.Int64, "b": pl.Float64}, orient="row"),
        roles={},
        rest="quasi-identifier",
    )
    for step in (
        ("rank_swap", {"p": p}),
        ("microaggregate", {"k": k, "variant": "individual"}),
        ("microaggregate", {"k": k, "variant": "zscore"}),
        ("round", {"base": 3, "variant": "stochastic"}),
        ("resample", {}),
    ):
        try:
            release = protect(table, Plan.of([step]), seed=seed)
        except Unreachable:
            continue
        found = transparency(table, release.table, manifest=release.manifest)
        assert found.details["true_record_ruled_out"] == 0, step


@pytest.mark.parametrize(
    "step",
    [
        ("rank_swap", {"columns": NUMERIC, "p": 3}),
        ("microaggregate", {"columns": NUMERIC, "k": 3, "variant": "individual"}),
        ("microaggregate", {"columns": NUMERIC, "k": 3, "variant": "zscore"}),
        ("round", {"columns": NUMERIC, "base": 5}),
    ],
)
def test_cells_that_only_the_intruder_lacks_rule_nobody_out(step: tuple[str, dict[str, Any]]) -> None:
    people = census(400, seed=2)
    release = protect(people, Plan.of([step]), seed=1)
    names = [name for name in people.keys if release.table.frame[name].null_count() == 0]
    rng = np.random.default_rng(0)
    lacking = {name: people.frame[name].to_list() for name in names}
    for values in lacking.values():
        for row in np.flatnonzero(rng.random(len(people)) < 0.1):
            values[row] = None
    register = people.with_values(
        {name: pl.Series(name, lacking[name], dtype=people.frame[name].dtype) for name in names}
    )
    found = transparency(register, release.table, keys=names, truth=release.truth, manifest=release.manifest)
    if step[1].get("variant") != "zscore":
        assert found.details["true_record_ruled_out"] == 0
    assert found.failed == 0
    assert found.risk > 0.5


def test_what_the_manifest_says_makes_the_attack_stronger_than_distance(skewed: Table) -> None:
    pairs = [["a", "b"], ["c", "d"], ["e", "f"]]
    for steps in (
        [("rank_swap", {"p": 10})],
        [("microaggregate", {"k": 10, "variant": "zscore", "groups": pairs})],
        [("microaggregate", {"k": 10, "groups": pairs})],
        [("add_noise", {"p": 0.3, "variant": "correlated"})],
        [("add_noise", {"p": 0.3, "variant": "linear"})],
        [("add_noise", {"p": 0.3, "variant": "nonlinear"})],
        [("top_code", {"share": 0.3, "replace": "mean"})],
    ):
        assert attacked(skewed, *steps).risk > linked(skewed, *steps) + 0.02, steps


def test_plain_distance_finds_everybody_among_values_that_were_only_capped(skewed: Table) -> None:
    """The values below the threshold are those of the known file, which the distance takes as they are."""
    step = ("top_code", {"share": 0.3})
    assert attacked(skewed, step).risk == linked(skewed, step) == 1.0


def test_the_transition_matrix_makes_the_attack_stronger_than_agreement(people: Table) -> None:
    step = ("pram", {"columns": ["occupation", *CATEGORIES], "theta": 0.4, "variant": "invariant"})
    keys = ["occupation", *CATEGORIES]
    assert attacked(people, step, keys=keys).risk > 1.2 * linked(people, step, keys=keys, distance="gower")


@pytest.mark.parametrize("variant", ["buckets", "distribution"])
def test_swapping_without_a_bound_leaves_no_certain_match_but_tells_how_far_ranks_move(
    skewed: Table, variant: str
) -> None:
    step = ("rank_swap", {"p": 5, "variant": variant})
    found = attacked(skewed, step)
    assert found.certain == 0
    assert set(found.candidates) == {400}
    assert not found.details["no_clue"]
    assert found.risk > linked(skewed, step) + 0.02


@pytest.mark.parametrize("variant", ["buckets", "distribution"])
def test_swapping_without_a_bound_is_read_by_the_least_squared_distance_in_ranks(variant: str) -> None:
    rng = np.random.default_rng(4)
    table = numbers(rng.integers(0, 30, (40, 3)).astype(np.float64) ** 3)
    release = protect(table, Plan.of([("rank_swap", {"p": 10, "variant": variant})]), seed=2)
    original, masked = (
        each.frame.select(pl.all().rank("average")).to_numpy() for each in (table, release.table)
    )
    expected = np.zeros(40)
    for record, owner in enumerate(np.arange(40) if release.truth is None else release.truth):
        apart = ((masked - original[owner]) ** 2).sum(axis=1)
        expected[record] = (apart[record] == apart.min()) / (apart == apart.min()).sum()
    found = transparency(table, release.table, truth=release.truth, manifest=release.manifest)
    assert found.records is not None
    assert found.records == pytest.approx(expected)


def test_fuzzy_groups_leave_no_certain_match_and_no_more_than_linkage(skewed: Table) -> None:
    step = ("fuzzy_microaggregate", {"k": 5})
    found = attacked(skewed, step)
    assert found.certain == 0
    assert set(found.candidates) == {400}
    assert found.risk == pytest.approx(linked(skewed, step, distance="auto"))
    assert set(found.details["no_clue"]) == set("abcdef")


def test_an_upper_bound_of_p_is_sound_and_one_that_is_too_low_contradicts_itself(skewed: Table) -> None:
    step = ("rank_swap", {"p": 8})
    told, above, below = (attacked(skewed, step, p=p) for p in (None, 12, 3))
    assert above.details["true_record_ruled_out"] == 0
    assert (above.candidates >= told.candidates).all()
    assert above.certain <= told.certain
    assert below.failed > 0
    assert below.details["contradictions"] == below.failed
    assert below.details["true_record_ruled_out"] > 0


def test_attempts_that_contradict_themselves_are_linked_by_distance(skewed: Table) -> None:
    step = ("rank_swap", {"p": 8})
    found = attacked(skewed, step, p=0.3)
    lost = found.candidates == 0
    release = protect(skewed, Plan.of([step]), seed=1)
    plain = link(skewed, release.table, direction="original to masked", distance="euclidean")
    assert plain.records is not None
    assert lost.any()
    assert found.records[lost] == pytest.approx(plain.records[lost])


def test_a_manifest_that_tells_of_no_change_does_not_hide_whom_distance_finds(skewed: Table) -> None:
    told = protect(skewed, Plan.of([]), seed=1).manifest
    moved = skewed.with_values({name: skewed.frame[name].cast(pl.Float64) + 0.001 for name in skewed.keys})
    found = transparency(skewed, moved, manifest=told)
    assert found.failed == len(skewed)
    assert found.risk == pytest.approx(link(skewed, moved).risk)


def test_more_known_columns_never_leave_more_candidates(skewed: Table) -> None:
    release = protect(skewed, Plan.of([("rank_swap", {"p": 10})]), seed=1)
    before = np.full(400, 400)
    for count in range(1, 7):
        found = transparency(skewed, release.table, keys=list("abcdef"[:count]), manifest=release.manifest)
        assert (found.candidates <= before).all()
        before = found.candidates


def test_without_the_manifest_there_is_no_attack_and_no_safety(people: Table) -> None:
    release = protect(people, Plan.of([("rank_swap", {"columns": NUMERIC})]), seed=1)
    with pytest.raises(NotComputable, match="does not know the method"):
        transparency(people, release.table)
    found = assess(
        people,
        release,
        attacks=[],
        losses=[],
        ceilings={"transparency": 1.0},
        intruder=Intruder(reads_manifest=False),
    )
    assert not found.acceptable
    assert [each.name for each in found.not_done] == ["transparency"]


def test_an_assessment_runs_it_by_itself(people: Table) -> None:
    release = protect(people, Plan.of([("rank_swap", {"columns": NUMERIC, "p": 5})]), seed=1)
    found = assess(people, release, losses=[]).risk("transparency")
    assert found is not None
    assert found.risk > 0.9
    json.dumps(found.to_dict(), allow_nan=False)


def test_methods_without_a_known_attack_say_so(people: Table) -> None:
    found = attacked(
        people,
        ("compress", {"columns": ["income"]}),
        ("add_noise", {"columns": ["rent"], "p": 0.2}),
        ("round", {"columns": ["rent", "age"], "base": 5}),
    )
    assert found.details["no_clue"] == {
        "income": "no attack on 'compress' is known",
        "rent": "no attack is known on what 2 steps do together",
    }
    assert found.details["clues"]["age"] == "range"
    assert found.details["clues"]["sex"] == "same"


def test_ranks_are_not_used_once_records_were_dropped(people: Table) -> None:
    found = attacked(people, ("rank_swap", {"columns": ["income"], "p": 5}), ("sample", {"fraction": 0.5}))
    assert "dropped" in found.details["no_clue"]["income"]


def test_an_intruder_with_a_part_of_the_file_uses_ranks_but_not_the_order(people: Table) -> None:
    plan = Plan.of([("rank_swap", {"columns": ["income"], "p": 5}), ("resample", {"columns": ["rent"]})])
    release = protect(people, plan, seed=1)
    part = Intruder(records=0.5).view(people, release.table, release.truth)
    found = transparency(part.known, part.masked, truth=part.truth, manifest=release.manifest)
    assert found.attempts == 150
    assert found.details["clues"]["income"] == "range"
    assert "whole file" in found.details["no_clue"]["rent"]
    assert found.details["true_record_ruled_out"] == 0


def test_columns_that_became_intervals_are_used_as_by_the_compatible_set(people: Table) -> None:
    step = ("recode_numbers", {"columns": NUMERIC, "bins": 6})
    found = attacked(people, step, keys=NUMERIC)
    assert found.risk > 10 / 300
    release = protect(people, Plan.of([step]), seed=1)
    plain = compatible(people, release.table, keys=NUMERIC, truth=release.truth)
    # Who has read that blanks were blank before, too, does not take them for anything.
    assert (found.candidates <= plain.candidates).all()
    whole = people.take(np.flatnonzero(~np.isnan(people.numbers(NUMERIC)).any(axis=1)))
    release = protect(whole, Plan.of([step]), seed=1)
    plain = compatible(whole, release.table, keys=NUMERIC, truth=release.truth)
    assert attacked(whole, step, keys=NUMERIC).records == pytest.approx(plain.records)


@pytest.mark.parametrize("name", [*SURE, "noise", "microaggregation"])
def test_known_values_of_another_kind_give_no_clue_and_no_error(people: Table, name: str) -> None:
    others = {
        "noise": [("add_noise", {"columns": NUMERIC, "p": 0.2})],
        "microaggregation": [("microaggregate", {"columns": NUMERIC, "k": 4})],
    }
    release = protect(people, Plan.of(_fits(people, {**SURE, **others}[name])), seed=1)
    ages = people.frame["age"].cast(pl.String) + " years"
    frame = people.frame.with_columns(age=ages)
    described = tuple(
        replace(each, scale=Scale.NOMINAL) if each.name == "age" else each for each in people.columns
    )
    known = replace(people, frame=frame, columns=described)
    found = transparency(known, release.table, truth=release.truth, manifest=release.manifest)
    assert found.failed == 0
    if release.table["age"].scale == Scale.NUMERIC:
        assert "not of the same kind" in found.details["no_clue"]["age"]


def test_records_of_nobody_are_named(people: Table) -> None:
    with pytest.raises(NotComputable, match="no record has a true partner"):
        attacked(people, ("synthesise_copula", {}))


def test_a_number_of_nearest_groups_can_be_given(skewed: Table) -> None:
    step = ("microaggregate", {"k": 5, "groups": [["a", "b", "c"], ["d", "e", "f"]]})
    few, many = attacked(skewed, step, nearest=1), attacked(skewed, step, nearest=8)
    assert few.details["contradictions"] > many.details["contradictions"]
    assert few.certain == many.certain == 0
    assert few.details["single_candidates"] > 0
    assert np.median(many.candidates) > np.median(few.candidates)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.sampled_from([10.0, 20.0, 29.0, 50.0]), st.booleans())
def test_rank_windows_leave_the_records_that_the_definition_leaves(seed: int, p: float, ties: bool) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(10, 30))
    values = rng.integers(0, 9, (count, 2)).astype(float) if ties else rng.normal(size=(count, 2))
    table = numbers(values)
    release = protect(table, Plan.of([("rank_swap", {"columns": ["a", "b"], "p": p})]), seed=seed)
    found = transparency(table, release.table, truth=release.truth, manifest=release.manifest)
    published, reach = release.table.numbers(["a", "b"]), int(p * count / 100)
    assert release.truth is not None
    for row, owner in enumerate(release.truth):
        left = np.ones(count, dtype=bool)
        for column in range(2):
            ordered = np.sort(published[:, column])
            places = np.flatnonzero(ordered == values[owner, column])
            low, high = ordered[max(0, places[0] - reach)], ordered[min(count - 1, places[-1] + reach)]
            left &= (published[:, column] >= low) & (published[:, column] <= high)
        assert left[row]
        assert found.candidates[row] == left.sum()


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from([0.3, 0.8]), st.sampled_from([1, 12]))
def test_a_transition_matrix_links_to_the_record_that_is_likeliest_for_this_person(
    seed: int, theta: float, times: int
) -> None:
    rng = np.random.default_rng(seed)
    columns = {name: rng.permutation(list("aaaaaabbbbccd" * times)).tolist() for name in "vw"}
    table = Table.of(pl.DataFrame(columns), roles={}, rest="quasi-identifier")
    release = protect(table, Plan.of([("pram", {"columns": ["v", "w"], "theta": theta})]), seed=seed)
    found = transparency(table, release.table, truth=release.truth, manifest=release.manifest)
    gain = np.zeros((len(table), len(table)))
    likely = np.zeros((len(table), len(table)))
    for name, values in columns.items():
        counts = Counter(release.table.frame[name].to_list())
        categories, matrix = likely_matrix(
            release.manifest.steps[0], name, {each: counts[each] for each in "abcd"}
        )
        known = [categories.index(value) for value in values]
        published = [categories.index(value) for value in release.table.frame[name].to_list()]
        shares = np.bincount(published, minlength=len(categories))[published] / len(published)
        gain += np.log(matrix[np.ix_(known, published)] / shares)
        likely += np.log(matrix[np.ix_(known, published)])
    assert release.truth is not None
    assert found.records is not None
    of_people, of_records = [], []
    for row, owner in enumerate(release.truth):
        best = gain[owner] > gain[owner].max() - 1e-4
        of_people.append(best[row] / best.sum())
        twins = np.flatnonzero((likely == likely[:, [row]]).all(axis=0))
        best = likely[:, row] > likely[:, row].max() - 1e-4
        of_records.append(best[release.truth[twins]].sum() / best.sum() / len(twins))
    assert found.risk == pytest.approx(max(np.mean(of_people), np.mean(of_records)))
    turned = found.details["direction"] == "masked to original"
    assert found.records == pytest.approx(np.array(of_records if turned else of_people))


@pytest.mark.parametrize("pram", [True, False])
def test_records_are_linked_to_the_person_they_likeliest_come_from_where_that_finds_more(pram: bool) -> None:
    """Noise, with or without changed categories, beside plain sums of likelihoods."""
    people = census(250, seed=5)
    steps: list[tuple[str, dict[str, Any]]] = [("add_noise", {"columns": ["age", "hours"], "p": 0.6})]
    names = ["education", "region"] if pram else []
    steps += [("pram", {"columns": names, "theta": 0.3})] if pram else []
    release = protect(people, Plan.of(steps), seed=3)
    assert release.truth is not None
    given: dict[str, Any] = {
        "keys": ["age", "hours", *names],
        "truth": release.truth,
        "manifest": release.manifest,
    }
    found = transparency(people, release.table, **given)
    numbers_known = people.numbers(["age", "hours"])
    means, spreads = np.nanmean(numbers_known, axis=0), np.nanstd(numbers_known, axis=0)
    known, published = (
        np.nan_to_num((each - means) / spreads)
        for each in (numbers_known, release.table.numbers(["age", "hours"]))
    )
    likely = -((known[:, None] - published[None]) ** 2).sum(axis=2) / 2 / 0.36
    for name in names:
        counts = Counter(release.table.frame[name].to_list())
        categories, matrix = likely_matrix(release.manifest.steps[1], name, dict(counts))
        mine, theirs = (
            [categories.index(each) for each in side.frame[name].to_list()]
            for side in (people, release.table)
        )
        likely += np.log(matrix[np.ix_(mine, theirs)])
    best = likely > likely.max(axis=0) - 1e-6
    chance = np.where(best[release.truth, np.arange(len(best))], 1 / best.sum(axis=0), 0.0)
    assert found.details["direction"] == "masked to original"
    assert found.risk == pytest.approx(chance.mean())

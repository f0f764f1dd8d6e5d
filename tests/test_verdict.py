"""No green light on an unsafe file: what once passed for safe, or for lossless, and does not any more."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import discreet as dc
from discreet import demo
from discreet.assessment import EXCEEDED, MET, NOT_CHECKED, Assessment, Limit, limits_of
from discreet.attack import records
from discreet.cli.app import app
from discreet.headline import headline
from discreet.results import Risk, wilson

RECORDS = 400


@pytest.fixture(scope="module")
def people() -> dc.Table:
    """Two numbers and two categories that are written as whole numbers, all of them known to an intruder."""
    draw = np.random.default_rng(3)
    frame = pl.DataFrame(
        {
            "age": draw.integers(18, 95, RECORDS),
            "income": np.round(draw.lognormal(10, 0.6, RECORDS), 2),
            "region": draw.integers(1, 9, RECORDS),
            "job": draw.integers(1, 30, RECORDS),
        }
    )
    roles = dict.fromkeys(frame.columns, "quasi-identifier")
    return dc.Table.of(frame, roles=roles, scales={"region": "nominal", "job": "nominal"})


def banded(people: dc.Table) -> dc.Release:
    plan = dc.Plan.of(
        [("recode_numbers", {"columns": ["age", "income"], "bins": 200, "variant": "quantile"})]
    )
    return dc.protect(people, plan, seed=1)


def holds(label: str, value: float) -> bool:
    """Whether a band, read here by hand, holds a value."""
    if label.startswith("< "):
        return value < float(label[2:])
    if label.startswith(">= "):
        return value >= float(label[3:])
    low, high = label[1:-1].split(", ")
    return float(low) <= value < float(high)


def single_matches(original: pl.DataFrame, published: pl.DataFrame) -> int:
    """How many people fit exactly one published record, by trying all pairs."""
    rows = published.rows()
    fits = [
        sum(
            holds(age, person[0])
            and holds(income, person[1])
            and float(region) == float(person[2])
            and float(job) == float(person[3])
            for age, income, region, job in rows
        )
        for person in original.rows()
    ]
    return fits.count(1)


def test_narrow_bands_are_as_exposed_as_plain_matching_says(people: dc.Table) -> None:
    release = banded(people)
    alone = single_matches(people.frame, release.table.frame) / RECORDS
    assert alone > 0.9
    found = dc.assess(people, release, ceilings={"identity": 0.05, "link": 0.05})
    assert [limit.status for limit in found.limits] == [EXCEEDED, EXCEEDED]
    for name in ("link", "link_probabilistic", "compatible", "transparency"):
        risk = found.risk(name)
        assert risk is not None
        assert risk.risk >= alone
        assert risk.left_out == ()


def test_a_search_chooses_no_plan_that_plain_matching_undoes(people: dc.Table) -> None:
    found = dc.search(
        people,
        ceilings={"identity": 0.5},
        methods=["recode_numbers", "suppress", "microaggregate", "pram"],
        trials=16,
    )
    release = dc.protect(people, found.plan, seed=7)
    bands = all(release.table.frame[name].dtype == pl.String for name in ("age", "income"))
    assert not bands or single_matches(people.frame, release.table.frame) / RECORDS < 0.6


def test_categories_as_floats_are_the_same_categories(people: dc.Table) -> None:
    floats = people.frame.with_columns(pl.col("region", "job").cast(pl.Float64))
    scales = {"region": "nominal", "job": "nominal"}
    same = dc.Table.of(floats, roles=dict.fromkeys(floats.columns, "quasi-identifier"), scales=scales)
    for attack in (
        dc.attack.link,
        dc.attack.link_probabilistic,
        dc.attack.link_matching,
        dc.attack.compatible,
    ):
        assert attack(people, same).risk == attack(people, people).risk


def test_twins_share_the_chance_that_nobody_can_tell_them_apart(people: dc.Table) -> None:
    plan = dc.Plan.of(
        [
            ("microaggregate", {"columns": ["age", "income"], "k": 5}),
            ("suppress", {"columns": ["region", "job", "age", "income"], "k": 5}),
        ]
    )
    release = dc.protect(people, plan, seed=1)
    found = dc.attack.link(people, release.table)
    assert found.records is not None
    assert found.records.max() <= 1 / 5 + 1e-12
    assert found.certain == 0
    assert found.records.mean() == pytest.approx(found.risk)


def test_suda_gives_every_record_that_is_alone_a_chance() -> None:
    draw = np.random.default_rng(1)
    codes = draw.integers(0, 3, (200, 6))
    table = dc.Table.of(pl.DataFrame(codes), roles={}, rest="quasi-identifier")
    alone = dc.attack.k_anonymity(table).sizes == 1
    chances = dc.attack.suda(table).records
    assert chances is not None
    assert alone.sum() > 50
    assert (chances[alone] > 0).all()


def test_destroyed_columns_are_lost() -> None:
    draw = np.random.default_rng(2)
    days = pl.Series(draw.integers(-9000, 9000, 500)).cast(pl.Date)
    frame = pl.DataFrame(
        {"born": days, "age": draw.integers(18, 90, 500), "illness": draw.integers(0, 9, 500)}
    )
    roles = {"born": "quasi-identifier", "age": "quasi-identifier", "illness": "confidential"}
    table = dc.Table.of(frame, roles=roles, scales={"illness": "nominal"})
    kept = draw.random(500) < 0.01
    blank = frame.with_columns(born=pl.when(pl.Series(kept)).then(pl.col("born")))
    changed = frame.with_columns(illness=pl.Series(draw.permutation(frame["illness"].to_numpy())))
    gone = dc.loss.lost(table, dc.Table.of(blank, roles=roles, scales={"illness": "nominal"}))
    moved = dc.loss.lost(table, dc.Table.of(changed, roles=roles, scales={"illness": "nominal"}))
    assert gone.columns["born"] > 95
    assert gone.loss > 25
    assert moved.columns["illness"] > 50


def test_a_generalised_release_is_assessed_with_the_proposed_limits(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    demo.people(400).write_csv(file)
    (tmp_path / "discreet.toml").write_text(
        demo.project().split("[[mask]]")[0]
        + '[[mask]]\nmethod = "generalise"\ncolumns = ["age", "sex", "region"]\nk = 3\n'
        + "[assess.ceilings]\nidentity = 0.1\ninterval_disclosure = 0.5\n"
    )
    run = CliRunner()
    released = run.invoke(app, ["protect", str(file), "--out", str(tmp_path / "release"), "--json"])
    assert released.exit_code == 0, released.output
    said = run.invoke(app, ["assess", str(tmp_path / "release"), "--original", str(file), "--json"])
    assert said.exit_code in (0, 1), said.output
    found = json.loads(said.stdout)
    assert {limit["name"] for limit in found["limits"]} == {"identity", "interval_disclosure"}
    assert all(limit["status"] in (MET, EXCEEDED, NOT_CHECKED) for limit in found["limits"])


def test_a_file_as_it_is_can_be_assessed(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    demo.people(300).write_csv(file)
    (tmp_path / "discreet.toml").write_text(demo.project())
    said = CliRunner().invoke(app, ["assess", str(file), "--json"])
    found = json.loads(said.stdout)
    identity = next(each for each in found["headlines"] if each["name"] == "identity")
    assert identity["risk"] > 0.9
    assert found["before"]["identity"] == pytest.approx(identity["attacks"]["link"], abs=1e-9)
    assert said.exit_code == 1


@pytest.mark.parametrize(
    ("found", "unchecked", "status"),
    [
        (0.05, "", MET),
        (0.2, "", EXCEEDED),
        (0.05, "it left something out", NOT_CHECKED),
        (0.2, "it left something out", EXCEEDED),
        (None, "", NOT_CHECKED),
    ],
)
def test_a_limit_has_three_values(found: float | None, unchecked: str, status: str) -> None:
    limit = Limit(name="identity", bound=0.1, found=found, is_floor=False, unchecked=unchecked)
    assert limit.status == status
    assert limit.met == (status == MET)
    assert status in str(limit)


def test_a_key_that_no_attack_could_use_leaves_the_limit_unchecked(people: dc.Table) -> None:
    """An attack that leaves out a key says nothing about a limit that its risk would keep."""
    release = dc.protect(
        people, dc.Plan.of([("add_noise", {"columns": ["age", "income"], "p": 3.0})]), seed=1
    )
    found: Assessment = dc.assess(people, release, attacks=["link_matching"], ceilings={"link_matching": 1.0})
    assert found.risk("link_matching").left_out == ("age", "income")  # type: ignore[union-attr]
    assert found.limits[0].status == NOT_CHECKED
    assert not found.acceptable
    assert "age" in found.limits[0].unchecked


def test_perturbed_classes_show_no_bar_of_danger(people: dc.Table) -> None:
    release = dc.protect(
        people, dc.Plan.of([("add_noise", {"columns": ["age", "income"], "p": 1.0})]), seed=1
    )
    found = dc.assess(people, release, ceilings={"identity": 0.9})
    assert found.keys_perturbed
    told = {each.name: each for each in dc.report(found).facts.risks}
    assert told["k_anonymity"].share is None
    assert "changed" in told["k_anonymity"].notes[0]
    assert told["identity"].share is not None


def test_what_is_found_keeps_the_limits_it_was_found_for(tmp_path: Path, people: dc.Table) -> None:
    people.frame.write_csv(tmp_path / "people.csv")
    columns = "".join(
        f'[columns.{name}]\nrole = "quasi-identifier"\nscale = "{people[name].scale}"\n'
        for name in people.names
    )
    (tmp_path / "discreet.toml").write_text(columns + "[assess.ceilings]\nidentity = 0.1\n")
    out = tmp_path / "found.toml"
    said = CliRunner().invoke(
        app,
        [
            "search",
            str(tmp_path / "people.csv"),
            "--out",
            str(out),
            "--ceiling",
            "identity=0.6",
            "--trials",
            "16",
        ],
    )
    assert said.exit_code == 0, said.output
    assert dc.read(tmp_path / "people.csv", project=out) is not None
    assert "identity = 0.6" in out.read_text()
    assert "lost" in said.stdout


def test_without_a_key_nobody_was_looked_for_and_nothing_is_met() -> None:
    frame = pl.DataFrame({"age": [30, 40, 50, 60]})
    unknown = dc.Table.of(frame, roles={"age": "insensitive"})
    found = dc.assess(unknown, ceilings={"identity": 1.0, "attribute": 1.0})
    assert [limit.status for limit in found.limits] == [NOT_CHECKED, NOT_CHECKED]
    assert "quasi-identifier" in found.limits[0].unchecked
    assert "confidential" in found.limits[1].unchecked


def test_where_no_key_is_published_an_intruder_can_only_guess() -> None:
    frame = pl.DataFrame({"age": [30, 40, 50, 60], "place": ["a", "b", "c", "d"]})
    table = dc.Table.of(frame, roles={"age": "quasi-identifier", "place": "insensitive"})
    release = dc.protect(table, dc.Plan.of([]), seed=1)
    bare = dc.assess(
        table, replace(release, table=release.table.without(["age"])), ceilings={"identity": 0.3}
    )
    assert bare.limits[0].found == 0.25
    assert bare.limits[0].status == MET
    assert bare.limits[0].set_by == "guessing"


def families() -> dc.Table:
    """Households of one to five members, whose number is published."""
    draw = np.random.default_rng(8)
    home = np.repeat(np.arange(150), draw.integers(1, 6, 150))
    frame = pl.DataFrame(
        {
            "home": home,
            "region": draw.integers(1, 15, 150)[home],
            "age": draw.integers(0, 90, len(home)),
            "sex": draw.choice(["f", "m"], len(home)),
        }
    )
    roles = {"home": "household"}
    return dc.Table.of(frame, roles=roles, rest="quasi-identifier", scales={"region": "nominal"})


def test_whole_households_that_are_alone_count_as_found() -> None:
    table = families()
    release = dc.protect(table, dc.Plan.of([("mondrian", {"k": 12})]), seed=1, order="kept")
    members: dict[int, list[tuple[str, ...]]] = {}
    for home, *keys in release.table.frame.select("home", "region", "age", "sex").rows():
        members.setdefault(home, []).append(tuple(map(str, keys)))
    published = [tuple(sorted(each)) for each in members.values()]
    alone = [each for each in published if published.count(each) == 1]
    assert len(alone) > 20
    told_apart = sum(len(set(each)) for each in alone) / len(table)
    found = dc.assess(table, release, losses=[], ceilings={"identity": 0.1})
    assert found.identity is not None
    assert found.identity.risk > 0.8 * told_apart
    assert found.identity.attack == "link_household"
    assert not found.acceptable


def test_a_household_number_that_is_not_published_leaves_the_limit_checked() -> None:
    table = families()
    release = dc.protect(table, dc.Plan.of([("mondrian", {"k": 40})]), seed=1)
    without = dc.Release(
        table=release.table.without(["home"]), manifest=release.manifest, private=release.private
    )
    found = dc.assess(table, without, losses=[], ceilings={"identity": 0.2})
    assert found.risk("link_household") is None
    assert [each.status for each in found.limits] == [MET]


@pytest.mark.parametrize("cell", ["*", "[-30000, 70000)", "< 90"])
def test_a_constant_column_that_is_told_no_more_is_lost(cell: str) -> None:
    frame = pl.DataFrame({"year": [5] * 30, "age": range(30)})
    table = dc.Table.of(frame, roles=dict.fromkeys(frame.columns, "quasi-identifier"))
    shown = frame.with_columns(year=pl.lit(cell))
    blank = frame.with_columns(year=pl.lit(None, dtype=pl.Int64))
    lost = [
        dc.loss.lost(table, dc.Table.of(each, roles=dict.fromkeys(frame.columns, "quasi-identifier"))).loss
        for each in (shown, blank)
    ]
    assert lost[0] == pytest.approx(lost[1])
    assert lost[0] > 20


def test_a_constant_category_that_is_told_no_more_is_lost() -> None:
    frame = pl.DataFrame({"land": ["AT"] * 30, "age": range(30)})
    table = dc.Table.of(frame, roles=dict.fromkeys(frame.columns, "quasi-identifier"))
    shown = table.with_values({"land": pl.Series(["*"] * 30)})
    assert dc.loss.lost(table, shown).columns["land"] == 100


def found_by_nearest(original: pl.DataFrame, published: pl.DataFrame) -> float:
    """How many people are found who look for the published record nearest to them, by trying all pairs."""
    known, shown = original.to_numpy(), published.to_numpy()
    apart = (((known[:, None] - shown[None]) / known.std(axis=0)) ** 2).sum(axis=2)
    near = apart <= apart.min(axis=1)[:, None] + 1e-9
    return float((np.diag(near) / near.sum(axis=1)).mean())


@pytest.mark.parametrize("reads", [True, False])
def test_people_who_look_for_their_record_are_counted_without_a_manifest_too(
    people: dc.Table, reads: bool
) -> None:
    numbers = people.without(["region", "job"])
    plan = dc.Plan.of([("top_code", {"columns": ["age", "income"], "share": 0.6})])
    release = dc.protect(numbers, plan, seed=1, order="kept")
    expected = found_by_nearest(numbers.frame, release.table.frame)
    found = dc.assess(numbers, release, losses=[], intruder=dc.Intruder(reads_manifest=reads))
    assert found.identity is not None
    assert found.identity.risk >= 0.97 * expected
    assert found.risk("link direction='original to masked'") is not None


def test_records_in_the_order_of_the_original_keep_limits_from_being_met(people: dc.Table) -> None:
    plan = dc.Plan.of([("microaggregate", {"columns": ["age", "income"], "k": 20}), "suppress k=20"])
    for order, status in (("shuffled", "met"), ("kept", "not checked")):
        release = dc.protect(people, plan, seed=1, order=order)
        found = dc.assess(people, release, losses=[], ceilings={"identity": 0.5, "link": 0.5})
        assert {each.name: each.status for each in found.limits} == {"identity": status, "link": "met"}
        assert found.identity is not None
        assert ("order of the original" in found.identity.unchecked) == (order == "kept")


def test_several_records_of_one_original_leave_the_other_way_out_and_the_limit_checked() -> None:
    frame = pl.DataFrame({"age": range(20), "height": [7 * i % 20 for i in range(20)]})
    table = dc.Table.of(frame, roles=dict.fromkeys(frame.columns, "quasi-identifier"))
    release = dc.protect(table, dc.Plan.of([]), seed=1)
    assert release.private is not None
    twice = dc.Release(
        table=release.table.take(np.repeat(np.arange(20), 2)),
        manifest=release.manifest,
        private=dataclasses.replace(release.private, origin=np.repeat(np.arange(20), 2)),
    )
    intruder = dc.Intruder(reads_manifest=False)
    found = dc.assess(table, twice, losses=[], ceilings={"identity": 1.0}, intruder=intruder)
    assert [each.status for each in found.limits] == [MET]


def test_what_keeps_two_attacks_from_an_answer_is_said_once(people: dc.Table) -> None:
    release = dc.protect(people, dc.Plan.of([("synthesise_trees", {})]), seed=1)
    found = dc.assess(people, release, losses=[], ceilings={"identity": 0.1})
    assert [each.status for each in found.limits] == [NOT_CHECKED]
    assert found.limits[0].unchecked.count("nobody to re-identify") == 1


def test_a_headline_without_the_nearest_records_is_not_checked(people: dc.Table) -> None:
    release = banded(people)
    found = dc.assess(people, release, attacks=["compatible"], losses=[])
    assert found.identity is not None
    assert found.identity.unchecked == "link was not run"


@pytest.mark.parametrize(
    ("bound", "status"), [(0.9, "met"), (0.52, "not checked"), (0.5, "not checked"), (0.3, "exceeded")]
)
@pytest.mark.parametrize("name", ["identity", "link"])
def test_a_sample_of_people_meets_a_limit_only_by_the_upper_end_of_its_interval(
    name: str, bound: float, status: str, people: dc.Table
) -> None:
    found = dc.assess(people, attacks=["link", "compatible"], losses=[])
    link = Risk(
        name="link",
        risk=0.4,
        meaning="",
        interval=(0.28, 0.53),
        reidentifies=True,
        details={"people_tried": 60, "people": len(people)},
    )
    whole = replace(link, name="compatible", risk=0.2, details={})
    risks = {"link": link, "compatible": whole}
    keys = people.keys
    top = headline("identity", risks, {}, keys, keys, len(people), perturbed=False)
    assert top is not None
    assert top.sampled_up_to == 0.53
    judged = replace(found, risks=tuple(risks.values()), headlines=(top,))
    (limit,) = limits_of(judged, {name: bound}, {})
    assert limit.status == status
    assert ("up to 53.0% possible" in str(limit)) == (status == "not checked")


@pytest.mark.parametrize("name", ["identity", "link_probabilistic"])
@pytest.mark.parametrize(("bound", "status"), [(0.99, "not checked"), (0.3, "exceeded")])
def test_no_limit_is_met_by_an_attack_that_left_a_stronger_way_untried(
    name: str, bound: float, status: str, people: dc.Table
) -> None:
    found = dc.assess(people, attacks=["link", "compatible"], losses=[])
    whole = Risk(name="link", risk=0.2, meaning="", interval=(0.2, 0.2), reidentifies=True)
    partial = replace(
        whole, name="link_probabilistic", risk=0.4, details={"not_tried": "pairing everybody one to one"}
    )
    risks = {"link": whole, "compatible": replace(whole, name="compatible"), "link_probabilistic": partial}
    top = headline("identity", risks, {}, people.keys, people.keys, len(people), perturbed=False)
    assert top is not None
    judged = replace(found, risks=tuple(risks.values()), headlines=(top,))
    (limit,) = limits_of(judged, {name: bound}, {})
    assert limit.status == status
    assert "did not try pairing everybody one to one" in limit.unchecked
    del risks["link_probabilistic"]
    top = headline("identity", risks, {}, people.keys, people.keys, len(people), perturbed=False)
    assert top is not None
    assert top.unchecked == ""


def test_what_a_sample_may_have_learned_is_counted_beyond_guessing() -> None:
    learned = Risk(
        name="attribute_by_link",
        risk=0.6,
        meaning="",
        interval=(0.5, 0.7),
        baseline=0.4,
        details={"people_tried": 60, "people": 600},
    )
    top = headline("attribute", {"attribute_by_link": learned}, {}, ["a"], ["a"], 600, perturbed=False)
    assert top is not None
    assert top.risk == pytest.approx(1 / 3)
    assert top.sampled_up_to == pytest.approx(0.5)


def test_attacks_on_large_files_try_a_sample_and_their_intervals_are_those_of_people(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people = demo.table(200, seed=2)
    release = dc.protect(people, dc.Plan.of([("rank_swap", {"p": 10})]), seed=1)
    for module in (records, import_module("discreet.attack.link")):
        monkeypatch.setattr(module, "FEWEST_TRIED", 40)
    monkeypatch.setattr(records, "MOST_CELLS_LINKED", 1.0)
    monkeypatch.setattr(import_module("discreet.attack.attribute_by_link"), "MOST_COMPARED", 1.0)
    found = dc.assess(people, release, ceilings={"identity": 0.999, "attribute": 0.999}, losses=[])
    for name in ("link", "attribute_by_link"):
        risk = found.risk(name)
        assert risk is not None
        assert risk.details["people_tried"] == 40
        assert risk.interval == wilson(risk.risk * 40, 40)
    for each in found.headlines:
        assert each.sampled_up_to is not None
        assert each.sampled_up_to <= 1.0

"""The invented census: that it is whole, and that its parts hang together as its page says."""

from __future__ import annotations

import datetime
import tomllib

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy.stats import spearmanr

from discreet.demo import describe, people, project, table
from discreet.demo.census import POPULATION
from discreet.demo.draw import pick
from discreet.demo.vocabulary import EDUCATION, HEALTH, OCCUPATIONS, REGIONS
from discreet.errors import BadParameter
from discreet.table import Role

SEEDS = (1, 2, 3)
CENSUS_DAY = datetime.date(2024, 4, 21)
AGE_WORK_BEGINS = 16


@pytest.fixture(scope="module", params=SEEDS)
def census(request: pytest.FixtureRequest) -> pl.DataFrame:
    return people(seed=request.param)


def rank(frame: pl.DataFrame, column: str, order: tuple[str, ...]) -> pl.Series:
    return frame[column].replace_strict(order, range(len(order)), return_dtype=pl.Int64)


def spearman(one: pl.Series, other: pl.Series) -> float:
    return float(spearmanr(one.to_numpy(), other.to_numpy()).statistic)


def adults(frame: pl.DataFrame) -> pl.DataFrame:
    """Those of working age who told both income and schooling."""
    return frame.filter(pl.col.age >= AGE_WORK_BEGINS).drop_nulls(["income", "education"])


def spouses(frame: pl.DataFrame) -> pl.DataFrame:
    """One row a married couple: the ages, and the sexes, of its halves."""
    married = frame.filter(pl.col.marital_status == "married").group_by("household", maintain_order=True)
    return married.agg(
        pl.len(), pl.col.age.first().alias("one"), pl.col.age.last().alias("other"), pl.col.sex.n_unique()
    )


@settings(max_examples=40, deadline=None)
@given(n=st.integers(1, 400), seed=st.integers(0, 2**32))
def test_there_are_n_people_and_the_same_ones_for_the_same_seed(n: int, seed: int) -> None:
    once = people(n, seed=seed)
    assert once.height == n
    assert_frame_equal(once, people(n, seed=seed))


def test_another_seed_gives_other_people() -> None:
    assert not people(200, seed=1).equals(people(200, seed=2))


@pytest.mark.parametrize("n", [0, -3, True, 2.5])
def test_a_sample_of_no_people_is_refused_by_name(n: int) -> None:
    with pytest.raises(BadParameter, match="n must be a whole number of at least 1"):
        people(n)


def test_every_person_has_a_number_of_their_own(census: pl.DataFrame) -> None:
    assert census["person"].n_unique() == census.height


def test_age_is_the_completed_years_since_the_date_of_birth() -> None:
    for born, age in people(5000)["date_of_birth", "age"].iter_rows():
        had_birthday = (born.month, born.day) <= (CENSUS_DAY.month, CENSUS_DAY.day)
        assert CENSUS_DAY.year - born.year - (not had_birthday) == age


def test_members_of_a_household_share_their_place_rent_and_weight(census: pl.DataFrame) -> None:
    shared = census.group_by("household").agg(pl.col("region", "postcode", "rent", "weight").n_unique())
    assert shared.drop("household").max().row(0) == (1, 1, 1, 1)


def test_households_are_of_plausible_sizes_and_someone_in_each_is_grown_up(census: pl.DataFrame) -> None:
    homes = census.group_by("household").agg(pl.len(), pl.col.age.max().alias("eldest"))
    assert 2.0 < float(homes["len"].mean()) < 2.6  # type: ignore[arg-type]
    assert 0.2 < (homes["len"] == 1).mean() < 0.45  # type: ignore[operator]
    assert homes["len"].max() == 5
    assert int(homes["eldest"].min()) >= 18  # type: ignore[arg-type]


@settings(max_examples=40, deadline=None)
@given(n=st.integers(1, 400), seed=st.integers(0, 2**32))
def test_married_people_live_with_their_spouse(n: int, seed: int) -> None:
    assert spouses(people(n, seed=seed)).filter(pl.col.len != 2).is_empty()


def test_partners_are_near_in_age_and_mostly_man_and_woman(census: pl.DataFrame) -> None:
    pairs = spouses(census)
    gap = (pairs["one"] - pairs["other"]).abs()
    assert np.corrcoef(pairs["one"], pairs["other"])[0, 1] > 0.9
    assert 1.5 < float(gap.mean()) < 5  # type: ignore[arg-type]
    assert 0.94 < (pairs["sex"] == 2).mean() < 1  # type: ignore[operator]


def test_parents_are_at_least_eighteen_years_older_than_children(census: pl.DataFrame) -> None:
    homes = census.group_by("household", maintain_order=True).agg(
        pl.col.age.filter(pl.col.age < 18).max().alias("child"),
        pl.col.age.first().alias("head"),
        pl.col.age.filter(pl.col.marital_status == "married").min().alias("spouse"),
    )
    families = homes.drop_nulls("child")
    assert families.height > 200
    assert families.filter(pl.col.head - pl.col.child < 18).is_empty()
    assert families.filter(pl.col.spouse - pl.col.child < 18).is_empty()


def test_children_have_neither_occupation_nor_income_nor_spouse(census: pl.DataFrame) -> None:
    young = census.filter(pl.col.age < AGE_WORK_BEGINS)
    assert 0.12 < young.height / census.height < 0.3
    assert young["occupation"].is_null().all()
    assert young["income"].is_null().all()
    assert young["hours"].sum() == 0
    assert set(young["marital_status"]) == {"single"}
    grown = census.filter(pl.col.age >= AGE_WORK_BEGINS)
    assert grown["occupation"].null_count() == 0


def test_missing_values_are_as_common_as_the_page_says() -> None:
    census = people(40_000)
    grown = census.filter(pl.col.age >= AGE_WORK_BEGINS)
    assert grown["income"].null_count() / grown.height == pytest.approx(0.04, abs=0.005)
    assert census["education"].null_count() / census.height == pytest.approx(0.01, abs=0.003)
    assert census["remarks"].null_count() / census.height == pytest.approx(0.20, abs=0.01)
    whole = census.drop("income", "education", "remarks", "occupation")
    assert whole.null_count().sum_horizontal().item() == 0


def test_income_rises_with_schooling_and_has_a_long_tail(census: pl.DataFrame) -> None:
    told = adults(census)
    assert 0.3 < spearman(told["income"], rank(told, "education", EDUCATION)) < 0.6
    assert float(told["income"].skew()) > 1  # type: ignore[arg-type]
    assert float(told["income"].mean()) > 1.1 * float(told["income"].median())  # type: ignore[arg-type]
    assert int(told["income"].min()) > 0  # type: ignore[arg-type]


def test_income_differs_by_age_sex_hours_and_region() -> None:
    at_work = adults(people(20_000)).filter(pl.col.hours > 0)

    def middle(chosen: pl.Expr) -> float:
        return float(at_work.filter(chosen)["income"].median())  # type: ignore[arg-type]

    assert middle(pl.col.age.is_between(45, 55)) > 1.2 * middle(pl.col.age < 27)
    assert 1.1 < middle(pl.col.sex == "male") / middle(pl.col.sex == "female") < 1.6
    assert middle(pl.col.region == "Aldermark") > 1.15 * middle(pl.col.region == "Hartisles")
    assert 0.2 < spearman(at_work["income"], at_work["hours"]) < 0.7


def test_occupation_follows_schooling_and_sex() -> None:
    told = people(20_000).drop_nulls(["education", "occupation"])
    physicians = told.filter(pl.col.occupation == "physician")
    assert physicians.height > 20
    assert set(physicians["education"]) <= {"bachelor", "master", "doctorate"}
    levels = told.with_columns(level=rank(told, "education", EDUCATION))
    learned = levels.group_by("occupation").agg(
        pl.col.level.mean(), (pl.col.sex == "female").mean().alias("women")
    )
    by_name = {name: (level, women) for name, level, women in learned.iter_rows()}
    assert by_name["cleaner"][0] + 2 < by_name["teacher"][0]
    assert by_name["nurse"][1] > 0.75
    assert by_name["carpenter"][1] < 0.15


def test_schooling_takes_years(census: pl.DataFrame) -> None:
    levels = census.drop_nulls("education")
    learned = levels.with_columns(level=rank(levels, "education", EDUCATION))
    assert learned.filter((pl.col.age < 12) & (pl.col.level > 0)).is_empty()
    assert learned.filter((pl.col.age < 18) & (pl.col.level > EDUCATION.index("lower secondary"))).is_empty()
    assert learned.filter((pl.col.age < 26) & (pl.col.education == "doctorate")).is_empty()


def test_those_without_work_have_no_hours_and_no_way_to_work(census: pl.DataFrame) -> None:
    jobs = [each.name for each in OCCUPATIONS]
    resting = census.filter(~pl.col.occupation.is_in(jobs))
    assert resting["hours"].sum() == 0
    assert census.filter(pl.col.hours == 0)["commute"].sum() == 0
    assert census.filter(pl.col.hours > 0)["commute"].median() == pytest.approx(20, abs=6)


def test_rent_rises_with_the_income_of_the_household(census: pl.DataFrame) -> None:
    homes = census.group_by("household").agg(pl.col.income.sum(), pl.col.rent.first())
    assert 0.3 < spearman(homes["income"], homes["rent"]) < 0.8


def test_health_falls_with_age_and_with_a_diagnosis(census: pl.DataFrame) -> None:
    felt = census.with_columns(felt=rank(census, "health", HEALTH))
    assert -0.7 < spearman(felt["age"], felt["felt"]) < -0.3
    middle_aged = felt.filter(pl.col.age.is_between(40, 64))
    ill, well = (middle_aged.filter((pl.col.diagnosis == "none") == sound)["felt"] for sound in (False, True))
    assert float(ill.mean()) < float(well.mean()) - 0.1  # type: ignore[arg-type]


def test_benefits_follow_from_age_and_work(census: pl.DataFrame) -> None:
    assert set(census.filter(pl.col.benefit == "pension")["occupation"]) == {"pensioner"}
    assert census.filter(pl.col.benefit == "unemployment")["hours"].sum() == 0
    assert set(census.filter(pl.col.age < AGE_WORK_BEGINS)["benefit"]) == {"none"}
    assert (census["benefit"] == "disability").sum() >= 5


def test_weights_sum_to_the_population_of_each_region_and_differ_between_them(census: pl.DataFrame) -> None:
    by_region = census.group_by("region").agg(
        pl.col.weight.sum().alias("people"), pl.col.weight.mean().alias("usual")
    )
    shares = {each.name: each.share for each in REGIONS}
    for region, stood_for, _ in by_region.iter_rows():
        assert stood_for == pytest.approx(shares[region] * POPULATION, rel=1e-4)
    assert float(by_region["usual"].max()) > 1.8 * float(by_region["usual"].min())  # type: ignore[arg-type]
    assert float(census["weight"].min()) > 1  # type: ignore[arg-type]


def test_postcodes_lie_within_regions(census: pl.DataFrame) -> None:
    codes = {each.name: each.code for each in REGIONS}
    assert (census["postcode"].str.head(2) == census["region"].replace_strict(codes)).all()
    assert 300 < census["postcode"].n_unique() <= 800


def test_most_were_born_at_home_and_rare_countries_are_rare() -> None:
    counts = people(20_000)["country_of_birth"].value_counts(sort=True, normalize=True)
    assert counts.height == 25
    assert counts.row(0)[0] == "Ireland"
    assert 0.75 < counts.row(0)[1] < 0.9
    assert counts.row(-1)[1] < 0.001


def test_remarks_vary_and_name_only_the_persons_own_town_and_occupation() -> None:
    told = people(10_000).drop_nulls("remarks")
    towns = {town: (each.name, place + 1) for each in REGIONS for place, town in enumerate(each.towns)}
    named = 0
    for remark, region, postcode in told["remarks", "region", "postcode"].iter_rows():
        for town, (where, place) in towns.items():
            if town in remark:
                named += 1
                assert (where, str(place)) == (region, postcode[2])
    assert 0.3 < named / told.height < 0.7
    jobs = told.filter(pl.col.remarks.str.contains(pl.format(r"\b{}\b", "occupation")).fill_null(False))
    assert 0.05 < jobs.height / told.height < 0.4
    assert told["remarks"].n_unique() > 1500
    assert not told["remarks"].str.contains(r"\ba [aeiou]|\{|  | $").any()


def test_a_fair_share_is_unique_in_the_sample(census: pl.DataFrame) -> None:
    cells = census.group_by("age", "sex", "region", "occupation").len()
    assert 0.35 < (cells["len"] == 1).sum() / census.height < 0.75


def test_the_project_file_says_what_describe_says_of_every_column(census: pl.DataFrame) -> None:
    said = tomllib.loads(project())["columns"]
    for name, told in describe().items():
        kept = {key: value for key, value in told.items() if key != "label"}
        assert said[name] == kept | ({"role": said[name]["role"]} if name in ("postcode", "region") else {})
    assert said["postcode"]["role"] == "identifier"
    assert said["region"]["role"] == "quasi-identifier"
    assert list(describe()) == census.columns


def test_the_table_has_each_role_and_its_orders_cover_the_values() -> None:
    made = table(2000)
    assert {each.role for each in made.columns} == set(Role) - {Role.PERSON}
    weights = made.weights()
    assert weights is not None
    assert weights.min() > 0
    for column in ("education", "health"):
        assert made.codes(column).max() == len(made.levels(column)) - 1
    assert made.numbers(["age", "hours", "income", "rent"]).shape == (2000, 4)


def test_pick_draws_by_the_odds_of_each_row_and_never_the_impossible() -> None:
    row = np.repeat(np.arange(3), 20_000)
    drawn = pick(np.random.default_rng(5), [[1, 3, 0], [0, 1, 0], [0, 2, 2]], row)
    shares = np.array([np.bincount(drawn[row == each], minlength=3) / 20_000 for each in range(3)])
    wanted = np.array([[0.25, 0.75, 0], [0, 1, 0], [0, 0.5, 0.5]])
    assert np.abs(shares - wanted).max() < 0.02
    assert (shares[wanted == 0] == 0).all()

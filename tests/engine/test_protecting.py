from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.engine.people import PART, RECORDS, ROLES, in_files, register

import discreet as dc
from discreet.dataset import Dataset
from discreet.engine import Threads
from discreet.errors import BadParameter, BadTable, GuaranteeBroken, Mismatch, NotSplit, WouldOverwrite
from discreet.reading.content import file_digest

EXACT = (
    ["add_noise p=0.1 columns=age,income", "pram theta=0.3 columns=region,sex"],
    ["add_noise variant=linear columns=age,income,rent", "round base=5 variant=stochastic columns=age"],
    ["add_noise variant=correlated columns=age,rent"],
    ["pram variant=invariant weighted=true columns=region"],
    ["top_code share=0.05 replace=mean columns=income", "recode_numbers bins=5 variant=quantile columns=age"],
    ["bottom_code share=0.01 weighted=true columns=income", "round base=100 columns=rent"],
    ["suppress k=75 columns=age,region,sex"],
    [
        "pram columns=region",
        "sample fraction=0.6",
        "suppress k=60 columns=age,sex,region",
        "rank_swap columns=rent",
    ],
    ["sample variant=stratified strata=sex fraction=0.5", "sample fraction=0.9", "add_noise columns=rent"],
    ["recode_numbers bins=6 columns=age", "suppress k=2400 columns=age,region,sex"],
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return in_files(tmp_path_factory.mktemp("register") / "people")


@pytest.fixture(scope="module")
def dataset(folder: Path) -> Dataset:
    return dc.scan(folder, roles=ROLES, rest="quasi-identifier")


def whole() -> dc.Table:
    return dc.Table.of(register(), roles=ROLES, rest="quasi-identifier")


def saved(dataset: Dataset, steps: Sequence[str], out: Path, *, threads: int = 2, part: int = PART) -> Path:
    release = dc.protect(dataset, dc.Plan.of(steps), seed=7)
    return replace(release, part_records=part).save(out, engine=Threads(threads))


def digests(release: Path) -> list[str]:
    return [file_digest(each) for each in sorted((release / "public").rglob("*.parquet"))]


@pytest.mark.parametrize("steps", EXACT, ids=lambda steps: steps[-1].split()[0])
def test_a_release_made_in_parts_is_the_one_made_of_the_whole_table(
    dataset: Dataset, steps: list[str], tmp_path: Path
) -> None:
    parted = dc.Release.load(saved(dataset, steps, tmp_path / "out"))
    at_once = dc.protect(whole(), dc.Plan.of(steps), seed=7)
    assert parted.table.frame.equals(at_once.table.frame, null_equal=True)
    assert parted.manifest.guarantees == at_once.manifest.guarantees
    assert parted.manifest.steps == at_once.manifest.steps
    assert parted.manifest.columns == at_once.manifest.columns


def test_neither_threads_nor_the_size_of_parts_change_a_value(dataset: Dataset, tmp_path: Path) -> None:
    steps = ["microaggregate k=5 columns=age,rent", "pram theta=0.2 columns=region"]
    one = saved(dataset, steps, tmp_path / "one", threads=1)
    two = saved(dataset, steps, tmp_path / "two", threads=2)
    large = saved(dataset, steps, tmp_path / "large", part=1 << 20)
    assert digests(one) == digests(two)
    assert dc.Release.load(one).table.frame.equals(dc.Release.load(large).table.frame)


def test_blocks_of_near_records_are_k_anonymous_keep_means_and_lose_little(
    dataset: Dataset, tmp_path: Path
) -> None:
    out = saved(dataset, ["microaggregate k=5 columns=age,rent"], tmp_path / "out")
    release = dc.Release.load(out)
    frame, original = release.table.frame, register()
    assert frame.group_by("age", "rent").len()["len"].min() >= 5  # type: ignore[operator]
    for name in ("age", "rent"):
        assert frame[name].mean() == pytest.approx(original[name].mean(), rel=1e-12)
    at_once = dc.protect(whole(), dc.Plan.of(["microaggregate k=5 columns=age,rent"]), seed=7)
    parted, exact = (
        dc.loss.sse(whole(), each.table, columns=["age", "rent"]).loss for each in (release, at_once)
    )
    assert parted <= 1.05 * exact
    assert dc.verify(out).sound


def test_records_with_missing_values_are_masked_in_blocks_too(dataset: Dataset, tmp_path: Path) -> None:
    release = dc.Release.load(saved(dataset, ["microaggregate k=3 columns=age,income"], tmp_path / "out"))
    assert release.table.frame.group_by("age", "income").len()["len"].min() >= 3  # type: ignore[operator]
    assert release.table.frame["income"].null_count() >= register()["income"].null_count()


def test_the_published_order_tells_nothing_and_the_private_half_puts_it_back(
    dataset: Dataset, tmp_path: Path
) -> None:
    out = saved(dataset, ["add_noise p=0.001 columns=rent"], tmp_path / "out")
    published = pl.read_parquet(out / "public" / "people" / "*.parquet")
    assert published.height == RECORDS
    assert "id" not in published.columns
    order = np.corrcoef(published["rent"].to_numpy(), register()["rent"].to_numpy())[0, 1]
    assert abs(order) < 0.02
    back = dc.Release.load(out).table.frame["rent"].to_numpy()
    assert np.corrcoef(back, register()["rent"].to_numpy())[0, 1] > 0.99


def test_pseudonyms_and_household_numbers_are_those_of_the_whole_table(tmp_path: Path) -> None:
    frame = register().with_columns(household=pl.col("id") // 3)
    roles = {**ROLES, "household": "household"}
    dataset = dc.scan(in_files(tmp_path / "people", frame), roles=roles, rest="quasi-identifier")
    plan = dc.Plan.of(["add_noise columns=rent"])
    release = dc.protect(dataset, plan, seed=3, pseudonymise=["id"])
    replace(release, part_records=PART).save(tmp_path / "out")
    table = dc.Table.of(frame, roles=roles, rest="quasi-identifier")
    at_once = dc.protect(table, plan, seed=3, pseudonymise=["id"])
    assert dc.Release.load(tmp_path / "out").table.frame.equals(at_once.table.frame)


def test_whole_households_are_drawn_and_the_private_half_says_which_records_they_are(tmp_path: Path) -> None:
    frame = register().with_columns(household=pl.col("id") // 3)
    roles = {**ROLES, "household": "household"}
    dataset = dc.scan(in_files(tmp_path / "people", frame), roles=roles, rest="quasi-identifier")
    plan = dc.Plan.of(["sample unit=household fraction=0.25"])
    release = dc.protect(dataset, plan, seed=3, pseudonymise=["id"])
    replace(release, part_records=PART).save(tmp_path / "out")
    parted = dc.Release.load(tmp_path / "out")
    at_once = dc.protect(
        dc.Table.of(frame, roles=roles, rest="quasi-identifier"), plan, seed=3, pseudonymise=["id"]
    )
    assert parted.table.frame.equals(at_once.table.frame)
    assert parted.truth.tolist() == at_once.truth.tolist()
    drawn = frame[parted.truth.tolist()]
    assert drawn["age"].equals(parted.table.frame["age"])
    assert drawn.group_by("household").len()["len"].to_list().count(3) == drawn["household"].n_unique() - (
        1 if frame["household"][-1] in drawn["household"] else 0
    )
    assert dc.verify(tmp_path / "out").sound


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("synthesise_trees", "distort"),
        ("impute columns=rent", "distort"),
        ("mondrian columns=age,rent t=0.5", "generalise"),
        ("suppress columns=sex l=2", "generalise"),
        ("suppress k=3 missing=any columns=sex", "missing='own'"),
        ("add_noise variant=nonlinear columns=rent", "another variant"),
    ],
)
def test_what_cannot_be_split_says_so_by_name(dataset: Dataset, step: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(NotSplit, match=step.split()[0]) as problem:
        dc.protect(dataset, dc.Plan.of([step]), seed=1).save(tmp_path / "out")
    assert says in str(problem.value)
    assert list(tmp_path.iterdir()) == []


def test_a_parameter_without_a_meaning_is_refused_in_parts_too(dataset: Dataset, tmp_path: Path) -> None:
    plan = dc.Plan.of(["suppress k=3 columns=sex l_variant=entropy"])
    with pytest.raises(BadParameter, match="l_variant has no meaning without l"):
        dc.protect(dataset, plan, seed=1).save(tmp_path / "out")


def test_classes_are_not_counted_where_people_have_several_records(tmp_path: Path) -> None:
    people, households = {**ROLES, "id": "person"}, {**ROLES, "id": "household"}
    frame = register().with_columns(pl.col("id") // 3)
    folder = in_files(tmp_path / "people", frame)
    for roles, step, says in (
        (people, "suppress columns=sex", "several records of one person"),
        (households, "suppress columns=sex", "members of one household"),
        (households, "microaggregate columns=age,rent", "members of one household"),
    ):
        dataset = dc.scan(folder, roles=roles, rest="quasi-identifier")
        with pytest.raises(NotSplit, match=says):
            dc.protect(dataset, dc.Plan.of([step]), seed=1).save(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_counts_of_records_are_counts_of_people_where_each_has_one(tmp_path: Path) -> None:
    roles = {**ROLES, "id": "person"}
    dataset = dc.scan(in_files(tmp_path / "people"), roles=roles, rest="quasi-identifier")
    plan = dc.Plan.of(["suppress k=75 columns=age,region,sex"])
    release = dc.protect(dataset, plan, seed=3)
    replace(release, part_records=PART).save(tmp_path / "out")
    at_once = dc.protect(dc.Table.of(register(), roles=roles, rest="quasi-identifier"), plan, seed=3)
    parted = dc.Release.load(tmp_path / "out")
    assert parted.table.frame.equals(at_once.table.frame)
    assert parted.manifest.guarantees == at_once.manifest.guarantees


@pytest.mark.parametrize(
    "step", ["microaggregate k=4 columns=age,rent", "mondrian k=100 columns=age,rent,sex"]
)
def test_blocks_count_people_and_not_their_records(step: str, tmp_path: Path) -> None:
    roles = {**ROLES, "id": "person"}
    frame = register().with_columns(pl.col("id") // 3).sort("rent")
    dataset = dc.scan(in_files(tmp_path / "people", frame), roles=roles, rest="quasi-identifier")
    release = dc.protect(dataset, dc.Plan.of([step]), seed=3)
    replace(release, part_records=PART).save(tmp_path / "out")
    made = dc.Release.load(tmp_path / "out")
    masked = made.table.frame.select("age", "rent", "sex").with_columns(frame["id"])
    keys = list(made.manifest.guarantees[0]["columns"])
    assert masked.group_by(keys).agg(pl.col("id").n_unique())["id"].min() >= made.manifest.guarantees[0]["k"]
    assert "people" in made.manifest.guarantees[0]["says"]


def test_a_file_that_changes_meanwhile_stops_the_release(tmp_path: Path) -> None:
    people = in_files(tmp_path / "people")
    dataset = dc.scan(people, roles=ROLES, rest="quasi-identifier")
    register().head(1_000).write_parquet(people / "people-1.parquet")
    with pytest.raises(Mismatch, match="changed"):
        dc.protect(dataset, dc.Plan.of(["round base=10 columns=age"]), seed=1).save(tmp_path / "out")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["people"]


def test_a_guarantee_that_does_not_hold_on_the_files_leaves_nothing(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from discreet.engine import by_counts

    monkeypatch.setattr(by_counts.Replacing, "__call__", _as_it_was)
    with pytest.raises(GuaranteeBroken, match="smaller groups"):
        saved(dataset, ["suppress k=75 columns=age,region,sex"], tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def _as_it_was(work: object, share: object) -> object:
    """A step that masks nothing, and writes the part as it was."""
    from discreet.dataset import DataFile
    from discreet.engine.by_counts import Replacing, Share
    from discreet.engine.scratch import write_arrow

    assert isinstance(work, Replacing)
    assert isinstance(share, Share)
    path = work.folder / f"same-{share.first}.arrow"
    frame = register()[share.first : share.first + work.part_records].select("age", "region", "sex")
    write_arrow(frame, path)
    return DataFile.of(path, frame.height)


def test_an_older_release_is_replaced_only_when_told(dataset: Dataset, tmp_path: Path) -> None:
    plan = dc.Plan.of(["round base=10 columns=age"])
    dc.protect(dataset, plan, seed=1).save(tmp_path / "out")
    with pytest.raises(WouldOverwrite):
        dc.protect(dataset, plan, seed=1).save(tmp_path / "out")
    dc.protect(dataset, plan, seed=2).save(tmp_path / "out", force=True)
    (tmp_path / "out" / "public" / "people" / "mine.txt").write_text("x")
    with pytest.raises(WouldOverwrite, match="other things"):
        dc.protect(dataset, plan, seed=3).save(tmp_path / "out", force=True)


def test_a_published_file_that_was_changed_is_noticed(dataset: Dataset, tmp_path: Path) -> None:
    out = saved(dataset, ["round base=10 columns=age"], tmp_path / "out")
    first = out / "public" / "people" / "part-00000.parquet"
    pl.read_parquet(first).reverse().write_parquet(first)
    assert not dc.verify(out).sound


def test_identifiers_of_a_dataset_cannot_be_masked(dataset: Dataset) -> None:
    with pytest.raises(BadTable, match="identifier"):
        dc.protect(dataset, dc.Plan.of(["round base=10 columns=id"]), seed=1)

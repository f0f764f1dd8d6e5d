"""Every mask on a dataset in parts: as on the whole table where it is exact, and as promised in any case."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.engine.people import PART, RECORDS, ROLES, in_files, register
from tests.engine.test_protecting import digests, saved, whole

import discreet as dc
from discreet.dataset import Dataset
from discreet.engine import Threads
from discreet.engine.scratch import write_arrow
from discreet.errors import NotSplit
from discreet.method import Method
from discreet.registry import methods

EXACT = {
    "add_noise": "p=0.2 columns=age,income",
    "pram": "theta=0.3 columns=region,sex",
    "round": "base=5 variant=stochastic columns=age",
    "top_code": "share=0.05 columns=income",
    "bottom_code": "share=0.05 columns=income",
    "recode_numbers": "bins=5 variant=quantile columns=income",
    "camouflage": "width=10 columns=age,rent",
    "recode": "rarest=2 columns=region,illness",
    "suppress": "k=75 columns=age,region,sex",
    "rank_swap": "p=5 columns=age,income,rent",
    "resample": "t=3 columns=rent,income",
    "distort": "columns=age,income,region",
    "semantic_swap": "p=5 unmapped=apart columns=region,illness within=sex",
    "generalise": "k=500 max_suppressed=0.03 columns=age,region,sex",
    "generalise_locally": "k=50 columns=region,sex,age",
    "sample": "fraction=0.4",
    "semantic_recode": "k=7050 unmapped=apart columns=region,sex",
}
"""Masks whose result does not depend on how the dataset was cut."""
MORE = [
    ("sample", "fraction=0.3 variant=stratified strata=region,sex"),
    ("microaggregate", "variant=individual k=5 columns=age,income"),
    ("k_resample", "together=false k=3 columns=age,rent"),
    ("generalise", "k=20 l=2 t=0.2 max_suppressed=0.02 columns=age,region,sex confidential=illness"),
    ("generalise", "k=3 l=3 highest=1 max_suppressed=0.3 columns=income,sex"),
    ("generalise_locally", "k=90 l=2.99 l_variant=entropy columns=region,sex"),
]
"""Variants and parameters by which others are exact too."""
NEAR = {
    "microaggregate": "k=5 columns=age,rent",
    "mondrian": "k=200 l=2 confidential=illness columns=age,rent,sex",
    "k_resample": "k=3 columns=age,income",
    "fuzzy_microaggregate": "k=1000 columns=age,rent",
    "semantic_microaggregate": "k=3 unmapped=apart columns=region,sex",
    "semantic_resample": "k=3 unmapped=apart columns=region,sex",
}
"""Masks of blocks of near records, which form other groups than on the whole table."""
CASES = [*EXACT.items(), *MORE]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return in_files(tmp_path_factory.mktemp("register") / "people")


@pytest.fixture(scope="module")
def dataset(folder: Path) -> Dataset:
    return dc.scan(folder, roles=ROLES, rest="quasi-identifier")


@pytest.mark.parametrize("name", sorted(each.name for each in methods("mask")))
def test_every_mask_works_in_parts_or_says_what_does(name: str, dataset: Dataset, tmp_path: Path) -> None:
    method: Method = next(each for each in methods("mask") if each.name == name)
    assert method.in_parts == (name in {*EXACT, *NEAR})
    if method.in_parts:
        return
    with pytest.raises(NotSplit, match=rf"^{name} needs the whole table .* Use instead: \w+, "):
        dc.protect(dataset, dc.Plan.of([name]), seed=1)
    other = method.instead.split(",")[0]
    assert next(each for each in methods("mask") if each.name == other).in_parts


@pytest.mark.parametrize(("name", "parameters"), CASES, ids=[f"{name} {what}" for name, what in CASES])
def test_what_is_exact_gives_the_bytes_of_the_whole_table(
    name: str, parameters: str, dataset: Dataset, tmp_path: Path
) -> None:
    steps = [f"{name} {parameters}"]
    parted = dc.Release.load(saved(dataset, steps, tmp_path / "out"))
    at_once = dc.protect(whole(), dc.Plan.of(steps), seed=7)
    assert parted.table.frame.equals(at_once.table.frame, null_equal=True)
    assert parted.manifest.guarantees == at_once.manifest.guarantees
    assert parted.manifest.steps == at_once.manifest.steps
    assert parted.manifest.columns == at_once.manifest.columns


@pytest.mark.parametrize(("name", "parameters"), NEAR.items(), ids=list(NEAR))
def test_neither_files_nor_parts_nor_threads_change_what_blocks_become(
    name: str, parameters: str, dataset: Dataset, folder: Path, tmp_path: Path
) -> None:
    before = [each.read_bytes() for each in sorted(folder.iterdir())]
    steps = [f"{name} {parameters}"]
    many = dc.Release.load(saved(dataset, steps, tmp_path / "many"))
    register().write_parquet(tmp_path / "people.parquet")
    single = dc.scan(tmp_path / "people.parquet", roles=ROLES, rest="quasi-identifier")
    one = dc.Release.load(saved(single, steps, tmp_path / "one", threads=1, part=1 << 20))
    assert many.table.frame.equals(one.table.frame, null_equal=True)
    assert many.manifest.guarantees == one.manifest.guarantees
    assert [each.read_bytes() for each in sorted(folder.iterdir())] == before
    assert len(many.table) == RECORDS
    assert "id" not in many.table.names
    promised = {str(each["guarantee"]) for each in many.manifest.guarantees}
    some = dc.Table.of(register().head(2_000), roles=ROLES, rest="quasi-identifier")
    at_once = dc.protect(some, dc.Plan.of(steps), seed=7)
    assert promised == {type(each).__name__ for each in at_once.guarantees}


def test_what_columns_become_does_not_depend_on_files_or_threads(dataset: Dataset, tmp_path: Path) -> None:
    steps = ["rank_swap columns=age,rent", "distort columns=region", "camouflage width=50 columns=income"]
    one = saved(dataset, steps, tmp_path / "one", threads=1)
    two = saved(dataset, steps, tmp_path / "two", threads=2)
    assert digests(one) == digests(two)


@pytest.mark.parametrize("step", ["rank_swap columns=rent", "distort columns=rent"])
def test_columns_that_are_not_as_guaranteed_are_not_published(
    step: str, dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(frame: pl.DataFrame, path: Path) -> None:
        write_arrow(frame.select(pl.all().reverse() * 2), path)

    monkeypatch.setattr("discreet.engine.by_columns.write_arrow", wrong)
    release = replace(dc.protect(dataset, dc.Plan.of([step]), seed=2), part_records=PART)
    with pytest.raises(dc.errors.GuaranteeBroken, match="found in the published file"):
        release.save(tmp_path / "out", engine=Threads(1))
    assert list(tmp_path.iterdir()) == []

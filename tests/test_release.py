from __future__ import annotations

import json
import stat
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from discreet.demo import table as census
from discreet.errors import BadFile, BadParameter, BadTable, GuaranteeBroken, Mismatch, WouldOverwrite
from discreet.guarantees import KAnonymous
from discreet.plan import Plan
from discreet.protection import protect
from discreet.release import Release
from discreet.table import Table

PLAN = Plan.of(
    [("microaggregate", {"columns": ["age", "income"], "k": 5}), ("suppress", {"columns": ["sex"], "k": 3})]
)
SEED = 123456789


@pytest.fixture(scope="module")
def people() -> Table:
    return census(200, seed=2)


@pytest.fixture(scope="module")
def release(people: Table) -> Release:
    return protect(people, PLAN, seed=SEED)


def test_identifiers_are_dropped_and_households_renumbered(people: Table, release: Release) -> None:
    assert release.secrets.dropped == ("person", "name", "date_of_birth", "remarks")
    assert release.manifest.dropped == 4
    assert not set(release.secrets.dropped) & set(release.table.names)
    old, new = people.frame["household"], release.table.frame["household"]
    assert not new.equals(old)
    assert pl.DataFrame({"old": old, "new": new}).unique().height == old.n_unique() == new.n_unique()


def test_free_text_is_dropped_unless_it_is_named(people: Table, release: Release) -> None:
    assert "remarks" not in release.table.names
    assert "remarks" in protect(people, PLAN, publish_text=["remarks"]).table.names
    with pytest.raises(BadTable, match="not a free text"):
        protect(people, PLAN, publish_text=["age"])


def test_pseudonyms_are_equal_where_the_identifiers_are_and_need_the_key(people: Table) -> None:
    one = protect(people, PLAN, seed=SEED, pseudonymise=["name"]).table.frame["name"]
    other = protect(people, PLAN, seed=SEED + 1, pseudonymise=["name"]).table.frame["name"]
    assert one.n_unique() == people.frame["name"].n_unique()
    assert not set(one.to_list()) & set(people.frame["name"].to_list())
    assert not set(one.to_list()) & set(other.to_list())
    with pytest.raises(BadTable, match="only identifiers and persons are pseudonymised"):
        protect(people, PLAN, pseudonymise=["age"])


def test_the_same_seed_gives_the_same_bytes(people: Table, release: Release, tmp_path: Path) -> None:
    release.save(tmp_path / "one")
    protect(people, PLAN, seed=SEED).save(tmp_path / "two")
    for file in ("public/census.csv", "public/manifest.json", "private/manifest.private.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_the_published_half_holds_no_secret(release: Release, tmp_path: Path) -> None:
    folder = release.save(tmp_path / "out")
    public = (folder / "public" / "manifest.json").read_text()
    assert f"{SEED:x}" not in public
    assert str(SEED) not in public
    assert "origin" not in json.loads(public)
    assert f"{SEED:x}" not in repr(release)
    private = folder / "private" / "manifest.private.json"
    assert json.loads(private.read_text())["seed"] == f"{SEED:x}"
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert stat.S_IMODE(private.parent.stat().st_mode) == 0o700


def test_records_are_published_in_another_order_and_come_back_in_the_old_one(
    release: Release, tmp_path: Path
) -> None:
    folder = release.save(tmp_path / "out")
    published = pl.read_csv(folder / "public" / "census.csv")
    weights = release.table.frame["weight"]
    assert published["weight"].sort().to_list() == weights.sort().to_list()
    assert published["rent"].to_list() != release.table.frame["rent"].to_list()
    loaded = Release.load(folder)
    assert loaded.table.frame.equals(release.table.frame, null_equal=True)
    assert loaded.table.columns == tuple(release.table.columns)
    assert loaded.plan.steps[0].parameters["k"] == 5
    assert (loaded.truth == np.arange(200)).all()
    assert loaded.steps[0].facts["groups"] == release.steps[0].facts["groups"]


def test_order_can_be_kept(people: Table, tmp_path: Path) -> None:
    kept = protect(people, PLAN, seed=SEED, order="kept")
    folder = kept.save(tmp_path / "out")
    assert (
        pl.read_csv(folder / "public" / "census.csv")["rent"].to_list() == kept.table.frame["rent"].to_list()
    )
    with pytest.raises(BadParameter, match="order must be"):
        protect(people, PLAN, order="sorted")


def test_a_release_without_its_private_half_does_not_know_whose_records_they_are(
    release: Release, tmp_path: Path
) -> None:
    folder = release.save(tmp_path / "out")
    loaded = Release.load(folder / "public")
    assert loaded.private is None
    with pytest.raises(Mismatch, match="private manifest"):
        _ = loaded.truth
    assert Release.load(folder / "public", private=folder / "private").private is not None
    file = folder / "private" / "manifest.private.json"
    assert Release.load(folder / "public", private=file).private is not None
    assert Release.load(folder / "public", private=folder).private is not None
    with pytest.raises(BadFile, match=r"there is no manifest\.private\.json at"):
        Release.load(folder / "public", private=tmp_path)


def test_a_file_that_was_changed_is_refused(release: Release, tmp_path: Path) -> None:
    folder = release.save(tmp_path / "out")
    file = folder / "public" / "census.csv"
    file.write_text(file.read_text() + "\n")
    with pytest.raises(Mismatch, match="digest"):
        Release.load(folder)


def test_a_folder_is_not_overwritten_unless_forced(release: Release, tmp_path: Path) -> None:
    folder = release.save(tmp_path / "out")
    with pytest.raises(WouldOverwrite, match="not empty"):
        release.save(folder)
    release.save(folder, force=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("years of work")
    with pytest.raises(WouldOverwrite, match="holds other things"):
        release.save(tmp_path / "other", force=True)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _FalseGuarantee(KAnonymous):
    pass


def test_a_guarantee_that_the_file_breaks_stops_the_release(people: Table, tmp_path: Path) -> None:
    honest = protect(people, PLAN, seed=SEED)
    broken = Release(
        table=honest.table,
        manifest=honest.manifest,
        private=honest.private,
        guarantees=(_FalseGuarantee(columns=("rent", "hours"), k=50),),
    )
    with pytest.raises(GuaranteeBroken, match="shared by at least 50 records"):
        broken.save(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_guarantee_falls_when_a_later_step_touches_its_columns(people: Table) -> None:
    later = Plan.of([*PLAN.steps, ("add_noise", {"columns": ["age"]})])
    guaranteed = {guarantee["columns"][0] for guarantee in protect(people, later, seed=1).manifest.guarantees}
    assert guaranteed == {"sex"}


@pytest.mark.parametrize("file", ["people.parquet", "people.feather", "people.csv"])
def test_every_plain_format_round_trips(release: Release, tmp_path: Path, file: str) -> None:
    folder = release.save(tmp_path / "out", file=file)
    assert Release.load(folder).table.frame.equals(release.table.frame, null_equal=True)


def test_an_unknown_folder_or_manifest_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="not the folder of a release"):
        Release.load(tmp_path)
    (tmp_path / "manifest.json").write_text("[]")
    with pytest.raises(BadFile, match="not a manifest"):
        Release.load(tmp_path)
    (tmp_path / "manifest.json").write_text("{")
    with pytest.raises(BadFile, match="cannot be read as JSON"):
        Release.load(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": 99}')
    with pytest.raises(BadFile, match="format 99"):
        Release.load(tmp_path)


@pytest.mark.parametrize(
    "file",
    ["../x.csv", "../../x.csv", "/tmp/x.csv", "a/b.csv", "a\\b.csv", "C:x.csv", "..", ".", "manifest.json"],
)
def test_the_published_file_never_leaves_the_folder_of_its_release(
    release: Release, tmp_path: Path, file: str
) -> None:
    with pytest.raises(BadParameter, match="plain name of a file"):
        release.save(tmp_path / "deep" / "release", file=file)
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize("name", ["../other.csv", "/etc/passwd", "manifest.json", "a/b.csv"])
def test_a_manifest_that_names_a_file_elsewhere_is_refused(
    release: Release, tmp_path: Path, name: str
) -> None:
    folder = release.save(tmp_path / "release", file="people.csv")
    manifest = folder / "public" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"people.csv"', json.dumps(name)))
    with pytest.raises(BadFile):
        Release.load(folder)

"""What others can check of a release: digests, signatures, guarantees, and who vouches for the manifest."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import discreet as dc
from discreet.assessment import assess
from discreet.errors import BadFile, BadParameter, Mismatch, WouldOverwrite
from discreet.plan import Plan
from discreet.protection import protect
from discreet.release import Release
from discreet.reporting import report
from discreet.reporting.facts import facts_of
from discreet.signing import SigningKey
from discreet.table import Table
from discreet.verification import BROKEN, HOLDS, NOT_CHECKED, Verification, verify

PLAN = Plan.of(
    [("suppress", {"columns": ["c"], "k": 3}), ("rank_swap", {"columns": ["x"], "p": 20})],
)


@pytest.fixture(scope="module")
def people() -> Table:
    frame = pl.DataFrame({"x": [each % 7 for each in range(40)], "c": list("aaab") * 10})
    return Table.of(frame, roles={}, rest="quasi-identifier")


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("keys") / "office"
    SigningKey.new().save(place)
    return place


@pytest.fixture
def folder(people: Table, key: Path, tmp_path: Path) -> Path:
    return protect(people, PLAN, seed=1).save(tmp_path / "out", sign=key)


def edit(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    place = folder / "public" / "manifest.json"
    said = json.loads(place.read_text())
    change(said)
    place.write_text(json.dumps(said))


def state_of(found: Verification, words: str) -> str:
    (state,) = [each.state for each in found.findings if words in each.says]
    return state


def test_a_signed_release_is_sound_and_vouched_for(folder: Path, key: Path) -> None:
    found = dc.verify(folder / "public", key=f"{key}.pub")
    assert found.sound
    assert found.vouched_by == "a signature"
    assert found.doubt == ""
    assert state_of(found, "signed by the key") == HOLDS
    assert state_of(found, "every combination") == HOLDS
    assert state_of(found, "keep their values") == NOT_CHECKED
    json.dumps(found.to_dict())


def test_without_a_key_it_says_that_nobodys_signature_was_checked(folder: Path) -> None:
    found = verify(folder / "public")
    assert found.sound
    assert state_of(found, "nobody's signature") == NOT_CHECKED
    assert found.doubt.startswith("nothing vouches for the manifest")
    assert "nothing vouches for the manifest" in str(found)
    whole = verify(folder)
    assert whole.vouched_by == "its private half"


@pytest.mark.parametrize(
    "change",
    [
        lambda said: said.update(steps=[]),
        lambda said: said["steps"][1]["parameters"].update(p=1),
        lambda said: said.update(checked_on_the_published_file=[]),
        lambda said: said.update(columns_dropped=3),
    ],
)
def test_an_edited_public_half_is_refused(
    folder: Path, key: Path, change: Callable[[dict[str, Any]], None]
) -> None:
    edit(folder, change)
    with pytest.raises(Mismatch, match=r"the public half \(manifest\.json\) is not the one"):
        Release.load(folder)
    assert not verify(folder).sound
    found = verify(folder / "public", key=f"{key}.pub")
    assert not found.sound
    assert state_of(found, "signed by the key") == BROKEN
    alone = Release.load(folder / "public")
    assert alone.doubt


def test_a_forged_guarantee_is_found_broken_by_whoever_has_the_file(folder: Path) -> None:
    says = "every combination of 'c' is shared by at least 30 records"

    def forge(said: dict[str, Any]) -> None:
        said["checked_on_the_published_file"][0].update(k=30, says=says)

    edit(folder, forge)
    found = verify(folder / "public")
    assert not found.sound
    assert state_of(found, says) == BROKEN


def test_a_changed_file_is_found(folder: Path) -> None:
    file = next((folder / "public").glob("*.csv"))
    file.write_text(file.read_text().replace("1", "2", 1))
    found = verify(folder)
    assert not found.sound
    assert "digest" in str(found)


def test_a_signature_by_another_key_or_none_is_broken(folder: Path, tmp_path: Path) -> None:
    other = SigningKey.new().save(tmp_path / "other")
    assert state_of(verify(folder, key=other), "signed by the key") == BROKEN
    (folder / "public" / "manifest.json.sig").write_text("not base64")
    assert state_of(verify(folder, key=other), "signed by the key") == BROKEN
    (folder / "public" / "manifest.json.sig").unlink()
    assert state_of(verify(folder, key=other), "signed by the key") == BROKEN


def test_the_secret_key_is_for_its_owner_and_can_have_a_passphrase(tmp_path: Path) -> None:
    place = tmp_path / "office"
    public = SigningKey.new().save(place, passphrase="long and secret")
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert public == tmp_path / "office.pub"
    assert b"long and secret" not in place.read_bytes()
    again = SigningKey.load(place, passphrase="long and secret")
    assert again.public == public.read_bytes()
    for wrong in (None, "other"):
        with pytest.raises(BadFile, match="passphrase"):
            SigningKey.load(place, passphrase=wrong)
    with pytest.raises(WouldOverwrite):
        SigningKey.new().save(place)
    with pytest.raises(BadParameter, match="empty"):
        SigningKey.new().save(tmp_path / "new", passphrase="")
    with pytest.raises(BadFile, match="is not a secret key"):
        SigningKey.load(public)
    assert "secret" not in repr(again)


def test_a_signed_release_is_replaced_with_its_signature(people: Table, folder: Path) -> None:
    protect(people, PLAN, seed=2).save(folder, force=True)
    assert not (folder / "public" / "manifest.json.sig").exists()


def test_a_report_shows_as_checked_only_what_is(people: Table, folder: Path) -> None:
    whole = assess(people, Release.load(folder), losses=[])
    checks = {each.says: each.state for each in facts_of(whole, "internal", []).done.checks}
    assert sorted(checks.values()) == ["checked when saved", "holds"]
    assert "nothing vouches" not in report(whole).html()
    doubtful = Release.load(folder)
    alone = type(doubtful)(
        table=doubtful.table, manifest=doubtful.manifest, private=doubtful.private, vouched_by=""
    )
    found = assess(people, alone, losses=[])
    assert found.to_dict()["doubt"].startswith("nothing vouches for the manifest")
    checks = {each.says: each.state for each in facts_of(found, "external", []).done.checks}
    assert sorted(checks.values()) == ["holds", "not checked"]
    page = report(found, audience="external").html()
    assert "Nothing vouches for the manifest" in page
    assert "Not checked" in page

"""Releases of documents and vectors: bound halves, checked files, nothing half-written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from discreet.errors import BadFile, GuaranteeBroken, Mismatch, WouldOverwrite
from discreet.signing import SigningKey
from discreet.text.release import (
    is_text_release,
    load_text_release,
    save_text_release,
    verify_text_release,
)


def write(public: Path) -> None:
    (public / "letters").mkdir()
    (public / "letters" / "a.txt").write_text("Pers1 wrote.")


def save(folder: Path, *, check: Sequence[str] = ("nobody is named",), force: bool = False) -> Path:
    return save_text_release(
        folder,
        kind="documents",
        write=write,
        check=lambda public: check,
        done={"documents": 1},
        private={"mapping": {"Pers1": "Smith"}},
        secret_files={"register.bin": b"secret"},
        force=force,
    )


def test_a_release_reads_back_as_it_was_saved(tmp_path: Path) -> None:
    release = load_text_release(save(tmp_path / "out"))
    assert list(release.manifest.files) == ["letters/a.txt"]
    assert release.manifest.done == {"documents": 1}
    assert release.manifest.guarantees == ("nobody is named",)
    assert release.secrets == {"mapping": {"Pers1": "Smith"}}
    assert is_text_release(tmp_path / "out")
    assert not is_text_release(tmp_path)


def test_no_secret_is_in_the_public_half_and_secrets_are_for_their_owner(tmp_path: Path) -> None:
    folder = save(tmp_path / "out")
    public = [each.read_bytes() for each in (folder / "public").rglob("*") if each.is_file()]
    assert len(public) == 2
    assert not any(b"Smith" in each for each in public)
    modes = {each.stat().st_mode & 0o777 for each in (folder / "private").iterdir()}
    assert modes == {0o600}


def test_a_broken_guarantee_publishes_nothing(tmp_path: Path) -> None:
    def check(public: Path) -> Sequence[str]:
        raise GuaranteeBroken("a protected name is in a published file")

    with pytest.raises(GuaranteeBroken):
        save_text_release(tmp_path / "out", kind="documents", write=write, check=check, done={}, private={})
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("how", ["changed", "gone", "new"])
def test_a_file_that_is_not_the_one_of_the_manifest_is_noticed(tmp_path: Path, how: str) -> None:
    folder = save(tmp_path / "out")
    file = folder / "public" / "letters" / "a.txt"
    if how == "changed":
        file.write_text("Smith wrote.")
    elif how == "gone":
        file.unlink()
    else:
        file.with_name("b.txt").write_text("new")
    with pytest.raises(Mismatch, match="published files"):
        load_text_release(folder)
    assert not verify_text_release(folder).sound


def test_an_edited_manifest_is_noticed_by_its_private_half_and_doubted_without_it(tmp_path: Path) -> None:
    folder = save(tmp_path / "out")
    assert verify_text_release(folder).vouched_by == "its private half"
    place = folder / "public" / "manifest.json"
    manifest = json.loads(place.read_text())
    place.write_text(json.dumps({**manifest, "checked_on_the_published_files": ["all is well"]}))
    with pytest.raises(Mismatch, match="public half"):
        load_text_release(folder)
    alone = folder / "public"
    assert load_text_release(alone).private is None
    assert verify_text_release(alone).doubt
    with pytest.raises(Mismatch, match="private manifest"):
        _ = load_text_release(alone).secrets


def test_a_signature_vouches_for_the_public_half(tmp_path: Path) -> None:
    key = SigningKey.new()
    public_key = key.save(tmp_path / "office")
    folder = save_text_release(
        tmp_path / "out", kind="vectors", write=write, check=lambda _: (), done={}, private={}, sign=key
    )
    found = verify_text_release(folder / "public", key=public_key)
    assert found.sound
    assert found.vouched_by == "a signature"


def test_a_release_replaces_only_a_release_and_only_when_allowed(tmp_path: Path) -> None:
    folder = save(tmp_path / "out")
    with pytest.raises(WouldOverwrite):
        save(folder)
    save(folder, force=True)
    (folder / "mine.txt").write_text("something else")
    with pytest.raises(WouldOverwrite, match=r"mine\.txt"):
        save(folder, force=True)


@pytest.mark.parametrize(
    "change", [{"format": 2}, {"kind": "pictures"}, {"files": {"a": {"sha256": "no"}}}, {"done": 3}], ids=str
)
def test_a_damaged_manifest_is_a_named_error(tmp_path: Path, change: dict[str, object]) -> None:
    folder = save(tmp_path / "out")
    place = folder / "public" / "manifest.json"
    place.write_text(json.dumps({**json.loads(place.read_text()), **change}))
    with pytest.raises(BadFile, match="public manifest"):
        load_text_release(folder / "public")

"""Files and folders are there whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from pathlib import Path

import pytest

from discreet.errors import BadFile, WouldOverwrite
from discreet.writing import new_file, new_folder, write_bytes, write_json, write_text


class Stop(RuntimeError):
    """What goes wrong in the middle of writing."""


def fail_to_write(path: Path, force: bool) -> None:
    with new_file(path, force=force) as temporary:
        temporary.write_text("half")
        raise Stop


def fail_to_fill(path: Path, force: bool) -> None:
    with new_folder(path, force=force) as temporary:
        (temporary / "half").write_text("half")
        raise Stop


def test_the_digest_is_that_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    assert write_bytes(path, b"content") == hashlib.sha256(b"content").hexdigest()
    assert path.read_bytes() == b"content"


def test_nothing_is_left_behind_when_writing_fails(tmp_path: Path) -> None:
    with pytest.raises(Stop):
        fail_to_write(tmp_path / "a.txt", force=False)
    with pytest.raises(Stop):
        fail_to_fill(tmp_path / "folder", force=False)
    assert list(tmp_path.iterdir()) == []


def test_the_old_content_stays_when_writing_fails(tmp_path: Path) -> None:
    path, folder = tmp_path / "a.txt", tmp_path / "folder"
    path.write_text("old")
    folder.mkdir()
    (folder / "old").write_text("old")
    with pytest.raises(Stop):
        fail_to_write(path, force=True)
    with pytest.raises(Stop):
        fail_to_fill(folder, force=True)
    assert path.read_text() == "old"
    assert [each.name for each in folder.iterdir()] == ["old"]
    assert len(list(tmp_path.iterdir())) == 2


def test_a_file_is_replaced_only_when_that_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_text(path, "old")
    with pytest.raises(WouldOverwrite, match="is there already"):
        write_text(path, "new")
    assert path.read_text() == "old"
    write_text(path, "new", force=True)
    assert path.read_text() == "new"


def test_no_way_of_writing_replaces_a_file_or_a_folder_unasked(tmp_path: Path) -> None:
    path, folder = tmp_path / "a", tmp_path / "folder"
    path.write_text("old")
    folder.mkdir()
    (folder / "old").write_text("old")
    with pytest.raises(WouldOverwrite):
        write_bytes(path, b"new")
    with pytest.raises(WouldOverwrite):
        write_text(path, "new")
    with pytest.raises(WouldOverwrite):
        write_json(path, ["new"])
    with pytest.raises(WouldOverwrite), new_file(path):
        pytest.fail("the block must not run")
    with pytest.raises(WouldOverwrite), new_folder(folder):
        pytest.fail("the block must not run")
    assert path.read_text() == "old"
    assert [each.name for each in folder.iterdir()] == ["old"]


@pytest.mark.parametrize("private", [False, True])
def test_only_private_files_are_for_their_owner_alone(tmp_path: Path, private: bool) -> None:
    write_bytes(tmp_path / "a", b"1", private=private)
    write_text(tmp_path / "b", "1", private=private)
    write_json(tmp_path / "c", [1], private=private)
    for name in "abc":
        assert bool(stat.S_IMODE((tmp_path / name).stat().st_mode) & 0o077) is not private


def test_files_and_folders_are_as_open_as_usual_where_nothing_is_said(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        write_bytes(tmp_path / "a", b"1")
        write_text(tmp_path / "b", "1")
        write_json(tmp_path / "c", [1])
        with new_file(tmp_path / "d"):
            pass
        with new_folder(tmp_path / "e"):
            pass
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in "abcde"]
    assert modes == [0o644] * 4 + [0o755]


def test_a_file_that_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"

    def overtaken() -> None:
        with new_file(path) as temporary:
            temporary.write_text("mine")
            path.write_text("theirs")

    with pytest.raises(WouldOverwrite):
        overtaken()
    assert path.read_text() == "theirs"
    assert list(tmp_path.iterdir()) == [path]


def test_private_files_and_folders_are_for_their_owner_only(tmp_path: Path) -> None:
    seen: list[int] = []
    with new_file(tmp_path / "secret", private=True) as temporary:
        seen.append(temporary.stat().st_mode)
    with new_folder(tmp_path / "secrets", private=True) as folder:
        seen.append(folder.stat().st_mode)
    assert [stat.S_IMODE(each) for each in seen] == [0o600, 0o700]
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700


def test_json_is_readable_and_refuses_what_is_no_number(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"name": "Málaga", "k": 3})
    text = (tmp_path / "a.json").read_text()
    assert json.loads(text) == {"name": "Málaga", "k": 3}
    assert "Málaga" in text
    with pytest.raises(ValueError, match="JSON compliant"):
        write_json(tmp_path / "b.json", {"risk": float("nan")})
    assert not (tmp_path / "b.json").exists()


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there is no folder"):
        write_text(tmp_path / "nowhere" / "a.txt", "text")


def test_a_folder_appears_with_all_that_is_in_it(tmp_path: Path) -> None:
    with new_folder(tmp_path / "release") as folder:
        (folder / "public").mkdir()
        (folder / "public" / "a").write_text("a")
        assert not (tmp_path / "release").exists()
    assert (tmp_path / "release" / "public" / "a").read_text() == "a"
    assert [each.name for each in tmp_path.iterdir()] == ["release"]


def test_an_empty_folder_may_be_there_but_not_a_full_one(tmp_path: Path) -> None:
    place = tmp_path / "release"
    place.mkdir()
    with new_folder(place) as folder:
        (folder / "a").write_text("a")
    with pytest.raises(WouldOverwrite, match="is not empty"), new_folder(place):
        pass
    with new_folder(place, force=True) as folder:
        (folder / "b").write_text("b")
    assert [each.name for each in place.iterdir()] == ["b"]
    assert [each.name for each in tmp_path.iterdir()] == ["release"]


def test_a_folder_of_other_things_is_never_replaced(tmp_path: Path) -> None:
    place = tmp_path / "home"
    place.mkdir()
    (place / "letters").write_text("dear")
    with (
        pytest.raises(WouldOverwrite, match="holds other things"),
        new_folder(place, force=True, ours=lambda _: []),
    ):
        pass
    hollow = tmp_path / "hollow"
    (hollow / "room").mkdir(parents=True)
    with (
        pytest.raises(
            WouldOverwrite, match="holds other things, not written by discreet, and is not replaced"
        ),
        new_folder(hollow, force=True, ours=lambda _: []),
    ):
        pass
    (place / "manifest.json").write_text("{}")
    with (
        pytest.raises(WouldOverwrite, match="such as 'letters'"),
        new_folder(place, force=True, ours=lambda _: ["manifest.json"]),
    ):
        pass
    assert (place / "letters").read_text() == "dear"
    (place / "letters").unlink()
    with new_folder(place, force=True, ours=lambda _: ["manifest.json"]) as folder:
        (folder / "manifest.json").write_text("{}")
    assert [each.name for each in place.iterdir()] == ["manifest.json"]


def test_a_link_to_a_folder_fills_that_folder_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with new_folder(tmp_path / "link") as folder:
        (folder / "a").write_text("a")
    assert (tmp_path / "real" / "a").read_text() == "a"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link", "real"]


def test_a_problem_in_a_folder_is_told_by_the_name_the_user_knows(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as told, new_folder(tmp_path / "release") as folder:
        write_text(folder / "missing" / "a", "a")
    assert str(tmp_path / "release" / "missing") in str(told.value)
    assert ".part" not in str(told.value)


def test_a_file_and_a_folder_do_not_take_each_others_place(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder").mkdir()
    with pytest.raises(WouldOverwrite, match="is a file"), new_folder(tmp_path / "file", force=True):
        pass
    with pytest.raises(WouldOverwrite, match="is a folder"):
        write_text(tmp_path / "folder", "x", force=True)

"""Manifests that were changed in any way are answered with a sentence, or work; never with a fault of ours."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from discreet.assessment import assess
from discreet.errors import BadFile, DiscreetError
from discreet.manifest import PrivateManifest, PublicManifest
from discreet.plan import Plan
from discreet.protection import protect
from discreet.release import Release
from discreet.reporting import report
from discreet.shapes import read_json
from discreet.table import Table
from discreet.verification import verify
from discreet.writing.release import load_release

SECRET = "zanzibar"
OTHERS: tuple[Any, ...] = (None, True, 7, -1, 0.5, 10**30, "", SECRET, [], [SECRET], {}, {SECRET: SECRET})
Path_ = tuple[Any, ...]


@pytest.fixture(scope="module")
def people() -> Table:
    frame = pl.DataFrame(
        {
            "x": [float(each * 37 % 23) for each in range(60)],
            "y": [each * 11 % 13 for each in range(60)],
            "c": [*"aaabb" * 11, *"ccccd"],
            "g": [*"lmh" * 20],
            "when": pl.datetime_range(pl.datetime(2020, 1, 1), pl.datetime(2020, 2, 29), "1d", eager=True),
        }
    )
    return Table.of(
        frame,
        roles={"when": "insensitive"},
        rest="quasi-identifier",
        scales={"g": "ordinal"},
        orders={"g": "lmh"},
    )


@pytest.fixture(scope="module")
def folder(people: Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    plan = Plan.of(
        [
            ("pram", {"columns": ["c"], "theta": 0.3}),
            ("rank_swap", {"columns": ["x"], "p": 20}),
            ("round", {"columns": ["y"], "base": 5}),
            ("top_code", {"columns": ["g"], "categories": 2, "label": "up"}),
            ("suppress", {"columns": ["c", "g"], "k": 2, "l": 2, "t": 0.9, "confidential": ["y"]}),
        ]
    )
    return protect(people, plan, seed=1).save(tmp_path_factory.mktemp("whole") / "out")


def paths_in(value: Any, here: Path_ = ()) -> Iterator[Path_]:
    """The place of every value in a JSON document; of long lists the first entries."""
    yield here
    if isinstance(value, dict):
        for name, each in value.items():
            yield from paths_in(each, (*here, name))
    elif isinstance(value, list):
        for place, each in enumerate(value[:2]):
            yield from paths_in(each, (*here, place))


def changed(said: Any, path: Path_, change: Callable[[Any, Any], None]) -> Any:
    made = copy.deepcopy(said)
    holder = made
    for each in path[:-1]:
        holder = holder[each]
    change(holder, path[-1])
    return made


def put(holder: Any, key: Any, value: Any) -> None:
    holder[key] = value


def left_out(holder: Any, key: Any) -> None:
    del holder[key]


def texts(said: dict[str, Any]) -> Iterator[str]:
    """The document with each value replaced by each other kind, left out, or named twice, as JSON."""
    for path in paths_in(said):
        if not path:
            continue
        for other in OTHERS:
            yield json.dumps(changed(said, path, partial(put, value=other)))
        yield json.dumps(changed(said, path, left_out))
    whole = json.dumps(said)
    yield whole[:-1] + ', "format": 3}'
    yield whole.replace('"format": 3', '"format": NaN')
    yield whole.replace('"format": 3', '"format": 3e999')
    yield whole.replace('"format": 3', '"format": ' + "9" * 5000)
    yield whole.replace('"format": 3', '"format": 1')
    yield "[" * 100_000
    yield '{"a": ' * 50_000
    for cut in range(0, len(whole), max(1, len(whole) // 40)):
        yield whole[:cut]


def answer(make: Callable[[], Any]) -> str:
    """What a call says: nothing where it works, the sentence where it is refused."""
    said, code = "", 0
    try:
        make()
    except DiscreetError as problem:
        said, code = str(problem) or "refused", problem.exit_code
    assert SECRET not in said
    assert code != 70
    return said


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("public/manifest.json", PublicManifest.from_dict),
        ("private/manifest.private.json", PrivateManifest.from_dict),
    ],
)
def test_each_half_is_read_as_declared_or_refused(
    folder: Path, tmp_path: Path, name: str, read: Callable[[dict[str, Any]], Any]
) -> None:
    said = json.loads((folder / name).read_text())
    assert read(said).to_dict() == said
    refused = tried = 0
    place = tmp_path / "manifest.json"
    for text in texts(said):
        place.write_text(text)
        tried += 1
        refused += bool(answer(lambda: read(read_json(place))))
    place.write_bytes(b"\xff\xfe{}")
    assert answer(lambda: read_json(place))
    assert refused > 0.4 * tried


def test_whatever_is_read_can_be_attacked_assessed_and_reported(
    people: Table, folder: Path, tmp_path: Path
) -> None:
    said = json.loads((folder / "public/manifest.json").read_text())
    secrets = json.loads((folder / "private/manifest.private.json").read_text())
    private = PrivateManifest.from_dict(secrets)
    frame = Release.load(folder).table.frame
    some = [each for each in texts(said) if _is_read(each)]
    random.Random(5).shuffle(some)
    for text in some[:80]:
        manifest = PublicManifest.from_dict(json.loads(text))
        release = Release(
            table=Table.assemble(frame, manifest.columns, name="x")
            if [each.name for each in manifest.columns] == frame.columns
            else Release.load(folder).table,
            manifest=manifest,
            private=private,
            vouched_by="",
        )

        def judged(release: Release = release) -> None:
            found = assess(people, release, attacks=["transparency"], losses=["conditional_entropy"])
            report(found, audience="external").to_dict()

        answer(judged)


def _is_read(text: str) -> bool:
    try:
        PublicManifest.from_dict(json.loads(text))
    except (DiscreetError, ValueError, RecursionError):
        return False
    return True


def test_changed_folders_are_verified_or_refused(folder: Path, tmp_path: Path) -> None:
    said = json.loads((folder / "public/manifest.json").read_text())
    place = tmp_path / "public"
    place.mkdir()
    file = said["file"]["name"]
    (place / file).write_bytes((folder / "public" / file).read_bytes())
    for text in texts(said):
        if f'"name": "{SECRET}"' in text:
            continue  # A message may name a file.
        (place / "manifest.json").write_text(text)
        answer(lambda: verify(place))
        answer(lambda: load_release(place, None))


def test_a_release_made_before_a_method_got_a_parameter_is_read_as_if_its_default_was_told(
    people: Table, tmp_path: Path
) -> None:
    """As `recode` was before it had `level`; what other parameters say is never guessed."""
    plan = Plan.of([("recode", {"columns": ["c"], "rarest": 2}), ("rank_swap", {"columns": ["x"], "p": 20})])
    folder = protect(people, plan, seed=1).save(tmp_path / "out")
    public, private = folder / "public/manifest.json", folder / "private/manifest.private.json"
    said, secrets = json.loads(public.read_text()), json.loads(private.read_text())
    del said["steps"][0]["parameters"]["level"], secrets["parameters_of_each_step"][0]["level"]
    public.write_text(json.dumps(said))
    secrets["public_half_sha256"] = hashlib.sha256(public.read_bytes()).hexdigest()
    private.write_text(json.dumps(secrets))
    release = Release.load(folder)
    assert release.manifest.steps[0]["parameters"]["level"] is None
    assert verify(folder).sound
    found = assess(people, release, attacks=["link", "transparency"], losses=["lost"])
    assert report(found).to_dict()["done"]["steps"][0]["method"] == "recode"
    del said["steps"][1]["parameters"]["p"]
    with pytest.raises(BadFile, match="step 2 does not tell the parameters of rank_swap"):
        PublicManifest.from_dict(said)


def test_what_is_wrong_is_told_by_where_it_stands(folder: Path) -> None:
    said = json.loads((folder / "public/manifest.json").read_text())
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"columns_dropped": -1}, "'columns_dropped' must be a whole number of at least 0; it is a number"),
        ({"steps": {}}, "'steps' must be a list; it is a table"),
        ({"file": {**said["file"], "name": "../../etc/passwd"}}, "without a folder"),
        ({"file": {**said["file"], "sha256": "00"}}, "must be a SHA-256 digest"),
        ({"extra": 1}, "has 1 fields that are not known"),
        ({"format": 1}, "format 1; this version of discreet reads 3. Make the release anew"),
    ]
    for change, words in wrong:
        with pytest.raises(BadFile, match=words.replace(".", r"\.")):
            PublicManifest.from_dict({**said, **change})

"""Checking a release as whoever received it can: its file, its manifest, its signature, and what it guarantees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from discreet.dataset import Dataset
from discreet.dataset_release import ENGINE
from discreet.errors import DiscreetError, Mismatch
from discreet.guarantees import guarantee_of
from discreet.manifest import PUBLIC_NAME, SIGNATURE_NAME
from discreet.release import NOTHING_VOUCHES, Published, Release, opened
from discreet.results import FORMAT
from discreet.signing import is_signed_by
from discreet.table import Table
from discreet.writing.release import public_folder

FAULT_IN = f"{ENGINE}:fault_in"
HOLDS, BROKEN, NOT_CHECKED = "holds", "broken", "not checked"
WHEN_SAVED = "checked when saved"
"""The state of a guarantee that the published file alone does not show, and that was checked when it was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at. `state` is "holds", "broken" or "not checked"; `why` says more of the last two."""

    says: str
    state: str
    why: str = ""

    def __str__(self) -> str:
        return f"{self.state}: {self.says}" + (f" ({self.why})" if self.why else "")

    def to_dict(self) -> dict[str, Any]:
        return {"says": self.says, "state": self.state, "why": self.why}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What a check of a release found. `vouched_by` says what vouches for the manifest; empty where nothing does."""

    findings: tuple[Finding, ...] = field(repr=False)
    vouched_by: str = ""

    @property
    def sound(self) -> bool:
        """Whether nothing was found broken. What was not checked is named in the findings."""
        return not any(each.state == BROKEN for each in self.findings)

    @property
    def doubt(self) -> str:
        """What speaks against believing the manifest; empty where something vouches for it."""
        return "" if self.vouched_by else NOTHING_VOUCHES

    def __str__(self) -> str:
        lines = [str(each) for each in self.findings]
        return "\n".join([*lines, *([f"{self.doubt}."] if self.doubt else [])])

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "sound": self.sound,
            "vouched_by": self.vouched_by,
            "doubt": self.doubt,
            "findings": [each.to_dict() for each in self.findings],
        }


def verify(
    folder: str | Path, *, key: str | Path | None = None, private: str | Path | None = None
) -> Verification:
    """What can be checked of the release in a folder, by whoever has it.

    The published file is compared with the digest in the manifest, the manifest with its signature (`key` is the file
    of a public key) and with the private half where that is there, and each guarantee is checked on the file. A folder
    that holds no release raises BadFile.

    >>> verify("release", key="office.pub").sound  # doctest: +SKIP
    True
    """
    place = Path(folder)
    signature = signature_finding(public_folder(place), None if key is None else Path(key))
    try:
        release = opened(place, None if private is None else Path(private))
    except Mismatch as problem:
        file = Finding(says="file and manifest belong together", state=BROKEN, why=str(problem))
        return Verification(findings=(file, signature))
    by_key = "a signature" if signature.state == HOLDS else ""
    file = Finding(says="the published file is the one that the manifest tells of", state=HOLDS)
    plan = () if not release.manifest.unfinished else (_unfinished(release),)
    bound = () if release.private is None else (Finding(says=BOUND, state=HOLDS),)
    checked = tuple(recheck(release))
    vouched = "" if signature.state == BROKEN else by_key or release.vouched_by
    return Verification(findings=(file, *bound, signature, *plan, *checked), vouched_by=vouched)


def _unfinished(release: Published) -> Finding:
    """That steps of the plan are missing: what was only tried is not for publication."""
    says = "all steps of the plan were carried out"
    return Finding(says=says, state=BROKEN, why=release.manifest.unfinished)


BOUND = "the public manifest is the one that the private half was written with"
SIGNED = "the manifest is signed by the key"


def signature_finding(public: Path, key: Path | None) -> Finding:
    """Whether the manifest in a public folder is signed by the key that was given."""
    signature = public / SIGNATURE_NAME
    if key is None:
        there = "there is a signature, and no key was given" if signature.is_file() else "there is none"
        return Finding(says="nobody's signature", state=NOT_CHECKED, why=there)
    if not signature.is_file():
        return Finding(says=SIGNED, state=BROKEN, why="there is no signature beside the manifest")
    manifest = public / PUBLIC_NAME
    content = manifest.read_bytes() if manifest.is_file() else b""
    if is_signed_by(content, signature, key):
        return Finding(says=SIGNED, state=HOLDS)
    return Finding(says=SIGNED, state=BROKEN, why="the signature is of another manifest or by another key")


def guarantees_checked(release: Published) -> tuple[Finding, ...]:
    """Each guarantee of a release, checked on its table here and now.

    They are those that stood after its last step; of a release read from its folder, those that its manifest tells.
    """
    if not isinstance(release, Release) or not release.guarantees:
        return tuple(recheck(release))
    faults = [(guarantee.says(), guarantee.fault(release.table)) for guarantee in release.guarantees]
    return tuple(Finding(says=says, state=BROKEN if fault else HOLDS, why=fault) for says, fault in faults)


def recheck(release: Published) -> Iterator[Finding]:
    """Each guarantee that the manifest tells, checked on the published table as far as that can be."""
    for place, payload in enumerate(release.manifest.guarantees, start=1):
        guarantee = guarantee_of(payload, f"guarantee {place}")
        table = release.table
        why = guarantee.unchecked(table if isinstance(table, Table) else table.part(0, 1))
        if why:
            yield Finding(says=guarantee.says(), state=NOT_CHECKED, why=why)
            continue
        find = guarantee.fault if isinstance(table, Table) else partial(resolve_name(FAULT_IN), guarantee)
        fault = _fault(find, table)
        yield Finding(says=guarantee.says(), state=BROKEN if fault else HOLDS, why=fault)


def _fault(fault: Callable[[Any], str], published: Table | Dataset) -> str:
    """What is wrong in the table; a guarantee that its columns cannot have is broken too."""
    try:
        return fault(published)
    except DiscreetError:
        return "the columns are not of a kind that could have this property"

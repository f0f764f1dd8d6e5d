"""A release: the masked table and its manifest, in memory or in the folder it is published in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from discreet.dataset import PART_RECORDS, Dataset
from discreet.errors import Mismatch, NotSplit
from discreet.guarantees import Guarantee
from discreet.manifest import PrivateManifest, PublicManifest
from discreet.persons import persons_behind
from discreet.plan import Plan
from discreet.published_order import published_order
from discreet.signing import SigningKey
from discreet.table import Described, IntArray, Table
from discreet.visible import visible_line
from discreet.writing.release import ReleaseParts, load_release, save_release, scan_parts, tells_of_parts

PEOPLE = 100_000
"""So many known people are looked for in a dataset, or all where there are fewer."""
WHOLE_CELLS = 1 << 25
"""Up to so many cells of both sides are taken into memory for what does not work in parts."""
NOTHING_VOUCHES = (
    "nothing vouches for the manifest: neither its private half nor a signature is here, so that whoever had the "
    "folder can have changed what it says"
)


class Published:
    """What a release of a table and one of a dataset share: both halves of the manifest, and what follows from them."""

    __slots__ = ()
    table: Table | Dataset
    manifest: PublicManifest
    private: PrivateManifest | None
    vouched_by: str

    @property
    def doubt(self) -> str:
        """What speaks against believing the manifest, in one sentence; empty where something vouches for it."""
        return "" if self.vouched_by else NOTHING_VOUCHES

    @property
    def plan(self) -> Plan:
        """The masking steps: as they were given where that is known, else as the public half tells them."""
        if self.private is not None:
            return self.private.plan
        return Plan.from_dict(
            [{"method": step["method"], **step["parameters"]} for step in self.manifest.steps]
        )

    @property
    def steps(self) -> tuple[StepDone, ...]:
        """The masking steps with what each of them did, as far as it is known."""
        facts = () if self.private is None else self.private.facts[: len(self.manifest.steps)]
        known = [*facts, *({} for _ in self.manifest.steps[len(facts) :])]
        return tuple(
            StepDone(method=step["method"], parameters=step["parameters"], facts=each)
            for step, each in zip(self.manifest.steps, known, strict=True)
        )

    @property
    def secrets(self) -> PrivateManifest:
        """The private half; Mismatch where the release came without it."""
        if self.private is None:
            raise Mismatch(
                "the private manifest of this release is not here, so nobody can say which record belongs to whom. "
                "Give the place where it is kept (private, on the command line --private)."
            )
        return self.private

    def check_original(self, original: Described) -> None:
        """Raises Mismatch where the release was not made of this original, or came without what tells that."""
        made_of = self.secrets
        if len(original) != made_of.original_records:
            raise Mismatch(
                f"the release was made of {made_of.original_records} records and the original given has "
                f"{len(original)}. Give the original that was masked."
            )
        if made_of.original and original.source and made_of.original.digest != original.source.digest:
            raise Mismatch(
                f"the release was made of another file than '{original.source.path}': their digests differ. Give the "
                "original that was masked."
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReleaseInParts(Published):
    """A release whose records have not been read: `table` is a dataset of the published files, in their order.

    `folder` is where it was found, None where the original is taken for a release of itself. It is judged by so many
    `people`, drawn from all alike, and in parts of `part_records`, which change nothing in the result. What does not
    work in parts takes the columns that it needs into memory, where both sides have no more than `whole_cells` in them.
    """

    table: Dataset
    manifest: PublicManifest = field(repr=False)
    private: PrivateManifest | None = field(repr=False)
    vouched_by: str = "whoever made it here"
    folder: Path | None = None
    people: int = PEOPLE
    part_records: int = PART_RECORDS
    whole_cells: int = WHOLE_CELLS

    @property
    def order(self) -> IntArray | None:
        """The row of the original that each published record comes from; None where they are in the same order."""
        if self.secrets.origin is not None:
            raise NotSplit(
                "this release does not hold one record for each of the original, so it is not judged in parts. Load it "
                "whole (Release.load) where it fits in memory."
            )
        if self.manifest.order == "kept":
            return None
        return published_order(len(self.table), self.manifest.order, self.secrets.seed)

    def __repr__(self) -> str:
        """One line without parameters, which can repeat cells."""
        steps = " | ".join(step["method"] for step in self.manifest.steps) or "nothing masked"
        return visible_line(f"<release of '{self.table.name}': {len(self.table)} records in parts, {steps}>")

    def __str__(self) -> str:
        return f"release of '{self.table.name}': {len(self.table)} records in parts, {self.plan}"


def scan_release(folder: Path, private: Path | None) -> ReleaseInParts:
    """The release of a dataset in a folder; its files must have the digests that its manifest tells."""
    manifest, dataset, secrets = scan_parts(folder, private)
    vouched = "" if secrets is None else "its private half"
    return ReleaseInParts(
        table=dataset, manifest=manifest, private=secrets, vouched_by=vouched, folder=folder
    )


def opened(folder: Path, private: Path | None = None) -> Release | ReleaseInParts:
    """The release in a folder: in parts where it is a folder of files, else in memory."""
    in_parts = tells_of_parts(folder)
    return Release.scan(folder, private=private) if in_parts else Release.load(folder, private=private)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Release(Published):
    """A masked table and its manifest.

    `table` is in the order of the original wherever the private half is known. `guarantees` are the properties that
    stand after the last step, and that are checked on the file when it is saved. The private half is None for a release
    that came without it: then nobody can say whose records they are. `vouched_by` says what vouches for the public
    half: the process that made it, or its private half; empty where nothing does. `persons` says which of the masked
    records are of the same person, where the original told; it is never saved. `warnings` are for the steward who
    publishes it.
    """

    table: Table
    manifest: PublicManifest = field(repr=False)
    private: PrivateManifest | None = field(repr=False)
    guarantees: tuple[Guarantee, ...] = field(default=(), repr=False)
    persons: IntArray | None = field(default=None, repr=False)
    warnings: tuple[str, ...] = ()
    vouched_by: str = "whoever made it here"

    @property
    def truth(self) -> IntArray:
        """For each masked record the row of its original, -1 where it comes from nobody."""
        origin = self.secrets.origin
        return np.arange(len(self.table)) if origin is None else origin

    def counted_table(self, original: Table) -> Table:
        """The published table in which classes count people: with the persons of its records, where the original tells.

        It is the published table itself where that tells them by pseudonyms, or where the original has no persons.
        """
        persons = persons_behind(original, self.truth)
        return self.table if persons is None else self.table.with_persons(persons)

    def save(
        self,
        folder: str | Path,
        *,
        file: str | None = None,
        force: bool = False,
        sign: str | Path | SigningKey | None = None,
        spreadsheet_safe: bool = True,
    ) -> Path:
        """The folder, with the published file and the public manifest in `public/` and the secrets in `private/`.

        The file is read back and every guarantee is checked on it before anything is put in place; when one does not
        hold, GuaranteeBroken is raised and nothing is written. With `sign`, a key or the file of a key without a
        passphrase, the public manifest is signed, so that others can check whose it is (`discreet.verify`). Texts of a
        CSV file that a spreadsheet would run as formulas get an apostrophe before them, as the manifest tells, unless
        `spreadsheet_safe` is False; `load` takes it away again.
        """
        key = sign if sign is None or isinstance(sign, SigningKey) else SigningKey.load(sign)
        parts = ReleaseParts(
            table=self.table,
            manifest=self.manifest,
            private=self.secrets,
            guarantees=self.guarantees,
            persons=self.persons,
        )
        return save_release(
            parts,
            Path(folder),
            file=file,
            force=force,
            sign=None if key is None else key.sign,
            spreadsheet_safe=spreadsheet_safe,
        )

    @classmethod
    def load(cls, folder: str | Path, *, private: str | Path | None = None) -> Release:
        """The release in a folder, checked against its manifest.

        `private` is the file of the private half, or its folder, where it is kept apart.
        """
        parts = load_release(Path(folder), None if private is None else Path(private))
        vouched = "" if parts.private is None else "its private half"
        return cls(table=parts.table, manifest=parts.manifest, private=parts.private, vouched_by=vouched)

    @staticmethod
    def scan(folder: str | Path, *, private: str | Path | None = None) -> ReleaseInParts:
        """The release of a dataset in a folder, checked against its manifest, without reading its records."""
        return scan_release(Path(folder), None if private is None else Path(private))

    def to_frame(self) -> Any:
        """The published records as the kind of frame that the original came in: pandas, polars or Arrow.

        They are in the order of the published file, which tells nothing of who is who.
        """
        if self.private is None:
            return self.table.to_native()
        rows = published_order(len(self.table), self.manifest.order, self.private.seed)
        return self.table.take(rows).to_native()

    def __repr__(self) -> str:
        """One line without parameters, which can repeat cells."""
        steps = " | ".join(step["method"] for step in self.manifest.steps) or "nothing masked"
        return visible_line(f"<release of '{self.table.name}': {len(self.table)} records, {steps}>")

    def _repr_html_(self) -> str:
        from discreet.notebook import release_html

        return release_html(self)

    def __str__(self) -> str:
        return f"release of '{self.table.name}': {len(self.table)} records, {self.plan}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDone:
    """One masking step of a release: its method, all its parameters, and what it did."""

    method: str
    parameters: Mapping[str, Any]
    facts: Mapping[str, Any]

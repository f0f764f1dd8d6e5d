"""A release: the masked table, what was done, and the folder it is published in."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from discreet import seeds
from discreet.manifest import PrivateManifest, PublicManifest
from discreet.plan import Plan
from discreet.promises import Promise
from discreet.results import Masked
from discreet.table import IntArray, Source, Table

ORDER_STREAM = (1 << 20) + 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Release:
    """A masked table and its manifest.

    `table` is in the order of the original. `promises` are the properties that stand after the last step, and that are
    checked on the file when it is saved. The seed is secret: it is in no `repr` and in no public half.
    """

    table: Table
    plan: Plan
    steps: tuple[Masked, ...] = field(repr=False)
    promises: tuple[Promise, ...]
    dropped: tuple[str, ...]
    pseudonymised: tuple[str, ...]
    order: str
    seed: int = field(repr=False)
    original: Source | None
    original_records: int
    origin: IntArray | None = field(repr=False)

    @property
    def manifest(self) -> PublicManifest:
        """The public half of the manifest, without a file as long as nothing is saved."""
        return PublicManifest(
            steps=tuple({"method": step.method, "parameters": dict(step.parameters)} for step in self.steps),
            columns=self.table.columns,
            promises=tuple(promise.to_dict() for promise in self.promises),
            dropped=self.dropped,
            pseudonymised=self.pseudonymised,
            order=self.order,
            rows_kept=self.origin is None,
        )

    @property
    def private(self) -> PrivateManifest:
        """The private half of the manifest: keep it apart."""
        return PrivateManifest(
            seed=self.seed,
            plan=self.plan,
            original=self.original,
            original_records=self.original_records,
            origin=None if self.origin is None else tuple(self.origin.tolist()),
        )

    @property
    def truth(self) -> IntArray:
        """For each masked record the row of its original, -1 where it comes from nobody."""
        return np.arange(len(self.table)) if self.origin is None else self.origin

    def save(self, folder: str | Path, *, file: str | None = None, force: bool = False) -> Path:
        """The folder, with the published file and the public manifest in `public/` and the secrets in `private/`.

        The file is read back and every promise is checked on it before anything is put in place; when one does not
        hold, PromiseBroken is raised and nothing is written.
        """
        from discreet.writing.release import save_release

        return save_release(self, Path(folder), file=file, force=force)

    def __str__(self) -> str:
        return f"release of '{self.table.name}': {len(self.table)} records, {self.plan}"


def published_order(records: int, order: str, seed: int) -> IntArray:
    """The rows of the release in the order in which the file holds them."""
    if order == "kept":
        return np.arange(records)
    return seeds.generator(seed, ORDER_STREAM).permutation(records)

"""The manifest of a release: a public half that others can check, and a private half that can undo the masking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import numpy as np

from discreet.errors import BadFile
from discreet.plan import Plan
from discreet.table import Column, IntArray, Role, Scale, Source

FORMAT = 1
PUBLIC_NAME = "manifest.json"
PRIVATE_NAME = "manifest.private.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFile:
    """The file that was published, as it lies on the disk."""

    name: str
    digest: str
    records: int
    types: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicManifest:
    """What is published beside the file: methods, parameters, versions, and the properties checked on the file.

    Attacks read it: whoever says "rank swapping, p=5" is attacked with that knowledge.
    """

    steps: tuple[Mapping[str, Any], ...]
    columns: tuple[Column, ...]
    promises: tuple[Mapping[str, Any], ...]
    dropped: tuple[str, ...]
    pseudonymised: tuple[str, ...]
    order: str
    rows_kept: bool
    file: PublishedFile | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "made_with": made_with(),
            "file": None
            if self.file is None
            else {
                "name": self.file.name,
                "sha256": self.file.digest,
                "records": self.file.records,
                "types": dict(self.file.types),
            },
            "columns": {each.name: each.to_dict() for each in self.columns},
            "steps": [dict(step) for step in self.steps],
            "checked_on_the_published_file": [dict(promise) for promise in self.promises],
            "columns_dropped": list(self.dropped),
            "pseudonymised": list(self.pseudonymised),
            "order_of_records": self.order,
            "one_row_for_each_record": self.rows_kept,
        }

    @classmethod
    def from_dict(cls, said: Mapping[str, Any]) -> PublicManifest:
        """The manifest that `to_dict` wrote."""
        if said.get("format") != FORMAT:
            raise BadFile(
                f"the manifest has format {said.get('format')!r}; this version of discreet reads {FORMAT}."
            )
        file = said["file"]
        return cls(
            steps=tuple(said["steps"]),
            columns=tuple(_column(name, each) for name, each in said["columns"].items()),
            promises=tuple(said["checked_on_the_published_file"]),
            dropped=tuple(said["columns_dropped"]),
            pseudonymised=tuple(said["pseudonymised"]),
            order=said["order_of_records"],
            rows_kept=said["one_row_for_each_record"],
            file=PublishedFile(
                name=file["name"], digest=file["sha256"], records=file["records"], types=file["types"]
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrivateManifest:
    """What can undo the masking: the seed, the original's digest and the mapping of records. Never published.

    `published` is the digest of the published file that this half belongs to; empty until there is one.
    """

    seed: int = field(repr=False)
    plan: Plan
    original: Source | None
    original_records: int
    facts: tuple[Mapping[str, Any], ...] = ()
    origin: IntArray | None = field(default=None, repr=False)
    published: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "secret": "whoever has this file can undo the masking: keep it apart from what is published",
            "seed": f"{self.seed:x}",
            "plan": self.plan.to_dict(),
            "original": None
            if self.original is None
            else {"name": self.original.path, "sha256": self.original.digest},
            "original_records": self.original_records,
            "what_each_step_did": [dict(each) for each in self.facts],
            "origin": None if self.origin is None else self.origin.tolist(),
            "published_sha256": self.published,
        }

    @classmethod
    def from_dict(cls, said: Mapping[str, Any]) -> PrivateManifest:
        """The manifest that `to_dict` wrote."""
        original = said["original"]
        return cls(
            seed=int(said["seed"], 16),
            plan=Plan.from_dict(said["plan"]),
            original=None if original is None else Source(path=original["name"], digest=original["sha256"]),
            original_records=said["original_records"],
            facts=tuple(said["what_each_step_did"]),
            origin=None if said["origin"] is None else np.array(said["origin"], dtype=np.int64),
            published=said.get("published_sha256", ""),
        )


def made_with() -> dict[str, str]:
    """The versions of what takes part in the numbers."""
    return {name: version(name) for name in ("discreet", "numpy", "polars", "scipy")}


def _column(name: str, said: Mapping[str, Any]) -> Column:
    return Column(
        name=name,
        role=Role(said["role"]),
        scale=Scale(said["scale"]),
        order=tuple(said.get("order", ())),
        ontology=said.get("ontology", ""),
        mapping=said.get("mapping", ""),
        label=said.get("label", ""),
        value_labels=said.get("value_labels", {}),
    )

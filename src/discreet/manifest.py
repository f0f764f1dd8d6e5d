"""The manifest of a release: a public half that others can check, and a private half that can undo the masking."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import PurePath
from typing import Any

import numpy as np

from discreet import registry
from discreet.dialect import USUAL, Dialect
from discreet.errors import BadFile, BadInput, BadParameter
from discreet.guarantees import NoMaskedNames, guarantee_of
from discreet.parameters import ColumnsKind
from discreet.plan import Plan
from discreet.shapes import (
    anything,
    digest,
    flag,
    list_of,
    maybe,
    number,
    one_of,
    record,
    refuse,
    table_of,
    text,
    whole,
)
from discreet.table import Column, IntArray, Role, Scale, Source

FORMAT = 3
PUBLIC_NAME = "manifest.json"
PRIVATE_NAME = "manifest.private.json"
SIGNATURE_NAME = "manifest.json.sig"
ORDERS = ("shuffled", "kept")

_TEXTS = list_of(text)
_COLUMN = record(
    {"role": one_of(*Role), "scale": one_of(*Scale)},
    {"order": _TEXTS, "ontology": text, "mapping": text, "label": text, "value_labels": table_of(text)},
)
_STEP = record(
    {"method": text, "parameters": table_of(anything)},
    {
        "ontologies": table_of(table_of(text)),
        "transitions": table_of(table_of(table_of(number))),
    },
)
_PART = record({"name": text, "sha256": digest, "records": whole(0)})
_DIALECT = record(
    {},
    {
        "delimiter": text,
        "decimal": one_of(".", ","),
        "encoding": text,
        "line_end": one_of("\n", "\r\n", "\r"),
        "names_quoted": flag,
        "quoted": _TEXTS,
        "formats": table_of(text),
        "decimals": table_of(whole(0)),
    },
)
_FILE = record(
    {"name": text, "sha256": digest, "records": whole(0), "types": table_of(text)},
    {"formulas_quoted": flag, "dialect": _DIALECT, "parts": list_of(_PART)},
)
_PUBLIC = record(
    {
        "format": whole(0),
        "made_with": table_of(text),
        "file": maybe(_FILE),
        "columns": table_of(_COLUMN),
        "steps": list_of(_STEP),
        "checked_on_the_published_file": list_of(table_of(anything)),
        "columns_dropped": whole(0),
        "pseudonymised": _TEXTS,
        "order_of_records": one_of(*ORDERS),
        "one_row_for_each_record": flag,
    },
    {"steps_left": whole(1)},
)
_PRIVATE = record(
    {
        "format": whole(0),
        "secret": text,
        "seed": text,
        "plan": list_of(table_of(anything)),
        "original": maybe(record({"name": text, "sha256": text})),
        "original_records": whole(0),
        "columns_dropped": _TEXTS,
        "parameters_of_each_step": list_of(table_of(anything)),
        "what_each_step_did": list_of(table_of(anything)),
        "origin": maybe(list_of(whole(-1))),
        "published_sha256": text,
        "public_half_sha256": text,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedPart:
    """One of the files of a release that is a folder of them."""

    name: str
    digest: str
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFile:
    """The file that was published, as it lies on the disk, or the folder of files whose `parts` follow each other.

    `formulas_quoted` tells that an apostrophe stands before texts that a spreadsheet would run as formulas, and
    `dialect` how a text is written.
    """

    name: str
    digest: str
    records: int
    types: Mapping[str, str]
    formulas_quoted: bool = False
    dialect: Dialect = USUAL
    parts: tuple[PublishedPart, ...] = ()

    @classmethod
    def of_parts(cls, name: str, parts: Sequence[PublishedPart], types: Mapping[str, str]) -> PublishedFile:
        """What is published as a folder of files: their digest is that of their digests, one after the other."""
        digests = "".join(each.digest for each in parts)
        return cls(
            name=name,
            digest=hashlib.sha256(digests.encode()).hexdigest(),
            records=sum(each.records for each in parts),
            types=types,
            parts=tuple(parts),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicManifest:
    """What is published beside the file: methods, parameters, versions, and the properties checked on the file.

    It holds no cell that the file does not show: `discreet.public_half` makes it. `dropped` counts the columns that are
    left out; the private half names them. Attacks read it: whoever says "rank swapping, p=5" is attacked with that
    knowledge. `steps_left` counts the steps of the plan that were not carried out: such a release is not finished.
    """

    steps: tuple[Mapping[str, Any], ...]
    columns: tuple[Column, ...]
    guarantees: tuple[Mapping[str, Any], ...]
    dropped: int
    pseudonymised: tuple[str, ...]
    order: str
    rows_kept: bool
    file: PublishedFile | None = None
    steps_left: int = 0

    @property
    def unfinished(self) -> str:
        """That steps of the plan were left out, in words; empty where all were carried out."""
        if not self.steps_left:
            return ""
        planned = len(self.steps) + self.steps_left
        return f"the release is unfinished: {len(self.steps)} of the {planned} steps of its plan were carried out"

    @property
    def sanitised(self) -> tuple[str, ...]:
        """The columns of text in which names were replaced."""
        return tuple(name for each in self._about_texts() for name in each["columns"])

    @property
    def policy(self) -> str:
        """The name of the policy by which columns of text were sanitised; empty where there is none."""
        return next((each.get("policy", "") for each in self._about_texts()), "")

    @property
    def not_looked_for(self) -> tuple[str, ...]:
        """What was not looked for in these columns, in sentences."""
        return tuple(sentence for each in self._about_texts() for sentence in each["not_looked_for"])

    def _about_texts(self) -> list[Mapping[str, Any]]:
        return [each for each in self.guarantees if each["guarantee"] == NoMaskedNames.__name__]

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
                **({"formulas_quoted": True} if self.file.formulas_quoted else {}),
                **({"parts": [_part_to_dict(each) for each in self.file.parts]} if self.file.parts else {}),
                **({"dialect": self.file.dialect.to_dict()} if self.file.dialect != USUAL else {}),
            },
            "columns": {each.name: each.to_dict() for each in self.columns},
            "steps": [dict(step) for step in self.steps],
            "checked_on_the_published_file": [dict(guarantee) for guarantee in self.guarantees],
            "columns_dropped": self.dropped,
            "pseudonymised": list(self.pseudonymised),
            "order_of_records": self.order,
            "one_row_for_each_record": self.rows_kept,
            **({"steps_left": self.steps_left} if self.steps_left else {}),
        }

    @classmethod
    def from_dict(cls, payload: Mapping[str, Any]) -> PublicManifest:
        """The manifest that `to_dict` wrote; BadFile, which says what is wrong and where, for anything else."""
        _check_format(payload)
        _PUBLIC(payload, "the public manifest")
        columns = tuple(Column.from_dict(name, each) for name, each in payload["columns"].items())
        steps = [
            _step(step, f"the public manifest, step {place}")
            for place, step in enumerate(payload["steps"], start=1)
        ]
        for place, each in enumerate(payload["checked_on_the_published_file"], start=1):
            guarantee_of(each, f"the public manifest, guarantee {place}")
        file = payload["file"]
        if file is not None and (not file["name"] or PurePath(file["name"]).name != file["name"]):
            raise BadFile("the public manifest: the file must be named without a folder.")
        if file is not None and list(file["types"]) != [each.name for each in columns]:
            raise BadFile("the public manifest: the types are not those of the columns.")
        return cls(
            steps=tuple(steps),
            columns=columns,
            guarantees=tuple(payload["checked_on_the_published_file"]),
            dropped=payload["columns_dropped"],
            pseudonymised=tuple(payload["pseudonymised"]),
            order=payload["order_of_records"],
            rows_kept=payload["one_row_for_each_record"],
            file=None
            if file is None
            else PublishedFile(
                name=file["name"],
                digest=file["sha256"],
                records=file["records"],
                types=file["types"],
                formulas_quoted=file.get("formulas_quoted", False),
                parts=tuple(
                    PublishedPart(name=each["name"], digest=each["sha256"], records=each["records"])
                    for each in file.get("parts", ())
                ),
                dialect=_dialect(file.get("dialect", {})),
            ),
            steps_left=payload.get("steps_left", 0),
        )


def _dialect(payload: Mapping[str, Any]) -> Dialect:
    """The dialect of the published file; BadFile where it says what no file can be written in."""
    try:
        return Dialect.from_dict(payload)
    except BadParameter as problem:
        raise BadFile(f"the public manifest: the file: {problem}") from None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrivateManifest:
    """What can undo the masking: the seed, the original's digest and the mapping of records. Never published.

    `parameters` are those of each step, whole. `published` is the digest of the published file that this half belongs
    to, and `public_half` that of the public manifest, both by the bytes of the files; empty until there are such.
    """

    seed: int = field(repr=False)
    plan: Plan
    original: Source | None
    original_records: int
    dropped: tuple[str, ...] = ()
    parameters: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    facts: tuple[Mapping[str, Any], ...] = ()
    origin: IntArray | None = field(default=None, repr=False)
    published: str = ""
    public_half: str = ""

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
            "columns_dropped": list(self.dropped),
            "parameters_of_each_step": [dict(each) for each in self.parameters],
            "what_each_step_did": [dict(each) for each in self.facts],
            "origin": None if self.origin is None else self.origin.tolist(),
            "published_sha256": self.published,
            "public_half_sha256": self.public_half,
        }

    @classmethod
    def from_dict(cls, payload: Mapping[str, Any]) -> PrivateManifest:
        """The manifest that `to_dict` wrote; BadFile, which says what is wrong and where, for anything else."""
        _check_format(payload)
        _PRIVATE(payload, "the private manifest")
        original, origin = payload["original"], payload["origin"]
        if origin is not None and max(origin, default=-1) >= payload["original_records"]:
            raise BadFile("the private manifest: 'origin' names records that the original does not have.")
        return cls(
            seed=_seed(payload["seed"]),
            plan=_plan(payload["plan"]),
            original=None if original is None else Source(path=original["name"], digest=original["sha256"]),
            original_records=payload["original_records"],
            dropped=tuple(payload["columns_dropped"]),
            parameters=tuple(payload["parameters_of_each_step"]),
            facts=tuple(payload["what_each_step_did"]),
            origin=None if origin is None else np.array(origin, dtype=np.int64),
            published=payload["published_sha256"],
            public_half=payload["public_half_sha256"],
        )


def _part_to_dict(part: PublishedPart) -> dict[str, Any]:
    return {"name": part.name, "sha256": part.digest, "records": part.records}


def made_with() -> dict[str, str]:
    """The versions of what takes part in the numbers."""
    return {name: version(name) for name in ("discreet", "numpy", "polars", "scipy")}


def _check_format(payload: Mapping[str, Any]) -> None:
    found = payload.get("format") if isinstance(payload, Mapping) else None
    if isinstance(found, bool) or not isinstance(found, int) or not 0 < found < 1000:
        raise BadFile("this is not a manifest: it does not say of which format it is.")
    if found != FORMAT:
        do = "Make the release anew from its original." if found < FORMAT else "A later version does."
        raise BadFile(f"the manifest has format {found}; this version of discreet reads {FORMAT}. {do}")


def _step(step: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    """The step with all parameters of its method, also those that there were not yet when the release was made.

    Raises BadFile where it is not one of a method that is known, with all other parameters and these only.
    """
    try:
        method = registry.find("mask", step["method"])
    except BadInput:
        raise BadFile(f"{where} is of a method that this version of discreet does not know.") from None
    untold = [name for name in method.later if name not in step["parameters"]]
    given = {**step["parameters"], **{name: method.parameter(name).default for name in untold}}
    if sorted(given) != sorted(each.name for each in method.parameters):
        raise BadFile(
            f"{where} does not tell the parameters of {method.name}, and these only: another version of discreet wrote "
            "it, or it was changed since. Make the release anew from its original, or restore the manifest."
        )
    for each in method.parameters:
        value = given[each.name]
        withheld = value is None and (each.optional or (each.kind.holds_cells and each.default is None))
        nothing_left = value == [] and isinstance(each.kind, ColumnsKind)
        if not (withheld or nothing_left or each.kind.accepts(value)):
            raise refuse(f"{where}, '{each.name}'", each.kind.wants(), value)
    return {**step, "parameters": given}


def _seed(text: str) -> int:
    try:
        found = int(text, 16)
    except ValueError:
        found = -1
    if not 0 <= found < 1 << 128:
        raise BadFile("the private manifest: 'seed' must be a hexadecimal number of 128 bits.")
    return found


def _plan(steps: list[dict[str, Any]]) -> Plan:
    try:
        return Plan.from_dict(steps)
    except BadInput:
        # What is wrong may be a category of a mapping, so that it is not repeated.
        raise BadFile("the private manifest: 'plan' holds a step that is none of a mask.") from None

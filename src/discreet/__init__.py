"""Publish data without publishing people: mask, attack, measure, report.

>>> import discreet as dc
>>> table = dc.Table.of(frame, roles={"age": "quasi-identifier", "income": "confidential"})  # doctest: +SKIP

Names are loaded when they are first used, so that `import discreet` is quick. A room whose verb is a public name
(`read`, `report`, `search`) is called by its noun form, so that one name never means two things.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from discreet import attack, engine, errors, loss, mask, ontology, text
    from discreet.assessment import Assessment, assess
    from discreet.dataset import Dataset
    from discreet.dataset_release import DatasetRelease
    from discreet.errors import DiscreetError
    from discreet.hierarchies import ValueHierarchy, hierarchy
    from discreet.inspection import Proposal, inspect
    from discreet.intruder import Intruder
    from discreet.listing import methods
    from discreet.masker import Masker
    from discreet.plan import Plan
    from discreet.project import Project
    from discreet.protection import protect
    from discreet.reading import read
    from discreet.reading.scan import scan
    from discreet.release import Release
    from discreet.reporting import Report, report
    from discreet.searching import search
    from discreet.signing import SigningKey
    from discreet.table import Column, Role, Scale, Table
    from discreet.verification import Verification, verify

_ROOMS = ("attack", "engine", "errors", "loss", "mask", "ontology", "text")
_HOMES = {
    "Assessment": "discreet.assessment",
    "Column": "discreet.table",
    "Dataset": "discreet.dataset",
    "DatasetRelease": "discreet.dataset_release",
    "DiscreetError": "discreet.errors",
    "Intruder": "discreet.intruder",
    "Masker": "discreet.masker",
    "Plan": "discreet.plan",
    "Project": "discreet.project",
    "Proposal": "discreet.inspection",
    "Release": "discreet.release",
    "Report": "discreet.reporting",
    "Role": "discreet.table",
    "Scale": "discreet.table",
    "SigningKey": "discreet.signing",
    "Table": "discreet.table",
    "ValueHierarchy": "discreet.hierarchies",
    "Verification": "discreet.verification",
    "assess": "discreet.assessment",
    "hierarchy": "discreet.hierarchies",
    "inspect": "discreet.inspection",
    "methods": "discreet.listing",
    "protect": "discreet.protection",
    "read": "discreet.reading",
    "report": "discreet.reporting",
    "scan": "discreet.reading.scan",
    "search": "discreet.searching",
    "verify": "discreet.verification",
}

__all__ = [
    "Assessment",
    "Column",
    "Dataset",
    "DatasetRelease",
    "DiscreetError",
    "Intruder",
    "Masker",
    "Plan",
    "Project",
    "Proposal",
    "Release",
    "Report",
    "Role",
    "Scale",
    "SigningKey",
    "Table",
    "ValueHierarchy",
    "Verification",
    "__version__",
    "assess",
    "attack",
    "engine",
    "errors",
    "hierarchy",
    "inspect",
    "loss",
    "mask",
    "methods",
    "ontology",
    "protect",
    "read",
    "report",
    "scan",
    "search",
    "text",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return importlib.import_module(f"discreet.{name}")
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'discreet' has no attribute '{name}'")


def __dir__() -> list[str]:
    return __all__

"""The names that others rely on."""

from __future__ import annotations

import subprocess
import sys

import discreet
from discreet import attack, loss, mask
from discreet.registry import methods

NAMES = [
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


def test_the_public_names_are_pinned() -> None:
    assert sorted(discreet.__all__) == sorted(NAMES)
    for name in NAMES:
        assert getattr(discreet, name) is not None


def test_no_name_means_two_things() -> None:
    """Importing every room leaves the public verbs what they are."""
    code = (
        "import pkgutil, importlib, types, discreet\n"
        "for each in pkgutil.walk_packages(discreet.__path__, 'discreet.'):\n"
        "    if not each.name.endswith('__main__'): importlib.import_module(each.name)\n"
        "rooms = {'attack', 'engine', 'errors', 'loss', 'mask', 'ontology', 'text', '__version__'}\n"
        "bad = [n for n in discreet.__all__ if n not in rooms and isinstance(getattr(discreet, n), types.ModuleType)]\n"
        "assert not bad, bad\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_registered_method_is_exported_by_its_room() -> None:
    for kind, room in (("mask", mask), ("attack", attack), ("loss", loss)):
        for method in methods(kind):  # type: ignore[arg-type]
            assert getattr(room, method.name) is method.function


def test_importing_discreet_loads_nothing_heavy() -> None:
    heavy = "{'numba', 'sklearn', 'scipy', 'polars', 'altair', 'pyreadstat', 'highspy', 'numpy', 'rdflib'}"
    code = f"import sys, discreet; found = {heavy} & set(sys.modules); assert not found, found"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_tables_and_masks_load_without_compilers_and_models() -> None:
    heavy = "{'numba', 'sklearn', 'altair', 'pyreadstat', 'highspy', 'rdflib', 'PIL'}"
    code = (
        "import sys, discreet as dc\n"
        "dc.Table, dc.mask, dc.attack, dc.loss, dc.read\n"
        f"found = {heavy} & set(sys.modules); assert not found, found"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

"""Loaded by every Python process of a run of mutants: gives it the mutated module, or records the lines it runs.

The package on disk stays as it is, and with it the stored machine code of its kernels: only the module named by
`MUTANT_MODULE` is compiled from another source when it is imported.
"""

from __future__ import annotations

import atexit
import importlib.abc
import importlib.machinery
import os
import sys
from pathlib import Path
from types import CodeType


class _Mutated(importlib.machinery.SourceFileLoader):
    """Compiles another source under the name and the place of the module."""

    def get_code(self, fullname: str) -> CodeType:
        source = Path(os.environ["MUTANT_SOURCE"]).read_bytes()
        code: CodeType = compile(source, self.path, "exec", dont_inherit=True)
        return code


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the mutated module; all others are found as ever."""

    def find_spec(
        self, fullname: str, path: object, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != os.environ["MUTANT_MODULE"]:
            return None
        found = importlib.machinery.PathFinder.find_spec(fullname, path)  # type: ignore[arg-type]
        if found is not None and found.origin is not None:
            found.loader = _Mutated(fullname, found.origin)
        return found


def _record() -> None:
    """Records the lines that this process runs, for the test that started it."""
    import coverage

    recorder = coverage.Coverage(
        data_file=os.environ["RECORD_DATA"],
        data_suffix=True,
        config_file=False,
        source=[os.environ["RECORD_SOURCE"]],
        context=os.environ["RECORD_TEST"],
    )
    recorder.start()

    def save() -> None:
        recorder.stop()
        recorder.save()

    atexit.register(save)


if "MUTANT_MODULE" in os.environ:
    sys.meta_path.insert(0, _Finder())
if "RECORD_TEST" in os.environ:
    _record()

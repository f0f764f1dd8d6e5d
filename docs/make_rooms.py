"""The lines of a room's `__init__.py`: every method of the room and every result of its own, found in its files.

They are written out and not looked up when discreet runs, because a file has the name of its method: only a written
line tells type checkers and editors that `dc.mask.pram` is the function and not the file.
"""

from __future__ import annotations

import ast
from pathlib import Path

import discreet

SOURCE = Path(discreet.__file__).parent
ABOUT = {
    "mask": "Masking: functions from a table to a masked one, one file for each.",
    "attack": "Attacks: what an intruder gets right about a release, one file for each.",
    "loss": "Loss: how much use a masked table has kept, one file for each measure.",
}


def rooms() -> dict[Path, str]:
    """The `__init__.py` of each room and where it lies."""
    return {SOURCE / kind / "__init__.py": room(kind, SOURCE / kind) for kind in ABOUT}


def room(kind: str, folder: Path) -> str:
    """The text of the `__init__.py` of a room, whose files lie in the folder."""
    lines = {line for path in folder.glob("*.py") for line in _of_methods(path, kind)}
    for path in folder.glob("*/__init__.py"):
        lines |= {(f"discreet.{kind}.{path.parent.name}", name) for name in _listed(path)}
    written = [f"from {module} import {name} as {name}\n" for module, name in sorted(lines)]
    return f'"""{ABOUT[kind]}"""\n\n' + "".join(written)


def _of_methods(path: Path, kind: str) -> list[tuple[str, str]]:
    """The methods in a file, and the results that they return where the room defines them: modules and names."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = f"discreet.{kind}.{path.stem}"
    classes = {each.name: own for each in tree.body if isinstance(each, ast.ClassDef)}
    for each in tree.body:
        if isinstance(each, ast.ImportFrom) and (each.module or "").startswith(f"discreet.{kind}."):
            classes |= {alias.name: str(each.module) for alias in each.names}
    found = []
    for each in tree.body:
        if isinstance(each, ast.FunctionDef) and any(_registers(call, kind) for call in each.decorator_list):
            found.append((own, each.name))
            if isinstance(each.returns, ast.Name) and each.returns.id in classes:
                found.append((classes[each.returns.id], each.returns.id))
    return found


def _registers(decorator: ast.expr, kind: str) -> bool:
    return isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == f"registry.{kind}"


def _listed(path: Path) -> list[str]:
    """The names in the `__all__` of a package, if it has one."""
    for each in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "__all__":
            return list(ast.literal_eval(each.value))
    return []

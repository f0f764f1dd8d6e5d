"""The mutants of a source file: one small change each, made in the text, so that every other line stays as it is."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
TWINS = {"min": "max", "max": "min", "any": "all", "all": "any", "minimum": "maximum", "maximum": "minimum"}
PROSE = 6
"""A text of so many words is prose: what it says is for people to judge, and the reference pages hold it."""
NEEDLESS = ("about", "dtype", "strict")
"""Arguments that say what is so anyway, or what a parameter is for: without them nearly all stays the same."""
PIECES = re.compile(r"\w+_AT_ONCE|CHUNK|BLOCK|ROWS_A_GROUP")
"""Names of sizes of the pieces in which work is done: the result is the same for any."""
LARGE = 10_000
"""A limit `MOST_…` of work or memory that is larger: one more of it, or twice as much, changes no result."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of a source file: the bytes from `start` to `end` become `new`."""

    operator: str
    first: int
    """The first line of the statement (or of the head of a block) that is changed."""
    last: int
    line: int
    start: int
    end: int
    new: str
    inside: bool
    """Whether the line is run when a function is called, rather than when the module is imported."""

    def of(self, source: bytes) -> bytes:
        """The mutated source."""
        return source[: self.start] + self.new.encode() + source[self.end :]


def mutants(source: bytes) -> list[Mutant]:
    """All mutants of the source, in the order of its lines."""
    return sorted(set(_Walk(source).all()), key=lambda each: (each.start, each.end, each.operator, each.new))


class _Walk:
    """A walk through a source that knows in which statement it is."""

    def __init__(self, source: bytes) -> None:
        self.tree = ast.parse(source)
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def all(self) -> Iterator[Mutant]:
        yield from self._statements(self.tree.body, inside=False)

    def _statements(self, body: list[ast.stmt], *, inside: bool) -> Iterator[Mutant]:
        for statement in body:
            if not _is_left_out(statement):
                yield from self._statement(statement, inside)

    def _statement(self, node: ast.stmt, inside: bool) -> Iterator[Mutant]:
        if isinstance(node, ast.ClassDef) and _has_own_repr(node):
            for each in node.body:
                _without_repr(each)
        deeper = inside or isinstance(node, FUNCTIONS)
        blocks = [
            name for name in ("body", "orelse", "finalbody") if isinstance(getattr(node, name, None), list)
        ]
        last = node.body[0].lineno - 1 if blocks and node.body else node.end_lineno or node.lineno  # type: ignore[attr-defined]
        lines = (node.lineno, max(node.lineno, last), inside)
        for name, new, old in _whole(node):
            yield self._mutant(name, old, new, lines)
        for expression in _expressions(node):
            for changed, name, new in _changes(expression):
                yield self._mutant(name, changed, new, lines)
        for block in blocks:
            yield from self._statements(getattr(node, block), inside=deeper)
        for handler in [*getattr(node, "handlers", []), *getattr(node, "cases", [])]:
            yield from self._statements(handler.body, inside=deeper)

    def _mutant(self, name: str, old: ast.AST, new: str, lines: tuple[int, int, bool]) -> Mutant:
        first, last, inside = lines
        line = int(old.lineno)  # type: ignore[attr-defined]
        start = self.starts[line - 1] + int(old.col_offset)  # type: ignore[attr-defined]
        end = self.starts[int(old.end_lineno) - 1] + int(old.end_col_offset)  # type: ignore[attr-defined]
        return Mutant(name, first, last, line, start, end, new, inside)


def _is_left_out(node: ast.stmt) -> bool:
    """Whether a statement is a docstring, an import, an error with its message, for mypy, or a size of work."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return True
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
        return True
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        return _is_size_of_work(node.targets[0].id, node.value)
    return isinstance(node, ast.Raise | ast.Import | ast.ImportFrom | ast.Assert)


def _has_own_repr(node: ast.ClassDef) -> bool:
    """Whether a class writes its own repr, as the results of attacks do: then `repr=` of its fields says nothing."""
    own = any(isinstance(each, FUNCTIONS) and each.name == "__repr__" for each in node.body)
    return own or any(ast.unparse(base) == "Risk" for base in node.bases)


def _without_repr(node: ast.stmt) -> None:
    """Takes `repr=` out of the field that a statement declares; places in the source stay as they are."""
    if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Call):
        node.value.keywords = [each for each in node.value.keywords if each.arg != "repr"]


def _is_size_of_work(name: str, value: ast.expr) -> bool:
    if PIECES.fullmatch(name):
        return True
    large = isinstance(value, ast.Constant) and isinstance(value.value, int | float) and value.value >= LARGE
    return large and name.startswith("MOST_")


def _whole(node: ast.stmt) -> Iterator[tuple[str, str, ast.AST]]:
    """Changes of a statement as a whole: its call left out, its value not returned, its condition turned round."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "call removed", "pass", node
    if isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield "nothing returned", "return None", node
    if isinstance(node, ast.If | ast.While) and not isinstance(node.test, ast.Constant):
        yield "condition negated", f"(not ({ast.unparse(node.test)}))", node.test
    if isinstance(node, ast.AugAssign) and type(node.op) in COMPUTED:
        other = copy.deepcopy(node)
        other.op = COMPUTED[type(node.op)]()
        yield "arithmetic swapped", ast.unparse(other), node


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _expressions(node: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement's own lines: no block, no decorator; of annotations only the calls in them."""
    if isinstance(node, FUNCTIONS):
        given = node.args
        yield from [each for each in [*given.defaults, *given.kw_defaults] if each is not None]
        for argument in [*given.posonlyargs, *given.args, *given.kwonlyargs]:
            if argument.annotation is not None:
                yield from _ranges(argument.annotation)
    elif isinstance(node, ast.AnnAssign):
        yield from [node.value] if node.value is not None else []
    elif not isinstance(node, ast.ClassDef):
        for name, value in ast.iter_fields(node):
            if name not in ("body", "orelse", "finalbody", "handlers", "cases", "targets", "target", "op"):
                values = value if isinstance(value, list) else [value]
                for each in values:
                    if isinstance(each, ast.withitem):
                        yield each.context_expr
                    elif isinstance(each, ast.expr):
                        yield each


def _ranges(annotation: ast.expr) -> Iterator[ast.expr]:
    """The numbers in the declaration of a parameter, such as `Whole(at_least=1)`."""
    for node in ast.walk(annotation):
        if isinstance(node, ast.Call):
            yield from [each.value for each in node.keywords if _is_plain_number(each.value)]


def _is_plain_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def _changes(node: ast.expr) -> Iterator[tuple[ast.expr, str, str]]:
    """The changes of an expression and of all within it: what is replaced, by which operator, by what."""
    for name, other in _of_one(node):
        yield node, name, other if isinstance(node, ast.Constant) else f"({other})"
    for child in _children(node):
        yield from _changes(child)


def _children(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.JoinedStr):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Slice):
            yield from [each for each in (child.lower, child.upper, child.step) if each is not None]
        elif isinstance(child, ast.expr):
            yield child
        elif isinstance(child, ast.keyword):
            yield from [child.value] if child.arg not in NEEDLESS else []
        elif isinstance(child, ast.comprehension):
            yield from [child.iter, *child.ifs]
        elif isinstance(child, ast.arguments):
            yield from [each for each in child.defaults if each is not None]


def _of_one(node: ast.expr) -> Iterator[tuple[str, str]]:
    """The changes of one expression, those within it apart: the operator's name and the new text."""
    if isinstance(node, ast.Constant):
        yield from _constants(node)
    elif isinstance(node, ast.Compare):
        for place, operation in enumerate(node.ops):
            other = copy.deepcopy(node)
            other.ops[place] = COMPARED[type(operation)]()
            yield "comparison swapped", ast.unparse(other)
    elif isinstance(node, ast.BinOp) and type(node.op) in COMPUTED and not _is_type(node):
        yield (
            "arithmetic swapped",
            ast.unparse(ast.BinOp(left=node.left, op=COMPUTED[type(node.op)](), right=node.right)),
        )
    elif isinstance(node, ast.BoolOp):
        other_op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "and/or swapped", ast.unparse(ast.BoolOp(op=other_op, values=node.values))
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.UAdd):
        yield f"{type(node.op).__name__} removed", ast.unparse(node.operand)
    elif isinstance(node, ast.IfExp):
        yield (
            "condition negated",
            ast.unparse(ast.IfExp(test=node.test, body=node.orelse, orelse=node.body)),
        )
    elif isinstance(node, ast.JoinedStr):
        yield from _texts(node)
    elif isinstance(node, ast.Subscript):
        yield from _slices(node)
    elif isinstance(node, ast.Call):
        yield from _calls(node)
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        yield from _filters(node)


def _constants(node: ast.Constant) -> Iterator[tuple[str, str]]:
    value = node.value
    if isinstance(value, bool):
        yield "constant changed", repr(not value)
    elif isinstance(value, int):
        yield "constant changed", repr(value + 1)
    elif isinstance(value, float):
        yield "constant changed", repr(2 * value + 1)
    elif isinstance(value, str) and len(re.findall(r"\w+", value)) < PROSE:
        yield "text changed", repr(f"X{value}")


def _texts(node: ast.JoinedStr) -> Iterator[tuple[str, str]]:
    for place, part in enumerate(node.values):
        if isinstance(part, ast.Constant) and str(part.value).strip():
            other = copy.deepcopy(node)
            other.values[place] = ast.Constant(f"X{part.value!s}")
            yield "text changed", ast.unparse(other)


def _slices(node: ast.Subscript) -> Iterator[tuple[str, str]]:
    if not isinstance(node.slice, ast.Slice):
        return
    for bound in ("lower", "upper", "step"):
        if getattr(node.slice, bound) is not None:
            other = copy.deepcopy(node)
            setattr(other.slice, bound, None)
            yield "bound dropped", ast.unparse(other)


def _calls(node: ast.Call) -> Iterator[tuple[str, str]]:
    for place, keyword in enumerate(node.keywords):
        if keyword.arg is not None and keyword.arg not in NEEDLESS:
            other = copy.deepcopy(node)
            del other.keywords[place]
            yield "argument dropped", ast.unparse(other)
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if name in TWINS:
        other = copy.deepcopy(node)
        if isinstance(other.func, ast.Name):
            other.func.id = TWINS[name]
        elif isinstance(other.func, ast.Attribute):
            other.func.attr = TWINS[name]
        yield "other function", ast.unparse(other)


def _filters(node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> Iterator[tuple[str, str]]:
    for place, generator in enumerate(node.generators):
        if generator.ifs:
            other = copy.deepcopy(node)
            other.generators[place].ifs = []
            yield "filter dropped", ast.unparse(other)


def _is_type(node: ast.BinOp) -> bool:
    """Whether `a | b` is a choice of types, as in isinstance."""
    sides = [ast.unparse(node.left), ast.unparse(node.right)]
    return isinstance(node.op, ast.BitOr) and all(
        re.fullmatch(
            r"(None|int|float|str|bool|bytes|list|dict|tuple|set|[\w.]*\b[A-Z]\w*)(\[.*\])?( \| .*)?", side
        )
        for side in sides
    )

"""Functions that are compiled when they are first called, so that importing them costs nothing.

Importing numba takes longer than most commands do, so no module of this package imports it at the top.
A function marked `@compiled` stays plain Python until it is called; then numba compiles it, together with
the compiled functions it calls, and keeps the machine code on disk for the next process. Every such
function can also be run as plain Python (`function.plain`), which is faster end to end on small inputs and
gives the same result.
"""

from __future__ import annotations

import hashlib
import inspect
import logging
import sys
from collections.abc import Callable
from functools import cache, cached_property
from numbers import Number
from pathlib import Path
from threading import RLock
from types import FunctionType
from typing import Any, Generic, ParamSpec, TypeVar, cast, get_type_hints

from discreet._kernels.saving import alone_in

P = ParamSpec("P")
R = TypeVar("R")
# Threads that call the same kernel for the first time share one dispatcher, and so one compilation.
_MAKING = RLock()
# What numba and llvmlite raise, beside numba's own errors, where they do not know an instruction or its types.
REFUSALS = (ImportError, AttributeError, TypeError, ValueError, LookupError, RuntimeError, AssertionError)
Example = Callable[[], tuple[Any, ...]]


class Kernel(Generic[P, R]):
    """A numeric loop that numba compiles at its first call and keeps for later processes.

    The loop releases the interpreter's lock, so callers can run several at once in threads. Multiplications
    and additions are never fused or reordered: the result is the same as that of the plain function.
    """

    def __init__(self, function: Callable[P, R]) -> None:
        self.function = function
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self._machine_code: Callable[P, R] | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.machine_code()(*args, **kwargs)

    @property
    def is_loaded(self) -> bool:
        """Whether this process has called the compiled function already."""
        return self._machine_code is not None

    @property
    def is_used(self) -> bool:
        """Whether this process has called the compiled function already, or another kernel that calls it."""
        return self.is_loaded or "inner_code" in vars(self)

    @property
    def module(self) -> str:
        """The name of the module that the function was written in."""
        return self.function.__module__

    @cached_property
    def plain(self) -> Callable[P, R]:
        """The function as plain Python, as are the kernels it calls."""
        return self._calling({name: kernel.plain for name, kernel in self._called().items()})

    def machine_code(self) -> Callable[P, R]:
        """The numba dispatcher of the function, made at the first call."""
        with _MAKING:
            if self._machine_code is None:
                self._machine_code = self._dispatcher(no_cpython_wrapper=False)
        return self._machine_code

    @cached_property
    def inner_code(self) -> Callable[P, R]:
        """The dispatcher for calls by other kernels; without a way in from Python it compiles more quickly."""
        return self._dispatcher(no_cpython_wrapper=True)

    def _dispatcher(self, *, no_cpython_wrapper: bool) -> Callable[P, R]:
        import numba

        caller = self._calling({name: kernel.inner_code for name, kernel in self._called().items()})
        inner = "_inner" if no_cpython_wrapper else ""
        caller.__qualname__ = f"{self.__name__}{inner}_{self.fingerprint()}"
        options = {"no_cpython_wrapper": no_cpython_wrapper, "no_cfunc_wrapper": True}
        try:
            kept: Any = numba.njit(cache=True, nogil=True, **options)(caller)
        except RuntimeError:
            # Neither beside the source nor in the home is there a folder that numba may write to.
            say_nothing_is_kept()
            return cast(Callable[P, R], numba.njit(nogil=True, **options)(caller))
        keep = kept._cache.save_overload

        def keep_if_there_is_room(signature: object, code: object) -> None:
            try:
                with alone_in(kept._cache.cache_path):
                    keep(signature, code)
            except OSError:
                kept._cache.disable()
                say_nothing_is_kept()

        kept._cache.save_overload = keep_if_there_is_room
        return cast(Callable[P, R], kept)

    def _calling(self, callees: dict[str, Callable[..., Any]]) -> Callable[P, R]:
        """The function with the kernels it calls replaced."""
        given = cast(FunctionType, self.function)
        names = {**given.__globals__, **callees}
        return FunctionType(given.__code__, names, given.__name__, given.__defaults__, given.__closure__)

    def _called(self) -> dict[str, Kernel[..., Any]]:
        given = cast(FunctionType, self.function)
        named = {name: given.__globals__.get(name) for name in given.__code__.co_names}
        return {name: value for name, value in named.items() if isinstance(value, Kernel)}

    def fingerprint(self) -> str:
        """A digest of the source files of the function and of all that it calls, and of what they read.

        That is the numbers of their modules, and the fields of the named tuples that they take or make. Numba looks
        only at the caller's own file when it decides whether stored machine code is stale. The digest is part of the
        name under which the code is stored, so a change in another file is seen too.
        """
        pending: list[Kernel[..., Any]] = [self]
        seen: list[Kernel[..., Any]] = []
        while pending:
            kernel = pending.pop()
            if kernel not in seen:
                seen.append(kernel)
                pending.extend(kernel._called().values())
        digest = hashlib.sha256()
        for source in sorted({inspect.getfile(kernel.function) for kernel in seen}):
            digest.update(Path(source).read_bytes())
        for read in sorted({read for kernel in seen for read in (*kernel._numbers(), *kernel._fields())}):
            digest.update(read.encode())
        return digest.hexdigest()[:12]

    def _numbers(self) -> list[str]:
        """The module-level numbers that the function reads, by name and value."""
        given = cast(FunctionType, self.function)
        named = {name: given.__globals__.get(name) for name in given.__code__.co_names}
        return [f"{name}={value!r};" for name, value in named.items() if isinstance(value, Number)]

    def _fields(self) -> list[str]:
        """The named tuples that the function takes, makes or returns, and those inside them, with their fields."""
        given = cast(FunctionType, self.function)
        pending = [*get_type_hints(given).values(), *map(given.__globals__.get, given.__code__.co_names)]
        found: dict[str, str] = {}
        while pending:
            kind = pending.pop()
            if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
                hints = get_type_hints(kind)
                found[kind.__qualname__] = f"{kind.__qualname__}={hints!r};"
                pending.extend(hints.values())
        return list(found.values())


@cache
def say_nothing_is_kept() -> None:
    """Says, once in a process, that machine code cannot be kept for the next one."""
    logging.getLogger("discreet").warning(
        "discreet: no folder to keep machine code in, so it is compiled anew in every run, which takes some seconds. "
        "Set NUMBA_CACHE_DIR to a folder that can be written to."
    )


def compiled(function: Callable[P, R]) -> Kernel[P, R]:
    """The function as a kernel that is compiled when it is first called.

    It may call other kernels, and read numbers, by their module-level names.
    """
    return Kernel(function)


class Emitted(Kernel[P, R]):
    """A function with machine code of its own, where numba would not find the vector instructions that it needs.

    The given function says in plain Python what the code does. `emit` writes it: numba calls it as it does for an
    intrinsic, with its context, the builder of the code, the types and the values of the arguments. Where numba or
    llvmlite refuse what it writes, numba compiles the plain function in its place, which is slower.
    """

    def __init__(self, function: Callable[P, R], emit: Callable[..., Any], example: Example) -> None:
        super().__init__(function)
        self.emit = emit
        self.example = example

    @cached_property
    def is_accepted(self) -> bool:
        """Whether the code that `emit` writes compiles, and gives for the example what the plain function gives."""
        import numba

        plain: Callable[..., R] = self.function
        inner: Callable[..., R] = self._intrinsic(lambda: self.emit)
        refusals = (*REFUSALS, numba.core.errors.NumbaError)
        try:
            result = numba.njit(lambda *arguments: inner(*arguments))(*self.example())
        except refusals:
            result = None
        accepted: bool = result == plain(*self.example())
        if not accepted:
            say_loops_are_plain()
        return accepted

    def _dispatcher(self, *, no_cpython_wrapper: bool) -> Callable[P, R]:
        import numba

        if no_cpython_wrapper:
            return self._intrinsic(lambda: self.emit if self.is_accepted else self._emit_plain)
        inner: Callable[..., R] = self.inner_code
        return cast(Callable[P, R], numba.njit(nogil=True)(lambda *arguments: inner(*arguments)))

    def _intrinsic(self, choose: Callable[[], Callable[..., Any]]) -> Callable[P, R]:
        """The function for calls by compiled ones; what writes its code is chosen when a caller is compiled.

        Machine code that is loaded from disk needs no choice, and so does not wait for the example.
        """
        import numba
        from numba.extending import intrinsic

        def typed(_context: object, *arguments: Any) -> tuple[Any, Callable[..., Any]]:
            return numba.types.int64(*arguments), choose()

        named = inspect.signature(self.function).parameters.values()
        context = inspect.Parameter("_context", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        vars(typed)["__signature__"] = inspect.Signature([context, *named])
        return cast(Callable[P, R], intrinsic(typed))

    def _emit_plain(self, context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """The code that numba makes of the plain function."""
        return context.compile_internal(builder, self.function, signature, arguments)


@cache
def say_loops_are_plain() -> None:
    """Says, once in a process, that plain loops stand in for vector instructions."""
    logging.getLogger("discreet").warning(
        "discreet: this numba or llvmlite refuses the vector instructions of linkage, so plain loops stand in for "
        "them: the answers are the same, and take longer."
    )


def emitted(emit: Callable[..., Any], example: Example) -> Callable[[Callable[P, R]], Emitted[P, R]]:
    """The function, which returns an integer, as a kernel whose machine code is written by `emit`.

    `example` gives arguments that the code is tried with, new ones at each call, before other kernels rely on it.
    """
    return lambda function: Emitted(function, emit, example)


def numba_is_loaded() -> bool:
    """Whether the price of importing numba has been paid in this process."""
    return "numba" in sys.modules

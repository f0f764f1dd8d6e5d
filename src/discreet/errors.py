"""Every error discreet raises on purpose, in one tree.

    DiscreetError                    exit code
    ├── BadInput                          2     something given cannot be used as it is
    │   ├── BadFile                             a file that cannot be read, with the line where known
    │   │   ├── NoHeader                            a first row that looks like a record, not like names
    │   │   └── WrongPassphrase                     an encrypted file that does not open with what was given
    │   ├── BadProject                          a project file, policy or plan that does not make sense
    │   ├── BadTable                            columns, roles and scales that contradict each other
    │   ├── BadValues                           cells that do not fit their column's scale
    │   │   └── UnmappedValues                      values that no concept of the ontology stands for
    │   ├── BadOntology                         concepts and links that make no hierarchy
    │   │   ├── CyclicOntology
    │   │   └── EmptyOntology
    │   ├── BadParameter                        a value outside a parameter's range
    │   ├── UnknownName                         a name that nothing answers to
    │   │   ├── UnknownColumn
    │   │   ├── UnknownMethod
    │   │   ├── UnknownParameter
    │   │   ├── UnknownConcept
    │   │   └── UnknownKey                      in a project file
    │   ├── WrongScale                          a method asked to treat a column it has no meaning for
    │   ├── Mismatch                            two files that should belong together and do not
    │   ├── NotSplit                            a method that cannot work on a dataset in parts
    │   ├── NotInstalled                        an optional library or resource that is not on this machine
    │   └── WouldOverwrite                      a file that is there already
    ├── Unreachable                       3     the goal asked for cannot be reached with this data
    │   └── NoPlan                              none of the plans that a search tried keeps to the limits
    ├── NotComputable                     3     a measure has no value on this data
    │   └── DoesNotApply                        an attack that is not meant for such a release
    ├── WorkersLost                       3     a cluster that cannot be reached, or whose workers died
    ├── NotDrawn                          3     a chart that the renderer refuses, or dies of
    ├── GuaranteeBroken                    70     a published file lacks a property its masking guaranteed
    └── Interrupted                     130     the user stopped it

A message says what was asked, what was found and what to do. It holds column names, parameters, counts
and row numbers, never a cell of the data.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class DiscreetError(Exception):
    """The root: whatever discreet raises on purpose."""

    exit_code = 70


class BadInput(DiscreetError):
    exit_code = 2


class BadFile(BadInput):
    pass


class NoHeader(BadFile):
    pass


class WrongPassphrase(BadFile):
    pass


class BadProject(BadInput):
    pass


class BadTable(BadInput):
    pass


class BadValues(BadInput):
    pass


class UnmappedValues(BadValues):
    """The values are for the steward to map: `values` holds them, the message only counts them."""

    def __init__(self, message: str, values: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.values = tuple(values)


class BadOntology(BadInput):
    pass


class CyclicOntology(BadOntology):
    """`concepts` holds the identifiers on the cycles, the message only counts them."""

    def __init__(self, message: str, concepts: Iterable[str] = ()) -> None:
        super().__init__(message)
        self.concepts = tuple(concepts)


class EmptyOntology(BadOntology):
    pass


class BadParameter(BadInput):
    pass


class UnknownName(BadInput):
    pass


class UnknownColumn(UnknownName):
    pass


class UnknownMethod(UnknownName):
    pass


class UnknownParameter(UnknownName):
    pass


class UnknownConcept(UnknownName):
    pass


class UnknownKey(UnknownName):
    pass


class WrongScale(BadInput):
    pass


class Mismatch(BadInput):
    pass


class NotSplit(BadInput):
    pass


class NotInstalled(BadInput):
    pass


class WouldOverwrite(BadInput):
    pass


class Unreachable(DiscreetError):
    exit_code = 3


class NoPlan(Unreachable):
    """`found` is what a search tried all the same, the nearest plan as the chosen one; None where that is nothing."""

    def __init__(self, message: str, *, found: object = None) -> None:
        super().__init__(message)
        self.found = found


class NotComputable(DiscreetError):
    exit_code = 3


class DoesNotApply(NotComputable):
    """The release is not of the kind that the attack is meant for, so that it leaves nothing unchecked."""


class WorkersLost(DiscreetError):
    exit_code = 3


class NotDrawn(DiscreetError):
    exit_code = 3


class GuaranteeBroken(DiscreetError):
    exit_code = 70


class Interrupted(DiscreetError):
    exit_code = 130


NEAR = 0.62
"""How alike two names are, from 0 to 1, before one is suggested for the other."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A sentence that suggests the nearest known name, or lists the known ones, or nothing.

    >>> did_you_mean("postcod", ["age", "postcode"])
    " Did you mean 'postcode'?"
    """
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=NEAR)
    if close:
        return f" Did you mean '{close[0]}'?"
    if 0 < len(names) <= 12:
        return " Known: " + ", ".join(sorted(names)) + "."
    return ""


def listed(names: Iterable[str], most: int = 6) -> str:
    """Names in quotes, as a sentence would hold them, the long tail counted.

    >>> listed(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    every = [f"'{name}'" for name in names]
    if len(every) <= most:
        return ", ".join(every)
    return ", ".join(every[:most]) + f" and {len(every) - most} more"

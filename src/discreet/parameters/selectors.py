"""Choices of columns by role and scale: what a parameter for columns is when it is left out."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from discreet.table import Described, Role, Scale


class Selector(tuple[str, ...]):
    """A choice of columns by role and scale, made when the table is known: the default of `columns=`.

    `roles` are those that a column may have; none of them means any.
    """

    roles: tuple[Role, ...]
    scales: tuple[Scale, ...]
    words: str
    with_ontology: bool

    def __new__(
        cls, words: str, role: Role | Sequence[Role], scales: Sequence[Scale], *, with_ontology: bool = False
    ) -> Selector:
        made = super().__new__(cls)
        made.words, made.scales = words, tuple(scales)
        made.roles = (role,) if isinstance(role, Role) else tuple(role)
        made.with_ontology = with_ontology
        return made

    def chosen(self, table: Described, scales: Collection[Scale] = tuple(Scale)) -> tuple[str, ...]:
        """The columns of the table that it stands for, of those on these scales."""
        found = table.having(None, [scale for scale in self.scales if scale in scales])
        found = tuple(name for name in found if not self.roles or table[name].role in self.roles)
        return tuple(name for name in found if table[name].ontology) if self.with_ontology else found

    def __repr__(self) -> str:
        return self.words


Columns = Sequence[str]
KEYS = Selector("all quasi-identifiers", Role.KEY, tuple(Scale))
NUMERIC_KEYS = Selector("numeric quasi-identifiers", Role.KEY, (Scale.NUMERIC,))
ORDERED_KEYS = Selector("numeric and ordinal quasi-identifiers", Role.KEY, (Scale.NUMERIC, Scale.ORDINAL))
CATEGORY_KEYS = Selector("nominal and ordinal quasi-identifiers", Role.KEY, (Scale.NOMINAL, Scale.ORDINAL))
CONFIDENTIAL = Selector(
    "confidential columns", Role.CONFIDENTIAL, (Scale.NUMERIC, Scale.ORDINAL, Scale.NOMINAL)
)
ANALYSED = Selector(
    "columns that analysts use",
    (Role.KEY, Role.CONFIDENTIAL, Role.INSENSITIVE, Role.STRATUM),
    (Scale.NUMERIC, Scale.ORDINAL, Scale.NOMINAL),
)
WEIGHT = Selector("column of sampling weights", Role.WEIGHT, (Scale.NUMERIC,))
HOUSEHOLD = Selector("column of households", Role.HOUSEHOLD, tuple(Scale))
PERSON = Selector("column of persons", Role.PERSON, tuple(Scale))
CONFIDENTIAL_CATEGORIES = Selector(
    "nominal and ordinal confidential columns", Role.CONFIDENTIAL, (Scale.NOMINAL, Scale.ORDINAL)
)
SEMANTIC_KEYS = Selector(
    "quasi-identifiers with an ontology", Role.KEY, (Scale.NOMINAL, Scale.ORDINAL), with_ontology=True
)

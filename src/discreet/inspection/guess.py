"""The role and scale that a column's name and values suggest, with the reasons. Doubt goes to the safer role."""

from __future__ import annotations

from dataclasses import dataclass, replace

import polars as pl

from discreet.inspection import names
from discreet.inspection.look import FEW, MANY, OWN, Look
from discreet.inspection.names import (
    numbers_households,
    numbers_something,
    says_whose_or_what,
    whole_word,
    words_of,
)
from discreet.inspection.orders import known_order
from discreet.inspection.people import role_of_identity, role_of_person, role_of_row
from discreet.inspection.written import Written
from discreet.table import Column, ColumnSpec, Role, Scale

BODY = (30.0, 130.0, 400.0)
"""A median between the first two, and no value above the third, may be a body's weight."""

LONGEST_LABEL = 4
"""So many words of the label of a column say what it is as its name would."""

HOW_TO_PUBLISH = 'to publish it masked, write role = "quasi-identifier"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed(Column):
    """The description proposed for one column, and why."""

    reasons: tuple[str, ...] = ()
    distinct: int = 0
    missing: int = 0
    format: str = ""
    marks: tuple[str, ...] = ()

    def read_keys(self) -> dict[str, object]:
        """What the project file says of how the column is read."""
        form = {"format": self.format} if self.format else {}
        return {**form, **({"missing": list(self.marks)} if self.marks else {})}

    def to_dict(self) -> dict[str, object]:
        counts = {"distinct": self.distinct, "missing": self.missing}
        read = {"read": self.read_keys()} if self.read_keys() else {}
        return {**Column.to_dict(self), "reasons": list(self.reasons), **counts, **read}


def propose(values: pl.Series, stated: ColumnSpec) -> Proposed:
    """The role and scale to propose for a column, with the reasons in plain words; `stated` is what its file says."""
    present = values.len() - values.null_count()
    words = words_of(values.name)
    label = () if says_whose_or_what(words) else _words_of_label(stated.label)
    look = Look(
        values=values,
        words=label or words,
        stated=stated,
        present=present,
        distinct=values.drop_nulls().n_unique(),
    )
    role, why_role = _role(look)
    scale, order, why_scale = _scale(look, role)
    if label:
        why_role = [each.replace("the name (", "its label (") for each in why_role]
    counted = f"{look.distinct} different values in {values.len()} records"
    if values.null_count():
        counted += f", {values.null_count()} missing"
    return Proposed(
        name=values.name,
        role=role,
        scale=scale,
        order=order,
        reasons=(counted, *why_role, *why_scale),
        distinct=look.distinct,
        missing=values.null_count(),
    )


def _words_of_label(label: str) -> tuple[str, ...]:
    """The words of a label that is as short as a name; of a question none, because it speaks of more than one thing."""
    words = words_of(label)
    return words if len(words) <= LONGEST_LABEL and "?" not in label else ()


def as_read(proposed: Proposed, column: Written) -> Proposed:
    """The proposal for a column with how it is read; where nobody could tell what it holds, it is left out."""
    reasons = (*proposed.reasons, *column.reasons)
    read = replace(proposed, format=column.format, marks=column.marks, reasons=reasons)
    if not column.unclear:
        return read
    said = (f"{column.unclear}", f"until then it is left out; {HOW_TO_PUBLISH}")
    return replace(read, role=Role.IDENTIFIER, scale=Scale.NOMINAL, order=(), reasons=(*reasons, *said))


def _role(look: Look) -> tuple[Role, list[str]]:
    ways = (_role_of_nothing, _role_in_sample, role_of_person, role_of_identity, role_of_row, _role_of_secret)
    for role_by in ways:
        found = role_by(look)
        if found is not None:
            return found[0], [found[1]]
    word = look.named(names.KEY)
    if word:
        return Role.KEY, [f"the name ('{word}') says it is {names.KEY.says}"]
    if look.values.dtype.is_temporal():
        return Role.KEY, ["a date is easily known to others"]
    if look.is_text and look.has_many and not look.is_known:
        return Role.IDENTIFIER, [
            f"nobody could tell what its many texts are: it is left out; {HOW_TO_PUBLISH}"
        ]
    return Role.KEY, ["nothing says that others cannot know it: taken for the safer role"]


def _role_of_nothing(look: Look) -> tuple[Role, str] | None:
    if look.distinct == 0:
        return Role.INSENSITIVE, "no record has a value"
    if look.distinct == 1 and look.values.null_count() == 0 and look.present > 1:
        return Role.INSENSITIVE, "the same value in every record tells nothing"
    return None


def _role_in_sample(look: Look) -> tuple[Role, str] | None:
    """Households, strata and sampling weights."""
    found = _role_of_household(look)
    if found is not None:
        return found
    word = look.named(names.STRATUM)
    if word:
        return Role.STRATUM, f"the name ('{word}') says it is {names.STRATUM.says}"
    return _role_of_weight(look)


def _role_of_household(look: Look) -> tuple[Role, str] | None:
    numbered = numbers_households(look.words)
    if numbered and look.distinct > FEW and not look.is_counted:
        why = f"the name ('{numbered}') says it numbers households"
        if look.distinct == look.present:
            return Role.IDENTIFIER, f"{why}, each once"
        return Role.HOUSEHOLD, f"{why}, and values repeat"
    word = look.named(names.HOUSEHOLD)
    says_more = look.is_known or look.named(names.COUNT) or whole_word(names.KIND, look.words)
    if word and not says_more and look.distinct == look.present and look.has_many and not look.is_fraction:
        return Role.IDENTIFIER, f"the name ('{word}') says it numbers households, each once"
    if word and not says_more and look.share < OWN and (look.distinct > FEW or numbers_something(look.words)):
        return Role.HOUSEHOLD, f"the name ('{word}') says it numbers households, and values repeat"
    return None


def _role_of_weight(look: Look) -> tuple[Role, str] | None:
    if not look.is_number:
        return None
    word = look.named(names.SAMPLE_WEIGHT)
    if word:
        return Role.WEIGHT, f"the name ('{word}') says it is {names.SAMPLE_WEIGHT.says}"
    word = look.named(names.PLAIN_WEIGHT)
    if word and _may_be_body_weight(look.values):
        return (
            Role.KEY,
            f"the name ('{word}') may mean a body's weight or a sampling weight: taken for the safer",
        )
    if word:
        return Role.WEIGHT, f"the name ('{word}') and its numbers say it is {names.SAMPLE_WEIGHT.says}"
    return None


def _role_of_secret(look: Look) -> tuple[Role, str] | None:
    word = look.named(names.CONFIDENTIAL)
    if not word:
        return None
    if look.values.dtype.is_temporal():
        return (
            Role.KEY,
            f"a date, although the name ('{word}') says it is {names.CONFIDENTIAL.says}: taken for the safer",
        )
    if look.is_number and look.distinct > FEW and look.share > MANY:
        return Role.KEY, (
            f"the name ('{word}') says it is {names.CONFIDENTIAL.says}, but so many different values single people "
            "out: taken for the safer role"
        )
    return Role.CONFIDENTIAL, f"the name ('{word}') says it is {names.CONFIDENTIAL.says}"


def _scale(look: Look, role: Role) -> tuple[Scale, tuple[str, ...], list[str]]:
    if look.is_free_text:
        return Scale.TEXT, (), []
    if role in (Role.IDENTIFIER, Role.PERSON, Role.HOUSEHOLD, Role.STRATUM):
        return Scale.NOMINAL, (), []
    if role == Role.WEIGHT:
        return Scale.NUMERIC, (), []
    if isinstance(look.values.dtype, pl.Enum):
        return Scale.ORDINAL, tuple(look.values.dtype.categories), ["the file says that it is ordered"]
    if look.is_text:
        order = (
            known_order(look.values.drop_nulls().unique().cast(pl.String).to_list()) if look.distinct else ()
        )
        if order:
            return Scale.ORDINAL, order, ["its values are words or bands with a well-known order"]
        return Scale.NOMINAL, (), []
    if look.is_number:
        return _scale_of_numbers(look)
    return (Scale.NUMERIC if look.values.dtype.is_temporal() else Scale.NOMINAL), (), []


def _scale_of_numbers(look: Look) -> tuple[Scale, tuple[str, ...], list[str]]:
    if look.stated.scale is not None:
        return look.stated.scale, (), [f"the file says that its scale is {look.stated.scale}"]
    word = look.named(names.CODE)
    if word and look.is_whole:
        return Scale.NOMINAL, (), [f"a code ('{word}'): its numbers are no amounts"]
    labels = look.stated.value_labels
    if labels and look.is_whole and look.distinct <= len(labels):
        return Scale.NOMINAL, (), ["its numbers are codes with labels"]
    quantity = any(look.named(hint) for hint in (names.COUNT, names.MONEY)) or "age" in look.words
    if look.is_whole and 1 < look.distinct <= FEW and not quantity and look.share <= MANY:
        return Scale.NOMINAL, (), [f"{look.distinct} whole numbers may be codes"]
    return Scale.NUMERIC, (), []


def _may_be_body_weight(values: pl.Series) -> bool:
    middle, most = values.median(), values.max()
    low, high, highest = BODY
    return isinstance(middle, float) and low <= middle <= high and float(most or 0) <= highest  # type: ignore[arg-type]

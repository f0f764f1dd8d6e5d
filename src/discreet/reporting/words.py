"""Numbers and names as a steward reads them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from discreet import registry
from discreet.errors import UnknownMethod
from discreet.headline import ATTRIBUTE, IDENTITY
from discreet.method import Unit
from discreet.method_call import unit_of
from discreet.results import Loss
from discreet.text.method import title_of

HEADINGS = {IDENTITY: "Finding people", ATTRIBUTE: "Learning confidential values"}
"""Headings of the headline risks, which are no methods."""

MOST_NAMES = 10


def percent(share: float) -> str:
    """A share as a percentage of few digits; what is not nothing never reads as 0%, nor what is not all as 100%.

    >>> [percent(share) for share in (0, 0.00001, 0.000345, 0.0312, 0.1, 0.1855, 0.9999, 1, 1e200)]
    ['0%', 'less than 0.01%', '0.03%', '3.1%', '10%', '18.6%', 'more than 99.9%', '100%', 'more than 1e15%']
    """
    if share > 1e13:
        return "more than 1e15%"
    if 0 < share < 0.0001:
        return "less than 0.01%"
    if 0 < share < 0.001:
        return f"{share:.2%}"
    if 0.999 < share < 1:
        return "more than 99.9%"
    return f"{share:.1%}".replace(".0%", "%") if abs(share) < 10 else f"{share:,.0%}"


def rounded_percent(share: float) -> str:
    """A share in whole percents, for readers outside.

    >>> [rounded_percent(share) for share in (0, 0.004, 0.0312, 0.997, 1, 1e200)]
    ['0%', 'less than 1%', 'about 3%', 'more than 99%', '100%', 'more than 1e15%']
    """
    if share > 1e13:
        return "more than 1e15%"
    if share == 0 or share == 1:
        return f"{share:.0%}"
    if 0 < share < 0.01:
        return "less than 1%"
    if 0.99 < share < 1:
        return "more than 99%"
    return f"about {share:.0%}"


def number(value: float) -> str:
    """A number of three digits that count, with thousands set apart.

    >>> [number(value) for value in (0, 0.012345, 12.3456, 1234567, 1080, 1.5e200)]
    ['0', '0.0123', '12.3', '1,234,567', '1,080', '1.5e+200']
    """
    if abs(value) >= 1e15:
        return f"{value:.3g}"
    if float(value).is_integer() or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def count(many: int, one: str, more: str = "") -> str:
    """How many there are of something.

    >>> count(1, "record"), count(1080, "record"), count(2, "category", "categories")
    ('1 record', '1,080 records', '2 categories')
    """
    return f"{many:,} {one if many == 1 else more or one + 's'}"


def names(given: Sequence[str], most: int = MOST_NAMES) -> str:
    """Names in a row as a sentence holds them, a long tail counted.

    >>> names(["age", "sex", "income"]), names(["a", "b", "c", "d"], most=2)
    ('age, sex and income', 'a, b and 2 more')
    """
    shown = list(given[:most])
    if len(given) > most:
        return f"{', '.join(shown)} and {len(given) - most} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else "nothing"


def title(name: str) -> str:
    """A method's name as a heading.

    >>> title("k_anonymity"), title("add_noise")
    ('k-anonymity', 'Add noise')
    >>> title("link direction='original to masked'")
    'Linking to the nearest record (direction original to masked)'
    """
    method, *parameters = shlex.split(name) or [name]
    heading = HEADINGS[method] if method in HEADINGS else _declared_title(method)
    return heading + (
        f" ({', '.join(each.replace('=', ' ', 1) for each in parameters)})" if parameters else ""
    )


def _declared_title(name: str) -> str:
    """The title that a method of any kind declares."""
    for kind in ("attack", "loss", "mask"):
        found = next((each for each in registry.methods(kind) if each.name == name), None)
        if found is not None:
            return found.title
    of_text = title_of(name)
    if of_text is None:
        raise UnknownMethod(f"there is no method '{name}'.")
    return of_text


def inside_sentence(name: str) -> str:
    """A method's name within a sentence: its heading with a small first letter, unless a capital belongs there.

    >>> inside_sentence("link"), inside_sentence("add_noise")
    ('linking to the nearest record', 'add noise')
    """
    heading = title(name)
    return heading if heading[1:2].isupper() else heading[:1].lower() + heading[1:]


def sentence(text: str) -> str:
    """The text with its first letter large."""
    return text[:1].upper() + text[1:]


def ended(text: str) -> str:
    """The text with a point at its end, and not with two: names of columns may end in one."""
    return text if text.endswith(".") else f"{text}."


def loss_share(loss: Loss, unit: Unit | None = None) -> float | None:
    """The loss with one for the whole, where the measure is a share or a percentage.

    `unit` is what it counts, by default what the measure of tables of this name counts.
    """
    counted = unit or unit_of(loss.name)
    return None if counted.whole is None else loss.loss / counted.whole


def loss_shown(loss: Loss, unit: Unit | None = None) -> str:
    """The loss as its measure counts it: a percentage, or a bare number."""
    counted = unit or unit_of(loss.name)
    share = loss_share(loss, counted)
    return percent(share) if share is not None and counted.in_percent else number(loss.loss)

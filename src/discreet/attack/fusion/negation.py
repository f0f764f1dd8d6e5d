"""What ordered labels mean, told by their negations: intervals of [0, 1], and a position for each label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from discreet.errors import BadParameter, did_you_mean, listed


@dataclass(frozen=True, slots=True, kw_only=True)
class Negation:
    """Labels from low to high and the labels that each is the opposite of, with the intervals that follow.

    `overlapping` labels mean what several others mean together; they take the union of their intervals.
    """

    order: tuple[str, ...]
    opposites: Mapping[str, tuple[str, ...]]
    overlapping: tuple[str, ...]
    intervals: Mapping[str, tuple[float, float]]

    @classmethod
    def of(
        cls,
        opposites: Mapping[str, Sequence[str]],
        *,
        order: Sequence[str],
        overlapping: Sequence[str] | None = None,
    ) -> Negation:
        """The meaning of labels by a negation function, as Torra (1996) defines it.

        The negation N(x) of a label is the set of labels opposite to it. (C0) It is a non-empty interval of labels;
        (C1) of two labels the lower one has the higher negation: x < y implies min N(x) >= max N(y); (C2) opposites
        are mutual: x in N(y) implies y in N(x). A label in nobody's negation whose own is the union of those of two
        or more others, which are in somebody's, overlaps them; name such labels in `overlapping` where that is not
        what is meant. Raises BadParameter with the label and the condition that it breaks.

        >>> found = Negation.of({"low": ["high"], "high": ["low"]}, order=["low", "high"])
        >>> found.intervals["high"]
        (0.5, 1.0)
        """
        labels = tuple(order)
        sets = {label: tuple(opposites[label]) for label in labels if label in opposites}
        _check_labels(labels, opposites)
        apart = _overlapping(labels, sets) if overlapping is None else tuple(overlapping)
        for label in apart:
            if label not in labels:
                raise BadParameter(
                    f"negation: overlapping label '{label}' is not in the order.{did_you_mean(label, labels)}"
                )
        plain = tuple(label for label in labels if label not in apart)
        _check_conditions(plain, apart, sets)
        return cls(order=labels, opposites=sets, overlapping=apart, intervals=_intervals(plain, apart, sets))

    @classmethod
    def classical(cls, order: Sequence[str]) -> Negation:
        """The meaning of equally wide labels: each is the opposite of the one as far from the other end."""
        labels = tuple(order)
        return cls.of(dict(zip(labels, ([each] for each in reversed(labels)), strict=True)), order=labels)

    @property
    def positions(self) -> dict[str, float]:
        """The middle of the interval of each label."""
        return {label: (low + high) / 2 for label, (low, high) in self.intervals.items()}


def _check_labels(labels: Sequence[str], opposites: Mapping[str, Sequence[str]]) -> None:
    """Raises unless every label of the order has a negation, and all labels are in the order."""
    if len(labels) < 2 or len(set(labels)) != len(labels):
        raise BadParameter("negation: the order must list at least two labels, each once.")
    for label, negated in opposites.items():
        for name in (label, *negated):
            if name not in labels:
                raise BadParameter(
                    f"negation: label '{name}' is not in the order.{did_you_mean(name, labels)}"
                )
    missing = [label for label in labels if label not in opposites]
    if missing:
        raise BadParameter(f"negation: {listed(missing)} have no negation.")


def _overlapping(labels: Sequence[str], sets: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The labels in nobody's negation whose own is the union of those of two or more that are in somebody's."""
    negated = {name for each in sets.values() for name in each}
    plain = [label for label in labels if label in negated]
    covered = {label: _covered(label, plain, sets) for label in labels if label not in negated}
    return tuple(
        label
        for label, others in covered.items()
        if len(others) > 1 and set(sets[label]) == {name for each in others for name in sets[each]}
    )


def _covered(label: str, labels: Sequence[str], sets: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The other labels whose negation lies within that of the label."""
    return [each for each in labels if each != label and set(sets[each]) <= set(sets[label])]


def _check_conditions(
    plain: tuple[str, ...], apart: tuple[str, ...], sets: Mapping[str, tuple[str, ...]]
) -> None:
    """Raises BadParameter with the label and the condition where the negation is none."""
    place = {label: number for number, label in enumerate(plain)}
    for label in (*plain, *apart):
        if any(name in apart for name in sets[label]):
            raise _broken(label, "C2", "its negation holds a label that overlaps others")
        places = sorted({place[name] for name in sets[label]})
        if not places:
            raise _broken(label, "C0", "its negation is empty")
        if places[-1] - places[0] + 1 != len(places):
            raise _broken(label, "C0", "its negation leaves out a label between two others")
    for low, high in combinations(plain, 2):
        if min(place[name] for name in sets[low]) < max(place[name] for name in sets[high]):
            raise _broken(high, "C1", f"its negation reaches above the lowest one of that of '{low}'")
    for label in plain:
        for name in sets[label]:
            if label not in sets[name]:
                raise _broken(
                    label, "C2", f"'{name}' is among its opposites, and it is not among those of '{name}'"
                )


def _broken(label: str, condition: str, what: str) -> BadParameter:
    return BadParameter(f"negation: label '{label}' breaks condition {condition}: {what}.")


def _intervals(
    plain: tuple[str, ...], apart: tuple[str, ...], sets: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[float, float]]:
    """Each label as wide as its negation has labels, side by side; the overlapping ones over those they cover."""
    total = sum(len(set(sets[label])) for label in plain)
    found: dict[str, tuple[float, float]] = {}
    reached = 0
    for label in plain:
        width = len(set(sets[label]))
        found[label] = (reached / total, (reached + width) / total)
        reached += width
    for label in apart:
        covered = _covered(label, plain, sets)
        if not covered:
            raise BadParameter(
                f"negation: label '{label}' overlaps no other: no negation lies within its own."
            )
        found[label] = (min(found[each][0] for each in covered), max(found[each][1] for each in covered))
    return found

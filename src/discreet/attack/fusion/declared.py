"""The file that says what ordered labels mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from discreet.attack.fusion.negation import Negation
from discreet.errors import BadParameter
from discreet.parameters import Kind, Words
from discreet.project.settings import read_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelSets(Kind):
    """A table from labels to lists of labels."""

    def wants(self) -> str:
        return "a table of labels to lists of labels"

    def accepts(self, value: object) -> bool:
        words = Words(about="")
        return isinstance(value, Mapping) and all(words.accepts(each) for each in value.values())


KEYS: dict[str, Kind] = {
    "order": Words(about="the labels from low to high; those of the column where they are known"),
    "negation": LabelSets(about="each label and those it is the opposite of"),
    "overlapping": Words(about="labels that mean what several others mean together"),
}


def read_negation(path: str | Path, order: Sequence[str] = ()) -> Negation:
    """The negation in a TOML file: `order`, `[negation]` with a list for each label, and perhaps `overlapping`.

    `order` is that of the column, for a file that has none of its own. Raises UnknownKey or BadParameter with the
    file, and with the label and the condition that it breaks.
    """
    place = Path(path)
    settings = read_settings(place, KEYS)
    labels = settings.get("order", list(order))
    if not labels:
        raise BadParameter(f"{place.name}: the column has no order, so the file must tell it: order = [...].")
    if "negation" not in settings:
        return Negation.classical(labels)
    return Negation.of(settings["negation"], order=labels, overlapping=settings.get("overlapping"))

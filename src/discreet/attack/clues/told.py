"""All that a manifest gives away about the keys: the clues of its steps, and where it gives none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from discreet import registry
from discreet.attack.clues import CLUES, takes_columns_together
from discreet.attack.clues.kinds import Clue, PublishedStep, Range, Same, StepClues, drops_records, touched
from discreet.coding import common_codes
from discreet.dataset import Dataset
from discreet.in_parts import holding
from discreet.manifest import PublicManifest
from discreet.stored import Workroom
from discreet.table import IntArray, Scale, Table

OTHER_KIND = "the intruder's values are not of the same kind as the published ones"


class KnownFiles(NamedTuple):
    """What the intruder holds and reads: both files, the true pairs, and what is gone by in place of what is published.

    `whole` says whether it is the file that was published, nobody more and nobody less. Of datasets, `people` are the
    rows of those who are looked for, and `room` is where they are judged.
    """

    original: Table | Dataset
    masked: Table | Dataset
    manifest: PublicManifest
    truth: IntArray
    whole: bool
    p: float | None = None
    nearest: int | None = None
    people: IntArray | None = None
    room: Workroom | None = None


def clues_told(known: KnownFiles, keys: Sequence[str], keep: Callable[[Clue], None]) -> dict[str, str]:
    """Hands over what the manifest gives away about the keys, clue by clue; why some of them give away nothing."""
    silent: dict[str, str] = {}
    alone: dict[int, list[str]] = {}
    changed = touched(known.manifest, tuple(keys))
    blanking = {name: [step for step in changed[name] if _blanks(known.manifest, step)] for name in keys}
    blanked = frozenset(name for name in keys if blanking[name])
    for name in keys:
        steps = [step for step in changed[name] if not _blanks(known.manifest, step)]
        if not _is_compared(known, name, [known.manifest.steps[step]["method"] for step in steps]):
            silent[name] = OTHER_KIND
        elif not steps:
            keep(_opened(_unchanged(known, name, name in blanked)))
        elif len(steps) > 1:
            silent[name] = f"no attack is known on what {len(steps)} steps do together"
        else:
            alone.setdefault(steps[0], []).append(name)
    for number, columns in sorted(alone.items()):
        before = frozenset(name for name in blanked if blanking[name][0] < number)
        silent |= _told_by(known, number, columns, blanked, before, keep)
    return silent


def _told_by(
    known: KnownFiles,
    number: int,
    columns: Sequence[str],
    blanked: frozenset[str],
    blanked_before: frozenset[str],
    keep: Callable[[Clue], None],
) -> dict[str, str]:
    """Hands over what one step gives away; why some of its columns give away nothing."""
    step = known.manifest.steps[number]
    clue = _clue_of(step["method"])
    if clue is None:
        return dict.fromkeys(columns, f"no attack on '{step['method']}' is known")
    silent: dict[str, str] = {}
    # One column after the other, so that a dataset needs no more than one in memory.
    together = takes_columns_together(clue, step["parameters"])
    for some in [tuple(columns)] if together else [(name,) for name in columns]:
        given = clue(
            PublishedStep(
                method=step["method"],
                parameters=step["parameters"],
                columns=some,
                known=known.original,
                masked=known.masked,
                blanked=blanked,
                blanked_before=blanked_before,
                whole=known.whole,
                dropped_after=any(drops_records(later) for later in known.manifest.steps[number + 1 :]),
                p_at_most=known.p,
                nearest=known.nearest,
                truth=known.truth,
                transitions=step.get("transitions", {}),
                people=known.people,
                room=known.room,
            )
        )
        for each in given.clues:
            keep(_opened(each))
        silent |= given.silent
    return silent


def _opened(clue: Clue) -> Clue:
    return clue.open_where_unknown() if isinstance(clue, Range | Same) else clue


def holds_all(original: Table | Dataset, masked: Table | Dataset, keys: Sequence[str]) -> bool:
    """Whether the intruder lacks no cell that everybody has in the masked file: such cells are not known to him."""
    return all(original.null_count(name) == 0 or masked.null_count(name) > 0 for name in keys)


def _is_compared(known: KnownFiles, name: str, methods: Sequence[str]) -> bool:
    """Whether the known values are of the kind that the methods changed: text tells nothing about noise."""
    alike = (known.original[name].scale == Scale.NUMERIC) == (known.masked[name].scale == Scale.NUMERIC)
    return alike or any(_clue_of(method) is CLUES["held"] for method in methods)


def _clue_of(method: str) -> Callable[[PublishedStep], StepClues] | None:
    """What an intruder makes of the published parameters of a mask; None where no attack is known."""
    tells = registry.find("mask", method).tells
    return CLUES[tells.clue] if tells is not None and tells.clue else None


def _blanks(manifest: PublicManifest, step: int) -> bool:
    """Whether a step only blanks cells: what is known of the others stays true of the cells that are left."""
    return registry.find("mask", manifest.steps[step]["method"]).only_blanks


def _unchanged(known: KnownFiles, name: str, may_vanish: bool) -> Same:
    """A column that is published as it is: only equal values can belong together."""
    ours, theirs = (holding(each, name).frame[name] for each in (known.original, known.masked))
    codes = common_codes(ours, theirs)
    return Same(columns=(name,), known=codes.left - 1, masked=codes.right - 1, may_vanish=may_vanish)

"""How the command line shows things: tables and bars for people, JSON for programs.

All that goes to a terminal goes through a `Terminal`, which spells out what a terminal would obey.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid
from rich.text import Text

from discreet.assessment import EXCEEDED, MET, NOT_CHECKED, Assessment, NotDone
from discreet.effect import Effect
from discreet.errors import listed
from discreet.headline import Headline
from discreet.method_call import name_in, unit_of
from discreet.progress import SILENT, progress_in
from discreet.progress import Progress as Reporter
from discreet.release import Published
from discreet.results import Risk
from discreet.text.assessment import TextAssessment
from discreet.visible import escaped_json, visible_line


class Terminal(Console):
    """A console that shows text as it is: escapes are spelled out, and nothing is read as markup or an emoji.

    Names of files and columns may hold anything. Rich turns every text into its own by `render_str`, be it printed, in
    a title or in a cell. Texts of ours have line feeds at their ends alone, so that no name begins a line of its own.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        within = text.strip("\n")
        before, _, after = text.partition(within) if within else (text, "", "")
        return super().render_str(f"{before}{visible_line(within)}{after}", **options)


out = Terminal(soft_wrap=True)
err = Terminal(stderr=True)
PARTS = ("cells", "statistics")
"""The parts of the headline loss."""
BEFORE_A_BAR = 1.0
"""Seconds that work may take before a bar appears."""
PROGRESS_FILE = "DISCREET_PROGRESS"
"""The variable of the environment that names the file in which a program that started discreet follows its progress."""


def as_json(value: Mapping[str, Any] | list[Any]) -> None:
    """The value as JSON on the output."""
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    sys.stdout.write(escaped_json(text) + "\n")


@contextlib.contextmanager
def bar(quiet: bool = False, *, lines: bool = False) -> Iterator[Reporter]:
    """A reporter that draws a bar on a terminal once work takes longer than a second.

    Elsewhere it is silent, or with `lines` writes a line to the error stream for each piece of work that it is told of.
    Whoever starts discreet from a program names a file in `DISCREET_PROGRESS`, and reads there how far it is.
    """
    if os.environ.get(PROGRESS_FILE):
        yield progress_in(Path(os.environ[PROGRESS_FILE]))
        return
    if quiet or not err.is_terminal:
        yield _line if lines and not quiet else SILENT
        return
    shown = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        console=err,
        transient=True,
    )
    task = shown.add_task("")
    began = time.monotonic()

    def report(done: float, total: float, what: str) -> None:
        if not shown.live.is_started and time.monotonic() - began > BEFORE_A_BAR:
            shown.start()
        shown.update(task, completed=done, total=total or 1, description=visible_line(what))

    try:
        yield report
    finally:
        shown.stop()


def _line(done: float, total: float, what: str) -> None:
    """One line of progress, for a log."""
    err.print(visible_line(f"{done / total if total else 0:4.0%}  {what}"), soft_wrap=True)


def grid(title: str, *headings: str) -> Grid:
    """An empty table for people, with these headings."""
    made = Grid(
        title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0)
    )
    for heading in headings:
        longest = max((len(word) for word in heading.split()), default=0)
        made.add_column(heading, overflow="fold", min_width=min(longest, 20))
    return made


DRAFT = "A draft: no plan that was tried keeps to the limits. It is not meant to be signed or published."
STYLES = {MET: "green", EXCEEDED: "red", NOT_CHECKED: "yellow"}


def assessment(found: Assessment, *, as_it_is: bool = False) -> None:
    """What counts first: headlines and limits; then each risk and each loss.

    Of a file `as_it_is` nothing is lost, and there is no other to put beside it.
    """
    doubt(found.release)
    _results(found, as_it_is=as_it_is)
    if as_it_is:
        return
    if found.score is not None:
        out.print(
            f"\nScore {found.score.score:.1f} (loss {found.score.il:.1f}, risk {found.score.dr:.1f}; small is good)"
        )


def _results(found: Assessment | TextAssessment, *, as_it_is: bool = False) -> None:
    headlines(found, as_it_is=as_it_is)
    for limit in found.limits:
        out.print(str(limit), style=STYLES[limit.status])
    if isinstance(found, Assessment):
        if found.people is not None:
            out.print("Judged in parts.")
        for each in found.samples:
            out.print(f"{each}.", markup=False)
    out.print()
    risks(found)
    if not as_it_is:
        losses = grid("\nLoss: how much use is gone (0 is none)", "measure", "loss", "in")
        for loss in found.losses:
            counted = str(unit_of(loss.name)) if isinstance(found, Assessment) else ""
            losses.add_row(loss.name, f"{loss.loss:.4g}", counted)
        out.print(losses)
    not_done(found)


def text_assessment(found: TextAssessment) -> None:
    """The same of a release of text."""
    doubt(found)
    _results(found)


def doubt(release: Published | TextAssessment) -> None:
    """That nothing vouches for the manifest, where nothing does."""
    if release.doubt:
        out.print(f"Beware: {release.doubt}.", style="yellow")


def headlines(found: Assessment | TextAssessment, *, as_it_is: bool = False) -> None:
    """The largest risk of each kind, beside that of the original, and the headline loss."""
    rows = grid("In short", "", *(["the file as it is"] if as_it_is else ["release", "original"]), "set by")
    earlier = {"identity": found.before.identity, "attribute": found.before.attribute}
    for each in found.headlines:
        was = earlier[each.name]
        rows.add_row(
            each.name,
            f"{each.risk:.1%}" if each.attacks else "not computed",
            *([] if as_it_is else ["" if was is None else f"{was:.1%}"]),
            each.attack + (f" ({_beside(each)})" if each.name == "attribute" and each.attacks else ""),
        )
    if found.lost is not None and not as_it_is:
        parts = [f"{name} {found.lost.details[name]:.1f}%" for name in PARTS if name in found.lost.details]
        whole = found.lost.loss if isinstance(found, Assessment) else 100 * found.lost.loss
        rows.add_row("lost", f"{whole:.1f}%", "0%", ", ".join(parts))
    out.print(rows)
    if found.keys_perturbed:
        out.print(
            "Values were changed and not only made coarser: k, l and t of the file say little about it."
        )
    out.print()


def _beside(each: Headline) -> str:
    """The rate and the baseline of what was learned."""
    return f"{each.details['rate']:.1%} right, guessing {each.details['guessing']:.1%}"


def effect(found: Effect) -> None:
    """What masking did by column, the k and l reached, and how limits stand so far."""
    touched = [each for each in found.columns if each.blanked or each.changed or each.filled]
    out.print()
    if touched:
        rows = grid("What masking did to the cells", "column", "blanked", "changed", "filled")
        for each in touched:
            rows.add_row(
                each.column, *(_cells(many, each.cells) for many in (each.blanked, each.changed, each.filled))
            )
        out.print(rows)
    same = [each.column for each in found.columns if each not in touched]
    if same:
        out.print(f"As they were: {', '.join(same)}")
    if found.records != found.original_records:
        out.print(f"Records: {found.records:,} of {found.original_records:,}")
    out.print()
    for sentence in found.reached:
        out.print(f"{sentence[:1].upper()}{sentence[1:]}." if " = " not in sentence else f"{sentence}.")
    for limit in found.limits:
        out.print(str(limit), style=STYLES[limit.status])
    out.print()


def _cells(many: int, of: int) -> str:
    return f"{many:,} ({share(many / max(1, of))})" if many else ""


def typed(*words: object) -> str:
    """The words as they are typed in a shell: a name with a blank stands in quotation marks."""
    return shlex.join(map(str, words))


def todo(command: str, why: str) -> None:
    """A command to run next, and what for."""
    out.print(f"  {command}   # {why}")


def before(found: Assessment) -> None:
    """How exposed the original is as it is."""
    if found.before.identity is not None:
        out.print(f"The original as it is: identity {found.before.identity:.1%}, k {found.before.k}")


def risks(found: Assessment | TextAssessment) -> None:
    """What each attack achieved."""
    rows = grid("Risk: what an intruder gets right", "attack", "risk", "95% interval", "guessing", "level")
    for risk in found.risks:
        interval = risk.interval_text
        if risk.interval is not None and risk.by_chance:
            interval = f"{risk.interval[0]:.1%} to {risk.interval[1]:.1%}"
        baseline = "" if risk.baseline is None else share(risk.baseline)
        level = "" if risk.level is None else f"{risk.level:g}"
        rows.add_row(risk.name, f"{risk.risk:.1%}", interval, baseline, level)
    out.print(rows)
    _reservations(found)


def _reservations(found: Assessment | TextAssessment) -> None:
    """What the figures of some attacks leave out, which may make them too low."""
    without: dict[str, list[str]] = {}
    for risk in found.risks:
        left_out = risk.left_out
        if left_out:
            without.setdefault(listed(left_out), []).append(risk.name)
        deeper = risk.details.get("alone_only_on_more_columns")
        if deeper:
            out.print(
                f"{risk.name}: {deeper} records that only more columns than it tries single out count as 0"
            )
        if name_in(risk.name) == "suda" and any(risk.columns.values()):
            ranked = sorted(risk.columns.items(), key=lambda each: -each[1])
            through = ", ".join(f"{name} {part:.0%}" for name, part in ranked if part)
            out.print(f"{risk.name}: what singles people out goes through {through}")
        if risk.failed:
            out.print(f"{risk.name}: {risk.failed} of {risk.attempts} attempts failed{_instead(risk)}")
    for columns, attacks in without.items():
        out.print(
            f"{', '.join(attacks)}: without {columns}, which the intruder knows and which could not be used"
        )


def _instead(risk: Risk) -> str:
    """What became of attempts that failed."""
    if "contradictions" not in risk.details:
        return ""
    return ": what is known contradicts the manifest there, and these were linked by distance alone"


def share(part: float) -> str:
    """A share in percent, where what is not nothing does not look like it."""
    return f"{part:.2%}" if part == 0 or part >= 0.0001 else "under 0.01%"


def not_done(found: Assessment | TextAssessment) -> None:
    """What could not be computed, and why."""
    missed = [each for each in found.not_done if each.applies]
    if missed:
        out.print("\nNot computed (this says nothing about safety)", style="bold")
        for each in missed:
            out.print(reason(each))


def reason(missed: NotDone) -> str:
    """Which attack or measure was not computed, and why, without its name twice."""
    return f"{missed.name}: {missed.reason.removeprefix(f'{missed.name}: ').removeprefix(f'{missed.name} ')}"

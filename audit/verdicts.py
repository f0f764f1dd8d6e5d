"""The risk that is told is never below what plain matching of cells finds, and no limit is met that matching breaks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from audit import people, plans
from audit.outcome import REFUSED, Outcome, faults
from audit.people import KEYS, NUMBERS, Draw
from audit.program import Worker
from audit.release_files import published

METHODS = (
    "suppress",
    "recode_numbers",
    "mondrian",
    "generalise",
    "top_code",
    "round",
    "rank_swap",
    "pram",
    "recode",
)
BAND = re.compile(r"\[(-?[\d.e+]+), (-?[\d.e+]+)([\])])")
LIMIT = 0.1
SLACK = 1e-6


def trial(draw: Draw, folder: Path, worker: Worker) -> Outcome:
    """Masks a file, looks for every person among the published records by plain matching, and asks for the verdict."""
    made = people.make(draw, folder, plans.plan(draw, longest=2, methods=METHODS))
    release = folder / "release"
    answer = worker.run(["protect", made.file, "--out", release], folder)
    if answer.code in (2, 3):
        return REFUSED
    if answer.fault((0,)):
        return faults(answer.fault((0,)))
    command: list[str | Path] = [
        "assess",
        release,
        "--original",
        made.file,
        "--ceiling",
        f"identity={LIMIT}",
        "--json",
    ]
    asked = worker.run(command, folder)
    if asked.fault((0, 1)):
        return faults(asked.fault((0, 1)))
    plain = matched(made.frame, published(release))
    told = next(each for each in json.loads(asked.said)["headlines"] if each["name"] == "identity")["risk"]
    return faults(
        f"told {told:.4f}, plain matching finds {plain:.4f}"
        if told is not None and told < plain - SLACK
        else "",
        "a limit is met that plain matching breaks" if asked.code == 0 and plain > LIMIT + SLACK else "",
    )


def matched(original: pl.DataFrame, masked: pl.DataFrame) -> float:
    """The share of people found by whoever guesses among the published records that can be theirs.

    The records are in the order of the original. A person whose own record no longer fits is not found.
    """
    fits = np.ones((len(original), len(masked)), dtype=bool)
    for name in KEYS:
        fits &= _fits(original[name], masked[name], name in NUMBERS)
    own = fits.diagonal()
    return float((own / np.maximum(fits.sum(axis=1), 1)).mean())


def _fits(known: pl.Series, cells: pl.Series, number: bool) -> NDArray[np.bool_]:
    """For each person and each published cell, whether the cell can stand for what is known of the person."""
    texts = cells.cast(pl.String).to_list()
    blank = np.array([each is None for each in texts])
    unknown = known.is_null().to_numpy()
    if not number:
        equal = np.array(known.cast(pl.String).to_list())[:, None] == np.array(texts)[None, :]
        return np.asarray(equal | blank[None, :] | unknown[:, None])
    ends = np.array([ends_of(each) for each in texts])
    values = known.cast(pl.Float64).fill_null(np.nan).to_numpy()[:, None]
    inside = (values >= ends[:, 0]) & (values <= ends[:, 1])
    return np.asarray(inside | blank[None, :] | unknown[:, None])


def ends_of(text: str | None) -> tuple[float, float]:
    """The least and the greatest number that a cell can stand for; none where it is not read as a band or a number."""
    band = BAND.fullmatch(text or "")
    if band:
        high = float(band[2])
        return float(band[1]), high if band[3] == "]" else float(np.nextafter(high, -np.inf))
    try:
        return float(text or "nan"), float(text or "nan")
    except ValueError:
        return float("nan"), float("nan")

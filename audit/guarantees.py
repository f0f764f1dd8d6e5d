"""Every sentence of a manifest about the published file is true of the file, recomputed from the words alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

from audit import people, plans
from audit.outcome import REFUSED, Outcome, faults
from audit.people import Draw
from audit.program import Worker
from audit.release_files import manifest, published
from audit.verdicts import ends_of

NAME = re.compile(r"'([^']*)'")
NUMBER = r"(-?[\d.]+(?:e[+-]?\d+)?)"
Check = Callable[[re.Match[str], list[str], pl.DataFrame, pl.DataFrame], bool]


def trial(draw: Draw, folder: Path, worker: Worker) -> Outcome:
    """Masks a file by a random plan and recomputes what its manifest says was checked."""
    made = people.make(draw, folder, plans.plan(draw))
    release = folder / "release"
    answer = worker.run(["protect", made.file, "--out", release], folder)
    if answer.code in (2, 3):
        return REFUSED
    if answer.fault((0,)):
        return faults(answer.fault((0,)))
    file = published(release)
    told = [each["says"] for each in manifest(release)["checked_on_the_published_file"]]
    # What a step left for the next one is nowhere to be found.
    told = [each for each in told if "the data after step" not in each]
    found = faults(*(wrong(each, made.frame, file) for each in told))
    return found if told else Outcome(found.faults, looked=False)


def wrong(sentence: str, original: pl.DataFrame, file: pl.DataFrame) -> str:
    """What is wrong with a sentence; empty where it is true of the file."""
    for pattern, holds in CHECKS.items():
        match = re.search(pattern, sentence)
        if match:
            names = NAME.findall(sentence)
            return "" if holds(match, names, original, file) else f"not true: {sentence}"
    return f"nobody can check: {sentence}"


def _shared(match: re.Match[str], names: list[str], original: pl.DataFrame, file: pl.DataFrame) -> bool:
    return int(file.group_by(names).len()["len"].min() or 10**9) >= int(match[1])  # type: ignore[arg-type]


def _matching(match: re.Match[str], names: list[str], original: pl.DataFrame, file: pl.DataFrame) -> bool:
    fits = np.ones((len(file), len(file)), dtype=bool)
    for name in names:
        cells = np.array(["" if each is None else each for each in file[name].to_list()])
        fits &= (cells[:, None] == cells[None, :]) | (cells == "")[:, None] | (cells == "")[None, :]
    return bool((fits.sum(axis=1) >= int(match[1])).all())


def _same_values(match: re.Match[str], names: list[str], original: pl.DataFrame, file: pl.DataFrame) -> bool:
    return all(_sorted(original[name]) == _sorted(file[name]) for name in names)


def _same_means(match: re.Match[str], names: list[str], original: pl.DataFrame, file: pl.DataFrame) -> bool:
    pairs = [(original[name].cast(pl.Float64), file[name].cast(pl.Float64)) for name in names]
    return all(np.isclose(_mean(old), _mean(new), rtol=1e-9, atol=1e-9) for old, new in pairs)


def _multiples(match: re.Match[str], names: list[str], original: pl.DataFrame, file: pl.DataFrame) -> bool:
    steps = np.concatenate([_numbers(file[name]) for name in names]) / float(match[1])
    return bool(np.allclose(steps, np.round(steps), rtol=1e-9, atol=1e-9))


def _not_below(match: re.Match[str], names: list[str], original: pl.DataFrame, file: pl.DataFrame) -> bool:
    return all((_numbers(file[name]) >= float(match[1])).all() for name in names)


def _not_above(match: re.Match[str], names: list[str], original: pl.DataFrame, file: pl.DataFrame) -> bool:
    return all((_numbers(file[name]) <= float(match[1])).all() for name in names)


def _between(match: re.Match[str], names: list[str], original: pl.DataFrame, file: pl.DataFrame) -> bool:
    low, high = float(match[1]), float(match[2])
    return all(((_numbers(file[name]) >= low) & (_numbers(file[name]) <= high)).all() for name in names)


def _few_categories(
    match: re.Match[str], names: list[str], original: pl.DataFrame, file: pl.DataFrame
) -> bool:
    return all(file[name].drop_nulls().n_unique() <= int(match[1]) for name in names)


def _holds_its_value(
    match: re.Match[str], names: list[str], original: pl.DataFrame, file: pl.DataFrame
) -> bool:
    for name in names:
        ends = np.array([ends_of(each) for each in file[name].to_list()])
        values = original[name].cast(pl.Float64).fill_null(np.nan).to_numpy()
        known = ~np.isnan(values)
        if not ((ends[known, 0] <= values[known]) & (values[known] <= ends[known, 1])).all():
            return False
    return True


def _few_combinations(
    match: re.Match[str], names: list[str], original: pl.DataFrame, file: pl.DataFrame
) -> bool:
    return len(file.select(names).unique()) <= int(match[1])


def _in_range(match: re.Match[str], names: list[str], original: pl.DataFrame, file: pl.DataFrame) -> bool:
    pairs = [(_places(original[name]).drop_nulls(), _places(file[name]).drop_nulls()) for name in names]
    return all(set(new) == set() or (min(old) <= min(new) and max(new) <= max(old)) for old, new in pairs)


def _in_same_order(
    match: re.Match[str], names: list[str], original: pl.DataFrame, file: pl.DataFrame
) -> bool:
    for name in names:
        both = pl.DataFrame({"old": _places(original[name]), "new": _places(file[name])}).drop_nulls()
        ends = both.group_by("old").agg(pl.col("new").min().alias("low"), pl.col("new").max().alias("high"))
        ends = ends.sort("old")
        if (ends["high"].cum_max().shift(1) > ends["low"]).any():
            return False
    return True


def _no_other_values(
    match: re.Match[str], names: list[str], original: pl.DataFrame, file: pl.DataFrame
) -> bool:
    return all(set(_sorted(file[name])) <= set(_sorted(original[name])) for name in names)


def _places(values: pl.Series) -> pl.Series:
    """Numbers as they are; levels of education by their place, the marker last."""
    numbers = values.cast(pl.String).cast(pl.Float64, strict=False)
    if numbers.null_count() == values.null_count():
        return numbers
    return values.replace_strict(
        {level: place for place, level in enumerate(people.LEVELS)},
        default=float(len(people.LEVELS)),
        return_dtype=pl.Float64,
    )


def _records(match: re.Match[str], names: list[str], original: pl.DataFrame, file: pl.DataFrame) -> bool:
    return len(file) == int(match[1])


def _sorted(values: pl.Series) -> list[object]:
    texts = values.cast(pl.String)
    numbers = texts.cast(pl.Float64, strict=False)
    return (texts if numbers.null_count() > texts.null_count() else numbers).sort().to_list()


def _numbers(values: pl.Series) -> np.ndarray:
    return values.drop_nulls().cast(pl.Float64).to_numpy()


def _mean(values: pl.Series) -> float:
    return float(values.mean() or 0.0)  # type: ignore[arg-type]


CHECKS: dict[str, Check] = {
    r"^every combination of .* is shared by at least (\d+) records$": _shared,
    r"^at least (\d+) records match each on .*, where missing matches anything$": _matching,
    r"keeps? (?:their|its) values, each as often as in the original$": _same_values,
    r"^the means of .* are those of the original$": _same_means,
    rf"^all values of .* are multiples of {NUMBER}$": _multiples,
    rf"^no value of .* is below {NUMBER} or above {NUMBER}$": _between,
    rf"^no value of .* is below {NUMBER}$": _not_below,
    rf"^no value of .* is above {NUMBER}$": _not_above,
    r"holds? at most (\d+) categor(?:y|ies)$": _few_categories,
    r"^the intervals of .* contain the values of the original that they stand for$": _holds_its_value,
    r"^there are at most (\d+) different combinations of": _few_combinations,
    r"^no value of .* lies outside the range that it has in the original$": _in_range,
    r"^whoever has more of .* than another in the original has no less of it here$": _in_same_order,
    r"holds? no value that (?:it does|they do) not hold in the original$": _no_other_values,
    r"^the file holds (\d+) records$": _records,
}

"""From a table and a plan to a release."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pkgutil import resolve_name
from typing import Any, NamedTuple, overload

import numpy as np
import polars as pl

from discreet import registry, seeds
from discreet.dataset import Dataset
from discreet.dataset_release import DatasetRelease, release_of_dataset
from discreet.errors import BadParameter, BadTable
from discreet.guarantees import Compared, Guarantee
from discreet.manifest import PrivateManifest
from discreet.persons import persons_behind, warnings_about
from discreet.plan import Plan
from discreet.progress import SILENT, Progress, part
from discreet.public_half import public_half
from discreet.published_order import published_order
from discreet.release import Release
from discreet.results import FROM_NOBODY, Masked, plain
from discreet.rounding import rounded_as_read
from discreet.seeds import Seed
from discreet.shown import as_shown
from discreet.table import IDENTIFYING, Described, IntArray, Role, Scale, Table

PSEUDONYM_STREAM, HOUSEHOLD_STREAM = 1 << 20, (1 << 20) + 1
"""Streams of the seed beside those of the steps, which are numbered from zero."""
SANITISER = "discreet.text.columns:sanitise_columns"
"""What sanitises columns of text: looked up when it is asked for, because the room of texts stands above this one."""


@overload
def protect(
    table: Table,
    plan: Plan,
    *,
    seed: Seed = None,
    order: str = "shuffled",
    pseudonymise: Sequence[str] = (),
    publish_text: Sequence[str] = (),
    sanitise_text: Sequence[str] = (),
    policy: object | None = None,
    upto: int | None = None,
    progress: Progress = SILENT,
) -> Release: ...


@overload
def protect(
    table: Dataset,
    plan: Plan,
    *,
    seed: Seed = None,
    order: str = "shuffled",
    pseudonymise: Sequence[str] = (),
    publish_text: Sequence[str] = (),
    sanitise_text: Sequence[str] = (),
    progress: Progress = SILENT,
) -> DatasetRelease: ...


def protect(
    table: Table | Dataset,
    plan: Plan,
    *,
    seed: Seed = None,
    order: str = "shuffled",
    pseudonymise: Sequence[str] = (),
    publish_text: Sequence[str] = (),
    sanitise_text: Sequence[str] = (),
    policy: object | None = None,
    upto: int | None = None,
    progress: Progress = SILENT,
) -> Release | DatasetRelease:
    """The release of a table under a plan; that of a dataset is masked and written when it is saved.

    Identifiers and the number of a person are dropped, except those in `pseudonymise`, which become keyed hashes.
    Columns of free text are dropped, because a sentence can name a person, except those in `publish_text`, which are
    published as they are, and those in `sanitise_text`, in which pseudonyms stand for names, numbers and the like that
    the recognisers find or that the identifiers of the table tell. A `policy` (`dc.text.Policy`, its name or its file)
    says what else is looked for there, what stays as it is, and which topics are sensitive.

    Numbers of a table that was read from a file get the decimals that the file has in their column, unless that breaks
    a guarantee. Where a column has the role person, guarantees about classes are checked by counting people. Household
    numbers become new random ones. The records of the published file are in random order unless `order` is "kept",
    because the order of a file can tell who is who; `release.table` stays in the order of the table. The seed is drawn
    from the operating system unless given, and is secret.

    With `upto` only the first steps of the plan are carried out, so many, to see what each of them does. Such a release
    is not finished, as its manifest says, and no limit is met by it. With the same seed the same steps do the same.
    """
    check_protection(table, plan, order, pseudonymise, publish_text, sanitise_text)
    _check_policy(policy, sanitise_text)
    secret = seeds.check(seed)
    if isinstance(table, Dataset):
        whole_only = {"sanitise_text": sanitise_text, "upto": upto}
        return release_of_dataset(table, plan, secret, order, pseudonymise, publish_text, whole_only)
    plan, planned = plan.up_to(upto), len(plan.steps)
    done = _run_all(table, plan, secret, progress)
    if sanitise_text:
        rows = published_order(len(done.table), order, secret)
        done = _sanitised(done, table, sanitise_text, rows, policy, progress)
    dropped = dropped_columns(table, pseudonymise, (*publish_text, *sanitise_text))
    published = as_shown(_without_identity(done.table.without(dropped), pseudonymise, secret))
    guarantees = tuple(each for each in done.guarantees if not set(each.columns) - set(published.names))
    persons = persons_behind(table, np.arange(len(table)) if done.origin is None else done.origin)
    published, guarantees = rounded_as_read(published, table, guarantees, persons)
    return Release(
        table=replace(published, dialect=table.dialect),
        manifest=public_half(
            published,
            types=table.frame.schema,
            steps=done.steps,
            guarantees=guarantees,
            dropped=len(dropped),
            pseudonymised=pseudonymise,
            order=order,
            rows_kept=done.origin is None,
            steps_left=planned - len(plan.steps),
        ),
        private=PrivateManifest(
            seed=secret,
            plan=plan,
            original=table.source,
            original_records=len(table),
            dropped=tuple(dropped),
            parameters=tuple(step.parameters for step in done.steps),
            facts=tuple(plain(step.facts) for step in done.steps),
            origin=done.origin,
        ),
        guarantees=guarantees,
        persons=persons,
        warnings=warnings_about(table),
    )


class _Done(NamedTuple):
    """The table after all steps of a plan: what each step did, where the rows come from, and what is guaranteed."""

    table: Table
    steps: tuple[Masked, ...]
    origin: IntArray | None
    guarantees: tuple[Guarantee, ...]


def _run_all(table: Table, plan: Plan, secret: int, progress: Progress) -> _Done:
    """The steps of a plan in turn, each with a seed of its own."""
    after = _Done(table, (), None, ())
    for place, step in enumerate(plan.steps):
        progress(place, len(plan.steps), step.name)
        step_progress = part(progress, place, len(plan.steps), step.name)
        done = _run(after.table, step.name, dict(step.parameters), seeds.derive(secret, place), step_progress)
        after = _Done(
            table=done.table,
            steps=(*after.steps, done),
            origin=_composed(after.origin, done.origin),
            guarantees=_standing(after, table, done),
        )
    progress(len(plan.steps), len(plan.steps), "masked")
    return after


def _sanitised(
    done: _Done,
    original: Table,
    columns: Sequence[str],
    order: IntArray,
    policy: object | None,
    progress: Progress,
) -> _Done:
    """What was masked with columns of text sanitised, and what is guaranteed of them."""
    sanitised = resolve_name(SANITISER)(
        done.table,
        tuple(dict.fromkeys(columns)),
        original=original,
        order=order,
        policy=policy,
        progress=progress,
    )
    # What a step guaranteed of a text does not hold of other words.
    kept = tuple(each for each in done.guarantees if not set(each.columns) & set(columns))
    return done._replace(
        table=done.table.with_values(sanitised.values), guarantees=(*kept, sanitised.guarantee)
    )


def dropped_columns(table: Described, pseudonymise: Sequence[str], texts: Sequence[str]) -> list[str]:
    """The columns that are left out of a release: identifiers without a pseudonym, and texts not to be published."""
    identity = {each.name for each in table.columns if each.role in IDENTIFYING or each.scale == Scale.TEXT}
    return [name for name in table.names if name in identity.difference(pseudonymise, texts)]


def check_protection(
    table: Described,
    plan: Plan,
    order: str,
    pseudonymise: Iterable[str],
    publish_text: Sequence[str],
    sanitise_text: Sequence[str],
) -> None:
    """Raises where a table cannot be protected in this way, before anything is done."""
    if order not in ("shuffled", "kept"):
        raise BadParameter("protect: order must be 'shuffled' or 'kept'.")
    plan.check(table)
    for names, how in ((publish_text, "published as it is"), (sanitise_text, "sanitised")):
        for name in names:
            if table[name].scale != Scale.TEXT or table[name].role in IDENTIFYING:
                raise BadTable(f"protect: column '{name}' is not a free text that could be {how}.")
    for name in sanitise_text:
        if name in publish_text:
            raise BadParameter(
                f"protect: column '{name}' is to be published as it is and to be sanitised. Name it once."
            )
    for name in pseudonymise:
        if table[name].role not in IDENTIFYING:
            raise BadTable(
                f"protect: column '{name}' is not an identifier; only identifiers and persons are pseudonymised."
            )


def _check_policy(policy: object | None, sanitise_text: Sequence[str]) -> None:
    if policy is not None and not sanitise_text:
        raise BadParameter(
            "protect: a policy is for columns of text that are sanitised; name one (sanitise_text)."
        )


def _run(table: Table, name: str, parameters: dict[str, Any], seed: int, progress: Progress) -> Masked:
    method = registry.find("mask", name)
    extras = {"seed": seed, "progress": progress}
    done: Masked = method.function(
        table, **parameters, **{extra: extras[extra] for extra in method.extras & set(extras)}
    )
    return done


def _standing(after: _Done, original: Table, done: Masked) -> tuple[Guarantee, ...]:
    """The guarantees that still stand after a step: those about columns and rows it left alone, and its own.

    `after` is what the steps before it left.
    """
    before = after.table
    touched = {
        name
        for name in before.names
        if name not in done.table.names
        or not done.table.frame[name].equals(before.frame[name], null_equal=True)
    }
    rows_kept = done.origin is None
    kept = tuple(each for each in after.guarantees if rows_kept and not touched & set(each.columns))
    return (*kept, *(_about(each, original, after) for each in done.guarantees))


def _about(guarantee: Guarantee, original: Table, after: _Done) -> Guarantee:
    """The guarantee of a step with what it is about: the original, where its columns came to the step as they were."""
    if not isinstance(guarantee, Compared):
        return guarantee
    untouched = after.origin is None and all(
        after.table.frame[name].equals(original.frame[name], null_equal=True)
        for name in guarantee.compared_columns()
    )
    needed = {*guarantee.compared_columns(), *guarantee.known_before.having(Role.WEIGHT)}
    # The columns that it does not speak of would only take memory.
    before = guarantee.known_before.without(
        name for name in guarantee.known_before.names if name not in needed
    )
    if untouched:
        return replace(guarantee, before=before)
    last = after.steps[-1].method
    return replace(guarantee, before=before, about=f"the data after step {len(after.steps)} ({last})")


def _composed(first: IntArray | None, second: IntArray | None) -> IntArray | None:
    """The origin of rows after two steps."""
    if first is None or second is None:
        return first if second is None else second
    return np.where(second >= 0, first[np.maximum(second, 0)], FROM_NOBODY)


def _without_identity(table: Table, pseudonymise: Sequence[str], seed: int) -> Table:
    """The table with pseudonyms for the identifiers named, and new numbers for households."""
    fresh = {name: pseudonyms(table.frame[name], seed) for name in pseudonymise}
    described = [replace(table[name], scale=Scale.NOMINAL) for name in pseudonymise]
    for name in table.having(Role.HOUSEHOLD):
        fresh[name] = _renumbered(table.frame[name], seed)
    return table.with_values(fresh, described)


def pseudonyms(values: pl.Series, seed: int) -> pl.Series:
    """Keyed hashes of the values: equal where the values are, and not to be undone without the key."""
    key = seeds.derive(seed, PSEUDONYM_STREAM).to_bytes(16, "big")
    distinct = values.drop_nulls().unique()
    hashes = [hmac.digest(key, str(value).encode(), "sha256").hex()[:24] for value in distinct.to_list()]
    return values.replace_strict(
        distinct, pl.Series(hashes, dtype=pl.String), default=None, return_dtype=pl.String
    )


def _renumbered(values: pl.Series, seed: int) -> pl.Series:
    """New random numbers for households; missing stays missing."""
    numbers = renumbering(values.drop_nulls().unique(), values.name, seed)
    return values.to_frame().join(numbers, on=values.name, how="left", maintain_order="left")["number"]


def renumbering(distinct: pl.Series, name: str, seed: int) -> pl.DataFrame:
    """The distinct numbers of households in a column, and the new random `number` of each."""
    generator = seeds.generator(seed, HOUSEHOLD_STREAM)
    fresh = pl.Series("number", generator.permutation(len(distinct)) + 1, dtype=pl.Int64)
    return pl.DataFrame([distinct.sort().alias(name), fresh])

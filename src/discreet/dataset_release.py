"""A release of a dataset: what is to be done, until it is saved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from discreet.dataset import PART_RECORDS, Dataset
from discreet.errors import NotSplit
from discreet.persons import warnings_about
from discreet.plan import Plan
from discreet.progress import SILENT, Progress
from discreet.signing import SigningKey
from discreet.visible import visible_line

ENGINE = "discreet.engine"
"""Where the work is done: looked up when it is asked for, because that room stands above this one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DatasetRelease:
    """What a dataset becomes under a plan. Nothing is read or masked before it is saved.

    `part_records` are worked on together: a whole number of blocks of 65,536. It changes nothing in the result.
    """

    dataset: Dataset
    plan: Plan
    seed: int = field(repr=False)
    order: str = "shuffled"
    pseudonymise: tuple[str, ...] = ()
    publish_text: tuple[str, ...] = ()
    part_records: int = PART_RECORDS

    def warnings(self) -> tuple[str, ...]:
        """What the steward should know before it is published; for that the identifiers are read."""
        return warnings_about(self.dataset)

    def save(
        self,
        folder: str | Path,
        *,
        force: bool = False,
        sign: str | Path | SigningKey | None = None,
        engine: Any = None,
        progress: Progress = SILENT,
    ) -> Path:
        """The folder, with the published files and the public manifest in `public/` and the secrets in `private/`.

        The records are masked and written in parts, in threads of this process or where the `engine` runs them. Each
        file is read back, and every guarantee is checked on the files before anything is put in place; when one does
        not hold, GuaranteeBroken is raised and nothing is written.
        """
        key = sign if sign is None or isinstance(sign, SigningKey) else SigningKey.load(sign)
        save: Callable[..., None] = resolve_name(f"{ENGINE}:save_dataset_release")
        running = engine or resolve_name(f"{ENGINE}:Threads")()
        place = Path(folder)
        save(
            self,
            place,
            force=force,
            sign=None if key is None else key.sign,
            engine=running,
            progress=progress,
        )
        return place

    def __repr__(self) -> str:
        """One line without parameters, which can repeat cells."""
        steps = " | ".join(step.name for step in self.plan.steps) or "nothing masked"
        return visible_line(f"<release of '{self.dataset.name}', not saved yet: {steps}>")

    def __str__(self) -> str:
        return f"release of '{self.dataset.name}': {len(self.dataset)} records, {self.plan}, not saved yet"


def release_of_dataset(
    dataset: Dataset,
    plan: Plan,
    seed: int,
    order: str,
    pseudonymise: Sequence[str],
    publish_text: Sequence[str],
    whole_only: Mapping[str, object],
) -> DatasetRelease:
    """The release of a dataset; NotSplit, before anything is read, where a step of the plan cannot work in parts.

    `whole_only` are further parameters of `protect`, which have a meaning for tables in memory alone.
    """
    for name, value in whole_only.items():
        if value:
            raise NotSplit(
                f"protect: {name} is for tables in memory, not for a dataset in parts. Leave it out, or read the table "
                "(discreet.read) where it fits."
            )
    resolve_name(f"{ENGINE}:refuse_what_cannot_be_masked")(dataset, plan)
    return DatasetRelease(
        dataset=dataset,
        plan=plan,
        seed=seed,
        order=order,
        pseudonymise=tuple(pseudonymise),
        publish_text=tuple(publish_text),
    )

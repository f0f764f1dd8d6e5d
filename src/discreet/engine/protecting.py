"""From a dataset and a plan to the folder of a release: masked in parts, written, and checked as written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import polars as pl

from discreet import seeds
from discreet.dataset import Dataset, Shelf
from discreet.dataset_release import DatasetRelease
from discreet.engine.all_parts import Where
from discreet.engine.by_blocks import masked_by_blocks
from discreet.engine.by_columns import masked_by_columns
from discreet.engine.by_counts import masked_by_counts
from discreet.engine.by_draws import Drawn, drawn_of
from discreet.engine.by_rows import masked_by_rows
from discreet.engine.checking import Files, refuse_what_is_not_checked
from discreet.engine.identities import new_identities
from discreet.engine.publishing import as_written, write_parts
from discreet.engine.running import Engine
from discreet.engine.scratch import scratch_beside
from discreet.engine.steps import PartDone, Step, refuse_what_is_not_split, step_on
from discreet.guarantees import Compared, Guarantee
from discreet.manifest import PrivateManifest, PublicManifest, PublishedFile, PublishedPart
from discreet.method import Split
from discreet.plan import Plan
from discreet.progress import Progress, part
from discreet.protection import dropped_columns
from discreet.public_half import public_half
from discreet.published_order import published_order
from discreet.reading.scan import digest_of_files
from discreet.results import Masked, plain
from discreet.shown import columns_as_shown
from discreet.table import Described, IntArray, Source, Table
from discreet.writing.atomic import new_folder
from discreet.writing.release import PUBLIC, files_of_release, type_name, write_halves

PLACES = "places.npy"
"""The file with the place of each record in the published order."""
BY = {
    Split.RANGES: masked_by_columns,
    Split.ROWS: masked_by_rows,
    Split.BLOCKS: masked_by_blocks,
    Split.COUNTS: masked_by_counts,
}


def save_dataset_release(
    release: DatasetRelease,
    folder: Path,
    *,
    force: bool,
    sign: Callable[[bytes], str] | None,
    engine: Engine,
    progress: Progress,
) -> None:
    """Masks the records of a dataset in parts, and writes them and both halves of the manifest into the folder.

    Each file is read back, and every guarantee is checked on the files before anything is put in place.
    """
    with (
        new_folder(folder, force=force, ours=files_of_release) as temporary,
        scratch_beside(folder) as scratch,
    ):
        work = _Work(release=release, scratch=scratch, engine=engine, progress=progress)
        masked = work.masked()
        manifest, secrets = work.published(masked, temporary / PUBLIC)
        release.dataset.check_unchanged()
        write_halves(temporary, manifest, secrets, sign=sign)


def refuse_what_cannot_be_masked(dataset: Described, plan: Plan) -> None:
    """Raises NotSplit where a step of a plan cannot work on a dataset in parts."""
    for call in plan.steps:
        refuse_what_is_not_split(step_on(call, dataset, 0), dataset)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """What it takes to make a release: what is to be done, where files may lie meanwhile, and where work runs."""

    release: DatasetRelease
    scratch: Path
    engine: Engine
    progress: Progress

    def told(self, place: int, name: str) -> Progress:
        """How one step among all tells its progress."""
        return part(self.progress, place, len(self.release.plan.steps) + 1, name)

    def masked(self) -> _Masked:
        """The dataset after all steps of the plan."""
        after = _Masked(dataset=self.release.dataset)
        for place, call in enumerate(self.release.plan.steps):
            step = step_on(call, after.dataset, seeds.derive(self.release.seed, place))
            refuse_what_is_not_split(step, after.dataset)
            folder = self.scratch / f"step-{place}"
            folder.mkdir()
            where = (self.release.part_records, self.engine, self.told(place, call.name))
            if call.method.splits == Split.DRAWS:
                after = after.with_draw(drawn_of(after.dataset, step, folder, *where))
                continue
            masked = masked_by_columns if step.by_columns else BY[call.method.splits]
            done = masked(after.dataset, step, folder, *where)
            refuse_what_is_not_checked(done.guarantees)
            after = after.with_step(step, done)
        return after

    def published(self, masked: _Masked, public: Path) -> tuple[PublicManifest, PrivateManifest]:
        """Both halves of the manifest, once the files are written and checked."""
        given = self.release
        dropped = dropped_columns(given.dataset, given.pseudonymise, given.publish_text)
        published = new_identities(
            masked.dataset.without(dropped),
            given.pseudonymise,
            given.seed,
            self.scratch,
            given.part_records,
            self.engine,
        )
        standing = tuple(each for each in masked.guarantees if not set(each.columns) - set(published.names))
        parts = self.written(published, public / published.name, standing)
        written = as_written(published, public / published.name, parts)
        places = np.load(self.scratch / PLACES, mmap_mode="r")
        where = Where(self.engine, self.scratch, given.part_records)
        Files(
            written=written, before=masked.before, places=places, persons=masked.dataset, where=where
        ).check_all(standing)
        shown = replace(written, columns=columns_as_shown(written))
        manifest = public_half(
            shown,
            types=given.dataset.types,
            steps=masked.steps,
            guarantees=standing,
            dropped=len(dropped),
            pseudonymised=given.pseudonymise,
            order=given.order,
            rows_kept=masked.origin is None,
        )
        types = {name: type_name(shown.types[name]) for name in shown.names}
        file = PublishedFile.of_parts(shown.name, parts, types)
        return replace(manifest, file=file), self.secrets(masked, dropped)

    def written(
        self, published: Dataset, folder: Path, guarantees: Sequence[Guarantee]
    ) -> tuple[PublishedPart, ...]:
        """The published files, with the records in the published order."""
        rows = published_order(len(published), self.release.order, self.release.seed)
        kind = np.uint32 if len(rows) < 1 << 32 else np.int64
        places = np.empty(len(rows), dtype=kind)
        places[rows] = np.arange(len(rows), dtype=kind)
        del rows
        np.save(self.scratch / PLACES, places)
        del places
        folder.mkdir(parents=True)
        told = self.told(len(self.release.plan.steps), "write")
        return write_parts(
            published,
            self.scratch / PLACES,
            folder,
            self.scratch,
            self.release.part_records,
            self.engine,
            told,
            guarantees,
        )

    def secrets(self, masked: _Masked, dropped: Sequence[str]) -> PrivateManifest:
        """The private half of the manifest."""
        dataset = self.release.dataset
        return PrivateManifest(
            seed=self.release.seed,
            plan=self.release.plan,
            original=Source(path=dataset.name, digest=digest_of_files(dataset)),
            original_records=len(dataset),
            dropped=tuple(dropped),
            parameters=tuple(step.parameters for step in masked.steps),
            facts=tuple(plain(step.facts) for step in masked.steps),
            origin=masked.origin,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Masked:
    """A dataset after some steps: what each did, what is guaranteed, and what columns were before the last of them."""

    dataset: Dataset
    steps: tuple[Masked, ...] = ()
    guarantees: tuple[Guarantee, ...] = ()
    before: dict[str, Dataset] = field(default_factory=dict)
    origin: IntArray | None = None

    def about(self, *, untouched: bool) -> str:
        """What a step speaks of that compares its columns with what they were."""
        if untouched and self.origin is None:
            return "the original"
        return f"the data after step {len(self.steps)} ({self.steps[-1].method})"

    def with_draw(self, drawn: Drawn) -> _Masked:
        """The dataset after a step that left out records: what was guaranteed of all need not hold of some."""
        masked = {name for shelf in self.dataset.shelves[1:] for name in shelf.names}
        about = self.about(untouched=not masked)
        refuse_what_is_not_checked(drawn.step.guarantees)
        own = tuple(
            replace(each, about=about) if isinstance(each, Compared) else each
            for each in drawn.step.guarantees
        )
        return _Masked(
            dataset=drawn.dataset,
            steps=(*self.steps, replace(drawn.step, guarantees=own)),
            guarantees=own,
            before=dict.fromkeys(self.dataset.names, self.dataset),
            origin=drawn.origin if self.origin is None else self.origin[drawn.origin],
        )

    def with_step(self, step: Step, done: PartDone) -> _Masked:
        touched = set(step.columns)
        kept = tuple(each for each in self.guarantees if not touched & set(each.columns))
        untouched = not touched & {name for other in self.dataset.shelves[1:] for name in other.names}
        about = self.about(untouched=untouched)
        own = tuple(
            replace(each, about=about) if isinstance(each, Compared) else each for each in done.guarantees
        )
        shelves = done.shelves or (Shelf(names=step.columns, files=done.files),)
        dataset = self.dataset
        for shelf in shelves:
            own_columns = [each for each in done.columns if each.name in shelf.names]
            dataset = dataset.with_shelf(shelf, own_columns, {name: done.types[name] for name in shelf.names})
        nothing = Table(name=self.dataset.name, columns=(), frame=pl.DataFrame())
        record = Masked(
            table=nothing,
            facts=done.facts,
            guarantees=own,
            method=step.call.name,
            parameters=done.parameters,
        )
        return _Masked(
            dataset=dataset,
            steps=(*self.steps, record),
            guarantees=(*kept, *own),
            before={**self.before, **dict.fromkeys(step.columns, self.dataset)},
            origin=self.origin,
        )

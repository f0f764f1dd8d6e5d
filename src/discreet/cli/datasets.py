"""What the commands do with a dataset: a folder or pattern of files that may be larger than memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from discreet.cli import options, show
from discreet.cli.history import noted
from discreet.cli.keygen import signing_key
from discreet.dataset import PART_RECORDS, Dataset
from discreet.engine import Cluster, Engine, Threads
from discreet.errors import BadParameter, BadProject, WouldOverwrite
from discreet.history import note_release
from discreet.manifest import PUBLIC_NAME, PublicManifest
from discreet.project import EngineOptions, Project
from discreet.protection import protect as protect_dataset
from discreet.reading import read
from discreet.reading.content import is_dataset, is_text
from discreet.reading.scan import LARGE, files_of, is_large, scan
from discreet.release import Release, ReleaseInParts
from discreet.shapes import read_json
from discreet.table import Table
from discreet.writing import refuse_folder
from discreet.writing.release import files_of_release, public_folder

WHOLE_UP_TO = PART_RECORDS
"""A dataset of no more records is read whole to be judged."""
ClusterAddress = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS", help="A Dask scheduler whose workers do the work on a dataset."
    ),
]
InParts = Annotated[
    bool | None,
    typer.Option(
        "--in-parts/--whole",
        help=f"Mask one Parquet, Arrow or CSV file in parts, into a folder of Parquet files, or read it whole. Files "
        f"that take more than {LARGE >> 30} GB in memory are masked in parts.",
        show_default=False,
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers", min=1, help="Do the work on a dataset with so many Dask workers on this machine."
    ),
]


def with_engine(settings: Project, cluster: str | None, workers: int | None, original: Path) -> Project:
    """The project with the engine that options name in place of its own; BadParameter for a single file."""
    if cluster is None and workers is None:
        return settings
    if not in_parts(original, None):
        raise BadParameter("--cluster and --workers are for a dataset: a folder or pattern of Parquet files.")
    return replace(settings, engine=EngineOptions(cluster=cluster, workers=workers))


def refuse(**given: object) -> None:
    """Raises BadParameter where an option is given that has a meaning for single files alone."""
    named = [name for name, value in given.items() if value not in (None, [])]
    if named:
        raise BadParameter(
            f"--{named[0].replace('_', '-')} is for a single file that is read into memory, not for a dataset. "
            "Leave it out."
        )


def in_parts(path: Path, wanted: bool | None) -> bool:
    """Whether a path is worked on in parts: a dataset always, one file where it is large or that is wanted."""
    if is_dataset(path):
        if wanted is False:
            raise BadParameter(
                f"--whole is for a single file, and {path} stands for several: they are masked in parts. Leave it out."
            )
        return True
    return is_large(path) if wanted is None else wanted


def protect(
    dataset: Path,
    out: Path,
    settings: Project,
    project: Path | None,
    header: bool | None,
    mask: list[str] | None,
    where: EngineOptions,
    seed: int | None,
    sign: Path | None,
    force: bool,
    json: bool,
) -> None:
    """Mask a dataset in parts as its project says, check the files, and write the release."""
    if out.resolve() in dataset.resolve().parents and (out / "public").exists():
        raise WouldOverwrite(
            f"{dataset} lies in {out}, which would be replaced; a release never replaces its original. "
            "Choose another folder."
        )
    if not is_text(files_of(dataset)[0]):
        refuse(header=header)
    plan = options.plan_of(mask) if mask else settings.plan
    if not plan.steps:
        raise BadProject(
            f"{settings.path.name} has no [[mask]] step, and no --mask is given: nothing would be masked."
        )
    refuse_folder(out, force, files_of_release)
    key = None if sign is None else signing_key(sign)
    release = protect_dataset(
        scan(dataset, project=settings),
        plan,
        seed=seed,
        order=settings.release.order,
        pseudonymise=settings.release.pseudonymise,
        publish_text=settings.release.publish_text,
        sanitise_text=settings.release.sanitise_text,
    )
    chosen = settings.engine if where == EngineOptions() else where
    drafts = [show.DRAFT] if settings.release.draft else []
    with running(chosen) as engine, show.bar(json) as progress:
        release.save(out, force=force, sign=key, engine=engine, progress=progress)
        progress(0, 1, "identifiers")
        warnings = [*release.warnings(), *noted(lambda: note_release(out, plan, settings))]
    manifest = PublicManifest.from_dict(read_json(public_folder(out) / PUBLIC_NAME)).to_dict()
    if json:
        show.as_json({**manifest, "warnings": [*drafts, *warnings]})
        return
    for each in [*drafts, *(f"Warning: {each}" for each in warnings)]:
        show.out.print(each, style="red")
    _tell(manifest, dataset, out, settings, project)


def _tell(
    manifest: Mapping[str, Any], dataset: Path, out: Path, settings: Project, project: Path | None
) -> None:
    """Says what was written and checked, and what to do next."""
    written = manifest["file"]
    if not is_dataset(dataset):
        show.out.print(
            f"{dataset.name} was masked in parts (--whole reads it whole, where it fits in memory)"
        )
    files = "1 file" if len(written["parts"]) == 1 else f"{len(written['parts'])} files"
    show.out.print(f"Released {written['records']:,} records in {files}: {out / 'public' / written['name']}")
    for guarantee in manifest["checked_on_the_published_file"]:
        show.out.print(f"  checked on the files: {guarantee['says']}")
    show.out.print(f"Keep secret: {out / 'private'} (it can undo the masking)")
    show.out.print("No attack was run yet, so no limit is known to be met.", style="yellow")
    given = show.typed(dataset) if project is None else show.typed(dataset, "--project", project)
    show.out.print("What next", style="bold")
    show.todo(f"discreet assess {show.typed(out)} --original {given}", "attack it and check every limit")
    show.todo(
        f"discreet history {show.typed(settings.path.parent)}", "the releases so far, with their verdicts"
    )


@contextmanager
def running(where: EngineOptions) -> Iterator[Engine]:
    """Where the parts are worked on: threads of this process, or the workers of a cluster while the block runs."""
    if where.cluster is None and where.workers is None:
        yield Threads()
        return
    with Cluster(where.cluster, workers=where.workers) as cluster:
        yield cluster


def original_of(path: Path, project: Project) -> Table | Dataset:
    """The original: a dataset in parts where it is larger than one of them, else a table in memory.

    Of what fits in memory more can be computed, so a small dataset is read whole.
    """
    if in_parts(path, None):
        dataset = scan(path, project=project)
        if len(dataset) > WHOLE_UP_TO:
            return dataset
    return read(path, project=project)


def release_of(
    folder: Path | None, original: Table | Dataset, private: Path | None
) -> Release | ReleaseInParts | None:
    """The release in a folder, in parts where the original is; None without a folder."""
    if folder is None:
        return None
    in_parts = isinstance(original, Dataset)
    return Release.scan(folder, private=private) if in_parts else Release.load(folder, private=private)


@contextmanager
def running_for(original: Table | Dataset, where: EngineOptions) -> Iterator[Engine | None]:
    """Where the parts of a dataset are worked on while the block runs; None for a table, which has none."""
    if isinstance(original, Table):
        yield None
        return
    with running(where) as engine:
        yield engine


@contextmanager
def running_trials(where: EngineOptions) -> Iterator[Engine | None]:
    """Where plans are tried side by side while the block runs; None for threads of this process."""
    if where == EngineOptions():
        yield None
        return
    with running(where) as engine:
        yield engine

"""`discreet protect`: from a file and a plan to a release."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import polars as pl
import typer

from discreet.assessment import EXCEEDED
from discreet.cli import datasets, options, show
from discreet.cli.history import noted
from discreet.cli.keygen import signing_key
from discreet.effect import Effect, effect
from discreet.errors import BadParameter, BadProject, WouldOverwrite
from discreet.formats import TITLES, released_name, stem_of
from discreet.history import note_release
from discreet.manifest import PUBLIC_NAME, PublicManifest
from discreet.plan import Plan
from discreet.project import EngineOptions, Project, ReleaseOptions
from discreet.protection import protect as protect_table
from discreet.reading import read
from discreet.release import Release
from discreet.shapes import read_json
from discreet.signing import SigningKey
from discreet.table import IDENTIFYING, Table
from discreet.writing import refuse_folder
from discreet.writing.frame import refuse_types
from discreet.writing.release import files_of_release, public_folder

SanitiseText = Annotated[
    list[str] | None,
    typer.Option(
        "--sanitise-text",
        metavar="COLUMN",
        help="A column of free text to publish with pseudonyms for names, besides those in the project.",
    ),
]
TextPolicy = Annotated[
    str | None,
    typer.Option(
        "--policy",
        help="What is sensitive in columns of free text that are sanitised: a policy file, or one that ships.",
    ),
]
SpreadsheetSafe = Annotated[
    bool | None,
    typer.Option(
        "--spreadsheet-safe/--no-spreadsheet-safe",
        help="Put an apostrophe before texts of a CSV file that a spreadsheet would run as formulas (usual).",
        show_default=False,
    ),
]
Steps = Annotated[
    list[str] | None,
    typer.Option(
        "--mask",
        help="A masking step instead of those in the project: 'microaggregate k=5 columns=age,income'.",
    ),
]
SeedFile = Annotated[
    Path | None,
    typer.Option("--seed-file", help="A file with the secret seed (hexadecimal), to repeat a run."),
]
UpTo = Annotated[
    int | None,
    typer.Option(
        "--upto",
        min=1,
        metavar="N",
        help="Carry out the first N steps of the plan only, to see what they do; not for publication.",
    ),
]
SecretKey = Annotated[
    Path | None,
    typer.Option("--sign", help="The secret key of `discreet keygen` to sign the manifest with."),
]


def protect(
    file: Annotated[Path, typer.Argument(help=f"The original: {', '.join(TITLES[:-1])} or {TITLES[-1]}.")],
    out: Annotated[Path, typer.Option("--out", help="The folder of the release.")] = Path("release"),
    project: options.ProjectFile = None,
    header: options.Header = None,
    spreadsheet_safe: SpreadsheetSafe = None,
    mask: Steps = None,
    sanitise_text: SanitiseText = None,
    policy: TextPolicy = None,
    seed_file: SeedFile = None,
    sign: SecretKey = None,
    upto: UpTo = None,
    cluster: datasets.ClusterAddress = None,
    workers: datasets.Workers = None,
    in_parts: datasets.InParts = None,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Mask a file as its project says, check the result, and write the release.

    A folder or pattern of Parquet, Arrow or CSV files is masked in parts, and may be larger than memory; so is one such
    file that is large.
    """
    if datasets.in_parts(file, in_parts):
        refused = {"policy": policy, "upto": upto, "spreadsheet_safe": spreadsheet_safe}
        datasets.refuse(sanitise_text=sanitise_text, **refused)
        where = EngineOptions(cluster=cluster, workers=workers)
        settings = options.project_beside(file, project, header)
        seed = options.seed_in(seed_file)
        datasets.protect(file, out, settings, project, header, mask, where, seed, sign, force, json)
        return
    if cluster or workers:
        raise BadParameter(
            "--cluster and --workers are for a dataset: a folder or pattern of files, or one file with --in-parts."
        )
    if out.resolve() in file.resolve().parents and (out / "public").exists():
        raise WouldOverwrite(
            f"{file} lies in {out}, which would be replaced; a release never replaces its original. "
            "Choose another folder."
        )
    settings = options.project_beside(file, project, header)
    refuse_folder(out, force, files_of_release)
    settings = replace(
        settings, release=_overruled(settings.release, spreadsheet_safe, sanitise_text, policy)
    )
    plan = options.plan_of(mask) if mask else settings.plan
    if not plan.steps:
        raise BadProject(
            f"{settings.path.name} has no [[mask]] step, and no --mask is given: nothing would be masked."
        )
    if sign is not None:
        _refuse_to_sign(settings, plan, upto)
    plan.up_to(upto)
    key = None if sign is None else signing_key(sign)
    made = run(file, settings, plan, out, options.seed_in(seed_file), force, json, key, upto)
    # The manifest as written, and not the release: the published file was read back and checked when it was saved.
    manifest = PublicManifest.from_dict(read_json(public_folder(made.folder) / PUBLIC_NAME)).to_dict()
    warnings = [*made.release.warnings, *noted(lambda: _note(made, settings))]
    if json:
        drafts = [show.DRAFT] if settings.release.draft else []
        show.as_json({**manifest, "warnings": [*drafts, *warnings], "effect": made.effect.to_dict()})
    else:
        if settings.release.draft:
            show.out.print(show.DRAFT, style="red")
        for each in warnings:
            show.out.print(f"Warning: {each}", style="red")
        _tell(manifest, made, file, signed=key is not None)
        _tell_next(made, file, project)


def _note(made: Made, settings: Project) -> None:
    """Keeps in the history of the project that the release was made."""
    unfinished = made.release.manifest.unfinished
    note_release(made.folder, made.release.plan, settings, unfinished=unfinished)


def _overruled(
    release: ReleaseOptions,
    spreadsheet_safe: bool | None,
    sanitise_text: list[str] | None,
    policy: str | None,
) -> ReleaseOptions:
    """What the project says of the release, with what the command line says instead."""
    return replace(
        release,
        spreadsheet_safe=release.spreadsheet_safe if spreadsheet_safe is None else spreadsheet_safe,
        sanitise_text=tuple(dict.fromkeys((*release.sanitise_text, *(sanitise_text or ())))),
        policy=policy or release.policy,
    )


def _refuse_to_sign(settings: Project, plan: Plan, upto: int | None) -> None:
    """Raises for a release that is not meant to be published."""
    if settings.release.draft:
        raise BadProject(
            f"{settings.path.name} says that its release is a draft, as no plan kept to the limits. Change the plan, "
            "take 'draft' out, and sign what you then release."
        )
    if upto is not None and upto < len(plan.steps):
        raise BadParameter("an unfinished release is not signed. Leave out --sign, or --upto.")


def _tell(manifest: dict[str, Any], made: Made, file: Path, *, signed: bool) -> None:
    written = manifest["file"]
    show.out.print(f"Released {written['records']} records in {made.folder / 'public'}")
    if made.effect.unfinished:
        show.out.print(f"  not for publication: {made.effect.unfinished}", style="yellow")
    if Path(written["name"]).suffix != Path(file.name.removesuffix(".gz")).suffix:
        show.out.print(f"  written as: {written['name']}")
    show.out.print(f"  left out: {', '.join(made.release.secrets.dropped) or 'no column'}")
    for guarantee in manifest["checked_on_the_published_file"]:
        show.out.print(f"  checked on the file: {guarantee['says']}")
    if signed:
        show.out.print("  signed: the manifest, as `discreet verify` checks it with the public key")
    show.out.print(f"Keep secret: {made.folder / 'private'} (it can undo the masking)")
    show.effect(made.effect)


def _tell_next(made: Made, file: Path, project: Path | None) -> None:
    """What to run next: the other steps, another plan, or the attacks."""
    given = show.typed(file) if project is None else show.typed(file, "--project", project)
    folder = show.typed(made.folder)
    show.out.print("What next", style="bold")
    manifest = made.release.manifest
    if manifest.steps_left:
        done, planned = len(manifest.steps), len(manifest.steps) + manifest.steps_left
        again = f"discreet protect {given} --out {folder} --force"
        show.todo(f"{again} --upto {done + 1}", "one step more")
        if done > 1:
            show.todo(f"{again} --upto {done - 1}", "take the last step back")
        show.todo(again, f"all {planned} steps; --seed-file FILE lets each draw the same again")
        return
    failed = [limit.name for limit in made.effect.limits if limit.status == EXCEEDED]
    if failed:
        show.todo(f"discreet search {given}", f"{', '.join(failed)} is exceeded already: find another plan")
    show.todo(f"discreet assess {folder} --original {given}", "attack it and check every limit")
    place = show.typed(options.folder_of(project or file))
    show.todo(f"discreet history {place}", "the releases so far, with their verdicts")


class Made(NamedTuple):
    """A release that was saved: its folder, the release, and what masking did."""

    folder: Path
    release: Release
    effect: Effect


def run(
    file: Path,
    project: Project,
    plan: Plan,
    out: Path,
    seed: int | None,
    force: bool,
    quiet: bool,
    key: SigningKey | None = None,
    upto: int | None = None,
) -> Made:
    """The folder of the release, the release, and what the masking did."""
    with show.bar(quiet) as progress:
        progress(0, 1, "read")
        table = read(file, project=project)
        name = published_name(file, project)
        _check_lengths_of_time(table, Path(name))
        release = protect_table(
            table,
            plan,
            seed=seed,
            order=project.release.order,
            pseudonymise=project.release.pseudonymise,
            publish_text=project.release.publish_text,
            sanitise_text=project.release.sanitise_text,
            policy=project.release.policy,
            upto=upto,
            progress=progress,
        )
        done = effect(table, release, ceilings=project.assess.ceilings, floors=project.assess.floors)
        # The guarantees keep what they need of the original; the rest would only take memory while the file is checked.
        del table
        folder = release.save(
            out, file=name, force=force, sign=key, spreadsheet_safe=project.release.spreadsheet_safe
        )
    return Made(folder, release, done)


def published_name(file: Path, project: Project) -> str:
    """The name of the published file: in the format that the project asks for, else in that of the original."""
    wanted = project.release.format
    return released_name(file.name) if wanted is None else f"{stem_of(file)}.{wanted}"


def _check_lengths_of_time(table: Table, published: Path) -> None:
    """Raises before anything is masked where a column holds lengths of time, which no mask turns into anything else."""
    kept = [each.name for each in table.columns if each.role not in IDENTIFYING]
    lengths = {name: dtype for name, dtype in table.frame.select(kept).schema.items() if dtype == pl.Duration}
    refuse_types(lengths, published.suffix.lower())

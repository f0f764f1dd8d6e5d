"""`discreet corpus`: from a folder of documents to a k-anonymous matrix of their terms, its assessment and report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from discreet.cli import options, outcome, show
from discreet.cli.keygen import signing_key
from discreet.errors import BadParameter, WouldOverwrite
from discreet.headline import HEADLINES
from discreet.text.assessment import TextAssessment

corpus = typer.Typer(
    name="corpus",
    help="Publish a corpus as vectors: build the document-term matrix, mask it, attack it, report.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
MatrixFolder = Annotated[Path, typer.Argument(help="The folder that `discreet corpus build` wrote.")]
OriginalMatrix = Annotated[
    Path, typer.Option("--original", help="The folder of the matrix that was masked, of `corpus build`.")
]
ReleaseFolder = Annotated[
    Path, typer.Argument(help="The folder of the release, as `discreet corpus protect` wrote it.")
]


Method = Literal["spherical", "semantic", "euclidean"]
Rare = Literal["drop", "keep"]


@corpus.command()
def build(
    documents: Annotated[
        Path,
        typer.Argument(help="A folder or zip file of text files (a subfolder is a class), or JSON lines."),
    ],
    out: Annotated[Path, typer.Option("--out", help="The folder of the matrix; not for publication.")] = Path(
        "matrix"
    ),
    stop: Annotated[str, typer.Option("--stop", help="The list of stop words: english or none.")] = "english",
    stem: Annotated[
        str | None, typer.Option("--stem", help="Stem words by Snowball for a language, such as english.")
    ] = None,
    wordnet: Annotated[
        Literal["words", "nouns"] | None,
        typer.Option("--wordnet", help="Keep what WordNet knows as a word or as a noun only."),
    ] = None,
    least: Annotated[int, typer.Option("--least", min=1, help="Drop terms in fewer documents.")] = 2,
    terms: Annotated[
        int | None, typer.Option("--terms", min=1, help="Keep so many terms of the highest total weight.")
    ] = None,
    terms_each: Annotated[
        int | None, typer.Option("--terms-each", min=1, help="Keep so many terms of each document.")
    ] = None,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Build the document-term matrix of a folder of documents: weights tf-idf, rows of length one."""
    from discreet.text.vectors.collection import read_collection
    from discreet.text.vectors.files import save_matrix
    from discreet.text.vectors.vectorise import vectorise

    _refuse_inside(out, documents)
    with show.bar(json) as progress:
        found = read_collection(documents)
        matrix = vectorise(
            found.corpus,
            classes=found.classes,
            split=found.split,
            stop=stop,
            stem=stem,
            wordnet=wordnet,
            least=least,
            most_terms=terms,
            terms_each=terms_each,
            progress=progress,
        )
        save_matrix(matrix, out, force=force)
    empty = int(matrix.without_words.sum())
    if json:
        show.as_json(
            {
                "folder": str(out),
                "documents": len(matrix),
                "terms": len(matrix.vocabulary),
                "terms_a_document": matrix.terms_a_document,
                "documents_without_words": empty,
                "files_that_are_no_text": list(found.not_text),
                "built": dict(matrix.built),
            }
        )
        return
    show.out.print(f"{matrix} in {out} (for you; not for publication)")
    if empty:
        show.out.print(f"{empty} documents have no word left; they will not be published.", style="yellow")
    if found.not_text:
        show.out.print(f"{len(found.not_text)} files hold no text and were left out:", style="yellow")
        for name in found.not_text[:10]:
            show.out.print(f"  {name}")


@corpus.command()
def protect(
    matrix: MatrixFolder,
    k: Annotated[int, typer.Option("--k", min=2, help="How many documents share each row, at least.")] = 5,
    out: Annotated[Path, typer.Option("--out", help="The folder of the release.")] = Path("release"),
    method: Annotated[
        Method, typer.Option("--method", help="How documents are compared; semantic needs a matrix of nouns.")
    ] = "spherical",
    format: Annotated[
        Literal["npz", "mtx", "parquet"], typer.Option("--format", help="How the matrix is written.")
    ] = "npz",
    labels: Annotated[
        Literal["none", "class"],
        typer.Option("--labels", help="Publish the class of each row; groups are then made within classes."),
    ] = "none",
    rare: Annotated[
        Rare, typer.Option("--rare", help="Drop terms in fewer than k documents, or keep them as a risk.")
    ] = "drop",
    order: Annotated[
        Literal["shuffled", "kept"], typer.Option("--order", help="The order of the rows.")
    ] = "shuffled",
    seed_file: Annotated[
        Path | None,
        typer.Option("--seed-file", help="A file with the secret seed (hexadecimal), to repeat a run."),
    ] = None,
    sign: Annotated[
        Path | None,
        typer.Option("--sign", help="The secret key of `discreet keygen` to sign the manifest with."),
    ] = None,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Mask a matrix so that every row occurs at least k times, check the files, and write the release."""
    from discreet.text.release import load_text_release
    from discreet.text.vectors.files import load_matrix
    from discreet.text.vectors.release import save_vectors

    _refuse_inside(out, matrix)
    key = None if sign is None else signing_key(sign)
    with show.bar(json) as progress:
        original = load_matrix(matrix)
        masked = _masked(original, k, method, rare, labels == "class", progress)
        folder = save_vectors(
            original,
            masked,
            out,
            format=format,
            order=order,
            seed=options.seed_in(seed_file),
            force=force,
            sign=key,
        )
    manifest = load_text_release(folder).manifest
    if json:
        show.as_json({**manifest.to_dict(), "facts": dict(masked.facts)})
        return
    show.out.print(f"Released {masked} in {folder / 'public'}")
    for name, label in (
        ("rare_terms_left_out", "rare terms left out"),
        ("documents_without_words", "documents without words left out"),
    ):
        if masked.facts[name]:
            show.out.print(f"  {label}: {masked.facts[name]:,}")
    for each in manifest.guarantees:
        show.out.print(f"  checked on the files: {each}")
    show.out.print(f"Keep secret: {folder / 'private'} (it tells which row is whose)")


def _masked(original: Any, k: int, method: Method, rare: Rare, classes: bool, progress: Any) -> Any:
    from discreet.text.vectors.semantic_microaggregate import semantic_microaggregate
    from discreet.text.vectors.spherical_microaggregate import microaggregate

    if method == "semantic":
        return semantic_microaggregate(original, k=k, publish_classes=classes, progress=progress)
    return microaggregate(original, k=k, centre=method, rare=rare, publish_classes=classes, progress=progress)


@corpus.command()
def assess(
    release: ReleaseFolder,
    original: OriginalMatrix,
    private: options.Private = None,
    attack: options.Attacks = None,
    loss: options.Losses = None,
    ceiling: options.Ceilings = None,
    floor: options.Floors = None,
    json: options.AsJson = False,
) -> None:
    """Attack a release of vectors and measure what use is left; exit code 1 when a limit is not known to be met."""
    found = run(release, original, private, attack, loss, ceiling, floor, json)
    if json:
        show.as_json(found.to_dict())
    else:
        show.text_assessment(found)
    outcome.leave(found, quiet=json)


@corpus.command()
def report(
    release: ReleaseFolder,
    original: OriginalMatrix,
    out: Annotated[Path, typer.Option("--out", help="The page to write: .html, or .json.")] = Path(
        "report.html"
    ),
    audience: Annotated[
        Literal["internal", "external"],
        typer.Option("--audience", help="internal (everything) or external (safe to publish)."),
    ] = "internal",
    private: options.Private = None,
    ceiling: options.Ceilings = None,
    floor: options.Floors = None,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Assess a release of vectors and write the report; exit code 1 when a limit is not known to be met."""
    from discreet.reporting import ENDINGS
    from discreet.reporting import report as make_report

    options.check_output(out, force, original, private, endings=ENDINGS)
    found = run(release, original, private, None, None, ceiling, floor, json)
    written = make_report(found, audience=audience)
    written.save(out, force=force)
    if json:
        show.as_json(written.to_dict())
    else:
        show.out.print(f"Wrote {out}" + ("" if audience == "external" else " (internal: do not publish)"))
    outcome.leave(found, quiet=json)


def run(
    release: Path,
    original: Path,
    private: Path | None,
    attacks: list[str] | None,
    losses: list[str] | None,
    ceilings: list[str] | None,
    floors: list[str] | None,
    quiet: bool,
) -> TextAssessment:
    """The assessment of the release in a folder, with these limits."""
    from discreet.text.vectors.assess import assess_vector_release
    from discreet.text.vectors.files import load_matrix
    from discreet.text.vectors.methods import METHODS

    for name in [*(attacks or ()), *(losses or ())]:
        if name not in METHODS:
            raise BadParameter(f"there is no attack or measure '{name}' of vectors: {', '.join(METHODS)}.")
    names = [*HEADLINES, *(each.name for each in METHODS.values() if each.kind == "attack")]
    with show.bar(quiet) as progress:
        return assess_vector_release(
            release,
            load_matrix(original),
            private=private,
            attacks=attacks or None,
            losses=losses or None,
            ceilings=options.limits(ceilings, "ceiling", names),
            floors=options.limits(floors, "floor", names),
            progress=progress,
        )


def _refuse_inside(out: Path, given: Path) -> None:
    """Raises WouldOverwrite where a folder to write is the one that is read, or holds it."""
    if out.resolve() in (given.resolve(), *given.resolve().parents) and out.exists() and any(out.iterdir()):
        raise WouldOverwrite(f"{given} lies in {out}, which would be replaced. Choose another folder.")

"""`discreet sanitise`: documents without names, and without what was decided to be cut."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from discreet.cli import options, show
from discreet.cli.keygen import PASSPHRASE, passphrase_of, signing_key
from discreet.errors import BadParameter, WouldOverwrite
from discreet.text.sanitising import Sanitised
from discreet.text.unlooked import words_left

Documents = Annotated[Path, typer.Argument(help="A folder of documents, or one document.")]
PolicyName = Annotated[
    str | None,
    typer.Option("--policy", help="What is sensitive: a policy file, or one that ships, such as eo13526."),
]
ModelFile = Annotated[
    Path | None, typer.Option("--model", help="What `discreet learn` wrote, with its threshold.")
]
Threshold = Annotated[
    float | None, typer.Option("--threshold", min=0, max=1, help="From which chance on the model hides.")
]
Known = Annotated[
    Path | None,
    typer.Option("--known", help="The mapping of an earlier release, whose pseudonyms stay the same."),
]


def sanitise(
    documents: Documents,
    out: Annotated[Path, typer.Option("--out", help="The folder of the release.")] = Path("release"),
    policy: PolicyName = None,
    decisions: Annotated[
        Path | None, typer.Option("--decisions", help="The decisions of `discreet review`, to be replayed.")
    ] = None,
    automatic: Annotated[
        bool, typer.Option("--automatic", help="Cut dense stretches that nobody decided about; not reviewed.")
    ] = False,
    model: ModelFile = None,
    threshold: Threshold = None,
    mapping: Annotated[
        bool,
        typer.Option(
            "--mapping", help=f"Keep who became which pseudonym, encrypted by a passphrase (or {PASSPHRASE})."
        ),
    ] = False,
    known: Known = None,
    keep_names: Annotated[bool, typer.Option("--keep-names", help="Keep the names of the files.")] = False,
    keep_pictures: Annotated[bool, typer.Option("--keep-pictures", help="Keep pictures, unread.")] = False,
    sign: Annotated[
        Path | None,
        typer.Option("--sign", help="The secret key of `discreet keygen` to sign the manifest with."),
    ] = None,
    force: options.Force = False,
    json: options.AsJson = False,
) -> None:
    """Replace names in documents by pseudonyms, carry out decisions about sensitive stretches, and write the release.

    What was written is unpacked and looked through for every name that was masked. Exit code 1 when something that was
    to be looked at was not: stretches that nobody decided about or reviewed, kinds that were not looked for.
    """
    from discreet.text.decisions import Decisions
    from discreet.text.document_release import save_documents
    from discreet.text.entities.learning.model import SequenceModel
    from discreet.text.entities.mapping import load_mapping
    from discreet.text.reading import read
    from discreet.text.sanitising import sanitise as sanitise_corpus

    if out.resolve() in (documents.resolve(), *documents.resolve().parents) and out.exists():
        raise WouldOverwrite(f"{documents} lies in {out}, which would be replaced. Choose another folder.")
    if automatic and policy is None:
        raise BadParameter("--automatic cuts stretches about the topics of a policy: give one with --policy.")
    key = None if sign is None else signing_key(sign)
    secret = passphrase_of("the mapping") if mapping or known is not None else None
    with show.bar(json) as progress:
        done = sanitise_corpus(
            read(documents, progress=progress),
            policy=policy,
            decisions=None if decisions is None else Decisions.load(decisions),
            automatic=automatic,
            model=None if model is None else SequenceModel.load(model),
            threshold=threshold,
            known=None if known is None else load_mapping(known, passphrase=str(secret)),
            progress=progress,
        )
        save_documents(
            done,
            out,
            keep_names=keep_names,
            keep_pictures=keep_pictures,
            passphrase=secret if mapping else None,
            force=force,
            sign=key,
            progress=progress,
        )
    if json:
        show.as_json({"folder": str(out), **done.to_dict()})
    else:
        _show(done, out, documents, policy)
    if done.not_looked_at():
        raise typer.Exit(1)


def _show(done: Sanitised, out: Path, documents: Path, policy: str | None) -> None:
    """What was done, what nobody looked at, and what to run next."""
    from discreet.text.release import load_text_release

    counts = done.counts()
    show.out.print(f"Released {counts['documents']} documents in {out / 'public'}")
    for kind, many in sorted(counts["entities"].items(), key=lambda each: -each[1]):
        show.out.print(f"  {kind}: {many} masked")
    if counts["entities_kept"]:
        show.out.print(f"  entities kept as they are: {counts['entities_kept']}")
    if done.not_applied:
        show.out.print(
            f"Not applied: {len(done.not_applied)} of {counts['entity_decisions']} decisions about entities; "
            "these documents name nobody so, or several.",
            style="yellow",
        )
    for each in done.not_looked_at():
        show.out.print(f"Not checked: {each}", style="yellow")
    for each in words_left(load_text_release(out).manifest.done):
        show.out.print(f"Left: {each} They are listed in {out / 'private'}.", style="yellow")
    show.out.print(f"Keep secret: {out / 'private'}")
    if counts["blocks_undecided"] or counts["decisions_not_reviewed"]:
        named = "" if policy is None else f" --policy {policy}"
        show.out.print(f"Review them: discreet review {documents}{named}")
        show.out.print(
            f"Then again:  discreet sanitise {documents}{named} --decisions decisions.jsonl --out {out} --force"
        )
    show.out.print(f"Next: discreet assess {out} --original {documents}")

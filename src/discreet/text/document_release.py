"""The release of sanitised documents: files without names, and what was done to them, checked as they lie there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from discreet.errors import BadFile, Mismatch
from discreet.manifest import PRIVATE_NAME, PUBLIC_NAME
from discreet.progress import SILENT, Progress
from discreet.signing import SigningKey
from discreet.text.document import Corpus, Document, PartKind
from discreet.text.documents.opened import LEFT_OUT, Keep
from discreet.text.entities.mapping import mapping_of
from discreet.text.protected import Protected, protected
from discreet.text.reading import read
from discreet.text.release import TextRelease, load_text_release, save_text_release
from discreet.text.sanitising import Sanitised
from discreet.text.writing import Written, write_documents

MAPPING_NAME, DECISIONS_NAME = "mapping.discreet", "decisions.jsonl"


def save_documents(
    sanitised: Sanitised,
    folder: str | Path,
    *,
    keep: Collection[PartKind | str] = (),
    keep_pictures: bool = False,
    keep_names: bool = False,
    passphrase: str | None = None,
    force: bool = False,
    sign: SigningKey | None = None,
    progress: Progress = SILENT,
) -> Path:
    """The folder with the sanitised documents in `public/` and what can undo them in `private/`.

    The files are written, unpacked again and looked through for every wording that was masked; GuaranteeBroken is
    raised where one is found, and nothing is published. The mapping from names to pseudonyms is written only with a
    `passphrase`, which encrypts it. Decisions are kept in the private half; the public one counts them.
    """
    choice = Keep.of(keep, pictures=keep_pictures)
    strings = protected(
        sanitised.register, sanitised.corpus, left_out=[each for each in LEFT_OUT if choice.leaves_out(each)]
    )
    told: dict[str, Any] = {}
    secret: dict[str, Any] = {}

    def write(public: Path) -> None:
        # What the manifests tell names the files, which are known once they are written.
        files = write_documents(
            sanitised.corpus,
            public,
            keep=keep,
            keep_pictures=keep_pictures,
            keep_names=keep_names,
            protected=strings.strings,
            ordinary=strings.as_written,
            left=strings.left.keys(),
            progress=progress,
        )
        _refuse_names_of_manifests(public)
        told.update(done(sanitised, strings, files, kept_names=keep_names, kept_pictures=keep_pictures))
        secret.update(_private(sanitised, files, strings))

    return save_text_release(
        folder,
        kind="documents",
        write=write,
        check=lambda _: guarantees(sanitised, strings),
        done=told,
        private=secret,
        secret_files=_secrets(sanitised, passphrase),
        force=force,
        sign=sign,
    )


def guarantees(sanitised: Sanitised, strings: Protected) -> tuple[str, ...]:
    """What holds of the files as they were written, in sentences."""
    found = [
        f"None of {len(strings.strings)} wordings of masked names, places, organisations and numbers stands in any of "
        "the files, however it is packed, split or capitalised"
    ]
    if strings.left:
        found.append(
            f"{len(strings.left)} more words that were masked as names stand only in documents where a rule took them "
            f"for none, in {strings.places_left} places"
        )
    if not sanitised.blocks:
        return tuple(found)
    left = len(sanitised.undecided())
    if not left:
        found.append(
            f"A decision was made about each of {len(sanitised.blocks)} stretches about sensitive topics"
        )
    return tuple(found)


def done(
    sanitised: Sanitised,
    strings: Protected,
    files: Sequence[Written],
    *,
    kept_names: bool,
    kept_pictures: bool,
) -> dict[str, Any]:
    """What the public half of the manifest tells: methods, counts and what nobody looked at."""
    published = {each.original: each.name for each in files}
    not_looked_into = _not_looked_into(sanitised.original)
    decisions = [
        {**each, "document": published.get(each["document"], "")} for each in sanitised.decisions.public()
    ]
    return {
        **sanitised.counts(),
        "policy": sanitised.policy.name,
        "topics": [each.name for each in sanitised.policy.topics],
        "not_looked_for": list(sanitised.not_looked_for),
        "not_looked_into": not_looked_into,
        "wordings_looked_for": len(strings.strings),
        "words_left": len(strings.left),
        "places_of_words_left": strings.places_left,
        "names_of_files_kept": kept_names,
        "pictures_kept": kept_pictures and bool(not_looked_into),
        "notes": {each.name: each.note for each in files if each.note},
        "decisions": decisions,
    }


def _not_looked_into(corpus: Corpus) -> list[str]:
    """What readers saw and could not read as text, without the names of documents."""
    return sorted({each for document in corpus for each in document.not_looked_into})


def _private(sanitised: Sanitised, files: Sequence[Written], strings: Protected) -> dict[str, Any]:
    sources = {each.name: "" if each.source is None else each.source.digest for each in sanitised.original}
    return {
        "documents": [
            {"published": each.name, "original": each.original, "sha256": sources[each.original]}
            for each in files
        ],
        "words_left": {word: dict(places) for word, places in strings.left.items()},
    }


def _secrets(sanitised: Sanitised, passphrase: str | None) -> dict[str, bytes]:
    found = {}
    if len(sanitised.decisions):
        found[DECISIONS_NAME] = sanitised.decisions.to_bytes()
    if passphrase is not None:
        found[MAPPING_NAME] = mapping_of(sanitised.register, passphrase=passphrase)
    return found


def _refuse_names_of_manifests(public: Path) -> None:
    if (public / PUBLIC_NAME).exists() or (public / PRIVATE_NAME).exists():
        raise BadFile(f"a document cannot keep the name {PUBLIC_NAME}; rename it, or do not keep names.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRelease:
    """A release of documents that was read back: what is published, in the order of the original where it is known."""

    release: TextRelease = field(repr=False)
    corpus: Corpus
    originals: tuple[str, ...] = field(default=(), repr=False)

    def in_order_of(self, original: Corpus) -> Corpus:
        """The published documents in the order of their originals. Mismatch where they are not of this original."""
        if not self.originals:
            raise Mismatch(
                "the private half of this release is not here, so nobody can say which document comes from which. Give "
                "the place where it is kept (private, on the command line --private)."
            )
        by_name = dict(zip(self.originals, self.corpus, strict=True))
        names = [each.name for each in original]
        if set(names) != set(by_name):
            raise Mismatch(
                f"the release was made of {len(by_name)} documents, and {len(names)} are given, of which "
                f"{len(set(names) & set(by_name))} have the same names. Give the folder that was sanitised."
            )
        known = {each["original"]: each["sha256"] for each in self.release.secrets["documents"]}
        changed = sum(
            each.source is not None and known[each.name] not in ("", each.source.digest) for each in original
        )
        if changed:
            raise Mismatch(f"{changed} of {len(names)} originals have changed since they were sanitised.")
        return replace(self.corpus, documents=tuple(by_name[name] for name in names))


def load_documents(
    folder: str | Path, *, private: str | Path | None = None, progress: Progress = SILENT
) -> DocumentRelease:
    """The published documents in the folder of a release, read anew from their files."""
    release = load_text_release(folder, private=private)
    if release.manifest.kind != "documents":
        raise BadFile(f"{folder} is a release of {release.manifest.kind}, not of documents.")
    found = read(release.public, ignore=(PUBLIC_NAME, f"{PUBLIC_NAME}.sig"), progress=progress)
    if release.private is None:
        return DocumentRelease(release=release, corpus=found)
    by_name: dict[str, Document] = {each.name: each for each in found}
    listed = release.private["documents"]
    missing = [each for each in listed if each["published"] not in by_name]
    if missing:
        raise Mismatch(f"{len(missing)} documents that the private half tells of are not published.")
    return DocumentRelease(
        release=release,
        corpus=replace(found, documents=tuple(by_name[each["published"]] for each in listed)),
        originals=tuple(each["original"] for each in listed),
    )

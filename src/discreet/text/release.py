"""The folder of a release of documents or vectors: what is published, what is secret, and the manifests that bind them.

Tables have one published file with columns (`discreet.release`); here there are many files, or files of other kinds,
and what is guaranteed is checked by whoever writes them. Names, halves and signatures are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from glob import escape
from pathlib import Path
from typing import Any, Literal

from discreet.errors import BadFile, Mismatch
from discreet.manifest import PRIVATE_NAME, PUBLIC_NAME, SIGNATURE_NAME, made_with
from discreet.reading.content import file_digest
from discreet.shapes import anything, digest, list_of, one_of, read_json, record, table_of, text
from discreet.signing import SigningKey
from discreet.verification import BOUND, BROKEN, HOLDS, NOT_CHECKED, Finding, Verification, signature_finding
from discreet.writing.atomic import new_folder, write_bytes, write_json, write_text
from discreet.writing.release import PRIVATE, PUBLIC, public_folder

FORMAT = 1
Kind = Literal["documents", "vectors"]
KINDS: tuple[Kind, ...] = ("documents", "vectors")
SECRET = "whoever has this file can undo what was done to the published files; keep it apart from them"


def _this_format(value: Any, where: str) -> None:
    """The format that this version reads."""
    if value != FORMAT or isinstance(value, bool):
        raise BadFile(f"{where} is not {FORMAT}, which is what this version of discreet reads.")


_PUBLIC = record(
    {
        "format": _this_format,
        "kind": one_of(*KINDS),
        "made_with": table_of(text),
        "files": table_of(record({"sha256": digest})),
        "done": table_of(anything),
        "checked_on_the_published_files": list_of(text),
    }
)
_PRIVATE = record(
    {
        "format": _this_format,
        "kind": one_of(*KINDS),
        "secret": text,
        "facts": table_of(anything),
        "public_half_sha256": digest,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextManifest:
    """What is published beside the files of a release: their digests, what was done, and what was checked on them.

    `done` holds methods, parameters and counts, and nothing that the published files do not show. `guarantees` are
    sentences, each checked on the files as they were written.
    """

    kind: Kind
    files: Mapping[str, str]
    done: Mapping[str, Any]
    guarantees: tuple[str, ...]
    made_with: Mapping[str, str] = field(default_factory=made_with)

    def to_dict(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "kind": self.kind,
            "made_with": dict(self.made_with),
            "files": {name: {"sha256": digest} for name, digest in self.files.items()},
            "done": dict(self.done),
            "checked_on_the_published_files": list(self.guarantees),
        }

    @classmethod
    def from_dict(cls, payload: Mapping[str, Any]) -> TextManifest:
        """The manifest that `to_dict` wrote; BadFile, which says what is wrong and where, for anything else."""
        _PUBLIC(payload, "the public manifest")
        return cls(
            kind=payload["kind"],
            files={name: each["sha256"] for name, each in payload["files"].items()},
            done=payload["done"],
            guarantees=tuple(payload["checked_on_the_published_files"]),
            made_with=payload["made_with"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRelease:
    """The release of documents or vectors in a folder. `private` is None for one that came without its private half."""

    folder: Path
    manifest: TextManifest = field(repr=False)
    private: Mapping[str, Any] | None = field(repr=False)

    @property
    def public(self) -> Path:
        """The folder of the published files."""
        return public_folder(self.folder)

    @property
    def secrets(self) -> Mapping[str, Any]:
        """The facts of the private half; Mismatch where the release came without it."""
        if self.private is None:
            raise Mismatch(
                "the private manifest of this release is not here, so nobody can say what belongs to whom. Give the "
                "place where it is kept (private, on the command line --private)."
            )
        return self.private


def save_text_release(
    folder: str | Path,
    *,
    kind: Kind,
    write: Callable[[Path], None],
    check: Callable[[Path], Sequence[str]],
    done: Mapping[str, Any],
    private: Mapping[str, Any],
    secret_files: Mapping[str, bytes] | None = None,
    force: bool = False,
    sign: SigningKey | None = None,
) -> Path:
    """The folder, with the files and the public manifest in `public/` and the secrets in `private/`.

    `write` puts the files into a new folder. `check` looks at them as they lie there and returns the guarantees that
    hold, in sentences; it raises GuaranteeBroken where one does not, and then nothing is published. `done` and
    `private` are what the two halves of the manifest tell; `secret_files` lie beside the private half.
    """
    with new_folder(folder, force=force, ours=files_of_text_release) as temporary:
        public, secret = temporary / PUBLIC, temporary / PRIVATE
        public.mkdir()
        secret.mkdir(mode=0o700)
        write(public)
        manifest = TextManifest(kind=kind, files=_digests(public), done=done, guarantees=tuple(check(public)))
        bound = write_json(public / PUBLIC_NAME, manifest.to_dict())
        if sign is not None:
            write_text(public / SIGNATURE_NAME, sign.sign((public / PUBLIC_NAME).read_bytes()))
        for name, content in (secret_files or {}).items():
            write_bytes(secret / name, content, private=True)
        payload = {
            "format": FORMAT,
            "kind": kind,
            "secret": SECRET,
            "facts": dict(private),
            "public_half_sha256": bound,
        }
        write_json(secret / PRIVATE_NAME, payload, private=True)
    return Path(folder)


def load_text_release(folder: str | Path, *, private: str | Path | None = None) -> TextRelease:
    """The release in a folder. Raises Mismatch where a file is not the one that its manifest tells of."""
    place = Path(folder)
    public = public_folder(place)
    manifest = TextManifest.from_dict(read_json(public / PUBLIC_NAME))
    found = _digests(public)
    if found != dict(manifest.files):
        changed = sum(found.get(name) != digest for name, digest in manifest.files.items())
        added = len(found.keys() - manifest.files.keys())
        raise Mismatch(
            f"the published files are not those that the manifest tells of: {changed} of {len(manifest.files)} are "
            f"changed or gone and {added} are new. Restore them, or make the release anew."
        )
    return TextRelease(
        folder=place, manifest=manifest, private=_private_facts(place, private, public / PUBLIC_NAME)
    )


def is_text_release(folder: str | Path) -> bool:
    """Whether a folder holds a release of documents or vectors, rather than one of a table or none."""
    place = public_folder(Path(folder)) / PUBLIC_NAME
    try:
        return place.is_file() and read_json(place).get("kind") in KINDS
    except BadFile:
        return False


def verify_text_release(
    folder: str | Path,
    *,
    key: str | Path | None = None,
    private: str | Path | None = None,
    recheck: Mapping[str, Callable[[TextRelease], Sequence[Finding]]] | None = None,
) -> Verification:
    """What can be checked of such a release by whoever has it: files, signature, and that both halves belong together.

    `recheck` has, by kind of release, a function that checks what is guaranteed on the published files once more. What
    the manifest guarantees and nothing checks again is named as such: it was checked when the files were written.
    """
    signature = signature_finding(public_folder(Path(folder)), None if key is None else Path(key))
    try:
        release = load_text_release(folder, private=private)
    except Mismatch as problem:
        broken = Finding(says="files and manifest belong together", state=BROKEN, why=str(problem))
        return Verification(findings=(broken, signature))
    files = Finding(says="the published files are those that the manifest tells of", state=HOLDS)
    bound = () if release.private is None else (Finding(says=BOUND, state=HOLDS),)
    again = (recheck or {}).get(release.manifest.kind)
    checked = [] if again is None else list(again(release))
    guarantees = (
        *checked,
        *(
            Finding(says=each, state=NOT_CHECKED, why="it was checked when the files were written")
            for each in release.manifest.guarantees
            if each not in {found.says for found in checked}
        ),
    )
    by_key = "a signature" if signature.state == HOLDS else ""
    vouched = by_key or ("" if release.private is None else "its private half")
    return Verification(
        findings=(files, *bound, signature, *guarantees),
        vouched_by="" if signature.state == BROKEN else vouched,
    )


def files_of_text_release(folder: Path) -> list[str]:
    """The files that discreet wrote in the folder of such a release, as patterns; none where it is not one."""
    try:
        manifest = TextManifest.from_dict(read_json(folder / PUBLIC / PUBLIC_NAME))
    except BadFile:
        return []
    published = [f"{PUBLIC}/{escape(name)}" for name in (PUBLIC_NAME, SIGNATURE_NAME, *manifest.files)]
    return [*published, f"{PRIVATE}/*"]


def _digests(public: Path) -> dict[str, str]:
    """The digest of every published file by its path, but for the manifest and its signature."""
    return {
        each.relative_to(public).as_posix(): file_digest(each)
        for each in sorted(public.rglob("*"))
        if each.is_file() and each not in (public / PUBLIC_NAME, public / SIGNATURE_NAME)
    }


def _private_facts(folder: Path, given: str | Path | None, manifest: Path) -> Mapping[str, Any] | None:
    """What the private half tells; None where it is not here. Mismatch where it is that of another release."""
    place = Path(given) if given is not None else folder / PRIVATE
    file = next((each for each in (place, place / PRIVATE_NAME) if each.is_file()), None)
    if file is None:
        if given is not None:
            raise BadFile(f"there is no {PRIVATE_NAME} at {place}. Give that file, or the folder it lies in.")
        return None
    payload = read_json(file)
    _PRIVATE(payload, "the private manifest")
    if file_digest(manifest) != payload["public_half_sha256"]:
        raise Mismatch(
            f"the public half ({manifest.name}) is not the one that the private half was written with: it was changed "
            "since, or one of them is of another release."
        )
    facts: Mapping[str, Any] = payload["facts"]
    return facts

"""The mapping of a register, entity to pseudonym, in a file of its own that a passphrase encrypts.

The file starts with what it is, a salt and a nonce. The key is made from the passphrase by Scrypt; the rest of the file
is JSON, encrypted and authenticated by AES-256-GCM together with its start. Without the passphrase nothing of the
mapping can be read, and nothing in the file can be changed unnoticed.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from discreet.errors import BadFile, BadParameter, NotInstalled, WrongPassphrase
from discreet.shapes import flag, list_of, maybe, one_of, record, text, whole
from discreet.text.entities.entity import Cluster
from discreet.text.entities.pseudonyms import Numbered
from discreet.text.entities.register import NOTHING, Register
from discreet.writing.atomic import write_bytes

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

FORMAT = 1
START = b"discreet mapping 1\n"
"""The first line of a file: what it is, and the number of its format, which tells the parameters of Scrypt too."""

COST, BLOCK, LANES = 2**15, 8, 1
"""The parameters of Scrypt: each guess of a passphrase takes 32 MiB of memory."""

KEY_BYTES, SALT_BYTES, NONCE_BYTES = 32, 16, 12
SCHEMES = {"corpus": Numbered(scope="corpus"), "document": Numbered(scope="document"), "keyed": None}

_CLUSTER = record(
    {
        "id": whole(1),
        "kind": text,
        "pseudonym": text,
        "forms": list_of(text),
        "by_hand": flag,
        "locked": flag,
        "kept": flag,
        "merged_into": maybe(whole(1)),
    }
)
_MAPPING = record(
    {
        "format": whole(FORMAT),
        "numbering": one_of(*SCHEMES),
        "entities": list_of(_CLUSTER),
        "pseudonyms_in_use": list_of(text),
    }
)


def mapping_of(register: Register, *, passphrase: str) -> bytes:
    """The content of a mapping file: entities, their pseudonyms and forms, merges and locks, encrypted."""
    salt, nonce = os.urandom(SALT_BYTES), os.urandom(NONCE_BYTES)
    plain = json.dumps(_payload(register), ensure_ascii=True, separators=(",", ":")).encode()
    start = START + salt + nonce
    return start + _cipher(passphrase, salt).encrypt(nonce, plain, start)


def register_of(content: bytes, *, passphrase: str) -> Register:
    """The register of a mapping file, without a corpus, to give to `Register.of` as `known`.

    Raises BadFile for what is no mapping file, and WrongPassphrase where it does not open: the passphrase is another
    one, or the file was changed.
    """
    length = len(START) + SALT_BYTES + NONCE_BYTES
    if not content.startswith(START) or len(content) <= length:
        raise BadFile(
            "this is not the mapping of a register, or not one that this version of discreet reads."
        )
    start = content[:length]
    salt, nonce = start[len(START) : -NONCE_BYTES], start[-NONCE_BYTES:]
    cipher = _cipher(passphrase, salt)
    from cryptography.exceptions import InvalidTag

    try:
        plain = cipher.decrypt(nonce, content[length:], start)
    except InvalidTag:
        raise WrongPassphrase(
            "the mapping does not open: the passphrase is not the one it was written with, or the file was changed."
        ) from None
    return _register(json.loads(plain))


def save_mapping(register: Register, path: str | Path, *, passphrase: str, force: bool = False) -> Path:
    """The file with the encrypted mapping, which its owner alone can read. Keep it apart from what is published."""
    write_bytes(path, mapping_of(register, passphrase=passphrase), force=force, private=True)
    return Path(path)


def load_mapping(path: str | Path, *, passphrase: str) -> Register:
    """The register of an earlier release from its mapping file; errors are those of `register_of`."""
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError:
        raise BadFile(f"there is no file {path}.") from None
    except OSError as problem:
        raise BadFile(f"{path} cannot be read: {problem.strerror}.") from None
    return register_of(content, passphrase=passphrase)


def _payload(register: Register) -> dict[str, Any]:
    scheme = register.scheme
    return {
        "format": FORMAT,
        "numbering": scheme.scope if isinstance(scheme, Numbered) else "keyed",
        "entities": [
            {
                "id": each.id,
                "kind": str(each.kind),
                "pseudonym": each.pseudonym,
                "forms": list(each.forms),
                "by_hand": each.by_hand,
                "locked": each.id in register._locked,
                "kept": each.id in register._kept,
                "merged_into": register._merged_into.get(each.id),
            }
            for each in register._clusters.values()
        ],
        "pseudonyms_in_use": sorted(register._taken),
    }


def _register(payload: Any) -> Register:
    _MAPPING(payload, "the mapping")
    if payload["format"] != FORMAT:
        raise BadFile(
            f"the mapping has another format than {FORMAT}, which is what this version of discreet reads."
        )
    entities = payload["entities"]
    clusters = {
        each["id"]: Cluster(
            id=each["id"],
            kind=each["kind"],
            pseudonym=each["pseudonym"],
            forms=tuple(each["forms"]),
            by_hand=each["by_hand"],
        )
        for each in entities
    }
    return Register(
        corpus=NOTHING,
        scheme=SCHEMES[payload["numbering"]],
        _clusters=clusters,
        _placed=(),
        _merged_into={each["id"]: each["merged_into"] for each in entities if each["merged_into"]},
        _locked=frozenset(each["id"] for each in entities if each["locked"]),
        _kept=frozenset(each["id"] for each in entities if each["kept"]),
        _taken=frozenset(payload["pseudonyms_in_use"]),
    )


def _cipher(passphrase: str, salt: bytes) -> AESGCM:
    if not passphrase:
        raise BadParameter("mapping: the passphrase is empty. Give one, or do not write the mapping.")
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
    except ModuleNotFoundError:
        raise NotInstalled(
            "mappings are encrypted by the library cryptography. Install it: pip install 'discreet[text]'."
        ) from None
    secret = passphrase.encode("utf-8", "surrogatepass")
    return AESGCM(Scrypt(salt=salt, length=KEY_BYTES, n=COST, r=BLOCK, p=LANES).derive(secret))

"""Signatures of public manifests: Ed25519, by the library cryptography where it is installed."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.errors import BadFile, BadParameter, NotInstalled
from discreet.writing.atomic import refuse_overwrite, write_bytes

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

PUBLIC_ENDING = ".pub"


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningKey:
    """A secret key that signs releases. Its public half, which others check by, is safe to give away."""

    _secret: Ed25519PrivateKey = field(repr=False)

    @classmethod
    def new(cls) -> SigningKey:
        """A new key, drawn from the operating system."""
        _needs_cryptography()
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls(_secret=Ed25519PrivateKey.generate())

    @classmethod
    def load(cls, path: str | Path, *, passphrase: str | None = None) -> SigningKey:
        """The key in a file that `save` wrote; BadFile where it is none, or where the passphrase is not its own."""
        _needs_cryptography()
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        content = _content(Path(path))
        secret = None if passphrase is None else passphrase.encode()
        try:
            found = load_pem_private_key(content, secret if is_locked(path) else None)
        except TypeError:
            raise BadFile(f"the key {Path(path).name} needs its passphrase.") from None
        except (ValueError, UnsupportedAlgorithm):
            raise BadFile(
                f"{Path(path).name} is not a secret key, or the passphrase is not its own."
            ) from None
        if not isinstance(found, Ed25519PrivateKey):
            raise BadFile(f"{Path(path).name} is a key of another kind; releases are signed by Ed25519.")
        return cls(_secret=found)

    def save(self, path: str | Path, *, passphrase: str | None = None, force: bool = False) -> Path:
        """The file of the public key, beside that of the secret one, which its owner alone can read.

        A passphrase encrypts the secret key.
        """
        from cryptography.hazmat.primitives import serialization as form

        if passphrase == "":
            raise BadParameter("keygen: the passphrase is empty. Give another, or none.")
        place, public = Path(path), Path(f"{path}{PUBLIC_ENDING}")
        refuse_overwrite(public, force)
        locked = (
            form.NoEncryption() if passphrase is None else form.BestAvailableEncryption(passphrase.encode())
        )
        secret = self._secret.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, locked)
        write_bytes(place, secret, force=force, private=True)
        write_bytes(public, self.public, force=force)
        return public

    @property
    def public(self) -> bytes:
        """The public key as PEM."""
        from cryptography.hazmat.primitives import serialization as form

        public = self._secret.public_key()
        return public.public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)

    def sign(self, content: bytes) -> str:
        """The signature of some bytes, as one line of text."""
        return base64.b64encode(self._secret.sign(content)).decode() + "\n"


def is_locked(path: str | Path) -> bool:
    """Whether the secret key in a file is encrypted by a passphrase."""
    return b"ENCRYPTED" in _content(Path(path)).split(b"\n", 1)[0]


def is_signed_by(content: bytes, signature: Path, key: str | Path) -> bool:
    """Whether the file holds the signature of the bytes by the secret half of this public key."""
    _needs_cryptography()
    from cryptography.exceptions import InvalidSignature

    try:
        signed = base64.b64decode(_content(signature).strip(), validate=True)
    except (binascii.Error, ValueError):
        return False
    try:
        _public_key(Path(key)).verify(signed, content)
    except InvalidSignature:
        return False
    return True


def _public_key(path: Path) -> Ed25519PublicKey:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        found = load_pem_public_key(_content(path))
    except (ValueError, UnsupportedAlgorithm):
        raise BadFile(f"{path.name} is not a public key as `discreet keygen` writes it (.pub).") from None
    if not isinstance(found, Ed25519PublicKey):
        raise BadFile(f"{path.name} is a key of another kind; releases are signed by Ed25519.")
    return found


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise BadFile(f"there is no file {path}.") from None
    except OSError as problem:
        raise BadFile(f"{path} cannot be read: {problem.strerror}.") from None


def _needs_cryptography() -> None:
    try:
        import cryptography  # noqa: F401
    except ModuleNotFoundError:
        raise NotInstalled(
            "signatures need the library cryptography. Install it: pip install 'discreet[signing]'."
        ) from None

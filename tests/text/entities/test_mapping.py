"""The mapping file: encrypted, checked, private, and read back whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.text.entities.marked import marked, masked

from discreet.errors import BadFile, BadParameter, WouldOverwrite, WrongPassphrase
from discreet.text.entities import mapping
from discreet.text.entities.mapping import load_mapping, mapping_of, register_of, save_mapping
from discreet.text.entities.pseudonyms import Keyed, Numbered
from discreet.text.entities.register import Register

NAMES = (b"Ann", b"Jones", b"Armas", b"Pers1", b"Witness")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapping, "COST", 2**4)


def some() -> Register:
    register = Register.of(*marked("{person:Ann Jones} met {person:Bob Armas}, {place:York} and {code:X-1}."))
    ann, bob, york, code = (each.id for each in register.entities)
    return register.renamed(york, "Witness town").merged(bob, ann).kept(code).split(bob, forms=["Bob Armas"])


def test_a_mapping_reads_back_as_what_the_next_release_needs(tmp_path: Path) -> None:
    register = some()
    known = load_mapping(save_mapping(register, tmp_path / "map", passphrase="open"), passphrase="open")
    assert known.entities == ()
    shown = {
        each.id: (each.pseudonym, each.variants, each.locked, each.kept, each.parts)
        for each in register.entities
    }
    assert {
        each.id: (each.pseudonym, each.variants, each.locked, each.kept, each.parts) for each in known.absent
    } == shown
    corpus, spans = marked("{person:Cal Smith}, Jones, Armas, York and X-1.")
    assert masked(Register.of(corpus, spans, known=known)) == masked(
        Register.of(corpus, spans, known=register)
    )


@pytest.mark.parametrize(
    "scheme", [Numbered(scope="document"), Keyed(key=bytes(16))], ids=["document", "keyed"]
)
def test_the_numbering_is_remembered_and_the_key_is_not(scheme: Numbered | Keyed) -> None:
    corpus, spans = marked("{person:Ann Jones}.")
    register = Register.of(corpus, spans, pseudonyms=scheme)
    known = register_of(mapping_of(register, passphrase="open"), passphrase="open")
    if isinstance(scheme, Keyed):
        with pytest.raises(BadParameter, match="key"):
            Register.of(corpus, spans, known=known)
    assert masked(Register.of(corpus, spans, known=known, pseudonyms=scheme)) == masked(register)
    assert known.scheme == (None if isinstance(scheme, Keyed) else scheme)


def test_no_name_can_be_read_without_the_passphrase(tmp_path: Path) -> None:
    place = save_mapping(some(), tmp_path / "map", passphrase="open")
    assert not any(name in place.read_bytes() for name in NAMES)
    assert place.stat().st_mode & 0o777 == 0o600
    with pytest.raises(WrongPassphrase) as problem:
        load_mapping(place, passphrase="shut")
    assert not any(name.decode() in str(problem.value) for name in NAMES)
    with pytest.raises(WouldOverwrite):
        save_mapping(some(), place, passphrase="open")


def test_two_files_of_one_register_have_nothing_but_their_first_line_in_common() -> None:
    one, other = (mapping_of(some(), passphrase="open") for _ in range(2))
    at = len(mapping.START)
    assert one[:at] == other[:at]
    assert one[at : at + 28] != other[at : at + 28]
    assert one[at + 28 :] != other[at + 28 :]


@pytest.mark.parametrize("place", [20, 36, 60, -1])
def test_a_changed_byte_is_noticed(place: int) -> None:
    content = bytearray(mapping_of(some(), passphrase="open"))
    content[place] ^= 1
    with pytest.raises(WrongPassphrase, match="changed"):
        register_of(bytes(content), passphrase="open")


@pytest.mark.parametrize(
    "content", [b"", b"{}", mapping.START, mapping.START + bytes(28), b"discreet mapping 2\n" + bytes(99)]
)
def test_what_is_no_mapping_is_refused(content: bytes) -> None:
    with pytest.raises(BadFile, match="not the mapping"):
        register_of(content, passphrase="open")


def test_a_missing_file_and_an_empty_passphrase_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no file"):
        load_mapping(tmp_path / "none", passphrase="open")
    with pytest.raises(BadParameter, match="passphrase"):
        mapping_of(some(), passphrase="")

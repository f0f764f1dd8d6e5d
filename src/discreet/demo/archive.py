"""An invented archive: letters, memos, e-mails, minutes and a report of a port that does not exist.

Everybody and everything in it is made up. Who and what has to be hidden is known, so that what a program finds can be
scored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

import numpy as np

from discreet.demo.names import MEN, SURNAME_ENDINGS, SURNAME_STEMS, WOMEN
from discreet.demo.vocabulary import REGIONS

SEED = 1987
PEOPLE = 14
LETTERS, MEMOS, MAILS = 12, 6, 5

DIRECT, QUASI = "DIRECT", "QUASI"
MONTHS = ("January", "March", "April", "June", "July", "September", "October", "November")
ORGANISATIONS = (
    "Kelbourne Shipping Ltd",
    "Harrowby Chandlers Inc.",
    "Torvale Insurance plc",
    "Ministry of Works of Aldermark",
)
QUIET = (
    "The ferry to {town} will run every second day until the pier has been repaired.",
    "Bread and coal were unloaded at {town}, and the crew was paid on {date}.",
    "The school in {town} asks whether the children may visit the lighthouse.",
    "We have read the accounts of {organisation} and found them in order.",
    "Please send the tide tables to the harbour office before {date}.",
)
SENSITIVE = (
    "The military plan of {date} foresees that weapon systems reach the depot at {town} by night.",
    "Our intelligence source reported a covert action against the pier, and asked that no source be named.",
    "The cryptogram was encrypted with the old key, and the cryptology office in {town} must be told.",
    "Nuclear material for the facility at {town} needs a safeguard team and the protection service.",
    "They develop a weapon of mass destruction, says the foreign service, and production began on {date}.",
)


class InventedPerson(NamedTuple):
    """Somebody who does not exist, with what letters tell of them."""

    title: str
    given: str
    surname: str
    town: str
    street: str
    phone: str
    mail: str
    file_number: str

    @property
    def full(self) -> str:
        return f"{self.given} {self.surname}"

    @property
    def titled(self) -> str:
        return f"{self.title} {self.surname}"


@dataclass(frozen=True, slots=True, kw_only=True)
class InventedDocument:
    """One document: its file, the paragraphs in it, and each string that has to be hidden with its kind.

    `hidden` holds a string, the kind of entity it is, and whether it is a direct or a quasi-identifier.
    """

    name: str
    title: str
    paragraphs: tuple[str, ...] = field(repr=False)
    hidden: tuple[tuple[str, str, str], ...] = field(repr=False)
    sender: InventedPerson | None = field(default=None, repr=False)
    recipient: InventedPerson | None = field(default=None, repr=False)


def archive() -> tuple[InventedDocument, ...]:
    """The documents of the archive, always the same."""
    rng = np.random.default_rng(SEED)
    people = _people(rng)
    documents = [_letter(rng, people, place) for place in range(LETTERS)]
    documents += [_memo(rng, people, place) for place in range(MEMOS)]
    documents += [_mail(rng, people, place) for place in range(MAILS)]
    return (*documents, _minutes(rng, people), _report(rng, people), _notice(rng, people))


def write_archive(folder: Path) -> tuple[InventedDocument, ...]:
    """The documents, written into the folder: text, Markdown, e-mail, a Word document, a PDF and a web page."""
    documents = archive()
    for each in documents:
        place = folder / each.name
        place.parent.mkdir(parents=True, exist_ok=True)
        _WRITERS[place.suffix](each, place)
    return documents


def _people(rng: np.random.Generator) -> tuple[InventedPerson, ...]:
    found: dict[str, InventedPerson] = {}
    towns = [town for region in REGIONS for town in region.towns]
    while len(found) < PEOPLE:
        woman = bool(rng.random() < 0.5)
        given = str(rng.choice(WOMEN if woman else MEN))
        surname = str(rng.choice(SURNAME_STEMS)) + str(rng.choice(SURNAME_ENDINGS))
        number = int(rng.integers(100, 999))
        found[surname] = InventedPerson(
            title=str(rng.choice(("Mrs", "Dr", "Captain") if woman else ("Mr", "Dr", "Captain"))),
            given=given,
            surname=surname,
            town=str(rng.choice(towns)),
            street=f"{int(rng.integers(2, 98))} {rng.choice(SURNAME_STEMS)} Street",
            phone=f"+44 20 7946 0{number}",
            mail=f"{given.lower()}.{surname.lower()}@harbour.example",
            file_number=f"HB-{number}/{int(rng.integers(70, 99))}",
        )
    return tuple(found.values())


def _two(rng: np.random.Generator, people: Sequence[InventedPerson]) -> tuple[InventedPerson, InventedPerson]:
    first, second = rng.choice(len(people), size=2, replace=False)
    return people[int(first)], people[int(second)]


def _date(rng: np.random.Generator) -> str:
    return f"{int(rng.integers(1, 29))} {rng.choice(MONTHS)} {int(rng.integers(1976, 1989))}"


class _Sentence(NamedTuple):
    text: str
    hidden: tuple[tuple[str, str, str], ...]


def _sentence(rng: np.random.Generator, templates: Sequence[str]) -> _Sentence:
    template = templates[int(rng.integers(len(templates)))]
    towns = [town for region in REGIONS for town in region.towns]
    filled = {
        "town": (str(rng.choice(towns)), "place", QUASI),
        "date": (_date(rng), "date", QUASI),
        "organisation": (str(rng.choice(ORGANISATIONS)), "organisation", QUASI),
    }
    used = tuple(each for name, each in filled.items() if f"{{{name}}}" in template)
    return _Sentence(template.format(**{name: each[0] for name, each in filled.items()}), used)


def _body(rng: np.random.Generator, place: int) -> tuple[tuple[str, ...], list[tuple[str, str, str]]]:
    """Two or three paragraphs; in every second document one of them is about what is sensitive."""
    paragraphs, hidden = [], []
    for number in range(2 + place % 2):
        templates = SENSITIVE if number == 1 and place % 2 else QUIET
        sentences = [_sentence(rng, templates) for _ in range(2)]
        paragraphs.append(" ".join(each.text for each in sentences))
        hidden += [item for each in sentences for item in each.hidden]
    return tuple(paragraphs), hidden


def _who(person: InventedPerson) -> tuple[tuple[str, str, str], ...]:
    return ((person.full, "person", DIRECT), (person.surname, "person", DIRECT))


def _letter(rng: np.random.Generator, people: Sequence[InventedPerson], place: int) -> InventedDocument:
    sender, recipient = _two(rng, people)
    middle, hidden = _body(rng, place)
    date = _date(rng)
    paragraphs = (
        f"{sender.street}\n{sender.town}\n{date}",
        f"Dear {recipient.titled},",
        f"I write about file {recipient.file_number}. You can reach me on {sender.phone}.",
        *middle,
        f"{recipient.given} will remember what {sender.title} {sender.surname} promised.",
        f"Yours sincerely,\n{sender.full}",
    )
    hidden += [*_who(sender), *_who(recipient), (recipient.given, "person", DIRECT)]
    hidden += [(sender.street, "address", QUASI), (sender.town, "place", QUASI), (date, "date", QUASI)]
    hidden += [(recipient.file_number, "code", DIRECT), (sender.phone, "phone", DIRECT)]
    return InventedDocument(
        name=f"letters/letter-{place + 1:02}.txt", title="Letter", paragraphs=paragraphs, hidden=_once(hidden)
    )


def _memo(rng: np.random.Generator, people: Sequence[InventedPerson], place: int) -> InventedDocument:
    sender, recipient = _two(rng, people)
    middle, hidden = _body(rng, place)
    paragraphs = (
        f"From: {sender.full}  \nTo: {recipient.full}",
        *middle,
        f"{recipient.surname}'s file is {recipient.file_number}.",
    )
    hidden += [*_who(sender), *_who(recipient), (recipient.file_number, "code", DIRECT)]
    return InventedDocument(
        name=f"memos/memo-{place + 1}.md", title="Memorandum", paragraphs=paragraphs, hidden=_once(hidden)
    )


def _mail(rng: np.random.Generator, people: Sequence[InventedPerson], place: int) -> InventedDocument:
    sender, recipient = _two(rng, people)
    middle, hidden = _body(rng, place)
    paragraphs = (f"Dear {recipient.given},", *middle, f"{sender.given}\n{sender.phone}")
    hidden += [
        *_who(sender),
        *_who(recipient),
        (sender.given, "person", DIRECT),
        (recipient.given, "person", DIRECT),
    ]
    hidden += [
        (sender.phone, "phone", DIRECT),
        (sender.mail, "e-mail", DIRECT),
        (recipient.mail, "e-mail", DIRECT),
    ]
    return InventedDocument(
        name=f"mail/message-{place + 1}.eml",
        title=f"Pier at {sender.town}",
        paragraphs=paragraphs,
        hidden=_once([*hidden, (sender.town, "place", QUASI)]),
        sender=sender,
        recipient=recipient,
    )


def _minutes(rng: np.random.Generator, people: Sequence[InventedPerson]) -> InventedDocument:
    present = people[:5]
    middle, hidden = _body(rng, 1)
    paragraphs = (
        "Present: " + ", ".join(each.full for each in present) + ".",
        *middle,
        f"{present[1].titled} asked that {present[2].titled} be paid on {(date := _date(rng))}.",
    )
    hidden += [item for each in present for item in _who(each)]
    hidden.append((date, "date", QUASI))
    return InventedDocument(
        name="minutes.docx",
        title="Minutes of the harbour board",
        paragraphs=paragraphs,
        hidden=_once(hidden),
        sender=present[3],
        recipient=present[4],
    )


def _report(rng: np.random.Generator, people: Sequence[InventedPerson]) -> InventedDocument:
    author = people[5]
    middle, hidden = _body(rng, 3)
    paragraphs = (f"Written by {author.full}, {author.town}.", *middle)
    hidden += [*_who(author), (author.town, "place", QUASI)]
    return InventedDocument(
        name="report.pdf", title="Yearly report", paragraphs=paragraphs, hidden=_once(hidden), sender=author
    )


def _notice(rng: np.random.Generator, people: Sequence[InventedPerson]) -> InventedDocument:
    person = people[6]
    middle, hidden = _body(rng, 2)
    paragraphs = (f"Questions go to {person.titled}, {person.phone}.", *middle)
    hidden += [
        (person.surname, "person", DIRECT),
        (person.phone, "phone", DIRECT),
        (person.mail, "e-mail", DIRECT),
    ]
    return InventedDocument(
        name="notice.html", title="Notice", paragraphs=paragraphs, hidden=_once(hidden), sender=person
    )


def _once(hidden: Sequence[tuple[str, str, str]]) -> tuple[tuple[str, str, str], ...]:
    return tuple(dict.fromkeys(hidden))


def _write_text(document: InventedDocument, path: Path) -> None:
    path.write_text("\n\n".join(document.paragraphs) + "\n", encoding="utf-8")


def _write_markdown(document: InventedDocument, path: Path) -> None:
    path.write_text(f"# {document.title}\n\n" + "\n\n".join(document.paragraphs) + "\n", encoding="utf-8")


def _write_mail(document: InventedDocument, path: Path) -> None:
    sender, recipient = _named(document.sender), _named(document.recipient)
    message = EmailMessage()
    message["From"] = f"{sender.full} <{sender.mail}>"
    message["To"] = f"{recipient.full} <{recipient.mail}>"
    message["Subject"] = document.title
    message.set_content("\n\n".join(document.paragraphs) + "\n")
    path.write_bytes(bytes(message))


def _write_word(document: InventedDocument, path: Path) -> None:
    """A Word document with a header, a comment and properties, where names like to hide."""
    from docx import Document as WordDocument

    author = _named(document.sender)
    word = WordDocument()
    word.core_properties.author = author.full
    word.core_properties.comments = f"Checked by {_named(document.recipient).full}"
    word.sections[0].header.paragraphs[0].text = f"{document.title}, kept by {author.titled}"
    word.add_heading(document.title, level=1)
    for text in document.paragraphs:
        paragraph = word.add_paragraph()
        # A name is often cut into several runs, by spelling checks and changes of style.
        for piece in _pieces(text):
            paragraph.add_run(piece)
    word.add_comment(
        word.paragraphs[1].runs, text=f"Ask {author.titled} first", author=author.full, initials="H"
    )
    word.save(str(path))


def _pieces(text: str) -> Iterator[str]:
    size = 7
    return (text[start : start + size] for start in range(0, len(text), size))


def _write_pdf(document: InventedDocument, path: Path) -> None:
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer

    styles = getSampleStyleSheet()
    story = [Paragraph(document.title, styles["Title"])]
    for text in document.paragraphs:
        story += [Paragraph(text, styles["BodyText"]), Spacer(1, 8)]
    author = _named(document.sender).full
    SimpleDocTemplate(str(path), pagesize=A4, title=document.title, author=author, invariant=1).build(story)


def _write_page(document: InventedDocument, path: Path) -> None:
    person = _named(document.sender)
    paragraphs = "\n".join(f"<p>{text}</p>" for text in document.paragraphs)
    path.write_text(
        f'<!doctype html>\n<html><head><title>{document.title}</title><meta name="author" content="{person.full}">'
        f'</head>\n<body><h1>{document.title}</h1>\n{paragraphs}\n<p><a href="mailto:{person.mail}">Write to us</a></p>'
        f"\n<!-- {person.surname} wants this gone --></body></html>\n",
        encoding="utf-8",
    )


def _named(person: InventedPerson | None) -> InventedPerson:
    assert person is not None, "documents of this kind have a sender"
    return person


_WRITERS = {
    ".txt": _write_text,
    ".md": _write_markdown,
    ".eml": _write_mail,
    ".docx": _write_word,
    ".pdf": _write_pdf,
    ".html": _write_page,
}

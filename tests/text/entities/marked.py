"""Texts with their spans marked, so that a test reads as the text does: "{person:Prof. Smith} came."."""

from __future__ import annotations

import re

from discreet.text import Corpus, Span
from discreet.text.entities.register import Register

MARK = re.compile(r"\{([^:{}]+):([^{}]*)\}", re.DOTALL)


def marked(*texts: str) -> tuple[Corpus, list[list[Span]]]:
    """The corpus of the texts without their marks, and the spans that were marked."""
    plain, spans = [], []
    for text in texts:
        pieces: list[str] = []
        its: list[Span] = []
        done = length = 0
        for mark in MARK.finditer(text):
            pieces += [text[done : mark.start()], mark[2]]
            length += mark.start() - done
            its.append(Span(length, length + len(mark[2]), mark[1], "by hand"))
            length += len(mark[2])
            done = mark.end()
        plain.append("".join([*pieces, text[done:]]))
        spans.append(its)
    return Corpus.of(plain), spans


def masked(register: Register) -> list[str]:
    """The texts of a register's corpus with pseudonyms in place of names."""
    return [
        document.replaced(register.replacements(number)).text
        for number, document in enumerate(register.corpus)
    ]


def joined(*texts: str) -> list[str]:
    """Marked texts with pseudonyms in place of names."""
    return masked(Register.of(*marked(*texts)))

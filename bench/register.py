"""Words a second of propagation and of the whole register, and the memory of many small documents and of a large one.

    python -m bench.register

Names, texts and spans are invented: a tenth of the entities' mentions were found, the rest is for propagation.
"""

from __future__ import annotations

import multiprocessing
import random
import resource
import time
from typing import NamedTuple

from bench.timing import Rows, best_of, table

from discreet.text import Corpus, Span
from discreet.text.entities.forms import Found, patterns, words_wanted
from discreet.text.entities.propagation import Automaton, OrdinaryWords, words_of
from discreet.text.entities.register import Register

FIRST = ("Anna", "Boris", "Carla", "David", "Elena", "Fritz", "Greta", "Hugo", "Ines", "Jonas")
SYLLABLES = ("ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu")
_FILL = "the committee met in the morning and agreed that nothing of what was said should be written down"
FILL = _FILL.split()
MENTION_EVERY = 25
"""Words between two mentions, about as many as in diplomatic documents."""


class Made(NamedTuple):
    """An invented corpus, what was found in it, and its words."""

    corpus: Corpus
    spans: list[list[Span]]
    words: int


def names(count: int) -> list[tuple[str, str]]:
    """Invented people, no two with the same surname."""
    draws = random.Random(1)
    surnames: dict[str, None] = {}
    while len(surnames) < count:
        surnames["".join(draws.choices(SYLLABLES, k=4)).capitalize()] = None
    return [(draws.choice(FIRST), surname) for surname in surnames]


def made(documents: int, words: int, entities: int) -> Made:
    """Documents of so many words each; one mention in ten is a full name that was found, the others are surnames."""
    draws = random.Random(2)
    people = names(entities)
    texts, spans = [], []
    for _ in range(documents):
        pieces: list[str] = []
        its: list[Span] = []
        length = 0
        for number in range(words):
            if number % MENTION_EVERY:
                piece = FILL[number % len(FILL)]
            else:
                first, surname = draws.choice(people)
                full = draws.random() < 0.1
                piece = f"{first} {surname}" if full else surname
                if full:
                    its.append(Span(length, length + len(piece), "person", "invented"))
            pieces.append(piece)
            length += len(piece) + 1
        texts.append(" ".join(pieces))
        spans.append(its)
    return Made(Corpus.of(texts), spans, documents * words)


def propagation(entities: int) -> dict[str, object]:
    """How quickly the forms of so many entities are found in a text, the automaton being built already."""
    found = {Found("person", f"{first} {surname}"): 1 for first, surname in names(entities)}
    texts = [each.text for each in made(100, 5_000, entities).corpus]
    ordinary = OrdinaryWords(words_of(texts, words_wanted(found)))
    built = best_of(1, lambda: Automaton(patterns(found, ordinary), ordinary))
    run = best_of(3, lambda: sum(1 for text in texts for _ in built.result.occurrences(text)))
    return {
        "entities": entities,
        "build seconds": built.cpu,
        "occurrences": run.result,
        "words a second": int(500_000 / run.cpu),
    }


def whole(label: str, documents: int, words: int, entities: int) -> dict[str, object]:
    """A whole register in a process of its own: words a second, and the memory above that of the corpus."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return {"corpus": label, **pool.apply(_whole, (documents, words, entities))}


def _whole(documents: int, words: int, entities: int) -> dict[str, object]:
    given = made(documents, words, entities)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.process_time()
    register = Register.of(given.corpus, given.spans)
    mentions = sum(len(register.mentions(number)) for number in range(documents))
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "characters": sum(len(each.text) for each in given.corpus),
        "mentions": mentions,
        "words a second": int(given.words / seconds),
        "mebibytes more": peak - before,
    }


def main() -> None:
    rows: Rows = [propagation(entities) for entities in (100, 1_000, 10_000)]
    print(table(rows))
    print()
    rows = [
        whole("10,000 small documents", 10_000, 200, 10_000),
        whole("one of 10 million characters", 1, 1_750_000, 10_000),
    ]
    print(table(rows))


if __name__ == "__main__":
    main()

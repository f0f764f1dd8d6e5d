"""What a sequence model sees of each token: shape, affixes, neighbours, frequencies, and what the rules found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from discreet.text.span import Span

TOKEN = re.compile(r"\w+|[^\w\s]")
AROUND = 3
"""How many tokens to each side are seen."""


class Token(NamedTuple):
    """A word, a number or a mark of a text."""

    start: int
    end: int
    text: str


def tokens(text: str) -> list[Token]:
    """The tokens of a text: runs of letters and digits, and every other visible character by itself."""
    return [Token(each.start(), each.end(), each.group()) for each in TOKEN.finditer(text)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frequencies:
    """In how many documents each word stands, and in how many of them in lower case."""

    documents: int
    any_case: Counter[str] = field(repr=False)
    lower_case: Counter[str] = field(repr=False)

    @classmethod
    def of(cls, texts: Iterable[str]) -> Frequencies:
        any_case: Counter[str] = Counter()
        lower_case: Counter[str] = Counter()
        documents = 0
        for text in texts:
            documents += 1
            found = set(TOKEN.findall(text))
            any_case.update({each.lower() for each in found})
            lower_case.update(each for each in found if each.islower())
        return cls(documents=documents, any_case=any_case, lower_case=lower_case)

    def without(self, text: str) -> Frequencies:
        """The frequencies in the other documents, for a document that was counted: it must not vouch for itself."""
        found = set(TOKEN.findall(text))
        return Frequencies(
            documents=self.documents - 1,
            any_case=self.any_case - Counter({each.lower() for each in found}),
            lower_case=self.lower_case - Counter(each for each in found if each.islower()),
        )


def features(text: str, rules: Sequence[Span], others: Frequencies) -> tuple[list[Token], list[list[str]]]:
    """The tokens of a text and the features of each.

    `rules` are the spans that recognisers found, and `others` the frequencies of words in the other documents. A word
    that looks like a name is seen by its shape and affixes and not as itself, or a model would learn names by heart.
    """
    found = tokens(text)
    here = Counter(each.text.lower() for each in found)
    alone = [_alone(each, here, others) for each in found]
    kinds = _kinds(found, rules)
    seen = [_seen(each, others) for each in found]
    rows: list[list[str]] = []
    for place, own in enumerate(alone):
        row = [*own, f"rule={kinds[place]}"]
        for step in range(1, AROUND + 1):
            before, after = place - step, place + step
            row += _neighbour(f"-{step}", before, seen, kinds)
            row += _neighbour(f"+{step}", after, seen, kinds)
        rows.append(row)
    return found, rows


def _neighbour(side: str, place: int, seen: Sequence[str], kinds: Sequence[str]) -> list[str]:
    if not 0 <= place < len(seen):
        return [f"{side}=none"]
    return [f"{side}={seen[place]}", f"{side}rule={kinds[place]}"]


def _kinds(found: Sequence[Token], rules: Sequence[Span]) -> list[str]:
    """For each token the kind and the finder of the span that covers it, with a mark where a span begins."""
    kinds = ["none"] * len(found)
    place = 0
    for span in sorted(rules):
        while place < len(found) and found[place].end <= span.start:
            place += 1
        first, inside = True, place
        while inside < len(found) and found[inside].start < span.end:
            kinds[inside] = f"{'B' if first else 'I'}-{span.kind}-{span.found_by}"
            first, inside = False, inside + 1
    return kinds


def _is_name_like(token: Token, others: Frequencies) -> bool:
    """Whether a token could be part of a name: a capital, and hardly ever seen in lower case; or a number."""
    if token.text[0].isdigit():
        return True
    return token.text[0].isupper() and others.lower_case[token.text.lower()] < 2


def _seen(token: Token, others: Frequencies) -> str:
    """What a neighbour shows of itself: the word, or the shape of a name or number."""
    return shape(token.text) if _is_name_like(token, others) else token.text.lower()


def _alone(token: Token, here: Counter[str], others: Frequencies) -> list[str]:
    lower = token.text.lower()
    share = others.any_case[lower] / max(1, others.documents)
    found = [
        "bias",
        f"shape={shape(token.text)}",
        f"length={min(len(lower), 12)}",
        f"here={_step(here[lower])}",
        f"elsewhere={_share_step(share)}",
        f"lower={_step(others.lower_case[lower])}",
        f"end3={lower[-3:]}",
        f"end2={lower[-2:]}",
        f"start3={lower[:3]}",
    ]
    if not _is_name_like(token, others):
        found.append(f"word={lower}")
    return found


@lru_cache(maxsize=1 << 18)
def shape(word: str) -> str:
    """The shape of a word: X for capitals, x for other letters, 9 for digits, runs cut to four.

    >>> shape("McGregor"), shape("18403"), shape("(")
    ('XxXxxxx', '9999', '(')
    """
    kinds = "".join(
        "9" if each.isdigit() else "X" if each.isupper() else "x" if each.isalpha() else each for each in word
    )
    return re.sub(r"(.)\1{4,}", lambda run: run.group(1) * 4, kinds)


def _step(count: int) -> str:
    return str(count) if count < 3 else "few" if count < 10 else "many"


def _share_step(share: float) -> str:
    bounds = ((0.0, "never"), (0.02, "rare"), (0.1, "some"), (0.4, "often"))
    return next((name for bound, name in bounds if share <= bound), "common")

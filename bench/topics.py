"""Words a second of topic matching from 100 to 10,000 terms, and how many terms the shipped policy is widened to.

    python bench/topics.py [FOLDER]

FOLDER holds the reference data; without it the text is drawn from WordNet's words. To see what the number of terms
costs, and not what more hits cost, each list of terms hits the same share of the words: the terms that hit are the
same for all, and the lists grow by terms that do not occur. A second table lets the hits grow with the terms, and a
third gives a single line of 100 million characters.

The bars: at least a million words a second at 10,000 terms, and flat (within a tenth) from 100 to 10,000 at the same
share of hits, both by a matcher that has met no word before.
"""

from __future__ import annotations

import gzip
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from bench.timing import Rows, best_of, table

from discreet.ontology import wordnet
from discreet.text.policy import Policy
from discreet.text.topics import Hit, Matcher, Term, terms_of, widen
from discreet.text.topics.stems import stems_of
from discreet.text.words import WORD, stop_words

SIZES = (100, 300, 1_000, 3_000, 10_000)
SHARE = 0.05
BAR = 1_000_000
FLAT = 0.9
RUNS = 5
PUBLISHED = 655


def corpus(folder: Path | None) -> str:
    """The diplomatic volumes and the news, or words of WordNet drawn by Zipf's law where there is no folder."""
    if folder is None:
        words = sorted({each for each in wordnet().terms.keys if each.isalpha()})
        drawn = np.random.default_rng(1).zipf(1.3, 2_000_000) % len(words)
        return " ".join(words[each] for each in drawn.tolist())
    texts = []
    for name in ("frus1952-54Guat", "frus1969-76v12"):
        with gzip.open(folder / f"{name}.xml.gz", "rt", encoding="utf-8") as file:
            texts.append(re.sub(r"<[^>]+>", " ", file.read()))
    with gzip.open(folder / "reuters.jsonl.gz", "rt", encoding="utf-8") as file:
        texts += [each["title"] + "\n" + each["body"] for each in map(json.loads, file)]
    return "\n\n".join(texts)


def phrases() -> list[str]:
    """Words and phrases of WordNet in an order of chance, two of three of them phrases of several words."""
    keys = [each for each in wordnet().terms.keys if re.fullmatch(r"[a-z]{3,}(?: [a-z]{2,}){0,3}", each)]
    return [keys[each] for each in np.random.default_rng(2).permutation(len(keys)).tolist()]


def that_hit(counts: Counter[str], words: int) -> list[str]:
    """Fewer than a hundred words that make up the wanted share of the text, rare and frequent ones."""
    fits = [
        (each, times)
        for each, times in counts.most_common()
        if len(each) > 3 and each.isalpha() and each not in stop_words() and times < words * SHARE / 40
    ]
    chosen: list[str] = []
    stems: set[tuple[str, ...]] = set()
    total = 0
    for each, times in fits:
        if stems_of(each) not in stems and total < words * SHARE * 0.8 and len(chosen) < 90:
            chosen.append(each)
            stems.add(stems_of(each))
            total += times
    return chosen


def that_do_not(given: Sequence[str], counts: Counter[str], many: int) -> list[str]:
    """Terms that the text does not hold: each has a word whose stem does not occur."""
    held = {stems_of(each) for each in counts}
    found = [each for each in given if any((stem,) not in held for stem in stems_of(each))]
    return found[:many]


def measured(text: str, words: int, lists: Sequence[tuple[Term, ...]]) -> Rows:
    """Words a second of a new matcher, and of one that knows the text's words, for each list of terms.

    The lists take turns, so that what else the machine does slows none of them more than the others.
    """
    least = [[math.inf] * 3 for _ in lists]
    found: list[tuple[Hit, ...]] = [()] * len(lists)
    for _ in range(RUNS):
        for place, terms in enumerate(lists):
            made = best_of(1, partial(Matcher, terms))
            first = best_of(1, partial(made.result.find, text))
            again = best_of(1, partial(made.result.find, text))
            found[place] = first.result
            least[place] = list(map(min, least[place], (made.cpu, first.cpu, again.cpu)))
    return [
        {
            "terms": len(terms),
            "hits": len(hits),
            "share of words": sum(len(WORD.findall(text[each.start : each.end])) for each in hits) / words,
            "CPU s to make": made_in,
            "words/s, first text": round(words / first_in),
            "words/s, next text": round(words / next_in),
        }
        for terms, hits, (made_in, first_in, next_in) in zip(lists, found, least, strict=True)
    ]


def told(rows: Rows) -> str:
    """Whether the bars are met, by the slower of the two columns."""
    rates = [int(str(row["words/s, first text"])) for row in rows]
    flat = min(rates) / max(rates)
    enough = "met" if rates[-1] >= BAR else "MISSED"
    even = "met" if flat >= FLAT else "MISSED"
    return (
        f"bar of {BAR:,} words a second at {rows[-1]['terms']} terms: {enough} ({rates[-1]:,}); slowest over fastest "
        f"from {rows[0]['terms']} to {rows[-1]['terms']} terms: {flat:.2f}, bar {FLAT}: {even}"
    )


def widening() -> str:
    """How many terms the shipped policy has at each depth."""
    nouns_and_verbs = wordnet(parts=("noun", "verb"), instances=False)
    policy = Policy.load("eo13526")
    depths = {depth: len(widen(policy, ontology=nouns_and_verbs, depth=depth)) for depth in range(6)}
    shown = ", ".join(f"{depth}: {terms}" for depth, terms in depths.items())
    own = len(widen(policy, ontology=nouns_and_verbs))
    return (
        f"eo13526: {len(policy.queries()['rq9'])} keywords, {own} terms (published {PUBLISHED}); by depth {shown}\n"
        f"WordNet: {len(wordnet()):,} noun synsets (3.0 has 82,115), digest {nouns_and_verbs.digest[:12]}"
    )


def main() -> None:
    print(widening())
    text = corpus(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
    counts = Counter(each.lower() for each in WORD.findall(text))
    words = sum(counts.values())
    print(f"\n{words:,} words, {len(counts):,} distinct\n\nthe same share of hits")
    given = phrases()
    hit = that_hit(counts, words)
    idle = that_do_not(given, counts, max(SIZES))
    rows = measured(text, words, [terms_of([*hit, *idle[: size - len(hit)]]) for size in SIZES])
    print(table(rows))
    print(told(rows))
    print("\nhits grow with the terms")
    print(table(measured(text, words, [terms_of(given[:size]) for size in SIZES])))
    line = " ".join(text.split())
    line = (line * (100_000_000 // len(line) + 1))[:100_000_000]
    matcher = Matcher(terms_of([*hit, *idle[: 10_000 - len(hit)]]))
    timed = best_of(1, lambda: matcher.find(line))
    print(
        f"\none line of {len(line):,} characters, 10,000 terms: {timed.cpu:.1f} CPU s, {len(timed.result):,} hits"
    )


if __name__ == "__main__":
    main()

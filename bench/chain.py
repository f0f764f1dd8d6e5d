"""Words a second and memory of the whole chain of documents: read, recognise, register, topics, blocks, write, scan.

    python -m bench.chain [FOLDER] [--documents N] [--characters N]

FOLDER holds the volumes of diplomatic documents (frus*.xml.gz); without it the text is invented. First the volume is
sanitised with the shipped policy, once without spaCy and once with it, and each step is timed. Then many small
documents, and one long one, go through the chain without spaCy. Each row runs in a process of its own; its memory is
what it held at most, with what it held once everything was loaded beside it.

The bars, in CPU time on one core: 40,000 words a second without spaCy, and 3,000 with it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from bench.timing import Rows, table
from experiments.diplomatic_people import read_volume

from discreet.text import read, sanitise
from discreet.text.document_release import save_documents
from discreet.text.entities.recogniser import recognisers

VOLUME = "frus1952-54Guat.xml.gz"
RULES_BAR, ALL_BAR = 40_000, 3_000
SMALL = 2_000
"""Characters of a small document."""
WITH_SPACY = 200_000
"""Words that are read with spaCy."""
FIRST = (
    "Anna",
    "Carlos",
    "Greta",
    "Henryk",
    "Ines",
    "Jonas",
    "Karin",
    "Luis",
    "Marta",
    "Nils",
    "Olga",
    "Pavel",
)
ENDS = ("berg", "ström", "owski", "ez", "sen", "ini", "mann", "ova", "ford", "ley", "quist", "escu")
SAID = (
    "the delegation discussed the supply of weapons with {}, who had arrived from {} on {} May {}",
    "a letter of {} was received by the embassy and no answer was given to it before the end of the week",
    "Mr. {} said that the price of coffee had fallen and that nothing could be done about it at the time",
    "the committee met again in the afternoon and heard what had been agreed about the roads to the north",
    "Ambassador {} asked for instructions; the ministry at {} replied that the matter was under study",
)


def invented(characters: int, seed: int) -> str:
    """A text in which about one word in ten is part of a name, most of them of people named before."""
    rng = Random(seed)
    people = [
        f"{rng.choice(FIRST)} {rng.choice('BCDFGHKLMNPRSTVW')}{rng.choice('aeiou')}l{rng.choice(ENDS)}"
        for _ in range(40)
    ]
    pieces: list[str] = []
    length = 0
    while length < characters:
        held = [
            rng.choice(people),
            rng.choice(ENDS).title() + "ton",
            str(rng.randint(1, 28)),
            str(rng.randint(1940, 1990)),
        ]
        sentence = rng.choice(SAID).format(*held) if length % 3 else rng.choice(SAID).format(*reversed(held))
        pieces.append(sentence[0].upper() + sentence[1:] + (".\n\n" if len(pieces) % 5 == 4 else ". "))
        length += len(pieces[-1])
    return "".join(pieces)


def texts(asked: argparse.Namespace, words: int | None) -> Iterator[str]:
    """The documents to be sanitised, up to so many words."""
    given = (
        [invented(20_000, seed) for seed in range(60)]
        if asked.folder is None
        else [each.text for each in read_volume(asked.folder / VOLUME).corpus]
    )
    held = 0
    for each in given:
        if words is not None and held >= words:
            return
        held += len(each.split())
        yield each


class Steps:
    """How many CPU seconds each step took, told by the progress of the work."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._step, self._since = "reading", time.process_time()

    def begin(self, step: str) -> None:
        now = time.process_time()
        self.seconds[self._step] = self.seconds.get(self._step, 0.0) + now - self._since
        self._step, self._since = step, now

    def __call__(self, done: float, total: float, what: str) -> None:
        self.begin(what.partition(":")[0])


def measure(given: Sequence[str] | tuple[int, int], names: Sequence[str] | None) -> dict[str, object]:
    """One run of the chain: words a second, CPU seconds of each step, and mebibytes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "in"
        folder.mkdir()
        words, characters = _written(given, folder)
        _warm(Path(name), names)
        before = _peak()
        steps = Steps()
        wall, started = time.perf_counter(), time.process_time()
        corpus = read(folder)
        done = sanitise(corpus, policy="eo13526", recognisers=names, automatic=True, progress=steps)
        steps.begin("writing and scanning")
        save_documents(done, Path(name) / "out")
        steps.begin("")
        cpu, wall = time.process_time() - started, time.perf_counter() - wall
    row: dict[str, object] = {
        "documents": len(corpus),
        "characters": characters,
        "words": words,
        "words/CPU s": round(words / cpu),
        "CPU s": cpu,
        "wall s": wall,
    }
    row |= {step: seconds for step, seconds in steps.seconds.items() if step}
    return row | {"MiB at most": round(_peak()), "MiB before": round(before)}


def _written(given: Sequence[str] | tuple[int, int], folder: Path) -> tuple[int, int]:
    """Writes the documents; says how many words and characters they have."""
    words = characters = 0
    width = 6
    for number, text in enumerate(_each(given)):
        (folder / f"{number:0{width}}.txt").write_text(text, encoding="utf-8")
        words += len(text.split())
        characters += len(text)
    return words, characters


def _each(given: Sequence[str] | tuple[int, int]) -> Iterator[str]:
    if given and isinstance(given[0], int):
        documents, length = given
        for seed in range(int(documents)):
            yield invented(int(length), seed)
    else:
        yield from map(str, given)


def _warm(folder: Path, names: Sequence[str] | None) -> None:
    """Loads libraries, WordNet and the model, which a run needs once."""
    (folder / "warm").mkdir()
    (folder / "warm" / "1.txt").write_text(invented(2_000, 1), encoding="utf-8")
    done = sanitise(read(folder / "warm"), policy="eo13526", recognisers=names, automatic=True)
    save_documents(done, folder / "warm-out")


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def apart(given: Sequence[str] | tuple[int, int], names: Sequence[str] | None) -> dict[str, object]:
    """One run in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(measure, (given, names))


def shown(title: str, row: dict[str, object]) -> None:
    rows: Rows = [row]
    print(f"\n{title}\n{table(rows)}", flush=True)


def main() -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--characters", type=int, default=10_000_000)
    asked = parser.parse_args()
    names = [each.name for each in recognisers() if not each.missing]
    rules = [each for each in names if each != "named_entities"]
    shown(f"without spaCy (bar {RULES_BAR:,} words a second)", apart(list(texts(asked, None)), rules))
    if "named_entities" in names:
        shown(f"with spaCy (bar {ALL_BAR:,})", apart(list(texts(asked, WITH_SPACY)), names))
    shown("many small documents, without spaCy", apart((asked.documents, SMALL), rules))
    shown("one long document, without spaCy", apart((1, asked.characters), rules))


if __name__ == "__main__":
    main()

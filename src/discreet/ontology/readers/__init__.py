"""Ontologies from the formats they are published in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path

from discreet.errors import BadFile, BadParameter, UnknownName, did_you_mean
from discreet.ontology.builder import Builder, Cycles
from discreet.ontology.cache import cached
from discreet.ontology.graph import Ontology
from discreet.ontology.readers import wndb
from discreet.ontology.readers.formats import FORMATS, recognised
from discreet.ontology.readers.wordnet_home import wordnet_folder
from discreet.progress import SILENT, Progress

NOUNS: tuple[wndb.PartOfSpeech, ...] = ("noun",)


def read(
    path: str | Path,
    format: str | None = None,
    *,
    on_cycles: Cycles | None = None,
    cache: bool = True,
    progress: Progress = SILENT,
) -> Ontology:
    """The ontology of a file or folder in one of the FORMATS.

    Without a format it is told from the name and the first lines. Links that go in a circle are an error, or are
    cut (`on_cycles="cut"`; so by default for MeSH). The first reading is kept in the user's cache folder unless
    `cache` is false. Raises BadFile, EmptyOntology, CyclicOntology, UnknownName for an unknown format, and
    NotInstalled when the format needs a library that is not there.
    """
    place = Path(path)
    if not place.exists():
        raise BadFile(f"there is no file or folder '{place}'.")
    if format is not None and format not in FORMATS:
        raise UnknownName(f"there is no ontology format '{format}'.{did_you_mean(format, FORMATS)}")
    chosen = FORMATS[format] if format is not None else recognised(place)
    return _through_cache(
        lambda: chosen.builder(place),
        chosen.sources(place),
        {"format": chosen.name, "name": place.stem},
        on_cycles=on_cycles or chosen.on_cycles,
        cache=cache,
        progress=progress,
    )


def wordnet(
    folder: str | Path | None = None,
    *,
    parts: Sequence[wndb.PartOfSpeech] = NOUNS,
    instances: bool = True,
    cache: bool = True,
    progress: Progress = SILENT,
) -> Ontology:
    """WordNet's nouns, or its verbs, or both, as concepts named as in "worker.n.01" (Fellbaum 1998).

    Without a folder, WordNet is looked for where it is usually installed; nothing is downloaded. Verbs have
    many roots and get a virtual one, and links of theirs that go in a circle are cut; with both parts of speech, the
    senses of the first one named rank first. Without `instances`, what is one of a kind, such as one battle, lies below
    nothing but the virtual root.
    The first reading is kept in the user's cache folder unless `cache` is false.
    Raises NotInstalled, BadFile, BadParameter.
    """
    chosen = tuple(parts)
    if not chosen or len(set(chosen)) < len(chosen) or not set(chosen) <= wndb.LETTERS.keys():
        raise BadParameter("wordnet: parts must be 'noun', 'verb' or both.")
    found = wordnet_folder(folder)
    return _through_cache(
        lambda: wndb.builder(found, chosen, instances=instances),
        wndb.sources(found, chosen),
        {"format": "wordnet", "parts": " ".join(chosen), **({} if instances else {"instances": "no"})},
        # Two verbs of WordNet 3.0 (to restrain, to inhibit) are each said to be a kind of the other.
        on_cycles="cut" if "verb" in chosen else "error",
        cache=cache,
        progress=progress,
    )


def wordnet_words(folder: str | Path | None = None) -> frozenset[str]:
    """The single words that WordNet knows, in lower case: nouns, verbs, adjectives and adverbs, as far as installed.

    Raises NotInstalled, BadFile.
    """
    return wndb.single_words(wordnet_folder(folder))


def _through_cache(
    builder: Callable[[], Builder],
    sources: Sequence[Traversable],
    options: dict[str, str],
    *,
    on_cycles: Cycles,
    cache: bool,
    progress: Progress,
) -> Ontology:
    def fresh() -> Ontology:
        progress(0, 2, "reading the ontology")
        built = builder()
        progress(1, 2, "linking its concepts")
        return built.finished(on_cycles=on_cycles)

    result = cached(sources, {**options, "on_cycles": on_cycles}, fresh, cache=cache)
    progress(2, 2, "the ontology is ready")
    return result

"""Ontologies from the formats they are published in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from discreet.errors import BadParameter
from discreet.ontology.cache import cached
from discreet.ontology.graph import Ontology
from discreet.ontology.readers import wndb
from discreet.ontology.readers.wordnet_home import wordnet_folder
from discreet.progress import SILENT, Progress

NOUNS: tuple[wndb.PartOfSpeech, ...] = ("noun",)


def wordnet(
    folder: str | Path | None = None,
    *,
    parts: Sequence[wndb.PartOfSpeech] = NOUNS,
    cache: bool = True,
    progress: Progress = SILENT,
) -> Ontology:
    """WordNet's nouns, or its verbs, or both, as concepts named as in "worker.n.01" (Fellbaum 1998).

    Without a folder, WordNet is looked for where it is usually installed; nothing is downloaded. Verbs have
    many roots and get a virtual one; with both parts of speech, nouns are the likelier senses when they
    come first. The first reading is kept in the user's cache folder unless `cache` is false.
    Raises NotInstalled, BadFile, BadParameter.
    """
    chosen = tuple(parts)
    if not chosen or len(set(chosen)) < len(chosen) or not set(chosen) <= wndb.LETTERS.keys():
        raise BadParameter("wordnet: parts must be 'noun', 'verb' or both.")
    found = wordnet_folder(folder)

    def read() -> Ontology:
        progress(0, 2, "reading WordNet")
        draft = wndb.draft(found, chosen)
        progress(1, 2, "linking concepts")
        return draft.finished()

    result = cached(
        wndb.sources(found, chosen), {"format": "wordnet", "parts": " ".join(chosen)}, read, cache=cache
    )
    progress(2, 2, "WordNet")
    return result

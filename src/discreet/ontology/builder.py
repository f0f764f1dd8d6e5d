"""From what a source says to an ontology: naming, rooting, refusing or cutting cycles."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from discreet.errors import CyclicOntology, EmptyOntology
from discreet.ontology.graph import Ontology
from discreet.ontology.links import Adjacency, Ids, ancestors, cycles, generations
from discreet.ontology.terms import Terms
from discreet.ontology.texts import Texts

VIRTUAL_ROOT = "(any)"
"""The identifier and label of the root that is added over several."""

Cycles = Literal["error", "cut"]


@dataclass(slots=True, kw_only=True)
class Entry:
    """What a source says of one concept."""

    label: str = ""
    words: dict[str, int] = field(default_factory=dict)
    gloss: str = ""


@dataclass(slots=True, kw_only=True)
class Builder:
    """What a reader found, before it is checked: concepts by identifier, and (child, parent) links.

    A word has a rank: where it stands for several concepts, the lowest rank is the likeliest. A label is a word of
    rank 0 unless the words say otherwise. A concept that only a link names has its identifier as label. `levels` are
    the columns of a file of levels.
    """

    name: str
    entries: dict[str, Entry] = field(default_factory=dict)
    links: list[tuple[str, str]] = field(default_factory=list)
    levels: dict[str, int] = field(default_factory=dict)

    def entry(self, identifier: str) -> Entry:
        """The entry of this identifier, made when it is new."""
        found = self.entries.get(identifier)
        if found is None:
            found = self.entries[identifier] = Entry()
        return found

    def finished(self, *, on_cycles: Cycles = "error") -> Ontology:
        """The ontology of the builder, with a virtual root over several roots.

        Raises EmptyOntology, and CyclicOntology unless `on_cycles` is "cut": then, of the links on a cycle,
        those are dropped that do not lead away from the root.
        """
        for child, parent in self.links:
            self.entry(child)
            self.entry(parent)
        if not self.entries:
            raise EmptyOntology(f"ontology '{self.name}' has no concepts.")
        names, parents = self._linked(on_cycles)
        order = generations(parents)
        if sum(map(len, order)) < len(names):
            _refuse_cycles(self.name, names, parents)
        roots = np.flatnonzero(parents.counts == 0)
        if len(roots) > 1:
            names, parents = self._rooted(names, parents)
            order = generations(parents)
        return self._assembled(names, parents, order)

    def _linked(self, on_cycles: Cycles) -> tuple[list[str], Adjacency]:
        names = sorted(self.entries)
        number = {name: place for place, name in enumerate(names)}
        below = np.array([number[child] for child, _ in self.links], dtype=np.int64)
        above = np.array([number[parent] for _, parent in self.links], dtype=np.int64)
        parents = Adjacency.of(below, above, len(names))
        return names, _cut(parents) if on_cycles == "cut" else parents

    def _rooted(self, names: list[str], parents: Adjacency) -> tuple[list[str], Adjacency]:
        top = VIRTUAL_ROOT
        while top in self.entries:
            top = f"({top})"
        self.entry(top).label = VIRTUAL_ROOT
        self.links.extend((names[root], top) for root in np.flatnonzero(parents.counts == 0))
        every = sorted(self.entries)
        place = every.index(top)
        shift = np.arange(len(names), dtype=np.int64)
        shift[place:] += 1
        roots = shift[parents.counts == 0]
        below = np.concatenate([shift[parents.sources], roots])
        above = np.concatenate([shift[parents.targets], np.full(len(roots), place)])
        return every, Adjacency.of(below, above, len(every))

    def _assembled(self, names: list[str], parents: Adjacency, order: list[Ids]) -> Ontology:
        above, steps = ancestors(parents, order)
        root = int(order[0][0])
        entries = [self.entries[name] for name in names]
        labels = [entry.label or name for name, entry in zip(names, entries, strict=True)]
        words = [
            (word, place, rank)
            for place, (label, entry) in enumerate(zip(labels, entries, strict=True))
            for word, rank in ({label: 0} | entry.words).items()
        ]
        identifiers = Texts.of(names)
        digest = hashlib.sha256(identifiers.block)
        digest.update(identifiers.offsets.tobytes() + parents.offsets.tobytes() + parents.targets.tobytes())
        depth = steps[above.targets == root].astype(np.int32)
        level = self._levels(names, depth)
        digest.update(level.tobytes())
        return Ontology(
            name=self.name,
            identifiers=identifiers,
            labels=Texts.of(labels),
            glosses=Texts.of(entry.gloss for entry in entries),
            terms=Terms.of(words, len(names)),
            parents=parents,
            children=parents.reversed(len(names)),
            ancestors=above,
            steps=steps,
            depth=depth,
            level=level,
            root=root,
            digest=digest.hexdigest(),
        )

    def _levels(self, names: Sequence[str], depth: Ids) -> Ids:
        """The level of each concept; empty where levels are no more than the steps above the deepest concept."""
        top = max(self.levels.values(), default=0) + 1
        level = np.array([self.levels.get(name, top) for name in names if self.levels], dtype=np.int32)
        return level[:0] if len(level) and (level == depth.max() - depth).all() else level


def of_edges(
    edges: Iterable[tuple[str, str]],
    *,
    labels: Mapping[str, str] | None = None,
    synonyms: Mapping[str, Sequence[str]] | None = None,
    glosses: Mapping[str, str] | None = None,
    name: str = "ontology",
    on_cycles: Cycles = "error",
) -> Ontology:
    """The ontology of (child, parent) links between identifiers.

    A concept may have several parents; several roots get a virtual one above them. `labels`, `synonyms` and
    `glosses` go by identifier, and may name concepts that no link has; a concept without a label is called by its
    identifier. Raises EmptyOntology without concepts and CyclicOntology when links go in a circle, unless
    `on_cycles` is "cut".

    >>> pets = of_edges([("dog", "animal"), ("cat", "animal")])
    >>> pets.labels[pets.lcs([pets.concept("dog"), pets.concept("cat")])]
    'animal'
    """
    builder = Builder(name=name, links=list(edges))
    for identifier, label in (labels or {}).items():
        builder.entry(identifier).label = label
    for identifier, words in (synonyms or {}).items():
        builder.entry(identifier).words.update((word, 1) for word in words)
    for identifier, gloss in (glosses or {}).items():
        builder.entry(identifier).gloss = gloss
    return builder.finished(on_cycles=on_cycles)


def _refuse_cycles(name: str, names: list[str], parents: Adjacency) -> None:
    turning = np.flatnonzero(cycles(parents) >= 0)
    raise CyclicOntology(
        f"ontology '{name}': {len(turning)} concepts lie on cycles of is-a links; the error's `concepts` names them. "
        "Correct the source, or read it with on_cycles='cut'.",
        [names[place] for place in turning],
    )


def _cut(parents: Adjacency) -> Adjacency:
    """The links without those that close a cycle.

    Within a knot of concepts that all reach each other, a link is kept when it leads from a concept to one that is
    nearer to the top; every concept that hangs from the top still does. A knot with nothing above it hangs from its
    first concept.
    """
    knot = cycles(parents)
    depth = _depth(parents, knot)
    below, above = parents.sources, parents.targets
    kept = (knot[below] < 0) | (knot[below] != knot[above]) | (depth[above] < depth[below])
    return Adjacency.of(below[kept], above[kept], len(parents))


def _depth(parents: Adjacency, knot: Ids) -> NDArray[np.int64]:
    children = parents.reversed(len(parents))
    depth = np.full(len(parents), -1, dtype=np.int64)
    entered = np.unique(knot[parents.sources[knot[parents.sources] != knot[parents.targets]]])
    stranded = np.setdiff1d(np.unique(knot[knot >= 0]), entered)
    starts = [int(np.flatnonzero(knot == each)[0]) for each in stranded]
    edge = np.union1d(np.flatnonzero(parents.counts == 0), starts).astype(np.int64)
    level = 0
    while len(edge):
        depth[edge] = level
        below = np.unique(children.targets[children.places(edge)])
        edge = below[depth[below] < 0].astype(np.int64)
        level += 1
    return depth

"""The register: all entities of a corpus with every mention, their pseudonyms, and what was set by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from discreet.errors import BadParameter
from discreet.text.document import Corpus, Replacement
from discreet.text.entities.clusters import Placed, clustered, named, same_form, with_aliases
from discreet.text.entities.entity import Cluster, Entity, Mention
from discreet.text.entities.joining import Joiner
from discreet.text.entities.pseudonyms import Numbered, Pseudonyms, Unnamed, numbers_in
from discreet.text.span import Span

NOTHING: Corpus = Corpus(documents=(), name="nothing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """The entities of a corpus. What is changed by hand gives a new register; the old one stays as it is.

    Guarantees: every given span lies within exactly one mention; mentions of a document do not overlap; every
    whole-word occurrence of a full name that was found once is covered; no pseudonym stands for two entities; the same
    input gives the same pseudonyms; a locked pseudonym never changes; merging and splitting again changes nothing.
    """

    corpus: Corpus = field(repr=False)
    scheme: Pseudonyms | None = field(repr=False)
    _clusters: Mapping[int, Cluster] = field(repr=False)
    _placed: Placed = field(repr=False)
    _merged_into: Mapping[int, int] = field(default_factory=dict, repr=False)
    _locked: frozenset[int] = field(default=frozenset(), repr=False)
    _kept: frozenset[int] = field(default=frozenset(), repr=False)
    _taken: frozenset[str] = field(default=frozenset(), repr=False)
    _heads: Mapping[int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        heads: dict[int, int] = {}
        for each in self._clusters:
            head = each
            while head in self._merged_into:
                head = self._merged_into[head]
            heads[each] = head
        object.__setattr__(self, "_heads", heads)

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        spans: Sequence[Sequence[Span]],
        *,
        aliases: Mapping[str, Iterable[str]] | None = None,
        known: Register | None = None,
        pseudonyms: Pseudonyms | None = None,
    ) -> Register:
        """The register of a corpus, from the spans that were found in each of its documents.

        `aliases` are other names of somebody or something, given by hand, by one of the names. `known` is the register
        of an earlier release: its entities keep their pseudonyms, and new ones get new numbers. Raises BadParameter
        where spans overlap or do not lie in their document.

        >>> from discreet.text import Corpus, Span
        >>> corpus = Corpus.of(["Prof. Smith came. SMITH left."])
        >>> register = Register.of(corpus, [[Span(0, 11, "person", "by hand")]])
        >>> corpus.documents[0].replaced(register.replacements(0)).text
        'Pers1 came. Pers1 left.'
        """
        before = known or cls(corpus=NOTHING, scheme=Numbered(), _clusters={}, _placed=())
        scheme = pseudonyms or before._naming()
        clusters = with_aliases(before._clusters, aliases or {}, corpus, spans)
        joined = Joiner(corpus, spans, known=[*clusters.values()]).joined()
        clusters, placed = clustered(clusters, joined, corpus)
        taken = before._taken | {each.pseudonym for each in clusters.values() if each.pseudonym}
        avoid = numbers_in(each.text for each in corpus)
        clusters = named(clusters, placed, joined, scheme, taken=taken, avoid=avoid)
        return cls(
            corpus=corpus,
            scheme=scheme,
            _clusters=clusters,
            _placed=placed,
            _merged_into=before._merged_into,
            _locked=before._locked,
            _kept=before._kept,
            _taken=frozenset(taken | {each.pseudonym for each in clusters.values()}),
        )

    @property
    def entities(self) -> tuple[Entity, ...]:
        """The entities that the corpus mentions, in the order of their first mention."""
        mentions, documents = self._counted()
        parts = self._parts()
        return tuple(self._entity(head, parts[head], mentions[head], documents[head]) for head in mentions)

    @property
    def absent(self) -> tuple[Entity, ...]:
        """Entities known from before or by hand that this corpus does not mention."""
        mentions, _ = self._counted()
        return tuple(
            self._entity(head, parts, 0, 0) for head, parts in self._parts().items() if head not in mentions
        )

    def entity(self, number: int) -> Entity:
        """The entity with this id; BadParameter where there is none."""
        mentions, documents = self._counted()
        return self._entity(self._head(number), self._parts()[number], mentions[number], documents[number])

    def mentions(self, document: int) -> tuple[Mention, ...]:
        """Every mention in a document, given or propagated, in order and without overlaps."""
        placed = [(span, self._heads[cluster]) for span, cluster in self._placed[document]]
        shown = self._numbered_here(head for _, head in placed)
        return tuple(Mention(span=span, entity=head, pseudonym=shown[head]) for span, head in placed)

    def replacements(self, document: int) -> tuple[Replacement, ...]:
        """What turns a document into its pseudonymised text; entities that are kept stay as they are."""
        kept = {head for head, parts in self._parts().items() if parts <= self._kept} if self._kept else set()
        return tuple(
            Replacement(each.span.start, each.span.end, each.pseudonym)
            for each in self.mentions(document)
            if each.entity not in kept
        )

    def merged(self, one: int, *others: int) -> Register:
        """The register in which these are one entity. It has the pseudonym of the first, or of the locked one.

        It is masked unless all of them are kept. Raises BadParameter where two of them are locked.
        """
        heads = list(dict.fromkeys(self._head(each) for each in (one, *others)))
        locked = [each for each in heads if each in self._locked]
        if len(locked) > 1:
            raise BadParameter(
                f"merge: {len(locked)} of these entities are locked, and each would keep its number."
            )
        target = locked[0] if locked else heads[0]
        return replace(
            self, _merged_into={**self._merged_into, **{each: target for each in heads if each != target}}
        )

    def split(self, number: int, *parts: int, forms: Iterable[str] | None = None) -> Register:
        """The register in which `parts` that were merged into an entity are apart again; all of them if none is named.

        With `forms`, variants of the entity, what is written so becomes a new entity, in the next release too.
        """
        head = self._head(number)
        if forms is not None:
            return self._without_forms(head, frozenset(same_form(each) for each in forms))
        merged = {child for child, parent in self._merged_into.items() if parent == head}
        if not set(parts) <= merged:
            raise BadParameter(f"split: entity {number} was not merged from these; its parts are in `parts`.")
        apart = set(parts) or merged
        return replace(
            self,
            _merged_into={each: parent for each, parent in self._merged_into.items() if each not in apart},
        )

    def renamed(self, number: int, pseudonym: str) -> Register:
        """The register in which an entity has a pseudonym chosen by hand, and is locked to it."""
        head = self._head(number)
        if head in self._locked:
            raise BadParameter("rename: this entity is locked to its pseudonym.")
        if not pseudonym.strip() or not pseudonym.isprintable():
            raise BadParameter("rename: a pseudonym must be one line with something in it.")
        if pseudonym in self._taken:
            raise BadParameter("rename: this pseudonym is or was that of another entity. Choose another one.")
        changed = {**self._clusters, head: replace(self._clusters[head], pseudonym=pseudonym)}
        return replace(
            self, _clusters=changed, _locked=self._locked | {head}, _taken=self._taken | {pseudonym}
        )

    def locked(self, *numbers: int) -> Register:
        """The register in which the pseudonyms of these entities never change, and are the same in every document."""
        return replace(self, _locked=self._locked | {self._head(each) for each in numbers})

    def locked_to(self, number: int, pseudonym: str) -> Register:
        """The register in which an entity is locked to this pseudonym; whoever had it takes that of the entity.

        Raises BadParameter where the other one, or the entity itself, is locked to its own.
        """
        head = self._head(number)
        own = self._clusters[head].pseudonym
        if own == pseudonym:
            return self.locked(number)
        holders = [each.id for each in self._clusters.values() if each.pseudonym == pseudonym]
        if head in self._locked or any(each in self._locked for each in holders):
            raise BadParameter(
                "lock: this entity, or the one that has this pseudonym now, is locked already."
            )
        swapped = {each: replace(self._clusters[each], pseudonym=own) for each in holders}
        swapped[head] = replace(self._clusters[head], pseudonym=pseudonym)
        return replace(
            self,
            _clusters={**self._clusters, **swapped},
            _locked=self._locked | {head},
            _taken=self._taken | {pseudonym},
        )

    def kept(self, *numbers: int) -> Register:
        """The register in which these entities are known and not masked."""
        return replace(self, _kept=self._kept | self._clusters_of(numbers))

    def masked(self, *numbers: int) -> Register:
        """The register in which these entities are masked again after they were kept."""
        return replace(self, _kept=self._kept - self._clusters_of(numbers))

    def __repr__(self) -> str:
        mentions = sum(map(len, self._placed))
        return f"<register of {len(self._counted()[0])} entities, {mentions} mentions in {len(self.corpus)} documents>"

    def _naming(self) -> Pseudonyms:
        """How new entities get their pseudonyms; BadParameter where that needs a key that is not here."""
        if self.scheme is None:
            raise BadParameter(
                "register: its pseudonyms are keyed, and a mapping does not hold the key. Give the key."
            )
        return self.scheme

    def _head(self, number: int) -> int:
        if self._heads.get(number) != number:
            raise BadParameter(
                f"register: there is no entity {number}; entities have their ids in `entities`."
            )
        return number

    def _clusters_of(self, numbers: Iterable[int]) -> frozenset[int]:
        wanted = {self._head(each) for each in numbers}
        return frozenset(cluster for cluster, head in self._heads.items() if head in wanted)

    def _parts(self) -> dict[int, frozenset[int]]:
        """The clusters of each entity."""
        found: dict[int, set[int]] = defaultdict(set)
        for cluster, head in self._heads.items():
            found[head].add(cluster)
        return {head: frozenset(parts) for head, parts in found.items()}

    def _counted(self) -> tuple[Counter[int], Counter[int]]:
        """Mentions and documents of each entity, in the order of their first mentions."""
        mentions: Counter[int] = Counter()
        documents: Counter[int] = Counter()
        for its in self._placed:
            here = Counter(self._heads[cluster] for _, cluster in its)
            mentions.update(here)
            documents.update(here.keys())
        return mentions, documents

    def _entity(self, head: int, clusters: frozenset[int], mentions: int, documents: int) -> Entity:
        ordered = (head, *sorted(clusters - {head}))
        forms = tuple(dict.fromkeys(form for each in ordered for form in self._clusters[each].forms))
        return Entity(
            id=head,
            kind=self._clusters[head].kind,
            pseudonym=self._clusters[head].pseudonym,
            name=max(forms, key=len, default=""),
            variants=forms,
            mentions=mentions,
            documents=documents,
            locked=head in self._locked,
            kept=clusters <= self._kept,
            parts=tuple(sorted(child for child, parent in self._merged_into.items() if parent == head)),
        )

    def _numbered_here(self, heads: Iterable[int]) -> dict[int, str]:
        """The pseudonyms of a document: those of the corpus, or numbers of its own for what is not locked."""
        order = list(dict.fromkeys(heads))
        shown = {head: self._clusters[head].pseudonym for head in order}
        if self.scheme is not None and self.scheme.scope == "document":
            free = [head for head in order if head not in self._locked]
            avoid = {self._clusters[head].pseudonym for head in self._locked}
            unnamed = [Unnamed(self._clusters[head].kind, "") for head in free]
            shown.update(zip(free, self.scheme.names(unnamed, taken=(), avoid=avoid), strict=True))
        return shown

    def _without_forms(self, head: int, forms: frozenset[str]) -> Register:
        """The entity without some of its forms, and a new one that has them."""
        inside = self._parts()[head]
        moved = [
            form for each in sorted(inside) for form in self._clusters[each].forms if same_form(form) in forms
        ]
        left = sum(len(self._clusters[each].forms) for each in inside) - len(moved)
        if not moved or not left:
            raise BadParameter("split: give some of the entity's variants, and leave it one of them.")
        new = max(self._clusters) + 1
        cluster = self._clusters[head]
        called = self._naming().names([Unnamed(cluster.kind, same_form(moved[0]))], taken=self._taken)
        clusters = {
            number: replace(each, forms=tuple(form for form in each.forms if same_form(form) not in forms))
            if number in inside
            else each
            for number, each in self._clusters.items()
        }
        clusters[new] = Cluster(
            id=new, kind=cluster.kind, pseudonym=called[0], forms=tuple(dict.fromkeys(moved)), by_hand=True
        )
        placed = tuple(
            tuple(
                (
                    span,
                    new
                    if cluster in inside and same_form(document.text[span.start : span.end]) in forms
                    else cluster,
                )
                for span, cluster in its
            )
            for document, its in zip(self.corpus, self._placed, strict=True)
        )
        return replace(self, _clusters=clusters, _placed=placed, _taken=self._taken | {*called})

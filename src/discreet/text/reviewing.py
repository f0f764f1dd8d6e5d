"""A review under way: which block comes next, what was decided about it, and the file that remembers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from discreet.errors import BadParameter
from discreet.text.applying import decide
from discreet.text.blocks import Block
from discreet.text.decisions import Action, Alike, Decisions, Undo
from discreet.text.document import Corpus, Document
from discreet.text.generalise import generalise
from discreet.text.review_order import review_order


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """The review of a corpus by one reviewer. Each step gives a new one, and is in the file before it is seen.

    `left` are the blocks that nobody has decided about, in the order they are shown.
    """

    corpus: Corpus = field(repr=False)
    blocks: tuple[Block, ...] = field(repr=False)
    decisions: Decisions
    file: Path
    reviewer: str
    date: str
    left: tuple[Block, ...] = field(init=False, repr=False)
    order: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.reviewer.strip():
            raise BadParameter("review: say who reviews (reviewer, on the command line --reviewer).")
        found = review_order(self.blocks, self.decisions)
        object.__setattr__(self, "left", _not_alike(self, found.blocks))
        object.__setattr__(self, "order", str(found))

    @classmethod
    def begun(
        cls, corpus: Corpus, blocks: tuple[Block, ...], file: str | Path, *, reviewer: str, date: str
    ) -> Review:
        """The review of these blocks, with the decisions that the file holds already."""
        place = Path(file)
        decisions = Decisions.load(place) if place.exists() else Decisions()
        return cls(
            corpus=corpus, blocks=blocks, decisions=decisions, file=place, reviewer=reviewer, date=date
        )

    @property
    def documents(self) -> Mapping[str, Document]:
        return {each.name: each for each in self.corpus}

    def document(self, block: Block) -> Document:
        return self.documents[block.document]

    def proposed(self, block: Block) -> str:
        """The text of a block with its sensitive nouns generalised; as it is where none has a more general noun."""
        text = self.document(block).text
        pieces: list[str] = []
        done = block.start
        for each in sorted(generalise(text, block.hits).replacements):
            pieces += [text[done : each.start], each.text]
            done = each.end
        return "".join([*pieces, text[done : block.end]])

    def decided(
        self,
        block: Block,
        action: Action,
        *,
        replacement: str | None = None,
        note: str = "",
        exemption: str = "",
        alike: Alike = Alike.NONE,
    ) -> Review:
        """The review after a decision about a block, which is in the file."""
        made = decide(
            self.document(block),
            block,
            action,
            reviewer=self.reviewer,
            date=self.date,
            replacement=replacement,
            note=note,
            exemption=exemption,
            alike=alike,
        )
        return self._with(self.decisions.added(made))

    def undone(self) -> Review:
        """The review without its last decision in force. Raises BadParameter where there is none."""
        numbers = self.decisions.in_force()
        if not numbers:
            raise BadParameter("there is no decision to take back.")
        undo = Undo(undoes=max(numbers), reviewer=self.reviewer, date=self.date)
        return self._with(self.decisions.added(undo))

    def with_decisions(self, decisions: Decisions) -> Review:
        """The same with decisions to which others, about entities, were added."""
        return replace(self, decisions=decisions)

    def _with(self, decisions: Decisions) -> Review:
        decisions.save(self.file)
        return replace(self, decisions=decisions)

    def __str__(self) -> str:
        return f"{len(self.blocks) - len(self.left)} of {len(self.blocks)} blocks decided; {self.order}"


def _not_alike(review: Review, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """The blocks that no decision about all like them covers."""
    from discreet.text.applying import undecided

    open_here: set[tuple[str, int]] = set()
    by_name: dict[str, list[Block]] = {}
    for each in blocks:
        by_name.setdefault(each.document, []).append(each)
    documents = review.documents
    for name, own in by_name.items():
        left = undecided(documents[name], own, review.decisions)
        open_here |= {(name, each.start) for each in left}
    return tuple(each for each in blocks if (each.document, each.start) in open_here)

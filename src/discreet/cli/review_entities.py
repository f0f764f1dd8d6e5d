"""The half of the review screen for entities: who is found and where, merged, split, named, locked and kept by keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType

from discreet.cli.review_pane import SCROLLING, Desk, ReviewPane, label
from discreet.errors import BadParameter
from discreet.text.contexts import Context
from discreet.text.correcting import known_again, name_of
from discreet.text.entities.entity import Entity
from discreet.text.entities.kinds import Kind
from discreet.text.entity_decisions import EntityName
from discreet.text.entity_review import EntityReview
from discreet.visible import visible_line

MOST_SHOWN = 200
"""How many mentions of an entity are shown in their contexts."""
NOBODY = "Nobody and nothing was found. Press + to add what was missed."
NOT_FOUND = "No entity is written so. Press f and Enter to see all."


class EntitiesPane(ReviewPane):
    """Lists entities with every mention, and takes decisions about them by keys; every decision is in the file."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("k", "keep", "Keep/mask"),
        Binding("space", "mark", "Mark"),
        Binding("m", "merge", "Merge"),
        Binding("s", "split", "Split"),
        Binding("r", "rename", "Rename"),
        Binding("a", "alias", "Alias"),
        Binding("l", "lock", "Lock"),
        Binding("plus", "add", "Add", key_display="+"),
        Binding("f", "find", "Find"),
        Binding("n", "note", "Note"),
        Binding("u", "undo", "Undo"),
        *SCROLLING,
    ]

    def __init__(self, desk: Desk, name: str, review: EntityReview) -> None:
        super().__init__(desk, name)
        self.review = review
        self.wording = ""
        self.marked: frozenset[int] = frozenset()
        self.entities: tuple[Entity, ...] = ()

    def on_mount(self) -> None:
        self._refill()

    @property
    def entity(self) -> Entity | None:
        """The entity that is shown."""
        return self.entities[self.place] if self.place < len(self.entities) else None

    def action_mark(self) -> None:
        if self.entity is not None:
            self.marked = self.marked ^ {self.entity.id}
            self._relist(self.place)

    def action_merge(self) -> None:
        others = sorted(self.marked)
        self._step(lambda its, note: self.review.merged(its.id, *others, note=note))

    def action_keep(self) -> None:
        self._step(
            lambda its, note: (self.review.masked if its.kept else self.review.kept)(its.id, note=note)
        )

    def action_lock(self) -> None:
        self._step(lambda its, note: self.review.locked(its.id, note=note))

    def action_rename(self) -> None:
        if self.entity is not None:
            self.desk.ask(
                "What it is called in the published documents",
                self.entity.pseudonym,
                lambda text: self._step(lambda its, note: self.review.renamed(its.id, text, note=note)),
            )

    def action_alias(self) -> None:
        if self.entity is not None:
            self.desk.ask(
                "Further names of it, with ; between them",
                "",
                lambda text: self._step(
                    lambda its, note: self.review.aliased(its.id, _listed(text), note=note)
                ),
            )

    def action_split(self) -> None:
        entity = self.entity
        if entity is None:
            return
        what = "The numbers of the names that are somebody else, such as 2 3"
        if entity.parts:
            what += "; nothing, to take apart what was merged"
        self.desk.ask(
            what,
            "",
            lambda text: self._step(
                lambda its, note: self.review.split(its.id, forms=_forms(its, text), note=note)
            ),
        )

    def action_add(self) -> None:
        self.desk.ask("What was missed, such as person: John Kelbeck", "person: ", self._add)

    def action_find(self) -> None:
        self.desk.ask("A part of a name, pseudonym or kind; nothing, to see all", self.wording, self._find)

    def action_undo(self) -> None:
        self._after(self.review.undone)

    def _find(self, text: str) -> None:
        self.wording = text
        self._relist(0)

    def _add(self, text: str) -> None:
        kind, found, wording = text.partition(":")
        kind, wording = (kind, wording) if found else (str(Kind.PERSON), text)
        name = " ".join(wording.split())

        def add() -> EntityReview:
            done = self.review.added(wording, " ".join(kind.split()).lower(), note=self.remark)
            self.wording = ""
            return done

        self._after(add, EntityName(kind=str(Kind.PERSON), forms=(name,)) if name else None)

    def _step(self, step: Callable[[Entity, str], EntityReview]) -> None:
        """A step about the entity that is shown, which is shown again after it."""
        entity = self.entity
        if entity is not None:
            self._after(lambda: step(entity, self.remark), name_of(self.review.register, entity.id))

    def _after(self, step: Callable[[], EntityReview], name: EntityName | None = None) -> None:
        def take() -> None:
            self.review = step()

        if self.tried(take):
            self.remark, self.marked = "", frozenset()
            self._refill(name)

    def _refill(self, name: EntityName | None = None) -> None:
        """The list anew, with the entity of this name chosen; where there is none, the one that stands there now."""
        self.desk.decided(self.review.decisions)
        number = None if name is None else known_again(self.review.register, name)
        ids = [each.id for each in self.review.listed(self.wording)]
        self._relist(ids.index(number) if number in ids else self.place)

    def _relist(self, chosen: int) -> None:
        self.entities = self.review.listed(self.wording)
        self.fill([self._label(each) for each in self.entities], chosen)

    def _label(self, entity: Entity) -> Text:
        marks = ("▶ " if entity.id in self.marked else "") + entity.pseudonym
        marks += " kept" if entity.kept else ""
        marks += " locked" if entity.locked else ""
        return label(f"{marks} · {entity.mentions}×", entity.name)

    def display_chosen(self) -> None:
        state = str(self.review)
        state += f" | only '{self.wording}'" if self.wording.strip() else ""
        state += f" | {len(self.marked)} marked" if self.marked else ""
        state += " | with a note" if self.remark else ""
        self.desk.tell_state(state)
        if self.entity is None:
            self.shown(Text(""), Text(NOT_FOUND if self.wording.strip() else NOBODY))
        else:
            self.shown(_facts(self.entity), self._mentions(self.entity))

    def _mentions(self, entity: Entity) -> Text:
        """Every mention with the text around it, and where a word of its names stays as it is."""
        shown = _passages(self.review.contexts(entity.id))
        left = () if entity.kept else self.review.unmasked(entity.id)
        if left:
            shown.append(
                "\nTaken for no name here, and not masked; add it (+) to mask it everywhere\n", "italic"
            )
            shown.append(_passages(left))
        return shown


def _passages(found: Sequence[Context]) -> Text:
    """Stretches with the text around them, document by document."""
    shown = Text()
    document = None
    for place, each in enumerate(found):
        if place == MOST_SHOWN:
            shown.append(f"\nand {len(found) - MOST_SHOWN} more\n", style="italic")
            break
        if each.document != document:
            document = each.document
            shown.append(f"{'' if place == 0 else chr(10)}{visible_line(document)}\n", style="bold")
        shown.append(f"… {visible_line(each.before)}", style="dim")
        shown.append(visible_line(each.text), style="bold reverse")
        shown.append(f"{visible_line(each.after)} …\n", style="dim")
    return shown


def _facts(entity: Entity) -> Text:
    """What is known of an entity: pseudonym, kind, and its names with the numbers to split them by."""
    shown = Text()
    shown.append(visible_line(entity.pseudonym), style="bold")
    places = f"{entity.mentions} mention{'s' if entity.mentions != 1 else ''}"
    where = f"{entity.documents} document{'s' if entity.documents != 1 else ''}"
    shown.append(f"  {entity.kind}, {places} in {where}")
    shown.append(", kept: published as it is" if entity.kept else "")
    shown.append(", locked" if entity.locked else "")
    shown.append(f", merged from {len(entity.parts) + 1}" if entity.parts else "")
    for number, form in enumerate(entity.variants, start=1):
        shown.append(f"\n{number:>3}  {visible_line(form)}")
    return shown


def _listed(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.split(";") if each.strip())


def _forms(entity: Entity, text: str) -> tuple[str, ...]:
    """The names of an entity by their numbers."""
    numbers = text.replace(",", " ").split()
    if not all(each.isdecimal() and 1 <= int(each) <= len(entity.variants) for each in numbers):
        raise BadParameter(f"split: give numbers from 1 to {len(entity.variants)}, such as 2 3.")
    return tuple(entity.variants[int(each) - 1] for each in numbers)

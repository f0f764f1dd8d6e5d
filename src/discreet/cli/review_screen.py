"""The screen of `discreet review`: sensitive stretches and entities, each decided by keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Resize
from textual.widgets import ContentSwitcher, Header, Input, OptionList, Static

from discreet.cli.review_blocks import BlocksPane
from discreet.cli.review_entities import EntitiesPane
from discreet.cli.review_pane import ReviewPane
from discreet.text.decisions import Decisions
from discreet.text.entity_review import EntityReview
from discreet.text.reviewing import Review
from discreet.visible import visible_line

STRETCHES, ENTITIES = "stretches", "entities"


class ReviewScreen(App[None]):
    """Two halves over one file of decisions: 1 shows sensitive stretches, 2 entities. Every decision is in the file."""

    TITLE = "discreet review"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    .listed {
        width: 34%; min-width: 24; max-width: 46; height: 100%; border: none; border-right: solid $primary;
        scrollbar-size-vertical: 1; text-wrap: nowrap; text-overflow: ellipsis;
    }
    .chosen { padding: 0 1; scrollbar-size-vertical: 1; }
    .why { padding: 0 0 1 0; color: $text-muted; }
    #foot { dock: bottom; height: auto; background: $panel; padding: 0 1; }
    #foot Static { height: auto; }
    #what, #entry { display: none; }
    #foot.asking #what, #foot.asking #entry { display: block; }
    #foot.asking #state, #foot.asking #keys { display: none; }
    #state.problem { color: $text-error; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("1", f"half('{STRETCHES}')", "Stretches"),
        Binding("2", f"half('{ENTITIES}')", "Entities"),
        Binding("escape", "leave_entry", "Back", show=False),
        Binding("q", "quit", "Leave"),
    ]

    def __init__(self, review: Review, entities: EntityReview) -> None:
        super().__init__()
        self.blocks = BlocksPane(self, STRETCHES, review)
        self.entities = EntitiesPane(self, ENTITIES, entities)
        self._entered: Callable[[str], None] = _nothing

    def compose(self) -> ComposeResult:
        yield Header(icon="")
        first = STRETCHES if self.blocks.review.left else ENTITIES
        with ContentSwitcher(initial=first):
            yield self.blocks
            yield self.entities
        with Vertical(id="foot"):
            yield Static(id="state")
            yield Static(id="what")
            yield Input(id="entry", compact=True)
            yield Static(id="keys")

    def on_mount(self) -> None:
        self._focus()

    def on_resize(self, event: Resize) -> None:
        self._tell_keys(event.size.width)

    def action_half(self, name: str) -> None:
        self.query_one(ContentSwitcher).current = name
        self._focus()

    def action_leave_entry(self) -> None:
        self._asking(False)
        self._focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_leave_entry()
        self._entered(event.value)

    def ask(self, what: str, value: str, then: Callable[[str], None]) -> None:
        entry = self.query_one("#entry", Input)
        self.query_one("#what", Static).update(Text(what))
        entry.value = value.replace("\n", " ")
        self._entered = then
        self._asking(True)
        entry.focus()
        entry.cursor_position = len(entry.value)

    def decided(self, decisions: Decisions) -> None:
        self.blocks.review = self.blocks.review.with_decisions(decisions)
        self.entities.review = self.entities.review.with_decisions(decisions)

    def tell_state(self, line: str) -> None:
        self._state(line, is_problem=False)

    def tell_problem(self, line: str) -> None:
        self._state(line, is_problem=True)

    def _state(self, line: str, *, is_problem: bool) -> None:
        state = self.query_one("#state", Static)
        state.set_class(is_problem, "problem")
        state.update(Text(visible_line(line)))

    def _asking(self, asking: bool) -> None:
        self.query_one("#foot").set_class(asking, "asking")

    @property
    def pane(self) -> ReviewPane:
        """The half that is shown."""
        return self.entities if self.query_one(ContentSwitcher).current == ENTITIES else self.blocks

    def _focus(self) -> None:
        self.pane.query_one(OptionList).focus()
        self._tell_keys(self.size.width)
        self.pane.display_chosen()

    def _tell_keys(self, width: int) -> None:
        keys = _keys([*self.pane.BINDINGS, *self.BINDINGS], width - 2)
        self.query_one("#keys", Static).update(keys)


def _keys(bindings: Sequence[BindingType], width: int) -> Text:
    """The keys and what they do, on as many lines as they need: none is cut off, and none parted from its word."""
    shown, used = Text(), 0
    for each in bindings:
        if isinstance(each, Binding) and each.show:
            key = each.key_display or each.key
            needed = len(f"{key} {each.description}  ")
            if used and used + needed > width:
                shown.append("\n")
                used = 0
            shown.append(key, style="bold").append(f" {each.description}  ", style="dim")
            used += needed
    return shown


def _nothing(_: str) -> None:
    """What becomes of a line that nobody asked for."""

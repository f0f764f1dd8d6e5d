"""What the two halves of the screen of `discreet review` share: a list on the left, what is chosen on the right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from discreet.errors import DiscreetError
from discreet.text.decisions import Decisions
from discreet.visible import visible_line

SCROLLING: tuple[BindingType, ...] = (
    Binding("full_stop", "more", "Scroll", key_display=". ,"),
    Binding("comma", "less", "Scroll back", show=False),
)
"""The keys that move through what is chosen: the arrows move through the list."""


class Desk(Protocol):
    """What a pane asks of the screen around it."""

    def ask(self, what: str, value: str, then: Callable[[str], None]) -> None:
        """Asks for a line, and gives it to `then`."""

    def decided(self, decisions: Decisions) -> None:
        """Tells that these are the decisions now."""

    def tell_state(self, line: str) -> None:
        """Shows how things stand."""

    def tell_problem(self, line: str) -> None:
        """Shows what speaks against a step."""


class ReviewPane(Horizontal):
    """A list of what is reviewed, and beside it the one that is chosen with the reasons to decide."""

    def __init__(self, desk: Desk, name: str) -> None:
        super().__init__(id=name)
        self.desk = desk
        self.remark = ""

    def compose(self) -> ComposeResult:
        yield OptionList(classes="listed")
        with VerticalScroll(classes="chosen", can_focus=False):
            yield Static(classes="why")
            yield Static(classes="passage")

    @property
    def listed(self) -> OptionList:
        return self.query_one(OptionList)

    @property
    def place(self) -> int:
        """Which of the list is chosen."""
        return self.listed.highlighted or 0

    def fill(self, labels: list[Text], chosen: int = 0) -> None:
        """Lists these, one of them chosen."""
        self.listed.clear_options()
        self.listed.add_options(Option(each) for each in labels)
        if labels:
            self.listed.highlighted = min(chosen, len(labels) - 1)
        self.display_chosen()

    def on_option_list_option_highlighted(self) -> None:
        self.display_chosen()

    def display_chosen(self) -> None:
        """Shows what is chosen, and how things stand."""
        raise NotImplementedError

    def shown(self, why: Text, passage: Text) -> None:
        """Puts reasons and passage beside the list."""
        self.query_one(".why", Static).update(why)
        self.query_one(".passage", Static).update(passage)
        self.query_one(VerticalScroll).scroll_home(animate=False)

    def tried(self, step: Callable[[], None]) -> bool:
        """Whether a step could be made; what speaks against it is told."""
        try:
            step()
        except DiscreetError as problem:
            self.desk.tell_problem(str(problem))
            return False
        return True

    def action_more(self) -> None:
        self.query_one(VerticalScroll).scroll_page_down(animate=False)

    def action_less(self) -> None:
        self.query_one(VerticalScroll).scroll_page_up(animate=False)

    def action_note(self) -> None:
        self.desk.ask("A note for those who read the decisions", self.remark, self._set_note)

    def _set_note(self, text: str) -> None:
        self.remark = text
        self.display_chosen()


def label(first: str, second: str) -> Text:
    """A line of the list and, indented, what belongs to it."""
    return Text(f"{visible_line(first)}\n  {visible_line(second)}")

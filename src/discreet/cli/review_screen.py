"""The screen of `discreet review`: one block after the other, decided by a key."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Footer, Header, Input, ListItem, ListView, Static

from discreet.errors import DiscreetError
from discreet.text.blocks import Block
from discreet.text.decisions import Action, Alike
from discreet.text.reviewing import Review
from discreet.visible import visible, visible_line

AROUND = 400
"""How many characters before and after a block are shown with it."""
MOST_LISTED = 200
NOTHING_LEFT = "Every block is decided. Press q to leave, u to take the last decision back."
ALIKE = {
    Alike.NONE: "this block only",
    Alike.TEXT: "all blocks of the same words",
    Alike.TERMS: "all blocks with the same terms (cut only)",
}


class ReviewScreen(App[Review]):
    """Shows the blocks that are left, and takes decisions about them by keys; every decision is in the file at once."""

    TITLE = "discreet review"
    CSS = """
    #blocks { width: 38; border-right: solid $primary; }
    #block { padding: 1 2; }
    #why { padding: 0 2 1 2; color: $text-muted; }
    #state { dock: bottom; height: 1; background: $panel; padding: 0 1; }
    #entry { dock: bottom; display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("k", "decide('keep')", "Keep"),
        Binding("c", "decide('cut')", "Cut"),
        Binding("g", "generalise", "Generalise"),
        Binding("s", "decide('shorten')", "Shorten"),
        Binding("a", "alike", "For all alike"),
        Binding("e", "exemption", "Exemption"),
        Binding("n", "note", "Note"),
        Binding("u", "undo", "Undo"),
        Binding("escape", "leave_entry", "Back", show=False),
        Binding("q", "leave", "Leave"),
    ]

    def __init__(self, review: Review) -> None:
        super().__init__()
        self.review = review
        self.alike = Alike.NONE
        self.exemption = ""
        self.remark = ""
        self._entered: Callable[[str], None] = self._set_note

    def compose(self) -> ComposeResult:
        yield Header()
        with Horizontal():
            yield ListView(id="blocks")
            with VerticalScroll():
                yield Static(id="why")
                yield Static(id="block")
        yield Static(id="state")
        yield Input(id="entry")
        yield Footer()

    async def on_mount(self) -> None:
        await self._refill()

    @property
    def block(self) -> Block | None:
        """The block that is shown."""
        place = self.query_one("#blocks", ListView).index
        left = self.review.left
        return left[place] if place is not None and place < len(left) else None

    def on_list_view_highlighted(self) -> None:
        self._show()

    async def action_decide(self, name: str) -> None:
        await self._decide(Action(name))

    async def action_undo(self) -> None:
        try:
            self.review = self.review.undone()
        except DiscreetError as problem:
            self.notify(str(problem), severity="warning")
            return
        await self._refill()

    def action_alike(self) -> None:
        ways = list(Alike)
        self.alike = ways[(ways.index(self.alike) + 1) % len(ways)]
        self._show()

    def action_generalise(self) -> None:
        if self.block is None:
            return
        try:
            proposed = self.review.proposed(self.block)
        except DiscreetError as problem:
            self.notify(str(problem), severity="error")
            return
        self._ask("What stands there instead; Enter takes it, Escape goes back", proposed, self._generalise)

    def action_exemption(self) -> None:
        self._ask("The rule that a cut rests on, such as 1.4(c)", self.exemption, self._set_exemption)

    def action_note(self) -> None:
        self._ask("A note for those who read the decisions", self.remark, self._set_note)

    def action_leave_entry(self) -> None:
        self.query_one("#entry", Input).display = False
        self.query_one("#blocks", ListView).focus()

    def action_leave(self) -> None:
        self.exit(self.review)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_leave_entry()
        self._entered(event.value)

    def _ask(self, what: str, value: str, then: Callable[[str], None]) -> None:
        entry = self.query_one("#entry", Input)
        entry.placeholder, entry.value, entry.display = what, value.replace("\n", " "), True
        self._entered = then
        entry.focus()

    def _set_note(self, text: str) -> None:
        self.remark = text
        self._show()

    def _set_exemption(self, text: str) -> None:
        self.exemption = text
        self._show()

    def _generalise(self, text: str) -> None:
        self.run_worker(self._decide(Action.GENERALISE, replacement=text))

    async def _decide(self, action: Action, replacement: str | None = None) -> None:
        if self.block is None:
            return
        try:
            self.review = self.review.decided(
                self.block,
                action,
                replacement=replacement,
                note=self.remark,
                exemption=self.exemption if action is Action.CUT else "",
                alike=self.alike,
            )
        except DiscreetError as problem:
            self.notify(str(problem), severity="error")
            return
        self.remark, self.alike = "", Alike.NONE
        await self._refill()

    async def _refill(self) -> None:
        """The list of blocks that are left, the first of them shown."""
        listed = self.query_one("#blocks", ListView)
        await listed.clear()
        await listed.extend(ListItem(Static(_label(each))) for each in self.review.left[:MOST_LISTED])
        if self.review.left:
            listed.index = 0
        listed.focus()
        self._show()

    def _show(self) -> None:
        block = self.block
        state = f"{self.review}  |  decide for {ALIKE[self.alike]}"
        state += f"  |  exemption {self.exemption}" if self.exemption else ""
        state += "  |  with a note" if self.remark else ""
        self.query_one("#state", Static).update(Text(visible_line(state)))
        if block is None:
            self.query_one("#why", Static).update("")
            self.query_one("#block", Static).update(
                Text("Every block is decided. Press q to leave, u to take one back.")
            )
            return
        self.query_one("#why", Static).update(Text(visible("\n".join(block.reasons))))
        self.query_one("#block", Static).update(self._passage(block))

    def _passage(self, block: Block) -> Text:
        """The block with what stands around it, its hits marked."""
        text = self.review.document(block).text
        low, high = max(0, block.start - AROUND), min(len(text), block.end + AROUND)
        shown = Text()
        shown.append(visible(text[low : block.start]), style="dim")
        done = block.start
        for hit in block.hits:
            shown.append(visible(text[done : hit.start]))
            shown.append(visible(text[hit.start : hit.end]), style="bold reverse")
            done = hit.end
        shown.append(visible(text[done : block.end]))
        shown.append(visible(text[block.end : high]), style="dim")
        return shown


def _label(block: Block) -> Text:
    first, topics = f"{block.density:.2f}  {block.document}", ", ".join(block.topics)
    return Text(f"{visible_line(first)}\n      {visible_line(topics)}")

"""The half of the review screen for stretches: one block after the other, decided by a key."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType

from discreet.cli.review_pane import SCROLLING, Desk, ReviewPane, label
from discreet.text.blocks import Block
from discreet.text.decisions import Action, Alike
from discreet.text.reviewing import Review
from discreet.visible import visible

BEFORE, AFTER = 200, 600
"""How many characters before and after a block are shown with it: few before, so that it is seen on a small screen."""
MOST_LISTED = 500
NOTHING_LEFT = "Every stretch is decided. Press u to take the last decision back, q to leave."
NOTHING_FOUND = "No stretch is dense with sensitive words. Press 2 to review entities, q to leave."
ALIKE = {
    Alike.NONE: "this one",
    Alike.TEXT: "all of the same words",
    Alike.TERMS: "all with the same terms (cut only)",
}


class BlocksPane(ReviewPane):
    """Shows the blocks that are left, and takes decisions about them by keys; every decision is in the file at once."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("k", "decide('keep')", "Keep"),
        Binding("c", "decide('cut')", "Cut"),
        Binding("g", "generalise", "Generalise"),
        Binding("s", "decide('shorten')", "Shorten"),
        Binding("a", "alike", "Alike"),
        Binding("e", "exemption", "Exemption"),
        Binding("n", "note", "Note"),
        Binding("u", "undo", "Undo"),
        *SCROLLING,
    ]

    def __init__(self, desk: Desk, name: str, review: Review) -> None:
        super().__init__(desk, name)
        self.review = review
        self.alike = Alike.NONE
        self.exemption = ""

    def on_mount(self) -> None:
        self._refill()

    @property
    def block(self) -> Block | None:
        """The block that is shown."""
        left = self.review.left[:MOST_LISTED]
        return left[self.place] if self.place < len(left) else None

    def action_decide(self, name: str) -> None:
        self._decide(Action(name))

    def action_undo(self) -> None:
        def undo() -> None:
            self.review = self.review.undone()

        if self.tried(undo):
            self._refill()

    def action_alike(self) -> None:
        ways = list(Alike)
        self.alike = ways[(ways.index(self.alike) + 1) % len(ways)]
        self.display_chosen()

    def action_generalise(self) -> None:
        block = self.block
        if block is not None:
            self.tried(
                lambda: self.desk.ask(
                    "What stands there instead; Enter takes it, Escape goes back",
                    self.review.proposed(block),
                    self._generalise,
                )
            )

    def action_exemption(self) -> None:
        self.desk.ask("The rule that a cut rests on, such as 1.4(c)", self.exemption, self._set_exemption)

    def _set_exemption(self, text: str) -> None:
        self.exemption = text
        self.display_chosen()

    def _generalise(self, text: str) -> None:
        self._decide(Action.GENERALISE, replacement=text)

    def _decide(self, action: Action, replacement: str | None = None) -> None:
        block = self.block
        if block is None:
            return

        def decide() -> None:
            self.review = self.review.decided(
                block,
                action,
                replacement=replacement,
                note=self.remark,
                exemption=self.exemption if action is Action.CUT else "",
                alike=self.alike,
            )

        if self.tried(decide):
            self.remark, self.alike = "", Alike.NONE
            self._refill()

    def _refill(self) -> None:
        self.desk.decided(self.review.decisions)
        self.fill(
            [
                label(f"{each.density:.2f} {each.document}", ", ".join(each.topics))
                for each in self.review.left[:MOST_LISTED]
            ]
        )

    def display_chosen(self) -> None:
        block = self.block
        state = f"{self.review} | for {ALIKE[self.alike]}"
        state += f" | exemption {self.exemption}" if self.exemption else ""
        state += " | with a note" if self.remark else ""
        self.desk.tell_state(state)
        if block is None:
            self.shown(Text(""), Text(NOTHING_LEFT if self.review.blocks else NOTHING_FOUND))
            return
        why = Text()
        why.append(f"{visible(block.document)}\n", style="bold")
        why.append(visible("; ".join(block.reasons)))
        self.shown(why, self._passage(block))

    def _passage(self, block: Block) -> Text:
        """The block with what stands around it, its hits marked."""
        text = self.review.document(block).text
        low, high = max(0, block.start - BEFORE), min(len(text), block.end + AFTER)
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

"""What of a release of documents nobody looked at, and which results that bears on.

An attack that an intruder could make stronger by it, and a count of topics beside stretches that nobody read, are no
proof that a limit is kept: their results say what they did not try, and the limit is not checked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from discreet.errors import listed
from discreet.text.entities.recogniser import recognisers


def unlooked_people(done: Mapping[str, Any], names: Sequence[str] | None = None) -> str:
    """What attacks that find people leave untried, as words after "did not try"; empty where that is nothing.

    `done` is what the public manifest says, `names` are the recognisers of the attack, all installed ones where None.
    """
    found = [
        f"what {each.name} finds ({', '.join(each.kinds)}), which was not run"
        for each in recognisers()
        if each.missing or (names is not None and each.name not in names)
    ]
    if done["names_of_files_kept"]:
        found.append("the names of the files, which were kept")
    if done["pictures_kept"]:
        found.append("the pictures, which were kept")
    return "; ".join(found)


def unlooked_topics(done: Mapping[str, Any]) -> str:
    """What a count of sensitive topics leaves untried, as words after "did not try"; empty where that is nothing."""
    found = []
    if done["blocks_undecided"]:
        found.append(f"{stretches(done['blocks_undecided'])} that nobody decided about")
    if done["decisions_not_reviewed"]:
        found.append(
            f"{stretches(done['decisions_not_reviewed'])} that a threshold cut and nobody reviewed, nor what it left"
        )
    return listed(found)


def not_reviewed(counts: Mapping[str, Any]) -> list[str]:
    """What nobody decided about or reviewed, in sentences."""
    found = []
    if counts["decisions_not_reviewed"]:
        found.append(
            f"Nobody reviewed {stretches(counts['decisions_not_reviewed'])} that a threshold cut, nor what it left."
        )
    if counts["blocks_undecided"]:
        one = counts["blocks_undecided"] == 1
        found.append(
            f"Nobody decided about {stretches(counts['blocks_undecided'])}; "
            f"{'it is' if one else 'they are'} published as {'it is' if one else 'they are'}."
        )
    return found


def words_left(done: Mapping[str, Any]) -> list[str]:
    """Which words stay though they were masked as names elsewhere, in a sentence; none where there are none."""
    if not done["words_left"]:
        return []
    return [
        "Words that were masked as names and stay where a rule took them for none (May the month, a State that is a "
        f"party): {done['words_left']}, in {done['places_of_words_left']} places. Nobody looked whether a name is "
        "among them."
    ]


def stretches(many: int) -> str:
    """So many stretches of text, in words."""
    return f"{many} stretch{'' if many == 1 else 'es'}"

"""Words a second of the recognisers, one by one and together, and with spaCy where it is installed.

    python -m bench.entities [FOLDER]

FOLDER holds court.jsonl.gz; without it an invented text is read. The bars, in CPU time on one core: all rules together
80,000 words a second, and with spaCy 3,000.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bench.timing import best_of

from discreet.text.entities.annotations import read_annotations
from discreet.text.entities.recogniser import recognisers
from discreet.text.entities.recognition import recognise

INVENTED = (
    "The case originated in an application (no. 12345/06) against the Republic of Poland by a Polish national, "
    "Mr Jan Kowary, who was born in 1944 and lives in Grzmot. On 3 May 2001 the Grzmot District Court ordered him to "
    "pay EUR 4,000 to the company, and the applicant appealed against the decision of the court.\n\n"
)
RULES_BAR, ALL_BAR = 80_000, 3_000


def texts() -> list[str]:
    """The court documents, or an invented text of as many words."""
    if len(sys.argv) > 1:
        return [each.text for each in read_annotations(Path(sys.argv[1]) / "court.jsonl.gz")]
    return [INVENTED * 12] * 100


def seconds(given: list[str], names: list[str]) -> float:
    """The least CPU seconds of three runs over the texts."""
    return best_of(3, lambda: [recognise(each, recognisers=names) for each in given]).cpu


def main() -> None:
    """Print the speeds."""
    given = texts()
    words = sum(len(each.split()) for each in given)
    names = [each.name for each in recognisers() if not each.missing]
    rules = [each for each in names if each != "named_entities"]
    print(f"{words:,} words")
    for name in rules:
        taken = seconds(given, [name])
        print(f"  {name:<20}{words / taken:>12,.0f} words a second")
    taken = seconds(given, rules)
    print(f"{'all rules':<22}{words / taken:>12,.0f} words a second (bar {RULES_BAR:,})")
    if "named_entities" in names:
        recognise(given[0])
        taken = best_of(1, lambda: [recognise(each) for each in given[:30]]).cpu
        some = sum(len(each.split()) for each in given[:30])
        print(f"{'with spaCy':<22}{some / taken:>12,.0f} words a second (bar {ALL_BAR:,})")


if __name__ == "__main__":
    main()

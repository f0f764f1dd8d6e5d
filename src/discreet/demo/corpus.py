"""An invented corpus: short notes on four subjects by people who do not exist, from word lists and a fixed seed."""

from __future__ import annotations

import numpy as np

from discreet import seeds

SUBJECTS: dict[str, str] = {
    "health": "patient nurse doctor clinic fever medicine dose surgeon pulse recovery diagnosis treatment pain "
    "allergy symptom therapy injury hospital ward vaccine",
    "harvest": "farmer field wheat barley tractor harvest rain drought cattle sheep orchard apple grain barn soil "
    "market price seed fertilizer crop",
    "harbour": "ship captain harbour cargo port sailor crane anchor storm tide container freight voyage deck hull "
    "route customs dock fleet cable",
    "school": "teacher pupil lesson school exam book class library grade homework essay language history science "
    "professor lecture degree student chalk test",
}
SHARED = (
    "office letter report week month morning meeting town street family friend house money question answer problem "
    "plan visit phone paper"
)
NAMES = (
    "Varga Okafor Lindqvist Moreau Tanaka Silva Novak Haddad Jensen Kowalski Petrov Castillo Nakamura Bergstrom Osei "
    "Fontana Demir Iyer Larsen Quiroga Weber Abadi Mbeki Horvat Costa"
)
LONGEST, SHORTEST = 60, 25


def notes(count: int, seed: int = 7) -> dict[str, str]:
    """The text of each note by its path: the subject is its folder."""
    draw = seeds.generator(seed)
    subjects = list(SUBJECTS)
    width = len(str(count))
    found = {}
    for number in range(1, count + 1):
        subject = subjects[int(draw.integers(len(subjects)))]
        found[f"{subject}/{number:0{width}}.txt"] = _note(subject, draw)
    return found


def _note(subject: str, draw: np.random.Generator) -> str:
    own, shared, names = SUBJECTS[subject].split(), SHARED.split(), NAMES.split()
    # A few of the words of a subject come up again and again in one note, as in notes that people write.
    theme = draw.permutation(own)[:8]
    length = int(draw.integers(SHORTEST, LONGEST))
    words = [
        str(theme[draw.integers(8)]) if draw.random() < 0.7 else str(own[draw.integers(len(own))])
        for _ in range(length)
    ]
    words = [each if draw.random() < 0.75 else str(shared[draw.integers(len(shared))]) for each in words]
    lines = [" ".join(words[start : start + 8]) for start in range(0, length, 8)]
    signed = str(names[draw.integers(len(names))])
    return f"Dear {names[draw.integers(len(names))]},\n" + ".\n".join(lines) + f".\n{signed}\n"

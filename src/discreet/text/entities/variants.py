"""Which forms of the names of people belong together, over a corpus and in a document.

Full names are joined first, longest first. What is short and can mean several people (a surname, a first name,
initials) is settled in its document: it is the nearest full name before it that it can stand for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from discreet.text.entities.names import PersonName, compatible, one_edit
from discreet.text.entities.words.people import FIRST_NAMES

Words = tuple[str, ...]
SURNAME, PART, FIRST = 3, 2, 1
"""What a single word is in a full name: its last word, another one, or the first one."""

RARE, FREQUENT = 2, 5
"""A form is taken for a misspelling if it occurs at most RARE times and the other FREQUENT times as often."""

SHORTEST_MISSPELLED = 5


@dataclass(slots=True)
class Person:
    """One person while forms are joined: full names, how often each occurs, and the titles seen with them."""

    number: int
    names: dict[Words, PersonName] = field(default_factory=dict)
    count: int = 0
    titles: Counter[str] = field(default_factory=Counter)
    genders: Counter[str] = field(default_factory=Counter)
    last_words: set[str] = field(default_factory=set)

    def takes(self, name: PersonName, first_names: frozenset[str]) -> bool:
        return all(compatible(each, name, first_names=first_names) for each in self.names.values())

    def add(self, name: PersonName, count: int) -> None:
        self.names.setdefault(name.words, name)
        self.last_words.add(name.words[-1])
        self.count += count

    def has_last_letter(self, letter: str) -> bool:
        return any(word.startswith(letter) for word in self.last_words)

    def speaks_against(self, gender: str) -> bool:
        """Whether titles say that this is somebody of another gender."""
        other = self.genders["f" if gender == "m" else "m"]
        return bool(gender) and other > self.genders[gender]


class People:
    """The people that the names of a corpus tell of. `fixed` are forms whose person was set by hand."""

    def __init__(
        self,
        forms: Mapping[PersonName, int],
        *,
        known: Sequence[Iterable[PersonName]] = (),
        fixed: Mapping[PersonName, int] | None = None,
    ) -> None:
        self._persons: list[Person] = []
        self._by_word: dict[str, dict[int, int]] = defaultdict(dict)
        self._by_last_word: dict[str, set[int]] = defaultdict(set)
        self._by_initials: dict[str, set[int]] = defaultdict(set)
        self._alone: dict[tuple[Words | str, str], int] = {}
        self._key_alone: dict[int, tuple[Words | str, str]] = {}
        self._ambiguous: dict[Words, list[int]] = {}
        self._of_full: dict[Words, int] = {}
        self._fixed = {(name.words, name.initials): person for name, person in (fixed or {}).items()}
        self._counts: Counter[str] = Counter()
        for name, count in forms.items():
            self._counts.update(dict.fromkeys(name.words, count))
        seeded = [name for names in known for name in names]
        self.first_names = _first_names([*forms, *seeded])
        self._near = _neighbours(self._counts)
        for names in known:
            self._seed(names)
        self._join_full(forms)
        self._note_titles(forms)
        seen = {(name.words, name.gender) for name in forms}
        self._both_genders = {words for words, gender in seen if gender == "m" and (words, "f") in seen}

    def __len__(self) -> int:
        return len(self._persons)

    def person(self, number: int) -> Person:
        return self._persons[number]

    def fixed(self, name: PersonName) -> int | None:
        return self._fixed.get((name.words, name.initials))

    def full(self, name: PersonName) -> list[int]:
        """The people whom a full name can mean."""
        words = self._respelled(name.words)
        if words in self._ambiguous:
            return self._ambiguous[words]
        return [self._of_full[words]] if words in self._of_full else [self.alone(name)]

    def with_word(self, word: str) -> dict[int, int]:
        """The people with a word in their full names, and what it is there."""
        found = self._by_word.get(word)
        if found:
            return found
        near = self._near.get(word)
        return self._by_word.get(near, {}) if near else {}

    def with_initials(self, letters: str) -> set[int]:
        return self._by_initials.get(letters, set())

    def alone(self, name: PersonName, gender: str = "") -> int:
        """The person who is known by a single word or by initials only."""
        words = self._respelled(name.words) if name.words else name.initials
        key = (words, gender)
        if key not in self._alone:
            self._set_alone(key, self._new())
        return self._alone[key]

    def names_one_of(self, name: PersonName, present: Collection[int]) -> bool:
        """Whether a word, or initials, can mean one of the people that a document names otherwise."""
        if len(name.words) == 1 and not self.with_word(name.words[0]).keys().isdisjoint(present):
            return True
        if len(name.initials) == 1:
            return any(self._persons[each].has_last_letter(name.initials) for each in present)
        return any(each in present for each in self.with_initials(name.initials))

    def written(self, number: int) -> str:
        """The longest form of a person's name in the one way of writing, whatever the order of the documents."""
        person = self._persons[number]
        if person.names:
            return " ".join(min((-_spelled_out(words), -len(words), words) for words in person.names)[2])
        key, gender = self._key_alone.get(number, ("", ""))
        return f"{gender} {' '.join(key)}".strip()

    def gender(self, name: PersonName) -> str:
        """The gender in a title, where the same word stands after titles of both: Mr. and Mrs. Smith are two."""
        return name.gender if self.two_of(name) else ""

    def two_of(self, name: PersonName) -> bool:
        """Whether a word stands after titles of both genders somewhere in the corpus."""
        return name.words in self._both_genders

    # building

    def _new(self) -> Person:
        self._persons.append(Person(number=len(self._persons)))
        return self._persons[-1]

    def _seed(self, names: Iterable[PersonName]) -> None:
        """Take in a person known from before, with the forms known then."""
        person = self._new()
        for name in names:
            if name.full:
                self._settle(name, 0, person)
            elif name.words:
                self._set_alone((name.words, ""), person)
            else:
                self._set_alone((name.initials, ""), person)

    def _set_alone(self, key: tuple[Words | str, str], person: Person) -> None:
        self._alone.setdefault(key, person.number)
        self._key_alone.setdefault(person.number, key)
        person.last_words.update(key[0][-1:])

    def _settle(self, name: PersonName, count: int, person: Person) -> None:
        person.add(name, count)
        self._by_last_word[name.words[-1]].add(person.number)
        self._of_full[name.words] = person.number
        self._index(name, person.number)

    def _index(self, name: PersonName, number: int) -> None:
        words = name.words
        for place, word in enumerate(words):
            role = SURNAME if place == len(words) - 1 else FIRST if place == 0 else PART
            if role == PART and (len(word) == 1 or word in self.first_names):
                role = FIRST
            if name.patronymic:
                role = SURNAME if place == 0 else PART if place == len(words) - 1 else FIRST
            if len(word) > 1:
                held = self._by_word[word]
                held[number] = max(role, held.get(number, 0))
        letters = "".join(word[0] for word in words)
        for each in {letters, letters[0] + letters[-1]}:
            self._by_initials[each].add(number)

    def _join_full(self, forms: Mapping[PersonName, int]) -> None:
        """Full names, longest first; one that can be several people's is left to each document."""
        counts: Counter[Words] = Counter()
        names: dict[Words, PersonName] = {}
        for name, count in forms.items():
            if name.full:
                words = self._respelled(name.words)
                counts[words] += count
                names.setdefault(words, PersonName(words=words, patronymic=name.patronymic))
        slips = Slips(words for words, count in counts.items() if count >= FREQUENT)
        order = sorted(counts, key=lambda words: (-_spelled_out(words), -len(words), -counts[words], words))
        for words in order:
            if words in self._of_full:
                self._persons[self._of_full[words]].count += counts[words]
                continue
            possible = self._possible(names[words]) or self._slipped(words, counts, slips)
            if len(possible) > 1:
                self._ambiguous[words] = possible
                self._index_ambiguous(words)
            else:
                person = self._persons[possible[0]] if possible else self._new()
                self._settle(names[words], counts[words], person)

    def _index_ambiguous(self, words: Words) -> None:
        for each in self._ambiguous[words]:
            self._by_word[words[-1]].setdefault(each, PART)

    def _possible(self, name: PersonName) -> list[int]:
        """The people whose names can all be one person's with this one.

        The last word of the shorter of two such names stands in the longer one.
        """
        candidates = set(self._by_word.get(name.words[-1], ()))
        for word in name.words:
            candidates |= self._by_last_word.get(word, set())
        return sorted(each for each in candidates if self._persons[each].takes(name, self.first_names))

    def _slipped(self, words: Words, counts: Mapping[Words, int], slips: Slips) -> list[int]:
        """The people of whom a rare form is a frequent one with another middle initial or one letter changed."""
        if counts[words] > RARE:
            return []
        frequent = (each for each in slips.near(words) if counts[each] >= FREQUENT * counts[words])
        return sorted({self._of_full[each] for each in frequent if each in self._of_full})

    def _respelled(self, words: Words) -> Words:
        """The words with a last word that is a rare misspelling written as the frequent one."""
        near = self._near.get(words[-1])
        return (*words[:-1], near) if near else words

    def _note_titles(self, forms: Mapping[PersonName, int]) -> None:
        for name, count in forms.items():
            number = self._of_full.get(self._respelled(name.words)) if name.full else None
            if number is not None:
                self._persons[number].titles.update(dict.fromkeys(name.titles, count))
                self._persons[number].genders.update({name.gender: count} if name.gender else {})


def _spelled_out(words: Words) -> int:
    return sum(len(word) > 1 for word in words)


class Slips:
    """Finds names that differ from another in one word, by one letter or in its only letter."""

    def __init__(self, names: Iterable[Words]) -> None:
        self._meeting: dict[tuple[Words, int, str], list[Words]] = defaultdict(list)
        for words in names:
            for key in _slips_of(words):
                self._meeting[key].append(words)

    def near(self, words: Words) -> Iterator[Words]:
        """The names that are one slip away from this one."""
        found = {each for key in _slips_of(words) for each in self._meeting.get(key, ())}
        return (each for each in found if near_miss(words, each))


def _slips_of(words: Words) -> Iterator[tuple[Words, int, str]]:
    """Each word of a name with a letter left out, and the others: names that are one slip apart share one of these."""
    for place, word in enumerate(words):
        others = words[:place] + words[place + 1 :]
        if any(len(each) > 1 for each in others):
            for short in _shortened(word):
                yield others, place, short


def _shortened(word: str) -> set[str]:
    """A word, and each that it is with one letter left out: words that are one slip apart share one of these."""
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


def near_miss(words: Words, other: Words) -> bool:
    """Whether two names differ in one word only, there by one letter, and share a longer word than an initial."""
    if len(words) != len(other):
        return False
    same = [one for one, two in zip(words, other, strict=True) if one == two]
    apart = [(one, two) for one, two in zip(words, other, strict=True) if one != two]
    if len(apart) != 1 or not any(len(each) > 1 for each in same):
        return False
    return len(apart[0][0]) == len(apart[0][1]) == 1 or one_edit(*apart[0])


def _first_names(names: Iterable[PersonName]) -> frozenset[str]:
    """First names as the corpus shows them: words that stand before several surnames, and the well-known ones."""
    before: dict[str, set[str]] = defaultdict(set)
    later: set[str] = set()
    for name in names:
        if name.full:
            before[name.words[0]].add(name.words[-1])
            later.update(name.words[-1:])
    seen = {word for word, last in before.items() if len(word) > 1 and len(last) > 1 and word not in later}
    return FIRST_NAMES | seen


def _neighbours(counts: Mapping[str, int]) -> dict[str, str]:
    """For each rare word that is one slip away from a frequent one: that one. Words that leave out a letter meet."""
    meeting: dict[str, list[str]] = defaultdict(list)
    for word in counts:
        if len(word) >= SHORTEST_MISSPELLED:
            for short in _shortened(word):
                meeting[short].append(word)
    found: dict[str, str] = {}
    for words in meeting.values():
        words.sort(key=lambda word: (counts[word], word))
        for place, rare in enumerate(words[:-1]):
            if counts[rare] > RARE:
                break
            for other in reversed(words[place + 1 :]):
                if counts[other] < FREQUENT * counts[rare]:
                    break
                if one_edit(rare, other):
                    best = found.get(rare)
                    if best is None or (counts[best], best) < (counts[other], other):
                        found[rare] = other
    return {rare: other for rare, other in found.items() if other not in found}

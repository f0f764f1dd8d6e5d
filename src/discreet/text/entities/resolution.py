"""Whom each name in a document means: what is said in full first, then surnames, then first names and initials."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from discreet.text.entities.names import PersonName
from discreet.text.entities.variants import FIRST, PART, SURNAME, People

_FIRST_NAME_TITLES = "don dona sir dame king queen prince princess sheikh shaikh sheik father brother"
FIRST_NAME_TITLES = frozenset(_FIRST_NAME_TITLES.split())
"""Titles that stand before a first name: Don Pedro, Prince Fahd."""

SURE_INITIALS = 3
"""How many letters initials need to mean somebody whom the document does not name otherwise."""


def resolve(people: People, names: Sequence[PersonName]) -> list[int]:
    """The number of the person that each name of a document means. Names come in the order of the text."""
    reading = _Reading(people, names)
    return reading.persons()


class _Reading:
    """One document while its names are settled, surest first."""

    def __init__(self, people: People, names: Sequence[PersonName]) -> None:
        self._people, self._names = people, names
        self._settled: dict[int, int] = {}
        self._full_at: dict[int, list[int]] = defaultdict(list)
        self._at: dict[int, list[int]] = defaultdict(list)
        self._titles: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for name in names:
            self._titles[name.words].update(name.titles)

    def persons(self) -> list[int]:
        waiting = list(range(len(self._names)))
        steps = (
            self._by_hand,
            self._full,
            self._either_full,
            self._surname,
            self._first_name,
            self._word_alone,
            self._initials,
            self._alone,
        )
        for step in steps:
            waiting = [place for place in waiting if not step(place)]
        return [self._settled[place] for place in range(len(self._names))]

    def _put(self, place: int, person: int) -> bool:
        self._settled[place] = person
        insort(self._at[person], place)
        if self._names[place].full:
            insort(self._full_at[person], place)
        return True

    def _by_hand(self, place: int) -> bool:
        person = self._people.fixed(self._names[place])
        return person is not None and self._put(place, person)

    def _full(self, place: int) -> bool:
        """A full name that can be one person's only."""
        name = self._names[place]
        possible = self._people.full(name) if name.full else []
        return len(possible) == 1 and self._put(place, possible[0])

    def _either_full(self, place: int) -> bool:
        """A full name that can be several people's: the nearest that is named more fully, else the likeliest."""
        name = self._names[place]
        if not name.full:
            return False
        possible = self._people.full(name)
        near = self._nearest(possible, place, self._full_at)
        return self._put(place, self._likeliest(possible, name) if near is None else near)

    def _surname(self, place: int) -> bool:
        name = self._names[place]
        if len(name.words) != 1:
            return False
        roles = {
            person: role
            for person, role in self._people.with_word(name.words[0]).items()
            if not self._people.person(person).speaks_against(name.gender)
        }
        for role in (SURNAME, PART):
            here = self._nearest([each for each, its in roles.items() if its == role], place, self._full_at)
            if here is not None:
                return self._put(place, here)
        if FIRST in roles.values() and not self._titled_surname(name):
            return False
        return self._elsewhere(place, roles)

    def _elsewhere(self, place: int, roles: Mapping[int, int]) -> bool:
        """A surname without its full name in this document: somebody of that name in another one."""
        for role in (SURNAME, PART):
            possible = [each for each, its in roles.items() if its == role]
            if possible:
                return self._put(place, self._likeliest(possible, self._names[place]))
        return False

    def _titled_surname(self, name: PersonName) -> bool:
        return bool(name.titles) and not FIRST_NAME_TITLES & set(name.titles)

    def _first_name(self, place: int) -> bool:
        """The first name of somebody whom the document names."""
        name = self._names[place]
        if len(name.words) != 1 or self._titled_surname(name):
            return False
        roles = self._people.with_word(name.words[0])
        here = self._nearest([each for each, its in roles.items() if its == FIRST], place, self._at)
        return self._elsewhere(place, roles) if here is None else self._put(place, here)

    def _word_alone(self, place: int) -> bool:
        return not self._names[place].initials and self._alone(place)

    def _initials(self, place: int) -> bool:
        """Initials of somebody whom the document names, or of one person of the corpus."""
        letters = self._names[place].initials
        if len(letters) == 1:
            possible = {each for each in self._at if self._people.person(each).has_last_letter(letters)}
        else:
            possible = self._people.with_initials(letters)
        here = self._nearest(possible, place, self._at)
        if here is None and len(possible) == 1 and len(letters) >= SURE_INITIALS:
            here = next(iter(possible))
        return here is not None and self._put(place, here)

    def _alone(self, place: int) -> bool:
        """Somebody known by this word or these letters only."""
        name = self._names[place]
        gender = self._people.gender(name)
        if not gender and self._people.two_of(name):
            here = self._nearest([self._people.alone(name, each) for each in "mf"], place, self._at)
            if here is not None:
                return self._put(place, here)
        return self._put(place, self._people.alone(name, gender))

    def _nearest(self, possible: Collection[int], place: int, where: Mapping[int, list[int]]) -> int | None:
        """Of those people, the one named last before this place; else the one named first after it."""
        before: list[tuple[int, int]] = []
        after: list[tuple[int, int]] = []
        for person in possible:
            places = where.get(person, [])
            at = bisect_right(places, place)
            if at:
                before.append((places[at - 1], person))
            elif places:
                after.append((places[0], person))
        if before:
            return max(before)[1]
        return min(after)[1] if after else None

    def _likeliest(self, possible: Iterable[int], name: PersonName) -> int:
        """The one with a title of this name, then the one named most often over the corpus."""
        titles = self._titles[name.words]

        def rank(person: int) -> tuple[bool, int, int]:
            found = self._people.person(person)
            return (any(title in found.titles for title in titles), found.count, -person)

        return max(possible, key=rank)

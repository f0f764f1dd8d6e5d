"""Pairing one to one where many records of one file are equal: each record of the other is given a class of them."""

from typing import NamedTuple

import numpy as np

from discreet._kernels.arrays import Flags, Floats, Ints
from discreet._kernels.compile import compiled

NOWHERE = -1


class Held(NamedTuple):
    """Which records are in each class: those of class p are members[begin[p] : begin[p] + size[p]].

    cheapest[p, q] is the least that it costs to move one of them to class q, and mover[p, q] which one that is.
    """

    members: Ints
    begin: Ints
    size: Ints
    cheapest: Floats
    mover: Ints


class Search(NamedTuple):
    """The shortest way from a record that is new to each class: its length, the class before, and where it is final."""

    length: Floats
    before: Ints
    final: Flags


def into_classes(costs: Floats, room: Ints) -> Ints:
    """The class of each record, by which the costs add up to the least and no class holds more than it has room for.

    costs[record, class] must be finite, and there must be room for all records. By shortest augmenting paths over the
    classes (Ahuja, Magnanti and Orlin, Network Flows, 1993, section 12.4, with supplies above one): one record after
    the other is taken in, by the moves that cost least. Takes memory for all moves from class to class.
    """
    count, classes = costs.shape
    if int(room.sum()) < count:
        raise ValueError(f"into_classes needs room for {count} records; got {int(room.sum())}")
    home = np.full(count, NOWHERE, np.int64)
    if count:
        held = Held(
            members=np.empty(int(room.sum()), np.int64),
            begin=np.cumsum(room) - room,
            size=np.zeros(classes, np.int64),
            cheapest=np.full((classes, classes), np.inf),
            mover=np.full((classes, classes), NOWHERE, np.int64),
        )
        take_in_all(np.ascontiguousarray(costs), room, home, held)
    return home


@compiled
def take_in_all(costs: Floats, room: Ints, home: Ints, held: Held) -> None:
    """Fill `home` with the class of each record."""
    classes = costs.shape[1]
    price = np.zeros(classes)
    search = Search(np.empty(classes), np.empty(classes, np.int64), np.empty(classes, np.bool_))
    for record in range(costs.shape[0]):
        end = nearest_room(record, costs, room, price, held, search)
        reached = search.length[end]
        for each in range(classes):
            if search.final[each]:
                price[each] += reached - search.length[each]
        take_in(record, end, costs, home, held, search)


@compiled
def nearest_room(record: int, costs: Floats, room: Ints, price: Floats, held: Held, search: Search) -> int:
    """The class with room to which the way is the shortest, from a record that is new (Dijkstra, with prices)."""
    classes = price.shape[0]
    best = NOWHERE
    for each in range(classes):
        search.length[each] = costs[record, each] + price[each]
        search.before[each] = NOWHERE
        search.final[each] = False
        if best < 0 or search.length[each] < search.length[best]:
            best = each
    while True:
        # Of classes as near one with room ends the search.
        for each in range(classes):
            if (
                held.size[each] < room[each]
                and not search.final[each]
                and search.length[each] <= search.length[best]
            ):
                return each
        search.final[best] = True
        so_far = search.length[best] - price[best]
        last, best = best, NOWHERE
        for each in range(classes):
            if not search.final[each]:
                way = so_far + held.cheapest[last, each] + price[each]
                if way < search.length[each]:
                    search.length[each] = way
                    search.before[each] = last
                if best < 0 or search.length[each] < search.length[best]:
                    best = each


@compiled
def take_in(record: int, end: int, costs: Floats, home: Ints, held: Held, search: Search) -> None:
    """Move one record along each step of the way to the class with room, and the new one into its first class."""
    into = end
    while search.before[into] != NOWHERE:
        source = search.before[into]
        moved = held.mover[source, into]
        leave(moved, source, costs, held)
        enter(moved, into, costs, home, held)
        into = source
    enter(record, into, costs, home, held)


@compiled
def enter(record: int, into: int, costs: Floats, home: Ints, held: Held) -> None:
    """Put a record into a class."""
    home[record] = into
    held.members[held.begin[into] + held.size[into]] = record
    held.size[into] += 1
    for each in range(costs.shape[1]):
        cost = costs[record, each] - costs[record, into]
        if cost < held.cheapest[into, each]:
            held.cheapest[into, each] = cost
            held.mover[into, each] = record


@compiled
def leave(record: int, source: int, costs: Floats, held: Held) -> None:
    """Take a record out of a class; the moves it was the cheapest for are looked for anew."""
    begin = held.begin[source]
    held.size[source] -= 1
    size = held.size[source]
    for place in range(size):
        if held.members[begin + place] == record:
            held.members[begin + place] = held.members[begin + size]
            break
    for each in range(costs.shape[1]):
        if held.mover[source, each] == record:
            held.cheapest[source, each] = np.inf
            held.mover[source, each] = NOWHERE
            for place in range(size):
                other = held.members[begin + place]
                cost = costs[other, each] - costs[other, source]
                if cost < held.cheapest[source, each]:
                    held.cheapest[source, each] = cost
                    held.mover[source, each] = other

"""The two sides of an assessment, the original and what was published of it: tables in memory, or datasets in parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Any, Protocol

from discreet.caching import Cache, key_of
from discreet.dataset import Dataset
from discreet.dataset_release import ENGINE
from discreet.digests import digest_of, digest_of_files
from discreet.errors import BadParameter, NotSplit
from discreet.headline import Before, before
from discreet.households import filled_from_household, told_by_members
from discreet.in_parts import CLASS, room_of, with_classes
from discreet.intruder import OWNER, Intruder, View
from discreet.method_call import MethodCall
from discreet.progress import Progress
from discreet.registry import Method
from discreet.release import Release, ReleaseInParts
from discreet.results import as_kept
from discreet.table import Described, IntArray, Role, Table


class Sides(Protocol):
    """What methods are run on. `known` are the published quasi-identifiers that the intruder knows."""

    @property
    def original(self) -> Table | Dataset: ...
    @property
    def release(self) -> Release | ReleaseInParts: ...
    @property
    def published(self) -> Described: ...
    @property
    def known(self) -> list[str]: ...
    @property
    def people(self) -> IntArray | None:
        """The rows of those whom attacks look for, of a dataset; None of a table, whose records are all told of."""

    def before(self) -> Before:
        """How exposed the original is as it is."""

    def result(self, wanted: MethodCall, progress: Progress) -> Any:
        """The result of a method, from the cache where exactly this was computed before."""


@contextmanager
def sides_of(
    original: Table | Dataset,
    release: Release | ReleaseInParts | None,
    intruder: Intruder,
    cache: Cache | None,
    engine: Any,
) -> Iterator[Sides]:
    """The sides of an assessment, while the block runs; without a release the original is taken for one of itself.

    Raises Mismatch where the release was not made of this original.
    """
    if isinstance(original, Dataset):
        with _datasets(original, release, intruder, cache, engine) as sides:
            yield sides
        return
    if isinstance(release, ReleaseInParts):
        raise NotSplit(
            "assess: the release is in parts and the original is a table. Scan the original (discreet.scan), or load "
            "the release whole (Release.load)."
        )
    if engine is not None:
        raise BadParameter(
            "assess: an engine runs what is computed on datasets; a table in memory needs none."
        )
    release = _as_it_is(original) if release is None else release
    release.check_original(original)
    counted = release.counted_table(original)
    yield TableSides(
        original=original,
        release=release,
        read=as_intruder_reads(counted),
        told=told_by_members(counted, counted.keys),
        intruder=intruder,
        cache=cache,
        about="" if cache is None else digest_of([original, release, intruder]),
    )


def _as_it_is(original: Table) -> Release:
    """The original with nothing masked, in its own order, without its identifiers."""
    from discreet.plan import Plan
    from discreet.protection import protect

    return protect(original, Plan.of([]), order="kept")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSides:
    """Tables in memory; `read` is the published one as an intruder reads it, and `about` what all questions share.

    `told` are the columns in which other members of a household tell what is blank.
    """

    original: Table
    release: Release
    read: Table
    told: Sequence[str]
    intruder: Intruder
    cache: Cache | None
    about: str

    people = None

    @property
    def published(self) -> Table:
        return self.release.table

    @property
    def known(self) -> list[str]:
        return self.intruder.known_keys(self.original, self.release.table)

    def before(self) -> Before:
        return before(self.original, [name for name in self.known if name in self.original.names])

    def result(self, wanted: MethodCall, progress: Progress) -> Any:
        return _cached(self, wanted, self.original.home, progress)

    def run(self, wanted: MethodCall, progress: Progress) -> Any:
        """The result of a method: of attacks on what an intruder reads, of measures on what is published."""
        method, release = wanted.method, self.release
        extras: dict[str, Any] = {"truth": release.truth, "progress": progress}
        parameters = dict(wanted.parameters)
        known = self.original
        if method.kind == "attack":
            view = self.intruder.view(self.original, release.table, release.truth)
            known = filled_from_household(
                view.known, [name for name in self.told if name in view.known.names]
            )
            manifest = release.manifest if self.intruder.reads_manifest else None
            extras |= {"truth": view.truth, "training": view.training, "manifest": manifest}
            extras |= {"population": self.intruder.population}
            if "original" not in method.tables:
                parameters = {**_known_keys(method, view), **parameters}
        masked = self.read if method.kind == "attack" else release.table
        return _called(method, known, masked, extras, parameters)


@contextmanager
def _datasets(
    original: Dataset,
    release: Release | ReleaseInParts | None,
    intruder: Intruder,
    cache: Cache | None,
    engine: Any,
) -> Iterator[DatasetSides]:
    if isinstance(release, Release):
        raise NotSplit(
            "assess: the original is a dataset and the release is in memory. Scan the release (Release.scan), or read "
            "the original (discreet.read)."
        )
    if intruder != OWNER:
        raise NotSplit(
            "assess: on a dataset in parts the intruder knows everything but the link. Read the table (discreet.read) "
            "where it fits in memory, to try an intruder who knows less."
        )
    original = resolve_name(f"{ENGINE}:with_source")(original)
    release = resolve_name(f"{ENGINE}:as_it_is")(original) if release is None else release
    release.check_original(original)
    with resolve_name(f"{ENGINE}:judging")(original, release, engine=engine) as (known, published):
        yield DatasetSides(
            original=original,
            release=release,
            judged=known,
            published=published,
            cache=cache,
            about="" if cache is None else digest_of(_told(original, release)),
        )


def _told(original: Dataset, release: ReleaseInParts) -> list[object]:
    """All that an assessment of datasets depends on, besides what is asked."""
    columns = [{"name": each.name, **each.to_dict()} for each in original.columns]
    return [original.source, columns, release.manifest.to_dict(), release.secrets.to_dict()]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetSides:
    """Datasets: `judged` and `published` have their records in the same order, and know where they are judged."""

    original: Dataset
    release: ReleaseInParts
    judged: Dataset
    published: Dataset
    cache: Cache | None
    about: str

    @property
    def people(self) -> IntArray:
        return room_of(self.judged).people

    @property
    def known(self) -> list[str]:
        return [name for name in self.original.keys if name in self.published.names]

    def before(self) -> Before:
        if not self.known or len(self.original) == 0:
            return Before(identity=None, attribute=None, k=None)
        columns = self.original.having(Role.CONFIDENTIAL)
        return before(with_classes(self.judged, self.known, columns), [CLASS])

    def result(self, wanted: MethodCall, progress: Progress) -> Any:
        return _cached(self, wanted, self.original.home, progress)

    def run(self, wanted: MethodCall, progress: Progress) -> Any:
        """The result of a method on datasets in parts."""
        method, parameters = wanted.method, dict(wanted.parameters)
        extras: dict[str, Any] = {"progress": progress}
        known, masked = self.judged, self.published
        if method.kind == "attack":
            extras["manifest"] = self.release.manifest
            known, masked = room_of(known).once(("as read",), lambda: self._as_read())
        return _called(method, known, masked, extras, parameters)

    def _as_read(self) -> tuple[Dataset, Dataset]:
        """Both datasets as an intruder reads them."""
        found: tuple[Dataset, Dataset] = resolve_name(f"{ENGINE}:as_read")(
            self.judged, self.published, self.known
        )
        return found


def _called(
    method: Method,
    original: Table | Dataset,
    masked: Table | Dataset,
    extras: dict[str, Any],
    parameters: dict[str, Any],
) -> Any:
    tables = {"original": original, "masked": masked}
    given = {name: tables[name] for name in method.tables}
    handed = {name: extras[name] for name in method.extras if name in extras}
    return method.function(**given, **handed, **parameters)


def _cached(sides: TableSides | DatasetSides, wanted: MethodCall, home: str, progress: Progress) -> Any:
    """The result of a method, from the cache where exactly this was computed before."""
    if sides.cache is None:
        return sides.run(wanted, progress)
    files = [digest_of_files(name, home) for name in wanted.files]
    key = key_of({"about": sides.about, "asked": wanted, "files": files})
    found = sides.cache.get(key)
    if found is None:
        found = sides.run(wanted, progress)
        sides.cache.put(key, found)
        found = as_kept(found)
    return found


def as_intruder_reads(published: Table) -> Table:
    """The published table as an intruder reads it: what another member of a household tells stands in its blanks."""
    return filled_from_household(published, [name for name in published.keys if name in published.names])


def _known_keys(method: Method, view: View) -> dict[str, Any]:
    """The keys that the intruder knows, for an attack on the published table alone, which would take them all."""
    known = [name for name in view.masked.keys if name in view.known.names]
    takes_keys = any(each.name == "keys" for each in method.parameters)
    return {"keys": known} if takes_keys and len(known) < len(view.masked.keys) else {}

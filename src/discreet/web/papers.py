"""A folder of documents on the desk: its policy, the file of its decisions, and what was found in it."""

from __future__ import annotations

import getpass
import json
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar

from discreet.digests import digest_of
from discreet.errors import DiscreetError
from discreet.manifest import PRIVATE_NAME
from discreet.shapes import read_json
from discreet.states import version_of
from discreet.text.correcting import Corrected, correct
from discreet.text.decisions import KIND, Decisions
from discreet.text.entity_review import EntityReview
from discreet.text.kept_findings import findings_from_dict
from discreet.text.policy import Policy, shipped
from discreet.text.release import is_text_release
from discreet.text.reviewing import Review
from discreet.text.sanitising import Sanitised, policy_of
from discreet.web.desk import Desk
from discreet.web.page import Facts, Go, Visit
from discreet.web.refused import Refused, Stale
from discreet.web.work import Work

USUAL_NAME = "decisions.jsonl"
"""What `discreet review` calls the file of decisions."""
MOST_HELD = 3
"""How many folders of documents are held in memory with what was found in them."""
LONGEST_FIRST_LINE = 200
CHANGED = "These decisions were"
NOT_LOOKED = "These documents have not been looked through yet. Open their page first."

_HELD: OrderedDict[str, Any] = OrderedDict()
_TURN = threading.RLock()
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Papers:
    """A folder of documents under a policy, with a file of decisions, which is that of `discreet review`."""

    desk: Desk
    place: Path
    policy: str
    file: Path

    @property
    def name(self) -> str:
        return self.desk.folder.name_of(self.place)

    @property
    def asked(self) -> dict[str, str]:
        """What the address of a page says, so that it is about the same."""
        return {"docs": self.name, "policy": self.policy, "decisions": self.desk.folder.name_of(self.file)}

    @cached_property
    def text(self) -> str:
        """The decisions as they stand in their file; empty where there is none yet."""
        try:
            return self.file.read_bytes().decode("utf-8")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError):
            raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, f"{self.file.name} cannot be read.") from None

    @property
    def version(self) -> str:
        return version_of(self.text)

    @cached_property
    def decisions(self) -> Decisions:
        return Decisions.load(self.file) if self.text else Decisions()

    @property
    def policy_given(self) -> str | None:
        """The policy as the command line is given it."""
        if not self.policy or self.policy in shipped():
            return self.policy or None
        return self.desk.given(self.desk.folder.inside(self.policy))

    @cached_property
    def rules(self) -> Policy:
        """The policy, checked."""
        if not self.policy or self.policy in shipped():
            return policy_of(self.policy or None)
        return Policy.load(self.desk.folder.inside(self.policy))

    @cached_property
    def files_mark(self) -> str:
        """Changes when a document does."""
        files = sorted(each for each in self.place.rglob("*") if each.is_file())
        told = [
            [each.relative_to(self.place).as_posix(), each.stat().st_size, each.stat().st_mtime_ns]
            for each in files
        ]
        return digest_of([str(self.place), told])

    @cached_property
    def mark(self) -> str:
        """Changes when a document or the policy does."""
        return digest_of([self.files_mark, self.rules.to_dict()])

    @property
    def looking(self) -> Work:
        """Looking through the documents: long work, whose answer is all that was found in them."""
        policy = () if self.policy_given is None else ("--policy", self.policy_given)
        return Work(
            name="look",
            says=f"Looking through the documents in {self.name}",
            arguments=("review", self.desk.given(self.place), *policy, "--everything", "--json"),
            depends_on={"documents": self.mark},
        )

    @cached_property
    def found(self) -> Sanitised:
        """What was found in the documents, before any decision. Refused with 409 where that is not known yet."""
        return _held(self.looking.key, self._told)

    def _told(self) -> Sanitised:
        told = self.desk.works.answer(self.looking.key)
        if told is None:
            raise Refused(HTTPStatus.CONFLICT, NOT_LOOKED)
        return findings_from_dict(told, self.rules)

    @cached_property
    def after(self) -> Sanitised:
        """The documents as the decisions make them."""
        key = digest_of([self.looking.key, self.version])
        return _held(key, lambda: self.found.with_decisions(self.decisions))

    @property
    def undecided(self) -> int:
        """How many stretches nobody has decided about."""
        return len(replace(self.found, decisions=self.decisions).undecided())

    @property
    def reviewer(self) -> str:
        """Who made the last decision in the file, or whom its name tells, or else whose desk this is."""
        told = [each.reviewer for each in self.decisions.entries if each.reviewer]
        named = re.fullmatch(rf"{re.escape(self.place.name)}\.(.+)\.{re.escape(USUAL_NAME)}", self.file.name)
        return told[-1] if told else named[1] if named else getpass.getuser()

    def stretches(self, reviewer: str) -> Review:
        """The review of stretches as it stands."""
        return Review.begun(
            self.found.original, self.found.blocks, self.file, reviewer=reviewer, date=_today()
        )

    def entities(self, reviewer: str) -> EntityReview:
        """The review of entities as it stands."""
        return EntityReview.begun(
            self.found.findings,
            self.decisions,
            self.file,
            reviewer=reviewer,
            date=_today(),
            corrected=self.corrected,
        )

    @cached_property
    def corrected(self) -> Corrected:
        """The register with what was decided about entities; held, because joining names takes its time."""
        made = [each.to_dict() for each in self.decisions.about_entities().values()]
        key = digest_of([self.looking.key, made])
        return _held(key, lambda: correct(self.found.findings, self.decisions.about_entities().values()))

    @property
    def releases(self) -> list[Path]:
        """The releases that were made of these documents, by the names that their private halves tell."""
        names = {each.relative_to(self.place).as_posix() for each in self.place.rglob("*") if each.is_file()}
        return [each for each in self.desk.folder.releases() if (originals_of(each) or {""}) <= names]

    def change(self, version: str, step: Callable[[Papers], object]) -> None:
        """Carries out a step of a review; nothing is written where the decisions are not of that version."""
        assert self.found is not None  # made ready before anybody else has to wait
        with self.desk.turn():
            now = Papers(desk=self.desk, place=self.place, policy=self.policy, file=self.file)
            if now.version != version:
                raise Stale(now.version, CHANGED)
            step(now)

    def go(self, page: str, **more: str) -> Go:
        return Go(page, {**self.asked, **more})


def originals_of(release: Path) -> set[str]:
    """The names of the documents that a release was made of; none where its private half is not here."""
    if not is_text_release(release):
        return set()
    try:
        facts = read_json(release / "private" / PRIVATE_NAME)["facts"]
        return {str(each["original"]) for each in facts["documents"]}
    except (DiscreetError, KeyError, TypeError):
        return set()


def papers_of(visit: Visit) -> Papers:
    """The folder of documents that a page is about."""
    folder = visit.desk.folder
    place = folder.papers(visit.given("docs"))
    policy = visit.given("policy", "")
    if policy and policy not in policies(visit.desk):
        raise Refused(HTTPStatus.NOT_FOUND, "There is no such policy in the folder of the desk.")
    return Papers(desk=visit.desk, place=place, policy=policy, file=_decisions_file(visit, place))


def chosen_or_listed(visit: Visit) -> Papers | Facts:
    """The documents that a page is about or, where none were chosen, what there is to choose from."""
    if visit.given("docs", ""):
        return papers_of(visit)
    return {
        "docs": None,
        "listed": [visit.desk.folder.name_of(each) for each in visit.desk.folder.documents()],
    }


def looked_through(visit: Visit) -> Papers | Facts:
    """The documents that a page is about once they are looked through; before that, how that work stands.

    It is begun at once. Where no documents were chosen, what there is to choose from.
    """
    papers = chosen_or_listed(visit)
    if not isinstance(papers, Papers):
        return papers
    works = visit.desk.works
    now = works.progress(papers.looking.key)
    if now.state == "none":
        now = works.start(papers.looking)
    return papers if now.state == "done" else {**frame(papers), "looking": now.to_dict()}


def frame(papers: Papers) -> Facts:
    """What every page about documents says."""
    return {
        "docs": papers.name,
        "asked": papers.asked,
        "policies": policies(papers.desk),
        "files": [papers.desk.folder.name_of(each) for each in decision_files(papers.desk)],
        "version": papers.version,
        "reviewer": papers.reviewer,
        "looking": None,
    }


def policies(desk: Desk) -> list[str]:
    """The policies that ship with discreet, and those that lie in the folder of the desk."""
    return [*shipped(), *(each.name for each in sorted(desk.root.glob("*.toml")) if _is_policy(each))]


def decision_files(desk: Desk) -> list[Path]:
    """The files of decisions in the folder of the desk and in the folders in it."""
    found = [*desk.root.glob("*.jsonl"), *desk.root.glob("*/*.jsonl")]
    shown = (each for each in found if each.is_file() and not each.is_symlink())
    return sorted(each for each in shown if not each.parent.name.startswith(".") and _is_decisions(each))


def decision_file(desk: Desk, name: str) -> Path:
    """The file of decisions of this name; Refused with 404 where it is none."""
    file = desk.folder.inside(name)
    if file not in decision_files(desk):
        raise Refused(HTTPStatus.NOT_FOUND, "There is no such file of decisions in the folder of the desk.")
    return file


def _is_decisions(place: Path) -> bool:
    """Whether a file begins as one of decisions does; its entries are checked when it is read."""
    try:
        with place.open("rb") as file:
            first = json.loads(file.readline(LONGEST_FIRST_LINE))
    except (OSError, ValueError):
        return False
    return isinstance(first, dict) and first.get("kind") == KIND


def _is_policy(place: Path) -> bool:
    if place.is_symlink() or not place.is_file() or place.name.startswith("."):
        return False
    try:
        Policy.load(place)
    except DiscreetError:
        return False
    return True


def _decisions_file(visit: Visit, place: Path) -> Path:
    """The file of decisions that was asked for; else the folder's own, or the usual one where only that is there."""
    own, usual = place.parent / f"{place.name}.{USUAL_NAME}", visit.desk.root / USUAL_NAME
    name = visit.given("decisions", "")
    if not name:
        return usual if usual.is_file() and not own.exists() else own
    if name == visit.desk.folder.name_of(own) and not own.exists() and not own.is_symlink():
        return own
    return decision_file(visit.desk, name)


def _held(key: str, make: Callable[[], T]) -> T:
    """What is held under a key, made where it is not there; whoever asks for it meanwhile waits."""
    with _TURN:
        found: T = _HELD.pop(key) if key in _HELD else make()
        _HELD[key] = found
        while len(_HELD) > 3 * MOST_HELD:
            _HELD.popitem(last=False)
        return found


def _today() -> str:
    return datetime.now().astimezone().date().isoformat()

"""A review of entities under way: who is found and where, what was decided about them, and the file that remembers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from discreet.errors import BadParameter
from discreet.text.contexts import AROUND, Context, contexts, unmasked
from discreet.text.correcting import Corrected, Findings, applied, correct, name_of
from discreet.text.decisions import Decisions, Undo
from discreet.text.entities.clusters import same_form
from discreet.text.entities.entity import Entity
from discreet.text.entities.register import Register
from discreet.text.entity_decisions import FIRST, Change, EntityDecision, EntityName


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityReview:
    """The review of the entities of a corpus by one reviewer. Each step gives a new one, and is in the file at once.

    `corrected` is the register with all decisions in force carried out. Entities go by their ids in it, which are those
    of this review alone: after a step, look them up again.
    """

    findings: Findings = field(repr=False)
    decisions: Decisions
    corrected: Corrected = field(repr=False)
    file: Path
    reviewer: str
    date: str

    @classmethod
    def begun(
        cls,
        findings: Findings,
        decisions: Decisions,
        file: str | Path,
        *,
        reviewer: str,
        date: str,
        corrected: Corrected | None = None,
    ) -> EntityReview:
        """The review of what was found, with the decisions that were made already.

        `corrected` is what these decisions make of it, where that is known.
        """
        if not reviewer.strip():
            raise BadParameter("review: say who reviews (reviewer, on the command line --reviewer).")
        return cls(
            findings=findings,
            decisions=decisions,
            corrected=corrected or correct(findings, decisions.about_entities().values()),
            file=Path(file),
            reviewer=reviewer,
            date=date,
        )

    @property
    def register(self) -> Register:
        return self.corrected.register

    def listed(self, wording: str = "") -> tuple[Entity, ...]:
        """The entities in the order of their first mention; only those with this in a form, pseudonym or kind."""
        wanted = same_form(wording) if wording.strip() else ""
        return tuple(
            each
            for each in self.register.entities
            if any(wanted in same_form(form) for form in (*each.variants, each.pseudonym, each.kind))
        )

    def contexts(self, number: int, *, around: int = AROUND) -> tuple[Context, ...]:
        """Every mention of an entity with the text around it."""
        return tuple(contexts(self.register, number, around=around))

    def unmasked(self, number: int, *, around: int = AROUND) -> tuple[Context, ...]:
        """Where a single word that names an entity stays as it is, because a rule took it for no name there.

        Adding that word by hand masks it everywhere.
        """
        return tuple(unmasked(self.register, number, around=around))

    def merged(self, one: int, *others: int, note: str = "") -> EntityReview:
        """The review in which these are one entity, with the pseudonym of the first, or of the locked one."""
        if not set(others) - {one}:
            raise BadParameter("merge: choose another entity to merge with this one.")
        name = name_of(self.register, one)
        return self._decided(
            *(
                self._decision(Change.MERGE, name, other=name_of(self.register, each), note=note)
                for each in dict.fromkeys(others)
                if each != one
            )
        )

    def split(self, number: int, *, forms: Iterable[str] = (), note: str = "") -> EntityReview:
        """The review in which what was merged is apart again or, with `forms`, what is written so is another entity."""
        name, wanted = name_of(self.register, number), tuple(forms)
        if not wanted and not self.register.entity(number).parts:
            raise BadParameter(
                "split: this entity was not merged. Give those of its variants that are somebody else."
            )
        return self._decided(self._decision(Change.SPLIT, name, names=wanted, note=note))

    def renamed(self, number: int, pseudonym: str, *, note: str = "") -> EntityReview:
        """The review in which an entity has a pseudonym chosen by hand."""
        name = name_of(self.register, number)
        return self._decided(
            self._decision(Change.RENAME, name, pseudonym=" ".join(pseudonym.split()), note=note)
        )

    def aliased(self, number: int, names: Iterable[str], *, note: str = "") -> EntityReview:
        """The review in which an entity has further names, masked wherever they stand."""
        name = name_of(self.register, number)
        return self._decided(self._decision(Change.ALIAS, name, names=tuple(names), note=note))

    def locked(self, number: int, *, note: str = "") -> EntityReview:
        """The review in which the pseudonym of an entity never changes."""
        entity = self.register.entity(number)
        name = name_of(self.register, number)
        return self._decided(self._decision(Change.LOCK, name, pseudonym=entity.pseudonym, note=note))

    def kept(self, number: int, *, note: str = "") -> EntityReview:
        """The review in which an entity is known, and published as it is written."""
        return self._decided(self._decision(Change.KEEP, name_of(self.register, number), note=note))

    def masked(self, number: int, *, note: str = "") -> EntityReview:
        """The review in which an entity that was kept is masked again."""
        return self._decided(self._decision(Change.MASK, name_of(self.register, number), note=note))

    def added(self, wording: str, kind: str, *, note: str = "") -> EntityReview:
        """The review with an entity that was missed, masked wherever this stands.

        A single word is masked as it is written and in capitals, several in whatever capitals. Raises BadParameter
        where no document holds the wording.
        """
        before = sum(each.mentions for each in self.register.entities)
        name = EntityName(kind=str(kind), forms=(" ".join(wording.split()),))
        decision = self._decision(Change.ADD, name, note=note)
        done = self._after(decision)
        if sum(each.mentions for each in done.corrected.register.entities) == before and not any(
            same_form(name.forms[0]) in map(same_form, each.variants)
            for each in done.corrected.register.entities
        ):
            raise BadParameter("add: no document holds this as whole words, written so.")
        return done._saved()

    def undone(self) -> EntityReview:
        """The review without its last decision about entities. Raises BadParameter where there is none."""
        numbers = self.decisions.about_entities()
        if not numbers:
            raise BadParameter("there is no decision about entities to take back.")
        undo = Undo(undoes=max(numbers), reviewer=self.reviewer, date=self.date)
        decisions = self.decisions.added(undo)
        return replace(
            self,
            decisions=decisions,
            corrected=correct(self.findings, decisions.about_entities().values()),
        )._saved()

    def with_decisions(self, decisions: Decisions) -> EntityReview:
        """The same with decisions to which others, about stretches, were added."""
        return replace(self, decisions=decisions)

    def __str__(self) -> str:
        entities = self.register.entities
        kept = sum(each.kept for each in entities)
        mentions = sum(each.mentions for each in entities)
        return (
            f"{len(entities)} entities with {mentions} mentions, {kept} kept; decided about entities: "
            f"{len(self.decisions.about_entities())}"
        )

    def _decision(
        self,
        change: Change,
        entity: EntityName,
        *,
        other: EntityName | None = None,
        names: tuple[str, ...] = (),
        pseudonym: str = "",
        note: str = "",
    ) -> EntityDecision:
        return EntityDecision(
            change=change,
            entity=entity,
            other=other,
            names=names,
            pseudonym=pseudonym,
            note=note,
            reviewer=self.reviewer,
            date=self.date,
        )

    def _decided(self, *made: EntityDecision) -> EntityReview:
        """The review after decisions, all of them or none, which are in the file."""
        done = self
        for each in made:
            done = done._after(each)
        return done._saved()

    def _after(self, decision: EntityDecision) -> EntityReview:
        """The review after one decision, which is not in the file yet."""
        decisions = self.decisions.added(decision)
        if decision.change in FIRST:
            done = correct(self.findings, decisions.about_entities().values())
            return replace(self, decisions=decisions, corrected=done)
        register = applied(self.register, decision)
        if register is None:
            raise BadParameter(
                f"{decision.change}: nothing tells this entity from another that is written alike. Give it a further "
                "name first."
            )
        return replace(self, decisions=decisions, corrected=replace(self.corrected, register=register))

    def _saved(self) -> EntityReview:
        self.decisions.save(self.file)
        return self

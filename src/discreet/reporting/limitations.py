"""What a report does not show: what was not tested, and what was assumed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from discreet import registry
from discreet.assessment import Assessment
from discreet.intruder import Intruder
from discreet.method_call import name_in
from discreet.reporting.words import inside_sentence, names
from discreet.table import Role, Scale


@dataclass(frozen=True, slots=True, kw_only=True)
class Limitations:
    """Sentences in plain words."""

    not_tested: tuple[str, ...]
    assumed: tuple[str, ...]

    @property
    def not_covered(self) -> tuple[str, ...]:
        """What a board should hear: all that was not tested, and what the intruder was taken to know."""
        return (*self.not_tested, *self.assumed[:1])


def limitations(assessment: Assessment) -> Limitations:
    """What was not tested and what was assumed in this assessment."""
    return Limitations(not_tested=tuple(_not_tested(assessment)), assumed=tuple(_assumed(assessment)))


def _not_tested(assessment: Assessment) -> list[str]:
    done = {risk.name for risk in assessment.risks} | {each.name for each in assessment.not_done}
    other = [inside_sentence(method.name) for method in registry.methods("attack") if method.name not in done]
    about_groups = {method.name for method in registry.methods("attack") if method.about_groups}
    sentences = []
    if not any(risk.reidentifies for risk in assessment.risks):
        sentences.append(
            "No attack that tries to find people was computed. Whether people can be found is not known."
        )
    if other:
        sentences.append(
            f"Attacks that discreet knows and that were not run: {names(other, most=12)}. One of them may find more."
        )
    confidential = assessment.release.table.having(Role.CONFIDENTIAL)
    if confidential and not about_groups & done:
        sentences.append(
            f"What can be learnt about a person without finding the person's record, for example when all who look "
            f"alike share one value of {names(confidential)}, was not tested."
        )
    sentences += _about_texts(assessment)
    sentences += _in_parts(assessment)
    sentences.append(
        "Other releases of the same people, and files that others hold, were not combined with this one. A second "
        "release of the same data needs an assessment of both together."
    )
    return sentences


def _in_parts(assessment: Assessment) -> list[str]:
    """That records were judged in parts, what could not be, and who was looked for."""
    sentences = []
    alone = [each.name for each in assessment.not_done if each.in_memory_alone]
    if assessment.people is not None:
        left = f" Not computed were {_titles(alone)}." if alone else ""
        sentences.append(f"The records were judged in parts, as they may be more than fit in memory.{left}")
    return [*sentences, *(f"{each.by(_titles(each.attacks))}." for each in assessment.samples)]


def _titles(labels: Iterable[str]) -> str:
    """The attacks of these labels, each named once."""
    return names(list(dict.fromkeys(inside_sentence(name_in(each)) for each in labels)))


def _about_texts(assessment: Assessment) -> list[str]:
    """What is not known of free text: all of it where it is published as it is, and what is left where it is not."""
    manifest = assessment.release.manifest
    texts = assessment.release.table.having(None, [Scale.TEXT])
    as_it_is = [name for name in texts if name not in manifest.sanitised]
    sanitised = [name for name in texts if name in manifest.sanitised]
    sentences = []
    if as_it_is:
        sentences.append(
            f"Free text in {names(as_it_is)} was not searched for names or other traces of people."
        )
    if sanitised:
        sentences.append(
            f"Names in the free text of {names(sanitised)} were replaced as far as recognisers found them. How many "
            "they missed is not known, nor what a text tells of a person without a name; no attack reads it."
        )
        sentences += manifest.not_looked_for
    return sentences


def _known_beforehand(intruder: Intruder, keys: list[str]) -> list[str]:
    """What the intruder of this assessment knew, and that one who knows more may find more."""
    people = "every person"
    if intruder.records != 1:
        people = (
            f"{intruder.records:.0%} of the people"
            if intruder.records < 1
            else f"{intruder.records:g} people"
        )
    if intruder.holds is None:
        sentences = [
            f"The intruder knows the true value of {names(keys)} for {people}, without errors, and knows who is in "
            "the file. Most real intruders know less, and then find fewer. One who knows more columns may find more."
        ]
    else:
        sentences = [
            f"The intruder holds {names(keys)} for {people} in the file '{intruder.holds.name}', whose values may "
            "differ from the original. One with a better file may find more."
        ]
    if intruder.training:
        sentences.append(
            f"The intruder knows beforehand which record belongs to {intruder.training:.0%} of them."
        )
    if not intruder.reads_manifest:
        sentences.append("The intruder does not know how the file was masked. One who does may find more.")
    return sentences


def _assumed(assessment: Assessment) -> list[str]:
    table, manifest = assessment.release.table, assessment.release.manifest
    keys = assessment.known_keys
    sentences = _known_beforehand(assessment.intruder, keys)
    unknown = [name for name in table.names if name not in keys]
    if unknown:
        sentences.append(
            f"Nobody knows {names(unknown, most=12)} beforehand: these columns were not used to look for people. That "
            "is a choice made when the roles of the columns were set, and it is worth a second look."
        )
    sentences.append(
        "An attack shows what one way of attacking gets; a better one may get more. The intervals cover the play of "
        "chance only, not what is assumed here."
    )
    if manifest.order == "kept":
        sentences.append(
            "The records are in the order of the original. If that order means anything (a date of entry, an "
            "alphabet, a street), it can tell who is who."
        )
    if manifest.pseudonymised:
        sentences.append(
            f"{names(manifest.pseudonymised)} became pseudonyms: whoever holds the secret key can undo them, "
            "and records of one person can be tied together."
        )
    k = assessment.risk("k_anonymity")
    if k is not None and k.level == 1:
        sentences.append(
            "The group sizes count published records that look alike. Where values were changed at random, hardly any "
            "two records look alike, although what an intruder knows fits none of them exactly: there the sizes "
            "overstate the risk, and linking is the better measure."
        )
    return sentences

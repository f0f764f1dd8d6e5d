"""What was found, told as plain data: whoever reads it finds, decides and publishes the very same."""

from __future__ import annotations

import json

import pytest

from discreet.errors import BadParameter
from discreet.text.correcting import correct
from discreet.text.decisions import Decisions
from discreet.text.document import Corpus
from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recognisers
from discreet.text.entity_decisions import Change, EntityDecision, EntityName
from discreet.text.kept_findings import findings_from_dict, findings_to_dict
from discreet.text.policy import Policy
from discreet.text.policy_sections import BlockOptions, Topic, Treatment
from discreet.text.sanitising import Sanitised, sanitise

RULES = [each.name for each in recognisers() if not each.needs]
TEXTS = [
    "Mr John Kelbeck met Dr Anna Wakeley in Reedham on 4 May 1981. Kelbeck wrote to anna@harbour.example.",
    "The weapons were hidden by Mr Kelbeck. More weapons came. The baker sold bread to the village.\x1b\u2028",
]
POLICY = Policy(
    name="weapons",
    entities={**dict.fromkeys(Kind, Treatment.MASK), Kind.PLACE: Treatment.KEEP},
    topics=(Topic(name="arms", keywords=("weapon",)),),
    blocks=BlockOptions(density=0.01, automatic=0.01),
)


@pytest.fixture(scope="module")
def found() -> Sanitised:
    return sanitise(Corpus.of(TEXTS), policy=POLICY, recognisers=RULES)


def again(found: Sanitised) -> Sanitised:
    return findings_from_dict(json.loads(json.dumps(findings_to_dict(found))), POLICY)


def test_what_was_found_is_found_again(found: Sanitised) -> None:
    read = again(found)
    assert read.original == found.original
    assert read.found == found.found
    assert read.blocks == found.blocks
    assert read.register.entities == found.register.entities
    assert read.with_decisions(Decisions()).corpus == found.corpus
    assert read.not_looked_for == found.not_looked_for


@pytest.mark.parametrize("change", [Change.KEEP, Change.ADD, Change.RENAME])
def test_decisions_make_the_same_of_it(found: Sanitised, change: Change) -> None:
    kelbeck = next(each.name for each in found.register.entities if "Kelbeck" in each.name)
    written = "baker" if change is Change.ADD else kelbeck
    decision = EntityDecision(
        change=change,
        entity=EntityName(kind="person", forms=(written,)),
        pseudonym="Pers99" if change is Change.RENAME else "",
        reviewer="Ada",
    )
    made = Decisions().added(decision)
    after = again(found).with_decisions(made)
    assert after.corpus == sanitise(Corpus.of(TEXTS), policy=POLICY, recognisers=RULES, decisions=made).corpus
    assert after.corpus != found.corpus
    assert correct(again(found).findings, [decision]).not_applied == ()


def test_names_of_an_earlier_release_are_not_kept(found: Sanitised) -> None:
    with pytest.raises(BadParameter, match="--known"):
        findings_to_dict(sanitise(Corpus.of(TEXTS), recognisers=RULES, known=found.register))

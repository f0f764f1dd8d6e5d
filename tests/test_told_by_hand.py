"""What results say in words, in frames and as JSON, by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

import discreet as dc
from discreet.assessment import Assessment, Limit, NotDone, Score, score_of
from discreet.attack.fusion.results import Fused, Rebuilt
from discreet.headline import Headline, headline
from discreet.intruder import Intruder
from discreet.results import Loss, Risk
from discreet.table import Table
from discreet.verification import BROKEN, HOLDS, NOT_CHECKED, Finding, Verification

CEILING: dict[str, Any] = {"name": "link", "bound": 0.25, "is_floor": False}
FLOOR: dict[str, Any] = {"name": "k_anonymity", "bound": 3, "is_floor": True}


@pytest.mark.parametrize(
    ("limit", "status", "said"),
    [
        (Limit(**CEILING, found=0.25), "met", "link must be at most 25.0%: 25.0%, met"),
        (Limit(**CEILING, found=0.26), "exceeded", "link must be at most 25.0%: 26.0%, exceeded"),
        (Limit(**FLOOR, found=3), "met", "k_anonymity must be at least 3: 3, met"),
        (Limit(**FLOOR, found=2.5), "exceeded", "k_anonymity must be at least 3: 2.5, exceeded"),
        (
            Limit(**CEILING, found=0.1, set_by="suda", unchecked="a key was left out"),
            "not checked",
            "link must be at most 25.0%: 10.0% by suda, not checked (a key was left out)",
        ),
        (
            Limit(**CEILING, found=0.9, set_by="suda", unchecked="a key was left out"),
            "exceeded",
            "link must be at most 25.0%: 90.0% by suda, exceeded",
        ),
        (
            Limit(**CEILING, found=None),
            "not checked",
            "link must be at most 25.0%: not checked, could not be computed",
        ),
        (
            Limit(**FLOOR, found=None, unchecked="no keys"),
            "not checked",
            "k_anonymity must be at least 3: not checked, no keys",
        ),
    ],
)
def test_a_limit_is_met_exceeded_or_not_checked(limit: Limit, status: str, said: str) -> None:
    assert limit.status == status
    assert limit.met == (status == "met")
    assert str(limit) == said
    assert limit.to_dict() == {
        "name": limit.name,
        "floor" if limit.is_floor else "ceiling": limit.bound,
        "found": limit.found,
        "status": status,
        "met": limit.met,
        "set_by": limit.set_by,
        "unchecked": limit.unchecked,
    }


def risk(name: str, share: float, **more: Any) -> Risk:
    return Risk(name=name, risk=share, meaning="m", attempts=4, **more)


def test_the_score_is_the_mean_of_loss_and_risk_and_risk_that_of_linkage_and_intervals() -> None:
    risks = {each.name: each for each in (risk("link", 0.2), risk("interval_disclosure", 0.6))}
    losses = {"il": Loss(name="il", loss=30.0, meaning="m")}
    plain = score_of(risks, losses, 0.25)
    assert plain is not None
    assert plain.il == 30.0
    assert plain.dr == pytest.approx(40.0)
    assert plain.score == pytest.approx(0.25 * 30 + 0.75 * 40)
    both = score_of({**risks, "link_probabilistic": risk("link_probabilistic", 0.4)}, losses, 0.5)
    assert both is not None
    assert both.dr == pytest.approx(100 * (0.3 + 0.6) / 2)
    assert both.to_dict() == {"il": 30.0, "dr": both.dr, "alpha": 0.5, "score": both.score}
    for name in risks:
        assert score_of({other: each for other, each in risks.items() if other != name}, losses, 0.5) is None
    assert score_of(risks, {}, 0.5) is None


@pytest.fixture(scope="module")
def found() -> Assessment:
    frame = pl.DataFrame({"x": [1.0, 2.0, 4.0, 7.0], "c": list("aabb")})
    table = Table.of(frame, roles={}, rest="quasi-identifier", name="four")
    release = dc.protect(table, dc.Plan.of([("round", {"columns": ["x"], "base": 2})]), seed=1)
    made = dc.assess(table, release, attacks=["link"], losses=["il1"])
    head = Headline(name="identity", risk=0.5, meaning="m", attempts=4, attack="link", attacks={"link": 0.5})
    return replace(
        made,
        headlines=(head,),
        risks=(
            risk(
                "link", 0.5, interval=(0.1, 0.9), records=np.array([0.5, np.nan, 0.0, 1.0]), reidentifies=True
            ),
            risk("suda", 0.25, records=np.array([0.25, 0.5, 0.0, 0.0]), reidentifies=True),
            risk("l_diversity", 1.0, records=np.ones(4)),
        ),
        losses=(Loss(name="il1", loss=3.0, meaning="m"), Loss(name="lost", loss=7.0, meaning="m")),
        not_done=(NotDone(kind="attack", name="k_map", reason="no population", applies=False),),
        limits=(
            Limit(name="identity", bound=0.75, found=0.5, is_floor=False),
            Limit(name="link", bound=0.25, found=0.5, is_floor=False, unchecked="x"),
        ),
        score=Score(il=10.0, dr=30.0, alpha=0.5),
    )


def test_an_assessment_says_all_that_was_found(found: Assessment) -> None:
    assert str(found).splitlines() == [
        *(str(each) for each in (*found.headlines, *found.risks, *found.losses, *found.limits)),
        "k_map: not computed (no population)",
        "score: 20.0 (loss 10.0, risk 30.0)",
    ]
    attacked = replace(found, intruder=Intruder(columns=("x",)), score=None)
    assert str(attacked).splitlines()[0] == f"attacked by {Intruder(columns=('x',))}"
    assert "score" not in str(attacked)
    assert repr(found) == "<assessment of 'four': exceeded; identity 50.0%, 3 risks, 2 losses>"


def test_an_assessment_knows_its_parts_by_name(found: Assessment) -> None:
    assert found.identity is found.headlines[0]
    assert found.attribute is None
    assert found.risk("identity") is found.headlines[0]
    assert found.risk("suda") is found.risks[1]
    assert found.risk("nothing") is None
    assert found.loss("il1") is found.losses[0]
    assert found.lost is found.losses[1]
    assert found.known_keys == ["x", "c"]
    # The highest chance that an attack that finds people gives; one that was not tried says nothing.
    assert found.records.tolist() == [0.5, 0.5, 0.0, 1.0]
    assert replace(found, risks=found.risks[2:]).records.tolist() == [0.0] * 4
    assert (found.verdict, found.acceptable) == ("exceeded", False)
    met = replace(found, limits=found.limits[:1])
    assert (met.verdict, met.acceptable) == ("met", True)
    unknown = Limit(name="suda", bound=0.1, found=None, is_floor=False)
    assert replace(found, limits=(found.limits[0], unknown)).verdict == "not checked"
    assert replace(found, limits=(*found.limits, unknown)).verdict == "exceeded"
    assert replace(found, limits=()).verdict == "no limits"


def test_an_assessment_is_a_frame_of_its_results(found: Assessment) -> None:
    assert found.to_frame().rows() == [
        ("headline", "identity", 0.5, None, None, None, None, ""),
        ("risk", "link", 0.5, 0.1, 0.9, None, None, ""),
        ("risk", "suda", 0.25, None, None, None, None, ""),
        ("risk", "l_diversity", 1.0, None, None, None, None, ""),
        ("loss", "il1", 3.0, None, None, None, None, ""),
        ("loss", "lost", 7.0, None, None, None, None, ""),
        ("limit", "identity", 0.5, None, None, 0.75, "met", ""),
        ("limit", "link", 0.5, None, None, 0.25, "exceeded", "x"),
        ("attack", "k_map", None, None, None, None, "not computed", "no population"),
    ]


def test_an_assessment_as_json_holds_all_of_it(found: Assessment) -> None:
    told = found.to_dict()
    assert told["headlines"] == [each.to_dict() for each in found.headlines]
    assert told["risks"] == [each.to_dict() for each in found.risks]
    assert told["losses"] == [each.to_dict() for each in found.losses]
    assert told["limits"] == [each.to_dict() for each in found.limits]
    assert told["not_computed"] == [
        {"kind": "attack", "name": "k_map", "reason": "no population", "applies": False}
    ]
    assert (told["format"], told["acceptable"]) == (1, False)
    assert told["score"] == {"il": 10.0, "dr": 30.0, "alpha": 0.5, "score": 20.0}
    assert told["release"] == found.release.manifest.to_dict()
    assert told["intruder"] == Intruder().to_dict()
    assert (told["doubt"], told["manifest_vouched_by"]) == (found.release.doubt, found.release.vouched_by)
    assert told["before"] == found.before.to_dict()
    assert set(told) == {
        *("format", "release", "manifest_vouched_by", "doubt", "intruder", "headlines", "before", "risks"),
        *("losses", "not_computed", "limits", "acceptable", "score"),
    }


def of(risks: list[Risk], missed: dict[str, str] | None = None, **more: Any) -> Headline | None:
    given: dict[str, Any] = {"keys": ["x"], "known": ["x"], "records": 8, "perturbed": False, **more}
    return headline("identity", {each.name: each for each in risks}, missed or {}, **given)


def test_a_headline_is_the_largest_risk_with_the_attack_that_set_it() -> None:
    made = of([risk("link", 0.25, interval=(0.1, 0.4)), risk("suda", 0.5, interval=(0.3, 0.7), level=2.0)])
    assert made is not None
    strongest = max(made.attacks, key=lambda name: made.attacks[name])
    assert (made.attack, made.risk) == (strongest, made.attacks[strongest])
    assert made.level is None
    assert made.unchecked == ""
    told = made.to_dict()
    assert (told["attack"], told["attacks"], told["unchecked"]) == (made.attack, dict(made.attacks), "")
    assert told["sampled_up_to"] is None
    assert told["name"] == "identity"


def test_a_headline_says_what_keeps_it_from_being_met() -> None:
    without = of([risk("link_probabilistic", 0.25)])
    assert without is not None
    assert without.unchecked == "link was not run"
    untried = of([risk("link", 0.25, details={"not_tried": "pairing everybody"})])
    assert untried is not None
    assert untried.unchecked == "link did not try pairing everybody"
    left_out = of([risk("link", 0.25, left_out=("x",))])
    assert left_out is not None
    assert left_out.unchecked == "no attack could use 'x', which the intruder knows"
    assert left_out.left_out == ("x",)
    missed = of([], {"link": "no records"})
    assert missed is not None
    assert missed.unchecked == "no records"
    assert of([]) is None
    guessed = of([], known=[])
    assert guessed is not None
    assert guessed.risk == pytest.approx(1 / 8)
    sampled = of([risk("link", 0.25, interval=(0.1, 0.4), details={"people_tried": 4, "people": 8})])
    assert sampled is not None
    assert sampled.sampled_up_to == pytest.approx(0.4)


REBUILT = Rebuilt(
    name="coalition",
    risk=0.75,
    meaning="m",
    attempts=4,
    single=(0.25, 0.5),
    distance=0.1,
    interval=(0.5, 0.9),
)


def test_what_releases_give_back_together_is_said() -> None:
    assert str(REBUILT) == "75.0% of 4 values rebuilt (95% interval 50.0%-90.0%; best single release 50.0%)"
    assert str(replace(REBUILT, interval=None)) == "75.0% of 4 values rebuilt (best single release 50.0%)"
    fused = Fused(
        column="town",
        values=pl.Series(["a", None, "b"]),
        by="vote",
        releases=2,
        known_in=np.array([2, 0, 1]),
        details={"same_values": [[0, 1]]},
    )
    assert str(fused) == "column 'town' from 2 releases, by vote: 2 of 3 records"
    told = fused.to_dict()
    assert told == {
        "format": 1,
        "column": "town",
        "by": "vote",
        "releases": 2,
        "records": 3,
        "unknown": 1,
        "details": {"same_values": [[0, 1]]},
        "rebuilt": None,
    }
    judged = replace(fused, rebuilt=REBUILT)
    assert str(judged) == f"{fused}; {REBUILT}"
    assert judged.to_dict()["rebuilt"] == REBUILT.to_dict()


def test_a_check_of_a_release_says_what_it_found() -> None:
    findings = (
        Finding(says="the file is whole", state=HOLDS),
        Finding(says="it is signed", state=NOT_CHECKED, why="no key"),
    )
    sound = Verification(findings=findings, vouched_by="a signature")
    assert sound.sound
    assert sound.doubt == ""
    assert sound.to_dict() == {
        "format": 1,
        "sound": True,
        "vouched_by": "a signature",
        "doubt": "",
        "findings": [
            {"says": "the file is whole", "state": HOLDS, "why": ""},
            {"says": "it is signed", "state": NOT_CHECKED, "why": "no key"},
        ],
    }
    broken = Verification(findings=(*findings, Finding(says="x", state=BROKEN, why="y")))
    assert not broken.sound
    assert broken.doubt
    lines = str(broken).splitlines()
    assert lines[:3] == [str(each) for each in broken.findings]
    assert broken.doubt in lines[-1]

"""Numbers keep their meaning when they are shortened."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from discreet.reporting import findings, words
from discreet.results import Loss

shares = st.floats(0, 1, exclude_min=True, exclude_max=True)


@given(shares)
def test_a_share_that_is_not_nothing_never_reads_as_nothing(share: float) -> None:
    for shown in (words.percent(share), words.rounded_percent(share)):
        assert shown not in ("0%", "0.0%", "0.00%", "about 0%")


@given(shares)
def test_a_share_that_is_not_all_never_reads_as_all(share: float) -> None:
    for shown in (words.percent(share), words.rounded_percent(share)):
        assert shown not in ("100%", "100.0%", "about 100%")


@given(shares)
def test_a_risk_rounded_for_outside_is_within_a_percent_and_never_nothing(share: float) -> None:
    rounded = findings.outside_share(share)
    assert 0.01 <= rounded <= 1
    assert abs(rounded - share) <= 0.01 + 1e-12


def test_percentages_and_shares_of_loss_read_alike() -> None:
    assert words.loss_shown(Loss(name="il", loss=12.34, meaning="")) == "12.3%"
    assert words.loss_shown(Loss(name="il1", loss=0.1234, meaning="")) == "12.3%"


def test_a_loss_on_a_scale_of_its_own_is_a_bare_number() -> None:
    assert words.loss_shown(Loss(name="il1s", loss=0.12345, meaning="")) == "0.123"


def test_names_are_listed_as_a_sentence_holds_them() -> None:
    assert words.names([]) == "nothing"
    assert words.names(["age"]) == "age"
    assert words.names(["age", "sex"]) == "age and sex"
    assert words.names(["a", "b", "c", "d"], most=2) == "a, b and 2 more"

"""Reviewing entities: each decision is in the file at once, replays to the same register, and can be undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.errors import BadFile, BadParameter
from discreet.text.correcting import Findings, correct, known_again, name_of
from discreet.text.decisions import Decisions
from discreet.text.document import Corpus
from discreet.text.document_release import save_documents
from discreet.text.entities.entity import Entity
from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recognisers
from discreet.text.entities.register import Register
from discreet.text.entity_review import EntityReview
from discreet.text.sanitising import Sanitised, sanitise
from discreet.text.span import Span

RULES = [each.name for each in recognisers() if not each.needs]
TEXTS = [
    "Mr John Kelbeck met Dr Anna Wakeley in Reedham. Kelbeck wrote to Mrs Ruth Thornby.",
    "Mr Kelbeck and Captain Thornby sailed on the fishwife to Waterby. The raven came too.",
]


def found(texts: list[str] = TEXTS) -> Sanitised:
    return sanitise(Corpus.of(texts), recognisers=RULES)


def begun(folder: Path, texts: list[str] = TEXTS, file: str = "decisions.jsonl") -> EntityReview:
    place = folder / file
    decisions = Decisions.load(place) if place.exists() else Decisions()
    return EntityReview.begun(found(texts).findings, decisions, place, reviewer="Ada", date="2026-11-18")


def called(review: EntityReview, wording: str) -> Entity:
    return next(each for each in review.register.entities if wording in each.variants)


def text_of(review: EntityReview) -> str:
    """The documents as they would be published."""
    register = review.register
    return "\n".join(
        document.replaced(register.replacements(place)).text for place, document in enumerate(register.corpus)
    )


def replayed(review: EntityReview) -> EntityReview:
    """The same review, begun anew with what is in the file."""
    decisions = Decisions.load(review.file)
    return replace(
        review,
        decisions=decisions,
        corrected=correct(review.findings, decisions.about_entities().values()),
    )


def test_every_mention_is_shown_in_its_context(tmp_path: Path) -> None:
    review = begun(tmp_path)
    shown = review.contexts(called(review, "Mr John Kelbeck").id, around=10)
    assert [each.text for each in shown] == ["Mr John Kelbeck", "Kelbeck", "Mr Kelbeck"]
    assert shown[1].before.endswith(". ")
    assert shown[1].after == " wrote to "
    assert [each.document for each in shown] == ["1.txt", "1.txt", "2.txt"]


def test_entities_are_found_by_a_part_of_a_name_a_pseudonym_or_a_kind(tmp_path: Path) -> None:
    review = begun(tmp_path)
    kelbeck = called(review, "Mr John Kelbeck")
    assert review.listed("kelb") == (kelbeck,)
    assert kelbeck in review.listed(kelbeck.pseudonym)
    assert set(review.listed("place")) == {each for each in review.listed() if each.kind == Kind.PLACE}


STEPS: dict[str, Callable[[EntityReview], EntityReview]] = {
    "merge": lambda its: its.merged(called(its, "Dr Anna Wakeley").id, called(its, "Reedham").id),
    "split": lambda its: its.split(called(its, "Mr John Kelbeck").id, forms=["Mr Kelbeck"]),
    "rename": lambda its: its.renamed(called(its, "Dr Anna Wakeley").id, "the guest"),
    "alias": lambda its: its.aliased(called(its, "Dr Anna Wakeley").id, ["raven"]),
    "lock": lambda its: its.locked(called(its, "Reedham").id),
    "keep": lambda its: its.kept(called(its, "Reedham").id),
    "mask": lambda its: its.masked(called(its, "Reedham").id),
    "add": lambda its: its.added("fishwife", Kind.OTHER),
}


@pytest.mark.parametrize("name", STEPS)
def test_every_step_is_in_the_file_and_undone_by_an_undo(tmp_path: Path, name: str) -> None:
    before = begun(tmp_path)
    after = STEPS[name](before)
    assert len(Decisions.load(after.file).about_entities()) == 1
    assert text_of(replayed(after)) == text_of(after)
    undone = after.undone()
    assert text_of(undone) == text_of(before)
    assert text_of(replayed(undone)) == text_of(before)
    assert len(Decisions.load(after.file).entries) == 2


@given(st.lists(st.sampled_from([*STEPS, "undo"]), max_size=7))
def test_a_file_replays_to_the_register_that_the_reviewer_saw(
    tmp_path_factory: pytest.TempPathFactory, names: list[str]
) -> None:
    review = begun(tmp_path_factory.mktemp("review"))
    for name in names:
        try:
            review = review.undone() if name == "undo" else STEPS[name](review)
        except (BadParameter, StopIteration):
            continue
    if review.file.exists():
        assert text_of(replayed(review)) == text_of(review)
        assert replayed(review).corrected.not_applied == ()


def test_what_each_step_does_to_the_text(tmp_path: Path) -> None:
    assert "the guest" in text_of(STEPS["rename"](begun(tmp_path, file="1")))
    assert "Reedham" in text_of(STEPS["keep"](begun(tmp_path, file="2")))
    kept = STEPS["keep"](begun(tmp_path, file="3"))
    assert "Reedham" not in text_of(STEPS["mask"](kept))
    assert "fishwife" not in text_of(STEPS["add"](begun(tmp_path, file="4")))
    aliased = STEPS["alias"](begun(tmp_path, file="5"))
    assert "raven" not in text_of(aliased)
    wakeley = called(aliased, "Dr Anna Wakeley")
    assert "raven" in wakeley.variants
    assert text_of(aliased).count(wakeley.pseudonym) == 2
    split = STEPS["split"](begun(tmp_path, file="6"))
    assert called(split, "Mr Kelbeck").id != called(split, "Mr John Kelbeck").id
    merged = STEPS["merge"](begun(tmp_path, file="7"))
    assert called(merged, "Reedham").pseudonym == called(merged, "Dr Anna Wakeley").pseudonym


def test_a_locked_pseudonym_stays_though_a_missed_name_is_added_before_it(tmp_path: Path) -> None:
    texts = ["The raven met Mr John Kelbeck.", "Dr Anna Wakeley came."]
    review = begun(tmp_path, texts)
    wakeley = called(review, "Dr Anna Wakeley").pseudonym
    locked = review.locked(called(review, "Dr Anna Wakeley").id)
    added = locked.added("raven", Kind.PERSON)
    assert called(added, "Dr Anna Wakeley").pseudonym == wakeley
    pseudonyms = [each.pseudonym for each in added.register.entities]
    assert len(set(pseudonyms)) == len(pseudonyms) == 3


def test_decisions_meet_the_same_people_in_another_corpus_and_nobody_else(tmp_path: Path) -> None:
    review = begun(tmp_path)
    review = review.kept(called(review, "Mr John Kelbeck").id).locked(called(review, "Reedham").id)
    other = Corpus.of(["Mr Peter Kelbeck came.", "Mr John Kelbeck left Lochend."])
    done = sanitise(other, recognisers=RULES, decisions=review.decisions)
    assert [each.name for each in done.register.entities if each.kept] == ["Mr John Kelbeck"]
    assert [each.change for each in done.not_applied] == ["lock"]
    assert done.counts()["entity_decisions_not_applied"] == 1


def test_of_two_who_are_written_alike_the_one_that_was_seen_is_meant(tmp_path: Path) -> None:
    """Nothing but the place tells them apart; where the place is of no use either, nobody is meant."""
    corpus = Corpus.of(["Smith came.", "Smith left."])
    spans = ((Span(0, 5, "person", "x"),), (Span(0, 5, "place", "x"),))
    register = Register.of(corpus, spans)
    register = replace(
        register,
        _clusters={
            **register._clusters,
            99: replace(next(iter(register._clusters.values())), id=99, pseudonym="Pers99"),
        },
        _placed=(register._placed[0], ((Span(0, 5, "person", "x"), 99),)),
    )
    second = name_of(register, 99)
    assert (second.document, second.start) == ("2.txt", 0)
    assert known_again(register, second) == 99
    assert known_again(register, replace(second, document="3.txt")) is None


@pytest.mark.parametrize(
    "step",
    [
        lambda its: its.merged(called(its, "Reedham").id, called(its, "Reedham").id),
        lambda its: its.split(called(its, "Reedham").id),
        lambda its: its.split(called(its, "Reedham").id, forms=["Lochend"]),
        lambda its: its.renamed(called(its, "Reedham").id, "  "),
        lambda its: its.renamed(called(its, "Reedham").id, "near Reedham"),
        lambda its: its.renamed(called(its, "Reedham").id, called(its, "Waterby").pseudonym),
        lambda its: its.aliased(called(its, "Reedham").id, []),
        lambda its: its.aliased(called(its, "Reedham").id, ["…"]),
        lambda its: its.added("...", Kind.PERSON),
        lambda its: its.added("nowhere at all", Kind.PERSON),
        lambda its: its.added("raven", "bird"),
        lambda its: its.undone(),
        lambda its: its.kept(12345),
    ],
)
def test_what_makes_no_sense_is_refused_and_not_in_the_file(
    tmp_path: Path, step: Callable[[EntityReview], EntityReview]
) -> None:
    review = begun(tmp_path)
    with pytest.raises(BadParameter):
        step(review)
    assert not review.file.exists()


def test_a_damaged_decision_about_an_entity_is_named_by_its_line(tmp_path: Path) -> None:
    review = STEPS["keep"](begun(tmp_path))
    text = review.file.read_text()
    for old, new in (('"keep"', '"burn"'), ('"forms"', '"shapes"'), ('"reviewer": "Ada"', '"reviewer": ""')):
        assert old in text
        (tmp_path / "damaged").write_text(text.replace(old, new))
        with pytest.raises(BadFile, match="line 2"):
            Decisions.load(tmp_path / "damaged")


def test_names_are_in_no_repr_and_not_in_the_public_log(tmp_path: Path) -> None:
    review = STEPS["alias"](STEPS["add"](begun(tmp_path)))
    shown = repr(review) + str(review) + repr(review.decisions) + str(review.decisions.public())
    shown += "".join(map(str, review.decisions.about_entities().values()))
    assert not any(word in shown for word in ("Wakeley", "raven", "fishwife"))


def test_what_was_decided_about_entities_is_in_the_files_that_are_published(tmp_path: Path) -> None:
    review = STEPS["add"](STEPS["keep"](begun(tmp_path)))
    done = found().with_decisions(review.decisions)
    folder = save_documents(done, tmp_path / "out")
    published = " ".join(each.read_text() for each in sorted((folder / "public").glob("*.txt")))
    assert "Reedham" in published
    assert "fishwife" not in published
    assert done.counts()["entities_kept"] == 1
    assert done.counts()["entity_decisions"] == 2


def test_replaying_nothing_gives_the_register_of_what_was_found() -> None:
    findings: Findings = found().findings
    assert correct(findings, ()).register.entities == found().register.entities


def test_where_a_word_of_a_name_was_taken_for_no_name_is_shown_and_masked_once_it_is_added(
    tmp_path: Path,
) -> None:
    texts = ["Mr Peter May came late. Mr May left.", "It may rain. MAY BE, MAY NOT."]
    found = sanitise(Corpus.of(texts), recognisers=["people"]).findings
    review = EntityReview.begun(found, Decisions(), tmp_path / "d.jsonl", reviewer="Ada", date="")
    may = next(each for each in review.listed() if "Mr May" in each.variants)
    assert [(each.document, each.text) for each in review.unmasked(may.id)] == [("2.txt", "MAY")] * 2
    assert "MAY BE" in text_of(review)
    review = review.aliased(may.id, ["May"])
    assert "MAY" not in text_of(review)
    assert "It may rain" in text_of(review)
    assert review.unmasked(next(each for each in review.listed() if "Mr May" in each.variants).id) == ()

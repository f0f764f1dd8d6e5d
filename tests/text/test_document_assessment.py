"""The assessment of documents: what is left is found, what was missed is counted, what is unknown is not green."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from discreet.reporting import report
from discreet.text.applying import decide
from discreet.text.assessment import TextAssessment
from discreet.text.decisions import Action, Decisions
from discreet.text.document import Corpus, Document
from discreet.text.document_assessment import assess_documents
from discreet.text.document_release import save_documents
from discreet.text.entities.annotations import AnnotatedDocument, Annotation, Identifies
from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recognisers
from discreet.text.policy import Policy
from discreet.text.policy_sections import BlockOptions, Topic
from discreet.text.reading import read
from discreet.text.retrieval.queries import Query
from discreet.text.sanitising import sanitise

RULES = [each.name for each in recognisers() if not each.needs]
TEXTS = {
    "a.txt": "Mr John Kelbeck came from Reedham on 4 May 1981. The baker sold bread.",
    "b.txt": "Dr Anna Wakeley came from Lochend on 9 June 1979. The baker sold bread.",
    "c.txt": "Mrs Ruth Thornby came from Waterby on 2 July 1980. The miller sold flour.",
}


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("documents")
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    return read(folder)


@pytest.fixture(scope="module")
def released(original: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_documents(sanitise(original, recognisers=RULES), tmp_path_factory.mktemp("release") / "out")


def gold(document: Document, *names: str) -> AnnotatedDocument:
    marked = [
        Annotation(
            document.text.index(name),
            document.text.index(name) + len(name),
            Kind.PERSON,
            Identifies.DIRECT,
            name,
        )
        for name in names
    ]
    return AnnotatedDocument(name=document.name, text=document.text, annotations=tuple(marked))


def assessed(original: Corpus, released: Path, **more: object) -> TextAssessment:
    return assess_documents(original, released, recognisers=RULES, **more)  # type: ignore[arg-type]


def test_who_is_sanitised_is_found_less_than_before(original: Corpus, released: Path) -> None:
    found = assessed(original, released)
    assert found.before.identity == 1
    assert found.identity is not None
    assert found.identity.risk < 1
    assert found.lost is not None
    assert 0 < found.lost.loss < 1


def test_a_limit_on_what_was_missed_is_not_checked_without_annotations(
    original: Corpus, released: Path
) -> None:
    found = assessed(original, released, ceilings={"missed": 0.5})
    assert found.verdict == "not checked"
    assert not found.acceptable


def test_what_was_missed_is_counted_where_annotations_are_given(original: Corpus, released: Path) -> None:
    marks = [gold(original.documents[0], "John Kelbeck", "baker")]
    found = assessed(original, released, gold=marks, ceilings={"missed": 0.4})
    missed = found.risk("missed")
    assert missed is not None
    assert missed.risk == 0.5
    assert found.verdict == "exceeded"
    names = ("John Kelbeck", "Anna Wakeley", "Ruth Thornby")
    everybody = [gold(document, name) for document, name in zip(original, names, strict=True)]
    met = assessed(original, released, gold=everybody, ceilings={"missed": 0})
    assert met.verdict == "met"


def test_annotations_of_some_documents_show_no_limit_that_they_are_too_few_for(
    original: Corpus, released: Path
) -> None:
    found = assessed(
        original, released, gold=[gold(original.documents[0], "John Kelbeck")], ceilings={"missed": 0.1}
    )
    missed = found.risk("missed")
    assert missed is not None
    assert missed.risk == 0
    assert found.verdict == "not checked"


def test_a_guarantee_that_needs_the_names_is_not_said_to_be_checked_again(
    original: Corpus, released: Path
) -> None:
    assert {each.state for each in assessed(original, released).subject.checks} == {"checked when saved"}


def test_a_release_in_which_nothing_was_masked_is_found_whole(original: Corpus, tmp_path: Path) -> None:
    plain = sanitise(original, recognisers=RULES)
    everybody = [each.id for each in plain.register.entities]
    kept = plain.with_register(plain.register.kept(*everybody))
    found = assessed(original, save_documents(kept, tmp_path / "out"), ceilings={"identity": 0.5})
    assert found.identity is not None
    assert found.identity.risk == 1
    assert found.verdict == "exceeded"
    assert found.lost is not None
    assert found.lost.loss == 0


def test_queries_tell_what_readers_lost(original: Corpus, released: Path) -> None:
    asked = [
        Query(name="bread", words="bread", threshold=0.01),
        Query(name="names", words="kelbeck", purpose="risk"),
    ]
    found = assessed(original, released, queries=asked)
    information, topics = found.loss("information_loss"), found.risk("topics")
    assert information is not None
    assert information.loss == 0
    assert topics is not None
    assert topics.risk == pytest.approx(0.25)


def test_the_report_holds_no_name_and_says_what_nobody_looked_at(original: Corpus, released: Path) -> None:
    page = report(assessed(original, released)).html()
    assert "Kelbeck" not in page
    assert "Reedham" not in page
    assert "named_entities" in page


ARMS = Policy(
    name="arms", topics=(Topic(name="arms", keywords=("bread",)),), blocks=BlockOptions(density=0.01)
)
BREAD = (Query(name="bread", words="bread", purpose="risk", threshold=0.01),)


def test_a_limit_on_identity_is_not_checked_where_a_recogniser_did_not_run(
    original: Corpus, released: Path
) -> None:
    found = assessed(original, released, ceilings={"identity": 1.0, "link_facts": 1.0, "search_facts": 1.0})
    assert [each.status for each in found.limits] == ["not checked"] * 3
    assert all("named_entities" in each.unchecked for each in found.limits)
    assert not found.acceptable


def test_a_limit_on_identity_is_met_where_every_recogniser_ran(
    original: Corpus, released: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = tuple(each for each in recognisers() if not each.needs)
    monkeypatch.setattr("discreet.text.unlooked.recognisers", lambda: rules)
    assert assessed(original, released, ceilings={"identity": 1.0}).verdict == "met"


@pytest.mark.parametrize("names", [True, False])
def test_names_of_files_and_pictures_that_were_kept_leave_identity_unchecked(
    original: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: bool
) -> None:
    rules = tuple(each for each in recognisers() if not each.needs)
    monkeypatch.setattr("discreet.text.unlooked.recognisers", lambda: rules)
    documents = tuple(replace(each, not_looked_into=("1 picture",)) for each in original)
    done = sanitise(replace(original, documents=documents), recognisers=RULES)
    folder = save_documents(done, tmp_path / "out", keep_names=names, keep_pictures=not names)
    found = assessed(original, folder, ceilings={"identity": 1.0})
    assert found.verdict == "not checked"


@pytest.mark.parametrize("automatic", [False, True])
def test_a_limit_on_topics_is_not_checked_where_nobody_reviewed_the_stretches(
    original: Corpus, tmp_path: Path, automatic: bool
) -> None:
    done = sanitise(original, policy=ARMS, recognisers=RULES, automatic=automatic)
    assert done.not_looked_at()
    found = assessed(
        original, save_documents(done, tmp_path / "out"), queries=BREAD, ceilings={"topics": 1.0}
    )
    assert found.verdict == "not checked"
    assert "nobody" in found.limits[0].unchecked


def test_a_limit_on_topics_is_met_once_every_stretch_was_reviewed(original: Corpus, tmp_path: Path) -> None:
    found = sanitise(original, policy=ARMS, recognisers=RULES)
    by_name = {each.name: each for each in original}
    made = [decide(by_name[each.document], each, Action.CUT, reviewer="Ada") for each in found.blocks]
    done = found.with_decisions(Decisions().added(*made))
    assert not any("stretch" in each for each in done.not_looked_at())
    checked = assessed(
        original, save_documents(done, tmp_path / "out"), queries=BREAD, ceilings={"topics": 0.5}
    )
    assert checked.verdict == "met"

"""Documents on the command line: what nobody looked at is never exit code 0, and no option is passed over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.page_runner import answer

from discreet.text.decisions import Action, Decision, Decisions, text_digest
from discreet.text.document import Corpus
from discreet.text.entity_review import EntityReview
from discreet.text.reading import read
from discreet.text.sanitising import sanitise

LETTERS = {
    "a.txt": "Dear Mr John Kelbeck,\n\nThe weapons came to Reedham on 4 May 1981. The baker sold bread.\n",
    "b.txt": "Dear Dr Anna Wakeley,\n\nThe weapons went to Lochend on 9 June 1979. The miller sold flour.\n",
}
ARMS = '[topics.arms]\nkeywords = ["weapon"]\n\n[blocks]\ndensity = 0.01\nautomatic = 0.01\n'
QUIET = '[topics.arms]\nkeywords = ["submarine"]\n'


@pytest.fixture
def letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of letters and policies beside it; commands run beside it too."""
    folder = tmp_path / "letters"
    folder.mkdir()
    for name, text in LETTERS.items():
        (folder / name).write_text(text)
    (tmp_path / "arms.toml").write_text(ARMS)
    (tmp_path / "quiet.toml").write_text(QUIET)
    monkeypatch.chdir(tmp_path)
    return folder


def run(*words: str) -> tuple[int, str]:
    return answer(list(words))


@pytest.mark.parametrize("automatic", [[], ["--automatic"]])
def test_sanitise_ends_with_1_where_nobody_decided_about_stretches(
    letters: Path, automatic: list[str]
) -> None:
    code, said = run("sanitise", "letters", "--policy", "arms.toml", *automatic)
    assert code == 1
    assert "Not checked: Nobody" in said
    assert "discreet review letters --policy arms.toml" in said
    assert "Kelbeck" not in said


def test_sanitise_ends_with_0_where_there_was_nothing_to_decide(letters: Path) -> None:
    code, said = run("sanitise", "letters", "--policy", "quiet.toml")
    assert code == 0, said
    assert "Next: discreet assess release --original letters" in said


def test_assess_says_why_a_limit_on_topics_is_not_checked(letters: Path) -> None:
    run("sanitise", "letters", "--policy", "arms.toml")
    Path("queries.toml").write_text('[risk.arms]\nwords = "weapons bread"\n')
    code, said = run(
        *("assess", "release", "--original", "letters"),
        *("--queries", "queries.toml", "--ceiling", "topics=1"),
    )
    assert code == 1
    assert "not checked" in said
    assert "2 stretches that nobody decided about" in " ".join(said.split())


def test_report_says_which_limits_it_ends_with_1_for(letters: Path) -> None:
    run("sanitise", "letters")
    words = ("report", "release", "--original", "letters", "--ceiling", "missed=0.1")
    code, said = run(*words)
    assert code == 1
    assert "missed must be at most 10.0%: not checked" in " ".join(said.split())


def test_people_are_searched_for_by_the_facts_of_a_file(letters: Path) -> None:
    run("sanitise", "letters")
    Path("people.toml").write_text('[people.one]\nfacts = ["baker", "bread"]\ndocuments = ["a.txt"]\n')
    words = ("assess", "release", "--original", "letters", "--people", "people.toml", "--json")
    found = json.loads(run(*words)[1])
    searched = next(each for each in found["risks"] if each["name"] == "search_facts")
    assert (searched["risk"], searched["attempts"]) == (1, 1)


@pytest.mark.parametrize(
    "words",
    [
        ("assess", "release", "--original", "letters", "--floor", "k_anonymity=3"),
        ("assess", "release", "--original", "letters", "--no-header"),
        ("report", "release", "--original", "letters", "--floor", "k_anonymity=3"),
        ("assess", "table.csv", "--people", "people.toml"),
        ("assess", "table.csv", "--queries", "queries.toml"),
    ],
)
def test_no_option_of_another_kind_of_release_is_passed_over(letters: Path, words: tuple[str, ...]) -> None:
    run("sanitise", "letters")
    Path("table.csv").write_text("age\n31\n42\n")
    code, said = run(*words)
    assert code == 2
    assert "would be ignored here" in " ".join(said.split())


def decided(file: Path, *actions: Action | None, corpus: Corpus, reviewer: str) -> None:
    """A file of decisions about the words of a corpus of one document, one after the other."""
    document = corpus.documents[0]
    made = [
        Decision(
            document=document.name,
            digest=text_digest(document),
            start=4 * place,
            end=4 * place + 3,
            action=action,
            reviewer=reviewer,
        )
        for place, action in enumerate(actions)
        if action is not None
    ]
    Decisions().added(*made).save(file)


def test_two_reviewers_are_compared_by_share_and_kappa(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cohen's kappa by hand: 3 of 4 alike, by chance (3*2 + 1*2)/16 = 1/2, so (3/4 - 1/2)/(1/2) = 1/2."""
    monkeypatch.chdir(tmp_path)
    corpus = Corpus.of(["one two six ten tea sea"])
    cut, keep = Action.CUT, Action.KEEP
    decided(Path("a.jsonl"), cut, cut, cut, keep, cut, corpus=corpus, reviewer="Ada")
    decided(Path("b.jsonl"), cut, cut, keep, keep, None, keep, corpus=corpus, reviewer="Bob")
    code, said = run("review", "--compare", "a.jsonl", "b.jsonl")
    assert code == 0, said
    assert "Of 4 stretches that both decided about, 3 alike (75.0%)." in said
    assert "Cohen's kappa: 0.50" in said
    assert "1.txt, 8 to 11: cut and keep" in said
    assert "1.txt, 16 to 19: cut and nothing" in said
    found = json.loads(run("review", "--compare", "a.jsonl", "b.jsonl", "--json")[1])
    assert (found["share"], found["kappa"]) == (0.75, 0.5)
    assert [each["start"] for each in found["differences"]] == [8, 16, 20]
    assert (found["only_first"], found["only_second"]) == (1, 1)


def test_reviewers_who_have_nothing_in_common_have_no_kappa_of_any_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    decided(Path("a.jsonl"), Action.CUT, corpus=Corpus.of(["one"]), reviewer="Ada")
    decided(Path("b.jsonl"), Action.CUT, corpus=Corpus.of(["six"]), reviewer="Bob")
    assert "has no value" in run("review", "--compare", "a.jsonl", "b.jsonl")[1]
    found = json.loads(run("review", "--compare", "a.jsonl", "b.jsonl", "--json")[1])
    assert found["kappa"] is None
    assert found["share"] is None


def test_decisions_about_entities_are_compared_too(letters: Path) -> None:
    found = sanitise(read(letters))
    for name, keeps in (("a", 2), ("b", 1)):
        review = EntityReview.begun(found.findings, Decisions(), f"{name}.jsonl", reviewer=name, date="")
        for entity in review.listed()[:keeps]:
            review = review.kept(entity.id)
    said = run("review", "--compare", "a.jsonl", "b.jsonl")[1]
    assert "Decisions about entities: 1 by both, 1 by the first alone, 0 by the second." in said


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("review",), "give the folder"),
        (("review", "letters"), "a terminal is needed"),
        (("review", "letters", "--everything"), "goes with --json"),
        (("review", "letters", "--everything", "--json", "--known", "letters/one.txt"), "without --known"),
        (("review", "letters", "--compare", "a", "b"), "either"),
        (("review", "--compare", "nowhere", "nowhere"), "nowhere"),
        (("review", "nowhere", "--json"), "nowhere"),
        (("sanitise", "nowhere"), "nowhere"),
        (("sanitise", "letters", "--policy", "eo13562"), "Did you mean 'eo13526'"),
        (("sanitise", "letters", "--decisions", "letters/a.txt"), "no JSON"),
        (("sanitise", "letters", "--automatic"), "--policy"),
        (("sanitise", "letters", "--threshold", "0.4"), "together"),
    ],
)
def test_bad_commands_are_named(letters: Path, words: tuple[str, ...], part: str) -> None:
    code, said = run(*words)
    assert code == 2, said
    assert part in " ".join(said.split())
    assert not Path("release").exists()


def test_what_is_listed_for_programs_holds_no_name(letters: Path) -> None:
    said = run("review", "letters", "--policy", "arms.toml", "--json")[1]
    found = json.loads(said)
    assert found["blocks"] == len(found["left"]) == 2
    assert {"person", "place", "date"} <= {each["kind"] for each in found["entities"]}
    assert not any(name in said for name in ("Kelbeck", "Reedham", "Wakeley"))


def test_decisions_of_a_review_are_replayed_and_those_that_meet_nobody_are_told(letters: Path) -> None:
    found = sanitise(read(letters))
    review = EntityReview.begun(found.findings, Decisions(), "d.jsonl", reviewer="Ada", date="")
    reedham = next(each for each in review.listed() if each.name == "Reedham")
    review = review.kept(reedham.id).added("baker", "demographic")
    code, said = run("sanitise", "letters", "--decisions", "d.jsonl")
    assert code == 0, said
    assert "entities kept as they are: 1" in said
    text = Path("release/public/document-001.txt").read_text()
    assert "Reedham" in text
    assert "baker" not in text
    (letters / "a.txt").unlink()
    code, said = run("sanitise", "letters", "--decisions", "d.jsonl", "--force")
    assert "Not applied: 1 of 2 decisions about entities" in " ".join(said.split())

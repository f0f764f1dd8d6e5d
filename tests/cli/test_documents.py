"""Documents on the command line: what nobody looked at is never exit code 0, and no option is passed over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.page_runner import answer

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

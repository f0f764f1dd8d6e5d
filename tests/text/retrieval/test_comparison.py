"""Queries before and after: nothing lost where nothing changed, everything where everything is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from discreet.errors import BadInput, BadParameter, Mismatch, NotComputable
from discreet.text.document import Corpus
from discreet.text.retrieval.comparison import compare_retrieval
from discreet.text.retrieval.queries import Query, read_queries

TEXTS = [
    "The weapons are planned for the spring, said the minister of defence.",
    "Weapons, and more weapons: the plan was never carried out.",
    "The baker sold bread and butter to the whole village.",
    "Bread became expensive, and the bakers complained to the council.",
    "It rained for three days and nobody came.",
]
QUERIES = (
    Query(name="bread", words="bread bakers"),
    Query(name="weapons", words="weapon plan", purpose="risk"),
)


def test_nothing_is_lost_where_nothing_changed() -> None:
    found = compare_retrieval(Corpus.of(TEXTS), Corpus.of(TEXTS), QUERIES)
    assert found.information_loss().loss == 0
    assert found.topic_risk().risk == 1
    assert found.unanswered == ()


def test_cutting_a_topic_removes_its_risk_and_keeps_the_use() -> None:
    cut = ["Cut.", "Cut.", *TEXTS[2:]]
    found = compare_retrieval(Corpus.of(TEXTS), Corpus.of(cut), QUERIES)
    assert found.topic_risk().risk == pytest.approx(0.25)
    assert found.information_loss().loss == 0


def test_cutting_what_readers_look_for_is_a_loss() -> None:
    cut = [*TEXTS[:2], "Cut.", TEXTS[3], TEXTS[4]]
    found = compare_retrieval(Corpus.of(TEXTS), Corpus.of(cut), QUERIES)
    assert found.information_loss().loss > 20
    assert found.topic_risk().risk > 0.9


def test_a_query_that_found_nothing_before_is_named_and_counts_for_nothing() -> None:
    asked = (Query(name="ships", words="submarine"), *QUERIES)
    found = compare_retrieval(Corpus.of(TEXTS), Corpus.of(TEXTS), asked)
    assert found.unanswered == ("utility.ships",)
    assert found.information_loss().left_out == 1
    alone = compare_retrieval(Corpus.of(TEXTS), Corpus.of(TEXTS), asked[:1])
    with pytest.raises(NotComputable, match="utility"):
        alone.information_loss()
    with pytest.raises(NotComputable, match="risk"):
        alone.topic_risk()


def test_documents_named_by_the_steward_are_the_true_ones() -> None:
    asked = Query(name="bread", words="bread", documents=("3.txt", "4.txt", "5.txt"))
    found = compare_retrieval(Corpus.of(TEXTS), Corpus.of(TEXTS), [asked]).changes[0]
    assert found.before.true == 3
    assert found.before.recall == pytest.approx(2 / 3)
    assert found.before.coverage == pytest.approx(2 / 3)
    with pytest.raises(BadParameter, match="1 documents"):
        compare_retrieval(
            Corpus.of(TEXTS), Corpus.of(TEXTS), [Query(name="a", words="bread", documents=("9.txt",))]
        )


def test_other_documents_are_a_mismatch() -> None:
    with pytest.raises(Mismatch, match="5 original documents and 4"):
        compare_retrieval(Corpus.of(TEXTS), Corpus.of(TEXTS[:4]), QUERIES)


def test_queries_are_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "queries.toml"
    file.write_text(
        '[utility.bread]\nwords = "bread"\nthreshold = 0.0422\n\n[risk.weapons]\nwords = "weapon plan"\n'
        'documents = ["1.txt"]\n'
    )
    assert read_queries(file) == (
        Query(name="bread", words="bread", threshold=0.0422),
        Query(name="weapons", words="weapon plan", purpose="risk", documents=("1.txt",)),
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no query"),
        ('[utility.a]\nword = "bread"', "line 2.*'words'"),
        ("[utility.a]\nthreshold = 0.1", "line 1.*no words"),
        ('[utility.a]\nwords = "a"\nthreshold = 7', "line 3.*threshold"),
        ('[utilty.a]\nwords = "a"', "line 1.*'utility'"),
        ('utility = "a"', "table"),
        ("[utility", "TOML"),
    ],
)
def test_a_wrong_file_of_queries_names_the_line_and_what_to_do(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "queries.toml"
    file.write_text(text)
    with pytest.raises(BadInput, match=says):
        read_queries(file)

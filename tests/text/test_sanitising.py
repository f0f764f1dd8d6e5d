"""Sanitising: names go, decisions are carried out, nothing that was given changes, and the files hold no name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discreet.demo.archive import archive, write_archive
from discreet.errors import BadParameter, GuaranteeBroken, Mismatch
from discreet.text.applying import decide
from discreet.text.decisions import Action, Decisions
from discreet.text.document import Corpus
from discreet.text.document_release import load_documents, save_documents
from discreet.text.entities.kinds import Kind
from discreet.text.entities.mapping import load_mapping
from discreet.text.entities.recogniser import recognisers
from discreet.text.policy import Policy
from discreet.text.policy_sections import BlockOptions, EntityList, EntityPattern, Topic, Treatment
from discreet.text.protected import protected
from discreet.text.reading import read
from discreet.text.sanitising import generalised, sanitise
from discreet.text.scanning.matching import Matcher
from discreet.text.scanning.places import Places

RULES = [each.name for each in recognisers() if not each.needs]
"""Recognisers that need nothing: quick, and the same on every machine."""
TEXTS = [
    "Mr John Kelbeck met Dr Anna Wakeley in Reedham on 4 May 1981. Kelbeck wrote to anna@harbour.example.",
    "The weapons were hidden by Mr Kelbeck. More weapons came. The baker sold bread to the village.",
]
WEAPONS = Policy(
    name="weapons",
    topics=(Topic(name="arms", keywords=("weapon",)),),
    blocks=BlockOptions(density=0.01, automatic=0.01),
)


def test_names_are_replaced_everywhere_and_the_same_for_the_same_person() -> None:
    done = sanitise(Corpus.of(TEXTS), recognisers=RULES)
    texts = [each.text for each in done.corpus]
    assert not any(name in text for text in texts for name in ("Kelbeck", "Wakeley", "anna@", "1981"))
    pseudonym = next(each.pseudonym for each in done.register.entities if "Kelbeck" in each.name)
    assert all(pseudonym in text for text in texts)


def test_what_was_given_is_not_changed_and_the_same_input_gives_the_same_output() -> None:
    corpus = Corpus.of(TEXTS)
    one, other = sanitise(corpus, recognisers=RULES), sanitise(corpus, recognisers=RULES)
    assert [each.text for each in corpus] == TEXTS
    assert one.corpus == other.corpus
    assert one.original is corpus


def test_nothing_private_is_in_the_repr() -> None:
    done = sanitise(Corpus.of(TEXTS), recognisers=RULES)
    assert "Kelbeck" not in repr(done) + str(done) + json.dumps(done.to_dict())


def test_a_policy_keeps_generalises_and_lists_what_it_says() -> None:
    policy = Policy(
        name="own",
        entities={
            **dict.fromkeys(Kind, Treatment.MASK),
            Kind.DATE: Treatment.GENERALISE,
            Kind.EMAIL: Treatment.KEEP,
        },
        allow={"place": ("Reedham",)},
        patterns=(EntityPattern(name="bread", kind="code", pattern="bread"),),
        lists=(EntityList(name="jobs", kind="demographic", words=("BAKER",), ignore_case=True),),
    )
    first, second = (
        each.text for each in sanitise(Corpus.of(TEXTS), policy=policy, recognisers=RULES).corpus
    )
    assert "1981" in first
    assert "4 May" not in first
    assert "anna@harbour.example" in first
    assert "bread" not in second
    assert "baker" not in second


@pytest.mark.parametrize("kind", list(Kind))
def test_a_generalised_entity_tells_its_kind_or_the_year_of_its_date(kind: Kind) -> None:
    expected = "1981" if kind is Kind.DATE else f"[{kind}]"
    assert generalised(kind, "on 4 May 1981") == expected
    assert generalised(kind, "last Monday") == f"[{kind}]"


def test_stretches_stay_until_somebody_or_a_threshold_decides() -> None:
    corpus = Corpus.of(TEXTS)
    open_ = sanitise(corpus, policy=WEAPONS, recognisers=RULES)
    assert len(open_.undecided()) == len(open_.blocks) == 1
    assert "weapons" in open_.corpus.documents[1].text
    cut = sanitise(corpus, policy=WEAPONS, recognisers=RULES, automatic=True)
    assert cut.undecided() == ()
    assert "weapons" not in cut.corpus.documents[1].text
    assert "[cut]" in cut.corpus.documents[1].text
    assert cut.counts()["decisions_not_reviewed"] == 1


@pytest.mark.parametrize("action", list(Action))
def test_no_name_survives_in_what_stands_for_a_stretch(action: Action) -> None:
    corpus = Corpus.of(TEXTS)
    found = sanitise(corpus, policy=WEAPONS, recognisers=RULES)
    block = found.blocks[0]
    text = block.text_of(corpus.documents[1])
    made = decide(
        corpus.documents[1],
        block,
        action,
        reviewer="me",
        replacement=text.replace("weapons", "things") if action is Action.GENERALISE else None,
    )
    done = found.with_decisions(Decisions().added(made))
    assert "Kelbeck" not in done.corpus.documents[1].text
    assert done.undecided() == ()


def test_a_phrase_is_gone_in_whatever_case_it_is_written() -> None:
    texts = ["Mr John Kelbeck came.", "it was john  KELBECK again, and john kelbeck."]
    done = sanitise(Corpus.of(texts), recognisers=RULES)
    assert "kelbeck" not in " ".join(each.text.lower() for each in done.corpus)


def test_a_kept_entity_is_published_and_not_looked_for() -> None:
    found = sanitise(Corpus.of(TEXTS), recognisers=RULES)
    known = next(each for each in found.register.entities if "Kelbeck" in each.name)
    done = found.with_register(found.register.kept(known.id))
    assert "Kelbeck" in done.corpus.documents[0].text
    assert not any("Kelbeck" in each for each in protected(done.register, done.corpus).strings)


def test_a_model_without_its_threshold_is_refused() -> None:
    with pytest.raises(BadParameter, match="threshold"):
        sanitise(Corpus.of(TEXTS), threshold=0.5)


@given(st.lists(st.text(max_size=80), max_size=3))
def test_any_text_is_sanitised_and_nothing_protected_is_left(texts: list[str]) -> None:
    corpus = Corpus.of([*texts, TEXTS[0]])
    done = sanitise(corpus, recognisers=RULES)
    strings = protected(done.register, done.corpus)
    for each in done.corpus:
        assert not any(wording in each.text.split() for wording in strings.words)
        assert not any(phrase in each.text for phrase in strings.phrases)


def test_an_empty_corpus_and_empty_documents_are_no_trouble() -> None:
    assert len(sanitise(Corpus.of([]), recognisers=RULES).corpus) == 0
    assert sanitise(Corpus.of(["", " \n "]), policy=WEAPONS, recognisers=RULES).counts()["mentions"] == 0


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The folder of the invented archive and that of its release."""
    home = tmp_path_factory.mktemp("archive")
    (home / "documents").mkdir()
    write_archive(home / "documents")
    corpus = read(home / "documents")
    done = sanitise(corpus, policy=WEAPONS, recognisers=RULES, automatic=True)
    save_documents(done, home / "release", passphrase="a long passphrase")
    return home / "documents", home / "release"


def test_no_masked_wording_is_in_any_public_byte(released: tuple[Path, Path]) -> None:
    documents, release = released
    done = sanitise(read(documents), policy=WEAPONS, recognisers=RULES, automatic=True)
    public = b" ".join(each.read_bytes() for each in (release / "public").rglob("*") if each.is_file())
    phrases = protected(done.register, done.corpus).phrases
    assert phrases
    assert not any(each.encode() in public for each in phrases)
    names = {each.name for each in archive()}
    assert not any(Path(name).stem.encode() in public for name in names if "letter" in name)


def test_a_release_of_documents_reads_back_in_the_order_of_its_original(released: tuple[Path, Path]) -> None:
    documents, release = released
    original = read(documents)
    back = load_documents(release).in_order_of(original)
    assert [Path(each.name).suffix for each in back] == [Path(each.name).suffix for each in original]
    with pytest.raises(Mismatch, match="26 documents, and 2 are given"):
        load_documents(release).in_order_of(Corpus.of(["a", "b"]))


def test_who_has_only_the_public_half_cannot_say_whose_documents_they_are(
    released: tuple[Path, Path],
) -> None:
    documents, release = released
    alone = load_documents(release / "public")
    assert len(alone.corpus) == 26
    with pytest.raises(Mismatch, match="private"):
        alone.in_order_of(read(documents))


def test_the_mapping_opens_with_its_passphrase_and_keeps_pseudonyms(released: tuple[Path, Path]) -> None:
    documents, release = released
    known = load_mapping(release / "private" / "mapping.discreet", passphrase="a long passphrase")
    corpus = read(documents)
    again = sanitise(corpus, policy=WEAPONS, recognisers=RULES, known=known)
    before = sanitise(corpus, policy=WEAPONS, recognisers=RULES)
    assert {each.name: each.pseudonym for each in again.register.entities} == {
        each.name: each.pseudonym for each in before.register.entities
    }


def test_the_manifest_counts_and_names_nobody(released: tuple[Path, Path]) -> None:
    _, release = released
    manifest = json.loads((release / "public" / "manifest.json").read_text())
    assert manifest["kind"] == "documents"
    assert manifest["done"]["documents"] == 26
    assert manifest["done"]["decisions_not_reviewed"] > 0
    assert manifest["done"]["policy"] == "weapons"
    assert all(not each["reviewed"] for each in manifest["done"]["decisions"])
    assert {each["document"] for each in manifest["done"]["decisions"]} <= set(manifest["files"])
    private = json.loads((release / "private" / "manifest.private.json").read_text())
    assert len(private["facts"]["documents"]) == 26


SEASONS = [
    "Mr Peter May came late. Mr May left.",
    "It may rain. MAY BE, MAY NOT.",
    "Bread and butter.",
]


def test_a_word_that_stays_where_it_is_no_name_is_counted_and_stands_in_no_other_file(tmp_path: Path) -> None:
    done = sanitise(Corpus.of(SEASONS), recognisers=["people"])
    strings = protected(done.register, done.corpus)
    assert {word: dict(places) for word, places in strings.left.items()} == {"May": {"2.txt": 2}}
    assert "May" not in strings.strings
    folder = save_documents(done, tmp_path / "out")
    release = load_documents(folder).release
    assert (release.manifest.done["words_left"], release.manifest.done["places_of_words_left"]) == (1, 2)
    assert release.secrets["words_left"] == {"May": {"2.txt": 2}}
    assert any("1 more words" in each for each in release.manifest.guarantees)
    assert "May" not in (folder / "public" / "manifest.json").read_text()


def test_a_word_that_may_stay_in_another_file_is_an_error_where_it_may_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = sanitise(Corpus.of(SEASONS), recognisers=["people"])
    monkeypatch.setattr("discreet.text.writing._held", lambda document, keep, words: set())
    with pytest.raises(GuaranteeBroken, match=r"document-002\.txt, text: 2") as broken:
        save_documents(done, tmp_path / "out")
    assert "May" not in str(broken.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "written",
    [
        "the Harbour—Sponsored union",
        "the harbour sponsored union",
        "HARBOUR-\nSPONSORED",
        "Harbour\N{SOFT HYPHEN}-Sponsored",
    ],
)
def test_a_phrase_is_gone_whatever_stands_between_its_words(written: str) -> None:
    policy = Policy(
        name="own", lists=(EntityList(name="unions", kind="organisation", words=("Harbour-Sponsored",)),)
    )
    done = sanitise(Corpus.of(["A Harbour-Sponsored union.", written]), policy=policy, recognisers=RULES)
    assert "sponsored" not in done.corpus.documents[1].text.lower()


def test_a_name_that_was_found_in_few_places_only_is_gone_from_all(tmp_path: Path) -> None:
    """A lone word that is masked in one place of many is a name in the others too, unless it is ordinary English."""
    texts = ["He came from the town of Kelpeking.", *["They left Kelpeking, said KELPEKING radio."] * 20]
    done = sanitise(Corpus.of(texts), recognisers=["places"])
    assert done.counts()["entities"]
    assert "kelpeking" not in " ".join(each.text for each in done.corpus).lower()
    assert save_documents(done, tmp_path / "release").is_dir()


def test_an_ordinary_word_stays_where_it_is_no_name_and_stops_no_release(tmp_path: Path) -> None:
    texts = [
        "Mr May came. He may come. It may be. OPPORTUNITY in May.",
        "It was an opportunity, an opportunity. Mr Opportunity left the opportunity.",
    ]
    done = sanitise(Corpus.of(texts), recognisers=RULES)
    assert "He may come" in done.corpus.documents[0].text
    strings = protected(done.register, done.corpus)
    assert strings.left
    assert save_documents(done, tmp_path / "release").is_dir()


@given(
    st.text(
        alphabet="abKL-. \n\N{SOFT HYPHEN}1\N{COMBINING DIAERESIS}\N{LATIN SMALL LIGATURE FI}_", max_size=60
    )
)
def test_what_the_scan_would_find_is_found_with_its_place(text: str) -> None:
    wanted = ["Kab", "bL-a", "1 1", "fia", "a b K"]
    left = text
    for _ in range(6):
        places = Places(wanted).find(left)
        for each in reversed(places):
            left = left[: each.start] + "\N{BULLET}" + left[each.end :]
    assert Matcher(wanted).count(left) == 0


def test_a_surname_is_gone_wherever_it_stands_although_some_write_it_small() -> None:
    """Small letters here and there make no ordinary word of the name of somebody who is named in full."""
    text = "Mr Henryk Zawalski came. ZAWALSKI left. zawalski called. Mr Henryk Zawalski wrote, and Zawalski paid."
    done = sanitise(Corpus.of(["# Zawalski", text, "lower case only: zawalski."]), recognisers=RULES)
    assert "zawalski" not in " ".join(each.text for each in done.corpus).lower()

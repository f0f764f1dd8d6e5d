"""GLiNER and Presidio as recognisers, tried on stand-ins with their interface: the libraries themselves are not run."""

from __future__ import annotations

import re
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest

from discreet.errors import BadFile, BadParameter, BadProject, NotInstalled
from discreet.text.document import Corpus
from discreet.text.entities.adapters import GLINER_PIECE, LIBRARIES, gliner, presidio
from discreet.text.entities.kinds import Kind
from discreet.text.entities.recogniser import recognisers
from discreet.text.entities.recognition import not_looked_for, recognise
from discreet.text.policy import Policy
from discreet.text.policy_sections import LIBRARY_NAMES
from discreet.text.sanitising import sanitise

TEXT = "yesterday zorblax went to quuxville."


class StandInGLiNER:
    """What GLiNER answers: dictionaries with places, labels and scores."""

    asked: ClassVar[list[tuple[str, tuple[str, ...], float]]] = []
    loaded: ClassVar[list[tuple[str, dict[str, Any]]]] = []

    @classmethod
    def from_pretrained(cls, model: str, **how: Any) -> StandInGLiNER:
        cls.loaded.append((model, how))
        return cls()

    def predict_entities(self, text: str, labels: list[str], threshold: float) -> list[dict[str, Any]]:
        self.asked.append((text, tuple(labels), threshold))
        kinds = {"zorblax": "person", "quuxville": "location"}
        return [
            {"start": each.start(), "end": each.end(), "label": kinds[each.group()], "score": 0.9}
            for each in re.finditer("zorblax|quuxville", text)
        ]


class StandInAnalyzer:
    """What Presidio's analyzer answers: objects with a type, places and a score."""

    def __init__(self, nlp_engine: Any, supported_languages: list[str]) -> None:
        self.engine, self.languages = nlp_engine, supported_languages

    def analyze(
        self, *, text: str, language: str, entities: list[str], score_threshold: float
    ) -> list[SimpleNamespace]:
        assert language in self.languages
        assert self.engine["models"][0]["lang_code"] == language
        return [
            SimpleNamespace(entity_type="PERSON", start=each.start(), end=each.end(), score=0.85)
            for each in re.finditer("zorblax", text)
        ]


class StandInProvider:
    """What makes Presidio's engine; the stand-in of an engine is its settings."""

    def __init__(self, nlp_configuration: dict[str, Any]) -> None:
        self.settings = nlp_configuration

    def create_engine(self) -> dict[str, Any]:
        return self.settings


def stand_in(monkeypatch: pytest.MonkeyPatch, name: str, **held: Any) -> None:
    module = ModuleType(name)
    module.__spec__ = ModuleSpec(name, None)
    for each, value in held.items():
        setattr(module, each, value)
    monkeypatch.setitem(sys.modules, name, module)


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, "gliner", GLiNER=StandInGLiNER)
    stand_in(monkeypatch, "presidio_analyzer", AnalyzerEngine=StandInAnalyzer)
    stand_in(monkeypatch, "presidio_analyzer.nlp_engine", NlpEngineProvider=StandInProvider)
    stand_in(monkeypatch, "a_spacy_model")
    StandInGLiNER.asked.clear()
    StandInGLiNER.loaded.clear()


@pytest.mark.usefixtures("libraries")
def test_what_gliner_finds_are_spans_of_the_kinds_of_its_labels(tmp_path: Path) -> None:
    own = gliner(tmp_path, threshold=0.3)
    assert StandInGLiNER.loaded == []
    found = recognise(TEXT, recognisers=[], own=[own])
    assert [(TEXT[each.start : each.end], each.kind, each.found_by, each.sure) for each in found] == [
        ("zorblax", Kind.PERSON, "gliner", 0.9),
        ("quuxville", Kind.PLACE, "gliner", 0.9),
    ]
    recognise(TEXT, recognisers=[], own=[own])
    assert StandInGLiNER.loaded == [(str(tmp_path), {"local_files_only": True})]
    assert StandInGLiNER.asked[0][2] == 0.3


@pytest.mark.usefixtures("libraries")
def test_long_texts_are_given_to_gliner_in_pieces_and_places_stay_right(tmp_path: Path) -> None:
    text = f"{'bread and coal. ' * 300}{TEXT}"
    found = recognise(text, recognisers=[], own=[gliner(tmp_path)])
    assert [text[each.start : each.end] for each in found] == ["zorblax", "quuxville"]
    assert max(len(each[0]) for each in StandInGLiNER.asked) <= GLINER_PIECE


@pytest.mark.usefixtures("libraries")
def test_labels_of_ones_own_say_what_is_looked_for(tmp_path: Path) -> None:
    own = gliner(tmp_path, labels={"person": Kind.OTHER}, name="mine")
    assert own.kinds == (Kind.OTHER,)
    found = recognise(TEXT, recognisers=[], own=[own])
    assert [(each.kind, each.found_by) for each in found] == [(Kind.OTHER, "mine")]
    with pytest.raises(BadParameter, match="label"):
        gliner(tmp_path, labels={})
    with pytest.raises(BadParameter, match="threshold"):
        presidio("a_spacy_model", threshold=2)


@pytest.mark.usefixtures("libraries")
def test_what_presidio_finds_are_spans_too() -> None:
    found = recognise(TEXT, recognisers=[], own=[presidio("a_spacy_model")])
    assert [(TEXT[each.start : each.end], each.kind, each.found_by) for each in found] == [
        ("zorblax", Kind.PERSON, "presidio")
    ]


def test_a_library_that_is_not_installed_is_named_and_nothing_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discreet.text.entities.recogniser._is_installed", lambda each: False)
    with pytest.raises(NotInstalled, match="pip install gliner"):
        gliner(tmp_path)
    with pytest.raises(NotInstalled, match="pip install presidio-analyzer"):
        presidio("a_spacy_model")


@pytest.mark.usefixtures("libraries")
def test_a_model_that_is_not_here_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no folder"):
        gliner(tmp_path / "nowhere")
    with pytest.raises(NotInstalled, match="no_such_model"):
        presidio("no_such_model")


@pytest.mark.usefixtures("libraries")
def test_a_policy_names_models_and_what_they_find_is_masked(tmp_path: Path) -> None:
    (tmp_path / "weights").mkdir()
    (tmp_path / "policy.toml").write_text(
        '[models.one]\nlibrary = "gliner"\nmodel = "weights"\n'
        '[models.two]\nlibrary = "presidio"\nmodel = "a_spacy_model"\nthreshold = 0.7\n'
    )
    policy = Policy.load(tmp_path / "policy.toml")
    assert policy.models[1].threshold == 0.7
    done = sanitise(Corpus.of([TEXT]), policy=policy, recognisers=[])
    assert done.corpus.documents[0].text == "yesterday Pers1 went to Loc1."


def test_a_model_of_no_known_library_is_named_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "policy.toml").write_text('[models.one]\nlibrary = "glinner"\nmodel = "x"\n')
    with pytest.raises(BadParameter, match="line 2: library must be one of gliner, presidio"):
        Policy.load(tmp_path / "policy.toml")
    (tmp_path / "policy.toml").write_text('[models.one]\nlibrary = "gliner"\n')
    with pytest.raises(BadProject, match="lacks 'model'"):
        Policy.load(tmp_path / "policy.toml")


def test_who_does_not_ask_for_other_libraries_is_not_told_that_they_are_missing() -> None:
    assert not any("gliner" in each or "presidio" in each for each in not_looked_for())
    assert not {"gliner", "presidio"} & {each.name for each in recognisers()}
    assert tuple(LIBRARIES) == LIBRARY_NAMES

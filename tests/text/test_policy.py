"""A policy is checked from its own declaration; what is wrong in it is named with its line."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
import tomlkit

from discreet.errors import BadFile, BadParameter, BadProject, DiscreetError, UnknownKey
from discreet.text.entities.kinds import Kind
from discreet.text.policy import Policy, shipped
from discreet.text.policy_sections import SECTIONS, Topic, Treatment

WHOLE = """
about = "an example"
[entities]
date = "generalise"
"account number" = "mask"
place = "keep"
[allow]
any = ["United Nations"]
place = ["Paris"]
[patterns.file_number]
kind = "code"
pattern = 'F-\\d{4}'
ignore_case = true
[lists.ships]
kind = "other"
words = ["Calypso"]
[topics.arms]
keywords = ["weapon", "plan"]
depth = 1
weight = 2
without = ["arm"]
[topics.arms.senses]
plan = ["plan.n.01"]
[topics.all]
every = true
[senses]
weapon = ["weapon.n.01"]
plan = ["design.n.02"]
[matching]
misspellings = false
[blocks]
density = 0.1
"""


def load(folder: Path, text: str) -> Policy:
    place = folder / "policy.toml"
    place.write_text(text, encoding="utf-8")
    return Policy.load(place)


def test_a_policy_says_what_its_file_says(tmp_path: Path) -> None:
    policy = load(tmp_path, WHOLE)
    assert policy.entities[Kind.DATE] is Treatment.GENERALISE
    assert policy.entities[Kind.PLACE] is Treatment.KEEP
    assert policy.allow == {"any": ("United Nations",), "place": ("Paris",)}
    assert policy.patterns[0].ignore_case
    assert policy.lists[0].words == ("Calypso",)
    assert policy.topic("arms").weight == 2
    assert not policy.matching.misspellings
    assert policy.blocks.density == 0.1
    assert policy.queries() == {"arms": ("weapon", "plan"), "all": ("weapon", "plan")}


def test_what_a_policy_does_not_name_is_masked(tmp_path: Path) -> None:
    assert set(load(tmp_path, "").entities.values()) == {Treatment.MASK}
    assert set(load(tmp_path, "").entities) == set(Kind)


def test_the_senses_of_a_topic_go_before_those_of_the_policy(tmp_path: Path) -> None:
    policy = load(tmp_path, WHOLE)
    arms = policy.topic("arms")
    assert policy.senses_of(arms, "plan") == ("plan.n.01",)
    assert policy.senses_of(arms, "weapon") == ("weapon.n.01",)
    assert policy.senses_of(replace(arms, senses={}), "plan") == ("design.n.02",)


def test_a_policy_written_as_toml_is_read_back(tmp_path: Path) -> None:
    policy = load(tmp_path, WHOLE)
    assert load(tmp_path, tomlkit.dumps(policy.to_dict())) == policy


def test_a_list_takes_the_lines_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "ships.txt").write_text("Calypso\n\nNautilus \n")
    policy = load(tmp_path, '[lists.ships]\nkind = "other"\nwords = ["Calypso"]\nfile = "ships.txt"\n')
    assert policy.lists[0].words == ("Calypso", "Nautilus")


WRONG: dict[str, tuple[str, type[DiscreetError], str]] = {
    "section": (
        "[topic.a]\n",
        UnknownKey,
        r"policy.toml, line 1: unknown key 'topic'. Did you mean 'topics'\?",
    ),
    "key of a topic": (
        '[topics.a]\nkeywords = ["x"]\ndeph = 1\n',
        UnknownKey,
        r"line 3: unknown key 'deph' in \[topics.a\]. Did you mean 'depth'\?",
    ),
    "kind of entity": ('[entities]\npersons = "mask"\n', UnknownKey, "line 2.*Did you mean 'person'"),
    "treatment": ('[entities]\nperson = "maks"\n', BadParameter, "line 2: person must be one of .*'mask'"),
    "no keywords": ("[topics.a]\ndepth = 1\n", BadProject, "line 1: topic 'a' needs keywords"),
    "empty topic": ("[topics.a]\nkeywords = []\n", BadProject, "line 1: topic 'a' needs keywords"),
    "keyword of marks": ('[topics.a]\nkeywords = ["--"]\n', BadParameter, "line 1: keywords holds an entry"),
    "every and keywords": ('[topics.a]\nkeywords = ["x"]\nevery = true\n', BadProject, "not both"),
    "every alone": ("[topics.a]\nevery = true\n", BadProject, "no topic has keywords"),
    "sense of no keyword": (
        '[topics.a]\nkeywords = ["weapon"]\n[senses]\nwepon = ["weapon.n.01"]\n',
        UnknownKey,
        r"line 4: unknown key 'wepon' in \[senses\]. Did you mean 'weapon'\?",
    ),
    "name of a sense": (
        '[topics.a]\nkeywords = ["weapon"]\n[senses]\nweapon = ["weapon"]\n',
        BadParameter,
        "line 4: 'weapon' is no name of a sense",
    ),
    "senses no list": (
        '[topics.a]\nkeywords = ["weapon"]\n[topics.a.senses]\nweapon = 1\n',
        BadParameter,
        "line 4: weapon must be a list of texts",
    ),
    "depth": ('[topics.a]\nkeywords = ["x"]\ndepth = -1\n', BadParameter, "line 3: depth must be a whole"),
    "pattern": (
        "[patterns.a]\nkind = 'code'\npattern = '('\n",
        BadParameter,
        "line 3: pattern is no regular",
    ),
    "empty pattern": ("[patterns.a]\nkind = 'code'\npattern = 'x*'\n", BadParameter, "line 3.*empty text"),
    "pattern lacks": ("[patterns.a]\nkind = 'code'\n", BadProject, r"line 1: \[patterns.a\] lacks 'pattern'"),
    "empty list": ("[lists.a]\nkind = 'code'\n", BadProject, "line 1: the list has no entry"),
    "no table": ("topics = 3\n", BadProject, "line 1: 'topics' must be a table"),
    "topic no table": ("[topics]\na = 3\n", BadProject, "line 2: 'a' must be a table"),
    "about": ("about = 3\n", BadParameter, "line 1: about must be a text"),
    "not TOML": ("[topics\n", BadFile, "line 1: not valid TOML"),
}


@pytest.mark.parametrize(("text", "error", "says"), WRONG.values(), ids=WRONG)
def test_a_mistake_is_named_with_its_line(
    tmp_path: Path, text: str, error: type[DiscreetError], says: str
) -> None:
    with pytest.raises(error, match=says):
        load(tmp_path, text)


def test_a_list_whose_file_is_not_there_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"line 3: ships.txt cannot be read"):
        load(tmp_path, '[lists.a]\nkind = "code"\nfile = "ships.txt"\n')


def test_an_unknown_name_suggests_a_policy_that_ships() -> None:
    assert shipped() == ("eo13526",)
    with pytest.raises(BadFile, match=r"no policy 'eo13256' ships.*Did you mean 'eo13526'"):
        Policy.load("eo13256")
    with pytest.raises(BadFile, match="there is no file"):
        Policy.load("nowhere/policy.toml")


def test_an_unknown_topic_is_named() -> None:
    with pytest.raises(BadParameter, match="Did you mean 'rq1'"):
        Policy.load("eo13526").topic("rq11")


def test_the_order_ships_with_thirty_keywords_in_nine_questions() -> None:
    """The published experiment has 30 keywords from section 1.4 in nine questions, the last of all of them."""
    queries = Policy.load("eo13526").queries()
    assert list(queries) == [f"rq{number}" for number in range(1, 10)]
    assert len(queries["rq9"]) == 30
    assert set(queries["rq9"]) == {word for name in list(queries)[:8] for word in queries[name]}


def test_a_policy_can_be_made_without_a_file() -> None:
    made = Policy(name="mine", topics=(Topic(name="a", keywords=("weapon",)),))
    assert made.where("topics", "a") == "policy 'mine'"
    assert made.to_dict()["topics"] == {"a": {"keywords": ["weapon"]}}


def test_the_how_to_page_lists_every_key_as_it_is_declared() -> None:
    page = (Path(__file__).parents[2] / "docs" / "howto" / "write-a-policy.md").read_text()
    listed = [line for line in page.splitlines() if line.startswith("| `[")]
    named = {"patterns", "lists", "models", "topics"}
    declared = [
        f"| `[{section}.NAME]` | `{key}` | {kind.about} | {kind.wants()} |"
        if section in named
        else f"| `[{section}]` | `{key}` | {kind.about} | {kind.wants()} |"
        for section, keys in SECTIONS.items()
        if section not in ("entities", "allow")
        for key, kind in keys.items()
    ]
    assert listed == declared
    assert all(re.search(rf"`{kind}`", page) for kind in Kind)

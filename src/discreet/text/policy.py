"""A policy: what is sensitive in documents and what is done with it, from one TOML file.

It names the kinds of entities that are masked, generalised or kept, what is always let through, the steward's own
patterns and lists, and the topics whose words make a stretch of text worth a review.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from discreet.errors import BadFile, BadParameter, BadProject, did_you_mean
from discreet.project.toml_file import TomlFile
from discreet.text.entities.kinds import Kind
from discreet.text.policy_sections import (
    ANY_KIND,
    SECTIONS,
    SENSE,
    SENSES_OF_A_KEYWORD,
    BlockOptions,
    EntityList,
    EntityModel,
    EntityPattern,
    MatchingOptions,
    Topic,
    Treatment,
)

SHIPPED = Path(__file__).parent / "policies"
ABOUT = "about"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What a policy file says, checked.

    `entities` has every kind; what the file does not name is masked. `allow` leads from a kind, or "any", to texts that
    stay as they are. `senses` are those of keywords in whatever topic; a topic's own go before them.
    """

    name: str
    about: str = ""
    entities: Mapping[Kind, Treatment] = field(default_factory=lambda: dict.fromkeys(Kind, Treatment.MASK))
    allow: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    patterns: tuple[EntityPattern, ...] = ()
    lists: tuple[EntityList, ...] = ()
    models: tuple[EntityModel, ...] = ()
    topics: tuple[Topic, ...] = ()
    senses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    matching: MatchingOptions = field(default_factory=MatchingOptions)
    blocks: BlockOptions = field(default_factory=BlockOptions)
    source: TomlFile | None = field(default=None, repr=False, compare=False)

    @classmethod
    def load(cls, name_or_path: str | Path) -> Policy:
        """The policy that ships under this name, or the one in this TOML file.

        Raises BadFile where the file cannot be read or is not TOML, UnknownKey, with the nearest one, for a key that
        is not declared, BadParameter for a value that its key does not take, and BadProject where the policy
        contradicts itself. Each says the file and, where known, the line.

        >>> Policy.load("eo13526").topic("rq3").keywords
        ('cryptology', 'cryptogram', 'encrypt')
        """
        source = TomlFile.read(_place(name_or_path))
        parsed = source.parsed()
        about = parsed.pop(ABOUT, "")
        if not isinstance(about, str):
            raise BadParameter(f"{source.where((ABOUT,))}: about must be a text.")
        source.check_names(parsed, (*SECTIONS, ABOUT), ())
        topics = _topics(source, _named(source, parsed, "topics"))
        return cls(
            name=source.path.stem,
            about=about,
            entities=_entities(_section(source, parsed, "entities")),
            allow=MappingProxyType(_section(source, parsed, "allow")),
            patterns=tuple(
                source.within(("patterns", name, "pattern"), partial(EntityPattern, name=name, **each))
                for name, each in _named(source, parsed, "patterns", "kind", "pattern").items()
            ),
            lists=tuple(
                _list(source, name, each) for name, each in _named(source, parsed, "lists", "kind").items()
            ),
            models=tuple(
                source.within(("models", name), partial(EntityModel, name=name, **_beside(source, each)))
                for name, each in _named(source, parsed, "models", "library", "model").items()
            ),
            topics=topics,
            senses=_senses(source, parsed.get("senses", {}), _keywords(topics), ("senses",)),
            matching=MatchingOptions(**_section(source, parsed, "matching")),
            blocks=BlockOptions(**_section(source, parsed, "blocks")),
            source=source,
        )

    def topic(self, name: str) -> Topic:
        """The topic of this name. Raises BadParameter, with the nearest name, where there is none."""
        found = next((each for each in self.topics if each.name == name), None)
        if found is None:
            near = did_you_mean(name, [each.name for each in self.topics])
            raise BadParameter(f"policy '{self.name}' has no topic '{name}'.{near}")
        return found

    def queries(self) -> dict[str, tuple[str, ...]]:
        """The keywords of each topic, by its name; those of a topic of every other are theirs together."""
        everything = _keywords(self.topics)
        return {each.name: everything if each.every else each.keywords for each in self.topics}

    def senses_of(self, topic: Topic, keyword: str) -> tuple[str, ...]:
        """The senses that a keyword has in a topic: the topic's own, else those of the whole policy."""
        return topic.senses.get(keyword, self.senses.get(keyword, ()))

    def where(self, *keys: str) -> str:
        """The file and line of a key, to begin an error about it with; the name of a policy that is in no file."""
        return f"policy '{self.name}'" if self.source is None else self.source.where(keys)

    def to_dict(self) -> dict[str, Any]:
        """The policy as a TOML file would hold it."""
        sections: dict[str, Any] = {
            ABOUT: self.about,
            "entities": {str(kind): str(each) for kind, each in self.entities.items()},
            "allow": {kind: list(each) for kind, each in self.allow.items()},
            "patterns": {each.name: each.to_dict() for each in self.patterns},
            "lists": {each.name: each.to_dict() for each in self.lists},
            "models": {each.name: each.to_dict() for each in self.models},
            "topics": {each.name: each.to_dict() for each in self.topics},
            "senses": {keyword: list(each) for keyword, each in self.senses.items()},
            "matching": self.matching.to_dict(),
            "blocks": self.blocks.to_dict(),
        }
        return {name: section for name, section in sections.items() if section}


def shipped() -> tuple[str, ...]:
    """The names of the policies that ship with discreet."""
    return tuple(sorted(each.stem for each in SHIPPED.glob("*.toml")))


def _place(name_or_path: str | Path) -> Path:
    """The file of a policy: a name without ending or folder is that of a shipped one where no file is called so."""
    place = Path(name_or_path)
    if place.suffix or len(place.parts) > 1 or place.is_file():
        return place
    if place.name not in shipped():
        near = did_you_mean(place.name, shipped())
        raise BadFile(f"no policy '{place.name}' ships with discreet, and there is no such file.{near}")
    return SHIPPED / f"{place.name}.toml"


def _section(source: TomlFile, parsed: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The values of a section, checked as it is declared, its lists as tuples."""
    table = _table(source, parsed.get(name, {}), (name,))
    return _checked(source, table, (name,), name)


def _named(source: TomlFile, parsed: Mapping[str, Any], name: str, *needed: str) -> dict[str, dict[str, Any]]:
    """The tables of a section that have names of their own, each checked; `needed` are keys that none may lack."""
    found = {}
    for own, each in _table(source, parsed.get(name, {}), (name,)).items():
        keys = (name, own)
        table = dict(_table(source, each, keys))
        senses = table.pop("senses", None) if name == "topics" else None
        found[own] = _checked(source, table, keys, name)
        if senses is not None:
            found[own]["senses"] = senses
        lacking = [key for key in needed if key not in found[own]]
        if lacking:
            raise BadProject(f"{source.where(keys)}: [{name}.{own}] lacks '{lacking[0]}'.")
    return found


def _table(source: TomlFile, value: Any, keys: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadProject(f"{source.where(keys)}: '{keys[-1]}' must be a table: [{'.'.join(keys)}].")
    return value


def _checked(
    source: TomlFile, table: Mapping[str, Any], keys: tuple[str, ...], section: str
) -> dict[str, Any]:
    source.check(table, SECTIONS[section], keys)
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


def _entities(given: Mapping[str, str]) -> Mapping[Kind, Treatment]:
    return MappingProxyType({kind: Treatment(given.get(kind, Treatment.MASK)) for kind in Kind})


def _list(source: TomlFile, name: str, table: dict[str, Any]) -> EntityList:
    """A list of entries with those of its file, which lies beside the policy."""
    keys = ("lists", name)
    words = table.get("words", ())
    if "file" in table:
        place = source.path.parent / table["file"]
        try:
            lines = place.read_bytes().decode("utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError):
            raise BadFile(
                f"{source.where((*keys, 'file'))}: {place.name} cannot be read as UTF-8 text beside the policy."
            ) from None
        words = tuple(dict.fromkeys((*words, *(each.strip() for each in lines if each.strip()))))
    return source.within(keys, partial(EntityList, name=name, **{**table, "words": words}))


def _beside(source: TomlFile, table: dict[str, Any]) -> dict[str, Any]:
    """A model with the place of its folder, where that lies beside the policy."""
    place = source.path.parent / table["model"]
    return {**table, "model": str(place)} if place.is_dir() else table


def _topics(source: TomlFile, tables: Mapping[str, dict[str, Any]]) -> tuple[Topic, ...]:
    topics = []
    for name, table in tables.items():
        keys = ("topics", name)
        given = table.pop("senses", {})
        senses = _senses(source, given, table.get("keywords", ()), (*keys, "senses"))
        topics.append(source.within(keys, partial(Topic, name=name, senses=senses, **table)))
    if topics and all(each.every for each in topics):
        raise BadProject(f"{source.where(('topics', topics[0].name))}: no topic has keywords.")
    return tuple(topics)


def _keywords(topics: tuple[Topic, ...]) -> tuple[str, ...]:
    """All keywords, each once, in the order of the file."""
    return tuple(dict.fromkeys(word for each in topics for word in each.keywords))


def _senses(
    source: TomlFile, given: Any, keywords: tuple[str, ...], keys: tuple[str, ...]
) -> Mapping[str, tuple[str, ...]]:
    """The senses of keywords, each written as "weapon.n.01". Whether WordNet has them is seen when they are used."""
    table = _table(source, given, keys)
    source.check_names(table, keywords, keys)
    source.check(table, dict.fromkeys(table, SENSES_OF_A_KEYWORD), keys)
    for keyword, senses in table.items():
        for sense in senses:
            if not SENSE.fullmatch(sense):
                raise BadParameter(
                    f"{source.where((*keys, keyword))}: '{sense}' is no name of a sense; they are written as in "
                    "weapon.n.01 (a noun) or encrypt.v.01 (a verb)."
                )
    return MappingProxyType({keyword: tuple(senses) for keyword, senses in table.items()})


__all__ = ["ANY_KIND", "Policy", "shipped"]

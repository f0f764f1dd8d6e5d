"""OBO files, through fastobo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from discreet.errors import BadFile, NotInstalled
from discreet.ontology.builder import Builder, Entry

if TYPE_CHECKING:
    from fastobo.term import TermFrame

SYNONYM_RANKS = {"EXACT": 1}
OTHER_SYNONYM = 2
OTHER_IDENTIFIER = 3


def builder(path: Path) -> Builder:
    """The terms of an OBO file with their is_a links; obsolete terms are left out. Other relations are not is-a.

    Raises NotInstalled without fastobo, BadFile for a file that breaks the format.
    """
    try:
        import fastobo
        from fastobo.term import IsAClause, IsObsoleteClause, TermFrame
    except ImportError as error:
        raise NotInstalled(
            "OBO files need fastobo. Install it with pip install 'discreet[ontologies]'."
        ) from error
    try:
        document = fastobo.load(str(path))
    except SyntaxError as error:
        raise BadFile(f"'{path}', line {error.lineno}: this is not OBO.") from error
    except (OSError, ValueError) as error:
        raise BadFile(f"'{path}' cannot be read as OBO: {type(error).__name__}.") from error
    result = Builder(name=path.stem)
    described: set[str] = set()
    for frame in document:
        if not isinstance(frame, TermFrame):
            continue
        clauses = list(frame)
        if any(isinstance(clause, IsObsoleteClause) and clause.obsolete for clause in clauses):
            continue
        identifier = str(frame.id)
        if identifier in described:
            raise BadFile(f"'{path}': the term {identifier} stands there twice.")
        described.add(identifier)
        _describe(result.entry(identifier), frame)
        result.links.extend(
            (identifier, str(clause.term)) for clause in clauses if isinstance(clause, IsAClause)
        )
    return result


def _describe(entry: Entry, frame: TermFrame) -> None:
    from fastobo.term import AltIdClause, DefClause, NameClause, SynonymClause

    for clause in frame:
        if isinstance(clause, NameClause):
            entry.label = clause.name
        elif isinstance(clause, DefClause):
            entry.gloss = clause.definition
        elif isinstance(clause, SynonymClause):
            entry.words[clause.synonym.desc] = SYNONYM_RANKS.get(clause.synonym.scope, OTHER_SYNONYM)
        elif isinstance(clause, AltIdClause):
            entry.words[str(clause.alt_id)] = OTHER_IDENTIFIER

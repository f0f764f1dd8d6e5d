"""`discreet demo --documents`: the whole way of an archive, on letters by people who do not exist."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from discreet.cli import show

if TYPE_CHECKING:
    from discreet.demo.archive import InventedDocument
    from discreet.text.document import Corpus
    from discreet.text.entities.annotations import AnnotatedDocument

DOCUMENTS, GOLD, QUERIES, RELEASE, REPORT = (
    "documents",
    "annotated.jsonl",
    "queries.toml",
    "release",
    "report.html",
)
POLICY = "eo13526"
LOOKED_FOR = """# What readers and intruders look for. Try other words, and `discreet assess` again.
[utility.pier]
words = "ferry pier repaired"

[utility.accounts]
words = "accounts crew paid"

[risk.weapons]
words = "military weapon systems"

[risk.sources]
words = "intelligence covert source"

[risk.nuclear]
words = "nuclear material facility"
"""


def _ours(folder: Path) -> list[str]:
    """The files that a demonstration leaves in a folder; none where it has left none there."""
    from discreet.text.release import files_of_text_release

    released = files_of_text_release(folder / RELEASE)
    if not released or not (folder / REPORT).is_file():
        return []
    return [GOLD, QUERIES, REPORT, f"{DOCUMENTS}/*", *(f"{RELEASE}/{name}" for name in released)]


def demo_documents(folder: Path, force: bool, json: bool) -> None:
    """Invents an archive, sanitises it by the shipped policy, attacks the result and writes the report."""
    from discreet.demo.archive import write_archive
    from discreet.reporting import report
    from discreet.text.document_assessment import assess_documents
    from discreet.text.document_release import save_documents
    from discreet.text.entities.annotations import write_annotations
    from discreet.text.reading import read
    from discreet.text.retrieval.queries import read_queries
    from discreet.text.sanitising import sanitise
    from discreet.writing import new_folder, write_text

    with new_folder(folder, force=force, ours=_ours) as work, show.bar(json) as progress:
        invented = write_archive(work / DOCUMENTS)
        corpus = read(work / DOCUMENTS)
        gold = annotated(corpus, invented)
        write_annotations(work / GOLD, gold)
        write_text(work / QUERIES, LOOKED_FOR)
        done = sanitise(corpus, policy=POLICY, automatic=True, progress=progress)
        save_documents(done, work / RELEASE)
        found = assess_documents(
            corpus,
            work / RELEASE,
            queries=read_queries(work / QUERIES),
            gold=gold,
            ceilings={"missed": 0.02},
            progress=progress,
        )
        report(found).save(work / REPORT)
    if json:
        show.as_json({"folder": str(folder), "sanitised": done.to_dict(), "assessment": found.to_dict()})
        return
    show.text_assessment(found)
    show.out.print(f"\nEverything is in {folder}:")
    meanings = {
        DOCUMENTS: f"{len(corpus)} letters, memos, e-mails and more by people who do not exist",
        GOLD: "who and what should be hidden in them, to count what was missed",
        QUERIES: "what readers and intruders look for",
        f"{RELEASE}/public": "what would be published, with its manifest",
        f"{RELEASE}/private": "what must stay secret",
        REPORT: "the report: open it in a browser",
    }
    for name, meaning in meanings.items():
        show.out.print(f"  {name:<17} {meaning}")


def annotated(corpus: Corpus, invented: Sequence[InventedDocument]) -> list[AnnotatedDocument]:
    """The documents with every place of what should be hidden in them."""
    import re

    from discreet.text.entities.annotations import AnnotatedDocument, Annotation, Identifies
    from discreet.text.entities.kinds import Kind

    hidden = {each.name: each.hidden for each in invented}
    return [
        AnnotatedDocument(
            name=document.name,
            text=document.text,
            annotations=tuple(
                Annotation(found.start(), found.end(), Kind(kind), Identifies(identifies), wording)
                for wording, kind, identifies in hidden[document.name]
                for found in re.finditer(rf"(?<!\w){re.escape(wording)}(?!\w)", document.text)
            ),
        )
        for document in corpus
    ]

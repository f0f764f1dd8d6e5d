"""`discreet demo --corpus`: the whole way of a corpus, on notes by people who do not exist."""

from __future__ import annotations

from pathlib import Path

from discreet.cli import show

DOCUMENTS, MATRIX, RELEASE, REPORT = "documents", "matrix", "release", "report.html"
K = 5


def _ours(folder: Path) -> list[str]:
    """The files that a demonstration leaves in a folder; none where it has left none there."""
    from discreet.text.release import files_of_text_release
    from discreet.text.vectors.files import OURS

    released = files_of_text_release(folder / RELEASE)
    if not released or not (folder / REPORT).is_file():
        return []
    return [
        REPORT,
        f"{DOCUMENTS}/*/*.txt",
        *(f"{MATRIX}/{name}" for name in OURS),
        *(f"{RELEASE}/{name}" for name in released),
    ]


def demo_corpus(folder: Path, documents: int, force: bool, json: bool) -> None:
    """Invents notes, builds their matrix, masks it, attacks the result and writes the report."""
    from discreet.demo.corpus import notes
    from discreet.reporting import report
    from discreet.text.vectors.assess import assess_vector_release
    from discreet.text.vectors.collection import read_collection
    from discreet.text.vectors.files import save_matrix
    from discreet.text.vectors.release import save_vectors
    from discreet.text.vectors.spherical_microaggregate import microaggregate
    from discreet.text.vectors.vectorise import vectorise
    from discreet.writing import new_folder

    with new_folder(folder, force=force, ours=_ours) as work, show.bar(json) as progress:
        for name, text in notes(documents).items():
            place = work / DOCUMENTS / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        found = read_collection(work / DOCUMENTS)
        matrix = vectorise(found.corpus, classes=found.classes)
        save_matrix(matrix, work / MATRIX)
        save_vectors(matrix, microaggregate(matrix, k=K), work / RELEASE)
        assessed = assess_vector_release(
            work / RELEASE,
            matrix,
            ceilings={"identity": 1 / K},
            floors={"k_anonymity": K},
            progress=progress,
        )
        report(assessed).save(work / REPORT)
    if json:
        show.as_json({"folder": str(folder), "assessment": assessed.to_dict()})
        return
    show.text_assessment(assessed)
    show.out.print(f"\nEverything is in {folder}:")
    meanings = {
        DOCUMENTS: f"{documents} notes by people who do not exist, a folder for each subject",
        MATRIX: "the document-term matrix of `discreet corpus build`: for the steward",
        f"{RELEASE}/public": "what would be published: the masked matrix, its vocabulary and the manifest",
        f"{RELEASE}/private": "what must stay secret: which row is whose",
        REPORT: "the report: open it in a browser",
    }
    for name, meaning in meanings.items():
        show.out.print(f"  {name:<17} {meaning}")

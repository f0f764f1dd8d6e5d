"""How long it takes to read documents, write them and scan what was written, and how much memory that needs.

    python -m bench.documents [documents] [characters]

Many small documents of each format, and one long document of each format that one can be long in. 10,000 protected
strings are looked for. Each row runs in a process of its own; the memory is what it held at most, with the libraries.
"""

from __future__ import annotations

import io
import multiprocessing
import resource
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from random import Random

from discreet.text import leaks, read, write_documents

WORDS = [
    "the", "minister", "of", "trade", "wrote", "to", "our", "embassy", "about", "ships", "grain", "and", "a", "treaty",
    "that", "nobody", "had", "signed",
]  # fmt: skip
DOCX = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>{}</w:body></w:document>'


def words(characters: int) -> list[str]:
    """Paragraphs of about so many characters in all."""
    rng = Random(1)
    paragraphs = []
    while characters > 0:
        paragraphs.append(" ".join(rng.choices(WORDS, k=80)))
        characters -= len(paragraphs[-1])
    return paragraphs


def made(ending: str, paragraphs: list[str]) -> bytes:
    """A document of these paragraphs."""
    if ending == ".docx":
        out = io.BytesIO()
        body = "".join(f"<w:p><w:r><w:t>{each}</w:t></w:r></w:p>" for each in paragraphs)
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("word/document.xml", DOCX.format(body))
        return out.getvalue()
    if ending == ".html":
        return "".join(f"<p>{each}</p>" for each in paragraphs).encode()
    if ending == ".rtf":
        return ("{\\rtf1 " + "\\par ".join(paragraphs) + "}").encode()
    if ending == ".eml":
        return ("From: a@example.org\nSubject: x\n\n" + "\n\n".join(paragraphs)).encode()
    if ending == ".pdf":
        from discreet.text.documents.pdf_pages import written

        return written(
            ["\n".join(paragraphs[place : place + 5]) for place in range(0, len(paragraphs), 5)]
        ).content
    return "\n\n".join(paragraphs).encode()


def measure(ending: str, documents: int, characters: int) -> tuple[float, float, float, float]:
    """CPU seconds of reading, writing and scanning, and the mebibytes held at most."""
    protected = [f"Protected{number} Name{number}" for number in range(10_000)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "in"
        folder.mkdir()
        content = made(ending, words(characters))
        for number in range(documents):
            (folder / f"{number}{ending}").write_bytes(content)
        started = time.process_time()
        corpus = read(folder)
        was_read = time.process_time()
        write_documents(corpus, Path(name) / "out")
        was_written = time.process_time()
        if leaks(Path(name) / "out", protected):
            raise SystemExit("something was found that is not there")
        scanned = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return was_read - started, was_written - was_read, scanned - was_written, peak


def main(documents: int, characters: int) -> None:
    print(f"{'':6} {'documents':>9} {'characters':>10}   read  write   scan  CPU seconds; MiB at most")
    for ending in (".txt", ".md", ".html", ".docx", ".rtf", ".eml", ".pdf"):
        for count, length in ((documents, 2_000), (1, characters)):
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                reading, writing, scanning, peak = pool.apply(measure, (ending, count, length))
            print(
                f"{ending:6} {count:9,} {length:10,} {reading:6.1f} {writing:6.1f} {scanning:6.1f} {peak:25,.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main(*(int(each) for each in (sys.argv[1:] + ["10000", "10000000"][len(sys.argv) - 1 :])))

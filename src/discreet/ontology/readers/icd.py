"""ICD-9 and ICD-10 from plain tables of codes and titles; the hierarchy follows from the codes."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from discreet.errors import BadFile
from discreet.ontology.builder import Builder
from discreet.ontology.readers.text import text_of

CODE = re.compile(r"(?:[0-9]{3}|E[0-9]{3}|[A-Z][0-9][0-9A-Z])(?:\.?[0-9A-Z]{1,4})?\Z")
RANGE = re.compile(r"(?P<low>[A-Z0-9]{3,4})-(?P<high>[A-Z0-9]{3,4})\Z")
ORDER_LINE = re.compile(r"[0-9]{5} (?P<code>[A-Z0-9]{3,7}) +[01] (?P<short>.{60}) (?P<long>.+)")
PLAIN_LINE = re.compile(r"(?P<code>\S+)\s+(?P<title>\S.*)")
SEEN = 20
Range = tuple[str, str]

ICD_10: dict[Range, str] = {
    ("A00", "B99"): "Certain infectious and parasitic diseases",
    ("C00", "D49"): "Neoplasms",
    ("D50", "D89"): "Diseases of the blood and certain disorders involving the immune mechanism",
    ("E00", "E90"): "Endocrine, nutritional and metabolic diseases",
    ("F00", "F99"): "Mental and behavioural disorders",
    ("G00", "G99"): "Diseases of the nervous system",
    ("H00", "H59"): "Diseases of the eye and adnexa",
    ("H60", "H95"): "Diseases of the ear and mastoid process",
    ("I00", "I99"): "Diseases of the circulatory system",
    ("J00", "J99"): "Diseases of the respiratory system",
    ("K00", "K95"): "Diseases of the digestive system",
    ("L00", "L99"): "Diseases of the skin and subcutaneous tissue",
    ("M00", "M99"): "Diseases of the musculoskeletal system and connective tissue",
    ("N00", "N99"): "Diseases of the genitourinary system",
    ("O00", "O9Z"): "Pregnancy, childbirth and the puerperium",
    ("P00", "P96"): "Certain conditions originating in the perinatal period",
    ("Q00", "Q99"): "Congenital malformations, deformations and chromosomal abnormalities",
    ("R00", "R99"): "Symptoms, signs and abnormal clinical and laboratory findings, not elsewhere classified",
    ("S00", "T98"): "Injury, poisoning and certain other consequences of external causes",
    ("U00", "U99"): "Codes for special purposes",
    ("V00", "Y99"): "External causes of morbidity and mortality",
    ("Z00", "Z99"): "Factors influencing health status and contact with health services",
}
ICD_9: dict[Range, str] = {
    ("001", "139"): "Infectious and parasitic diseases",
    ("140", "239"): "Neoplasms",
    ("240", "279"): "Endocrine, nutritional and metabolic diseases, and immunity disorders",
    ("280", "289"): "Diseases of the blood and blood-forming organs",
    ("290", "319"): "Mental disorders",
    ("320", "389"): "Diseases of the nervous system and sense organs",
    ("390", "459"): "Diseases of the circulatory system",
    ("460", "519"): "Diseases of the respiratory system",
    ("520", "579"): "Diseases of the digestive system",
    ("580", "629"): "Diseases of the genitourinary system",
    ("630", "679"): "Complications of pregnancy, childbirth, and the puerperium",
    ("680", "709"): "Diseases of the skin and subcutaneous tissue",
    ("710", "739"): "Diseases of the musculoskeletal system and connective tissue",
    ("740", "759"): "Congenital anomalies",
    ("760", "779"): "Certain conditions originating in the perinatal period",
    ("780", "799"): "Symptoms, signs, and ill-defined conditions",
    ("800", "999"): "Injury and poisoning",
    ("E000", "E999"): "External causes of injury and poisoning",
    ("V01", "V91"): "Factors influencing health status and contact with health services",
}


def builder(path: Path) -> Builder:
    """The codes of a table, each under its nearest shorter code, then block (where the table has them), then chapter.

    The table has a code and a title in each line: as CSV, whose first row may name the columns, as text with spaces
    between, or as the "order" file of ICD-10-CM. Codes may have their point or not, and are found either way. A row
    whose code is a range (A00-A09) is a block. A table with codes that begin with a figure is ICD-9, else it is ICD-10.
    A category that the table does not list is made from its codes. Raises BadFile, with the line, for a code that is
    none and for one that stands there twice with two titles.
    """
    titles: dict[str, str] = {}
    blocks: dict[Range, str] = {}
    for line, code, title in _entries(path):
        limits = RANGE.match(code)
        if limits:
            blocks[limits["low"], limits["high"]] = title
            continue
        if not CODE.match(code):
            raise BadFile(f"'{path}', line {line}: this is not an ICD code.")
        if titles.setdefault(code.replace(".", ""), title) != title:
            raise BadFile(f"'{path}', line {line}: this code stands there a second time, with another title.")
    ninth = any(code[0].isdigit() for code in titles)
    return _linked(path.stem, titles, (ICD_9 if ninth else ICD_10) | blocks, ninth=ninth)


def category_and_chapter(codes: Sequence[str]) -> list[tuple[str, str]]:
    """For each code its category of three characters and the range of its chapter; what is no code stays itself."""
    ninth = any(code[:1].isdigit() for code in codes if CODE.match(code))
    ranges = ICD_9 if ninth else ICD_10
    found = []
    for code in codes:
        category = _category(code, ninth=ninth) if CODE.match(code) else code
        around = _narrowest(ranges, category, category) if CODE.match(code) else None
        found.append((category, "-".join(around) if around else category))
    return found


def looks_like_codes(path: Path) -> bool:
    """Whether the first lines of a file are ICD codes with titles."""
    try:
        found = [code for _, code, _ in islice(_entries(path), SEEN)]
    except BadFile:
        return False
    return bool(found) and all(_is_code(code) for code in found)


def _is_code(text: str) -> bool:
    return bool(CODE.match(text) or RANGE.match(text))


def _entries(path: Path) -> Iterator[tuple[int, str, str]]:
    """The line number, code and title of each row."""
    for number, line in enumerate(text_of(path).splitlines(), start=1):
        if not line.strip():
            continue
        ordered, plain = ORDER_LINE.match(line), PLAIN_LINE.match(line)
        delimiter = next((each for each in "\t;," if each in line.partition(" ")[0]), "")
        if ordered:
            yield number, ordered["code"], ordered["long"].strip()
        elif delimiter:
            cells = [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter))]
            if number > 1 or _is_code(cells[0].upper()):
                yield number, cells[0].upper(), cells[1] if len(cells) > 1 else ""
        elif plain:
            yield number, plain["code"].upper(), plain["title"].strip()
        else:
            yield number, line.strip().upper(), ""


def _linked(name: str, titles: dict[str, str], ranges: dict[Range, str], *, ninth: bool) -> Builder:
    result = Builder(name=name)
    categories = {_category(code, ninth=ninth) for code in titles}
    for code in titles.keys() | categories:
        category = _category(code, ninth=ninth)
        entry = result.entry(_pointed(code, category))
        entry.label = titles.get(code, "")
        entry.words |= {code: 1, _pointed(code, category): 1}
        if code != category:
            shorter = (code[:end] for end in range(len(code) - 1, len(category) - 1, -1))
            above = next(each for each in shorter if each in titles or each == category)
            result.links.append((_pointed(code, category), _pointed(above, category)))
    used: set[Range] = set()
    for category in categories:
        around = _narrowest(ranges, category, category)
        if around:
            result.links.append((category, "-".join(around)))
            used.add(around)
    while used:
        limits = used.pop()
        result.entry("-".join(limits)).label = ranges[limits]
        around = _narrowest(ranges, *limits)
        if around:
            result.links.append(("-".join(limits), "-".join(around)))
            used.add(around)
    return result


def _narrowest(ranges: dict[Range, str], low: str, high: str) -> Range | None:
    """The smallest range around another: of those that hold it, the one that starts last and then ends first."""
    holding = [
        each
        for each in ranges
        if each != (low, high) and len(each[0]) == len(low) and each[0] <= low and high <= each[1]
    ]
    return min(holding, key=lambda each: (tuple(-ord(letter) for letter in each[0]), each[1]), default=None)


def _category(code: str, *, ninth: bool) -> str:
    return code[:4] if ninth and code[0] == "E" else code[:3]


def _pointed(code: str, category: str) -> str:
    return code if code == category else f"{category}.{code[len(category) :]}"

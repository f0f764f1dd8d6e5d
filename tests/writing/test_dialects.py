"""A release is written in the dialect its original came in: what was not masked has the same bytes."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discreet as dc
from discreet.dialect import form_of
from discreet.errors import BadFile
from discreet.manifest import PublicManifest
from discreet.release import Release
from discreet.table import Table

NAMES = ("town", "age", "weight", "born", "income", "share")
QUOTING = {"needed": csv.QUOTE_MINIMAL, "words": csv.QUOTE_NONNUMERIC, "all": csv.QUOTE_ALL}


@dataclass(frozen=True)
class Way:
    """A way to write a file."""

    delimiter: str
    decimal: str
    encoding: str
    line_end: str
    quoting: str
    day: str
    amount: str

    @property
    def formats(self) -> dict[str, str]:
        return {"born": self.day, "income": self.amount}

    def text(self, records: list[tuple[str, int, int, date, int, int]]) -> bytes:
        """The records as this way writes them, made without discreet's writer."""
        out = io.StringIO()
        writer = csv.writer(
            out,
            delimiter=self.delimiter,
            lineterminator=self.line_end,
            quoting=QUOTING[self.quoting],  # type: ignore[arg-type]
        )
        writer.writerow(NAMES)
        days = form_of(self.day).write(pl.Series([each[3] for each in records]))
        amounts = form_of(self.amount).write(pl.Series([each[4] / 100 for each in records]))
        for (town, age, weight, _, _, share), day, amount in zip(records, days, amounts, strict=True):
            decimal = f"{weight // 10}{self.decimal}{weight % 10}"
            writer.writerow(
                [town, Plain(str(age)), Plain(decimal), day, amount, Plain(f"0{self.decimal}{share}")]
            )
        return out.getvalue().encode(self.encoding)


class Plain(float):
    """A number that is written as it is given, and that the csv module takes for a number."""

    def __new__(cls, text: str) -> Plain:
        made = super().__new__(cls, float(text.replace(",", ".")))
        made.text = text  # type: ignore[attr-defined]
        return made

    def __repr__(self) -> str:
        return str(self.text)  # type: ignore[attr-defined]

    __str__ = __repr__


TOWNS = st.text(st.sampled_from("abcéñüß ;,|\t\"'=x"), min_size=1, max_size=8).map(
    lambda text: "t" + text + "x"
)
RECORDS = st.lists(
    st.tuples(
        TOWNS,
        st.integers(0, 99),
        st.integers(0, 9999),
        st.dates(date(1930, 1, 1), date(2029, 12, 31)),
        st.integers(-(10**8), 10**8),
        st.sampled_from([1, 12, 125, 5]),
    ),
    min_size=4,
    max_size=15,
)
WAYS = st.builds(
    Way,
    delimiter=st.sampled_from([",", ";", "\t", "|"]),
    decimal=st.sampled_from([".", ","]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "cp1252", "utf-16"]),
    line_end=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from(sorted(QUOTING)),
    day=st.sampled_from(["DD.MM.YYYY", "M/D/YYYY", "D Mon YYYY, en", "YYYY-MM-DD", "DD-MON-YY, de"]),
    amount=st.sampled_from(["9.999,99 €", "$9,999.99", "9,99", "9 999,99"]),
)


def read(path: Path, way: Way) -> Table:
    return dc.read(
        path,
        roles={"age": "quasi-identifier"},
        rest="insensitive",
        delimiter=way.delimiter,
        decimal=way.decimal,
        encoding=way.encoding,
        formats=way.formats,
        header=True,
    )


@given(way=WAYS, records=RECORDS)
def test_what_was_not_masked_has_the_same_bytes(
    way: Way, records: list[tuple[str, int, int, date, int, int]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.txt"
        path.write_bytes(way.text(records))
        table = read(path, way)
        release = dc.protect(table, dc.Plan.of([]), seed=1, order="kept")
        saved = release.save(Path(folder) / "release", spreadsheet_safe=False)
        published = saved / "public" / "people.txt"
        assert published.read_bytes() == path.read_bytes()
        assert read(published, way).frame.equals(table.frame, null_equal=True)
        assert Release.load(saved).table.frame.equals(table.frame, null_equal=True)


@given(way=WAYS, records=RECORDS)
def test_a_masked_column_leaves_the_bytes_of_the_others(
    way: Way, records: list[tuple[str, int, int, date, int, int]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.txt"
        path.write_bytes(way.text(records))
        plan = dc.Plan.of(["microaggregate k=2 columns=age"])
        release = dc.protect(read(path, way), plan, seed=1, order="kept")
        saved = release.save(Path(folder) / "release", spreadsheet_safe=False)
        cells = [
            list(
                csv.reader(
                    io.StringIO(each.read_bytes().decode(way.encoding), newline=""), delimiter=way.delimiter
                )
            )
            for each in (path, saved / "public" / "people.txt")
        ]
        before, after = (
            [[cell for place, cell in enumerate(row) if place != 1] for row in rows] for rows in cells
        )
        assert before == after
        assert all(row[1].isdigit() for row in cells[1][1:])


def original(folder: Path, text: str, name: str = "people.csv") -> Table:
    (folder / name).write_text(text)
    return dc.read(folder / name, roles={}, rest="quasi-identifier")


def test_masked_means_have_the_decimals_of_their_column(tmp_path: Path) -> None:
    table = original(
        tmp_path, "a,b\n" + "".join(f"{1 + place**2},{place**2 / 7:.2f}\n" for place in range(20))
    )
    release = dc.protect(table, dc.Plan.of(["microaggregate k=3 columns=a,b"]), seed=1)
    saved = release.save(tmp_path / "release")
    rows = (saved / "public" / "people.csv").read_text().splitlines()[1:]
    assert all(row.split(",")[0].isdigit() for row in rows)
    assert all(len(row.split(",")[1].partition(".")[2]) == 2 for row in rows)
    said = json.loads((saved / "public" / "manifest.json").read_text())["checked_on_the_published_file"]
    assert any("to within 0.5" in each["says"] for each in said)
    assert any("to within 0.005" in each["says"] for each in said)
    assert release.table["a"].name == "a"
    assert release.table.frame["a"].dtype == pl.Int64


def test_what_rounding_would_break_keeps_its_numbers(tmp_path: Path) -> None:
    """Multiples of 2.5 are guaranteed, which whole numbers would not be."""
    table = original(tmp_path, "a,b\n" + "".join(f"{place * 3},{place * 3}\n" for place in range(20)))
    plan = dc.Plan.of(["round base=2.5 columns=a", "microaggregate k=3 columns=b"])
    release = dc.protect(table, plan, seed=1)
    assert (release.table.frame["a"] % 2.5 == 0).all()
    assert not (release.table.frame["a"] % 1 == 0).all()
    assert release.table.frame["b"].dtype == pl.Int64
    release.save(tmp_path / "release")


def test_a_frame_keeps_its_numbers() -> None:
    frame = pl.DataFrame({"a": [1, 2, 4, 8, 16, 32]})
    table = dc.Table.of(frame, roles={"a": "quasi-identifier"})
    release = dc.protect(table, dc.Plan.of(["microaggregate k=3 columns=a"]), seed=1)
    assert release.table.frame["a"].dtype == pl.Float64


def test_what_the_encoding_does_not_know_makes_the_file_utf_8(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_bytes("town\nVic\nMünchen\n".encode("cp1252"))
    table = dc.read(tmp_path / "people.csv", roles={}, rest="insensitive", encoding="cp1252")
    changed = table.with_values({"town": pl.Series("town", ["Vic", "Łódź"])})
    saved = dc.protect(changed, dc.Plan.of([]), seed=1).save(tmp_path / "release")
    assert "Łódź" in (saved / "public" / "people.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "sign"), [("people.tsv", "\t"), ("people.txt", ";"), ("people.csv", ";")])
def test_the_separator_is_that_of_the_original_and_of_the_name(tmp_path: Path, name: str, sign: str) -> None:
    given = "\t" if name.endswith("tsv") else ";"
    table = original(tmp_path, f"a{given}b\n1{given}x\n2{given}y\n", name)
    saved = dc.protect(table, dc.Plan.of([]), seed=1).save(tmp_path / "release")
    assert (saved / "public" / name).read_text().startswith(f"a{sign}b\n")


def test_tabs_stay_where_the_original_has_them_under_another_name(tmp_path: Path) -> None:
    table = original(tmp_path, "a\tb\n1\tx\n2\ty\n", "people.csv")
    release = dc.protect(table, dc.Plan.of([]), seed=1)
    saved = release.save(tmp_path / "release")
    assert (saved / "public" / "people.csv").read_text().startswith("a\tb\n")
    assert Release.load(saved).table.frame.equals(release.table.frame)


def test_a_file_that_is_not_named_for_its_tabs_has_commas_where_the_original_was(tmp_path: Path) -> None:
    table = original(tmp_path, "a\tb\n1\tx\n2\ty\n", "people.tsv")
    saved = dc.protect(table, dc.Plan.of([]), seed=1).save(tmp_path / "release", file="people.csv")
    assert (saved / "public" / "people.csv").read_text().startswith("a,b\n")


@pytest.mark.parametrize(
    "dialect",
    [{"delimiter": "ab"}, {"encoding": "zip"}, {"formats": {"a": "DD"}}, {"line_end": "x"}, {"decimal": ";"}],
)
def test_a_manifest_with_a_dialect_that_is_none_is_refused(
    tmp_path: Path, dialect: dict[str, object]
) -> None:
    saved = dc.protect(original(tmp_path, "a\n1\n2\n"), dc.Plan.of([]), seed=1).save(tmp_path / "release")
    payload = json.loads((saved / "public" / "manifest.json").read_text())
    payload["file"]["dialect"] = dialect
    with pytest.raises(BadFile, match="the public manifest"):
        PublicManifest.from_dict(payload)

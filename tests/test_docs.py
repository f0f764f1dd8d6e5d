from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from docs.make_rooms import SOURCE, room
from tests.page_runner import LANGUAGES, answer, blocks, run_page, starts_from

from discreet.registry import methods

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def test_the_reference_says_what_the_methods_say() -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "docs.make_reference", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, f"run `make docs`:\n{checked.stdout}{checked.stderr}"


SDCMICRO = """
IL_correl IL_variables KI_createSdcObj LocalRecProg addGhostVars addNoise argus_microaggregation argus_rankswap
calcRisks createDat createNewID createSdcObj dRisk dRiskRMD dUtility dataGen extractManipData freq freqCalc
generateStrata get.sdcMicroObj globalRecode groupAndRename importProblem indivRisk infoLoss kAnon kAnon_violations
ldiversity localSupp localSuppression mafast measure_risk mergeHouseholdData microaggrGower microaggregation modRisk
mvTopCoding nextSdcObj plot.localSuppression plotMicro pram rankSwap readMicrodata recordSwap removeDirectID report
riskyCells sdcApp selectHouseholdData set.sdcMicroObj shuffle strataVar<- suda2 topBotCoding undolast valTable
varToFactor varToNumeric writeSafeFile
"""


def test_the_guide_from_sdcmicro_names_every_function_it_exports() -> None:
    page = (ROOT / "docs/howto/coming-from-sdcmicro.md").read_text()
    table = page.partition("## Every function")[2].partition("\n## ")[0]
    assert [each for each in SDCMICRO.split() if f"`{each}`" not in table] == []


def test_a_new_method_is_exported_by_its_room_from_its_file_alone(tmp_path: Path) -> None:
    folder = tmp_path / "mask"
    shutil.copytree(SOURCE / "mask", folder)
    before = room("mask", folder).splitlines()
    (folder / "shuffle.py").write_text(
        (folder / "resample.py").read_text().replace("def resample(", "def shuffle(")
    )
    added = set(room("mask", folder).splitlines()) - set(before)
    assert added == {"from discreet.mask.shuffle import shuffle as shuffle"}


@pytest.mark.parametrize("kind", ["mask", "attack", "loss"])
def test_every_method_is_documented(kind: str) -> None:
    for method in methods(kind):  # type: ignore[arg-type]
        assert (ROOT / "docs" / "reference" / kind / f"{method.name}.md").is_file()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
        if not target.startswith(("http:", "https:", "mailto:")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


RUN = [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md")), *sorted(ROOT.glob("docs/[!r]*/*.md"))]
"""The pages that are written by hand: their commands and snippets run."""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `discreet demo` leaves, with few people."""
    folder = tmp_path_factory.mktemp("docs") / "demo"
    code, output = answer(["demo", "--folder", str(folder), "--records", "300"])
    assert code == 0, output
    return folder


@pytest.mark.parametrize("page", RUN, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_block_names_its_language(page: Path) -> None:
    for block in blocks(page.read_text(encoding="utf-8")):
        assert block.language in LANGUAGES, f"{page.name}, line {block.line}: {block.language or 'none'}"


@pytest.mark.parametrize("page", RUN, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_and_snippets_of_a_page_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    text = page.read_text(encoding="utf-8")
    if not blocks(text):
        return
    start = starts_from(text)
    assert start in ("", "demo"), f"{page.name} starts from {start}"
    if start:
        shutil.copytree(request.getfixturevalue("demo"), tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    run_page(str(page.relative_to(ROOT)), text)


FALSE = {
    "a command that fails": "```sh\ndiscreet inspect nothing.csv\n```\n",
    "a command with another code": "<!-- exits with 1: `discreet methods` -->\n```sh\ndiscreet methods\n```\n",
    "another program": "```sh\nls\n```\n",
    "Python that raises": "```python\nnothing\n```\n",
    "an answer that is another": "```pycon\n>>> 1 + 1\n3\n```\n",
    "TOML that is none": "```toml\na = \n```\n",
    "a comment that is not known": "<!-- skip -->\n```python\n1\n```\n",
    "a comment before no block": "<!-- not run: slow -->\nwords\n```python\n1\n```\n",
    "a text to replace that is not there": "<!-- in tests: 3000 -> 3 -->\n```python\n1\n```\n",
}


@pytest.mark.parametrize("page", FALSE.values(), ids=FALSE)
def test_what_is_false_in_a_page_is_found(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((AssertionError, NameError, ValueError)):
        run_page("page", page)


def test_a_block_is_not_run_where_the_page_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_page("page", "<!-- not run: slow -->\n```python\nnothing\n```\n")
    run_page("page", "<!-- not run `ls`: another program -->\n```sh\nls\n```\n")

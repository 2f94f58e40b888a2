"""Tutorials run, print and draw what their pages show; charts of measurements show what their tables say."""

import re
import runpy
from pathlib import Path

import pytest

matplotlib = pytest.importorskip("matplotlib")
pytest.importorskip("sklearn")

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "docs" / "scripts"
TUTORIALS = runpy.run_path(str(SCRIPTS / "tutorials.py"))
TEXTS = re.compile(r"<text [^>]*>([^<]*)<")
NUMBER = re.compile(r"-?\d+\.?\d*(?:e[+-]\d+)?")
LINES = {"arrays", "gradients", "training", "serving"}


def assert_alike(printed, kept):
    """Words are the same; numbers may differ by a twentieth, as other processors add in another order."""
    assert NUMBER.sub("#", printed).split() == NUMBER.sub("#", kept).split()
    for ours, theirs in zip(NUMBER.findall(printed), NUMBER.findall(kept), strict=True):
        assert float(ours) == pytest.approx(float(theirs), rel=0.05, abs=0.03)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("page", TUTORIALS["pages"](), ids=lambda page: page.stem)
def test_page_prints_and_draws_what_it_shows(page, tmp_path):
    outputs, kept = TUTORIALS["run"](page, tmp_path), TUTORIALS["kept"](page)
    for printed, shown in zip(outputs, kept, strict=True):
        assert_alike(printed, shown)
    assert TUTORIALS["pictures"](page), "a page has a picture"
    for name in TUTORIALS["pictures"](page):
        assert TUTORIALS["words"](tmp_path / name) == TUTORIALS["words"](TUTORIALS["IMAGES"] / name)


def test_charts_show_what_the_tables_say(tmp_path):
    """The texts in them are the kinds of work and the means."""
    charts = runpy.run_path(str(SCRIPTS / "draw_measurements.py"))
    charts["draw"](tmp_path)
    for name in charts["NAMES"]:
        made, kept = (TEXTS.findall((folder / name).read_text()) for folder in (tmp_path, charts["IMAGES"]))
        assert made == kept, "run `python docs/scripts/draw_measurements.py`"


def test_notebooks_have_the_programs_and_outputs_of_their_pages(monkeypatch):
    monkeypatch.syspath_prepend(SCRIPTS)
    notebook = runpy.run_path(str(SCRIPTS / "tutorial_notebooks.py"))["notebook"]
    for page in TUTORIALS["pages"]():
        parts = [cell for cell in notebook(page)["cells"] if cell["cell_type"] == "code"]
        programs = [match["program"] for match in TUTORIALS["CELL"].finditer(page.read_text(encoding="utf-8"))]
        assert [cell["source"] + "\n" for cell in parts] == programs
        assert ["".join(output["text"] for output in cell["outputs"]) for cell in parts] == TUTORIALS["kept"](page)


def test_every_picture_is_shown():
    shown = {name for page in TUTORIALS["pages"]() for name in TUTORIALS["pictures"](page)}
    assert {path.name for path in TUTORIALS["IMAGES"].iterdir()} == shown


def test_each_line_has_its_pages_in_the_table_of_contents():
    text = (TUTORIALS["TUTORIALS"] / "index.md").read_text(encoding="utf-8")
    pages = [page.stem for page in TUTORIALS["pages"]()]
    assert {page.partition("-")[0] for page in pages} == LINES
    assert sorted(re.findall(r"^(\w+-\d-[\w-]+)$", text, re.M)) == pages

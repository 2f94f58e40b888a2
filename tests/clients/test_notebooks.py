"""Notebooks made from the tutorials run in Jupyter's kernel, and print what they show."""

import runpy
import sys
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

SCRIPTS = Path(__file__).parents[2] / "docs" / "scripts"
sys.path.insert(0, str(SCRIPTS))
NOTEBOOKS = runpy.run_path(str(SCRIPTS / "tutorial_notebooks.py"))
sys.path.remove(str(SCRIPTS))


def printed(cell):
    """What a cell printed, in one text."""
    return "".join(output["text"] for output in cell.get("outputs", ()) if output.get("name") == "stdout")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("page", NOTEBOOKS["pages"](), ids=lambda page: page.stem)
def test_notebook_runs(page, tmp_path):
    notebook = nbformat.from_dict(NOTEBOOKS["notebook"](page))
    nbformat.validate(notebook)
    shown = [printed(cell) for cell in notebook.cells]
    environment = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources=environment).execute()
    assert [len(printed(cell).split()) for cell in notebook.cells] == [len(text.split()) for text in shown]

"""Notebooks made from the tutorials run in Jupyter's kernel, and print what they show."""

import base64
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


PLOTTED = """
import nd4py as nd
from nd4py import nn, train
net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
net.fit(nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2), epochs=3, listeners=train.LivePlotListener(seconds=0))
"""


def test_a_live_plot_is_one_picture_of_its_cell():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(PLOTTED)])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    (picture, *rest) = notebook.cells[0].outputs
    assert picture["output_type"] == "display_data"
    assert base64.b64decode(picture["data"]["image/png"]).startswith(b"\x89PNG")
    assert [output["output_type"] for output in rest] == ["execute_result"]

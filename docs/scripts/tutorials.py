"""Run the tutorials, and write what they print and draw: `python docs/scripts/tutorials.py [page ...]`.

The programs of a page are one program in parts: later parts use names of earlier ones. A block of `text` right after a
part is what the part prints. A picture is a file that the page saves under the name it has in docs/tutorials/images.

Design: pages are Markdown, and outputs stand in them, so that a page is read, searched and compared as text. Notebooks
as the source were left out: a change of one word rewrites their numbering, and pictures in them are base64.
"""

import contextlib
import io
import re
import sys
import tempfile
from pathlib import Path

import matplotlib
from matplotlib import pyplot as plt

TUTORIALS = Path(__file__).parents[1] / "tutorials"
IMAGES = TUTORIALS / "images"
CELL = re.compile(r"^```python\n(?P<program>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```\n)?", re.M | re.S)
GRAY = "#7a7a7a"  # can be read on white and on black
STYLE = {
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), GRAY),
    **{f"{part}.facecolor": "none" for part in ("figure", "axes", "savefig")},
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.figsize": (6.4, 3.6),
    "legend.frameon": False,
    "savefig.bbox": "tight",
    "svg.fonttype": "none",  # words stay words: they are searched and compared
    "svg.hashsalt": "nd4py",
}


def pages():
    """The pages that have programs, in the order of their names."""
    return sorted(page for page in TUTORIALS.glob("*.md") if page.stem != "index")


def run(page, folder):
    """What the parts of a page print, one text for each; its pictures are written to the folder."""
    names = {"__name__": "__main__"}
    outputs = []
    with contextlib.chdir(folder), matplotlib.rc_context(STYLE):
        matplotlib.use("Agg")
        for number, cell in enumerate(CELL.finditer(page.read_text(encoding="utf-8"))):
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(compile(cell["program"], f"{page.stem}, part {number}", "exec"), names)
            outputs.append(printed.getvalue())
        plt.close("all")
    return outputs


def with_outputs(text, outputs):
    """The text of a page, with these outputs."""
    left = iter(outputs)

    def cell(match):
        printed = next(left)
        return f"```python\n{match['program']}```\n" + (f"\n```text\n{printed}```\n" if printed else "")

    return CELL.sub(cell, text)


def kept(page):
    """What the page says its parts print."""
    return [cell["output"] or "" for cell in CELL.finditer(page.read_text(encoding="utf-8"))]


def pictures(page):
    """The names of the pictures that a page shows."""
    return re.findall(r"\]\(images/([\w.-]+)\)", page.read_text(encoding="utf-8"))


def words(picture):
    """The words in a picture, without the numbers at its axes."""
    texts = re.findall(r"<text [^>]*>([^<]*)<", picture.read_text(encoding="utf-8"))
    return sorted(text.strip() for text in texts if re.search(r"[A-Za-z]", text))


def without_date(picture):
    """The text of a picture, without when and by what it was made."""
    return re.sub(r" <metadata>.*?</metadata>\n", "", picture.read_text(encoding="utf-8"), flags=re.S)


def main(chosen):
    """Write outputs and pictures of the pages with these names, or of all."""
    for page in pages():
        if chosen and page.stem not in chosen:
            continue
        with tempfile.TemporaryDirectory() as folder:
            text = with_outputs(page.read_text(encoding="utf-8"), run(page, folder))
            page.write_text(text, encoding="utf-8")
            for name in pictures(page):
                (IMAGES / name).write_text(without_date(Path(folder) / name), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

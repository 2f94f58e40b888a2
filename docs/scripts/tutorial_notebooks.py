"""Sphinx extension: each tutorial as a notebook beside its page, with a link to it.

Design: notebooks are made from the pages when the site is built, so that nothing is kept twice.
"""

import json
import re
from pathlib import Path

from tutorials import CELL, pages

LINK = '\n\n<p><a href="{name}.ipynb" download>This page as a notebook</a></p>\n'
PICTURE = re.compile(r"^!\[[^\]]*\]\([^)]*\)\n", re.M)  # the notebook draws it itself
TO_PAGE = re.compile(r"\[([^\]]*)\]\((?!https?:)[^)]*\)")


def cell(kind, number, text, **more):
    """A cell of a notebook."""
    return {"cell_type": kind, "id": f"part-{number}", "metadata": {}, "source": text.strip("\n"), **more}


def cells(text):
    """The cells of a page: its text without links to other pages, and its programs with what they print."""
    end, found = 0, []
    for match in [*CELL.finditer(text), None]:
        words = TO_PAGE.sub(r"\1", PICTURE.sub("", text[end : match.start() if match else len(text)]))
        if words.strip():
            found.append(cell("markdown", len(found), words))
        if match:
            printed = {"output_type": "stream", "name": "stdout", "text": match["output"] or ""}
            outputs = [printed] if match["output"] else []
            found.append(cell("code", len(found), match["program"], outputs=outputs, execution_count=None))
            end = match.end()
    return found


def notebook(page):
    """A page as a notebook of format 4.5."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    content = {"cells": cells(page.read_text(encoding="utf-8")), "metadata": {"kernelspec": kernel}}
    return {**content, "nbformat": 4, "nbformat_minor": 5}


def add_link(app, name, source):
    """Put the link at the end of a tutorial."""
    folder, _, page = name.rpartition("/")
    if folder == "tutorials" and page != "index":
        source[0] += LINK.format(name=page)


def write_notebooks(app, error):
    """Write the notebooks beside the pages of the site."""
    folder = Path(app.outdir) / "tutorials"
    if error is None and folder.is_dir():
        for page in pages():
            (folder / f"{page.stem}.ipynb").write_text(json.dumps(notebook(page), indent=1) + "\n", encoding="utf-8")


def setup(app):
    """Called by Sphinx."""
    app.connect("source-read", add_link)
    app.connect("build-finished", write_notebooks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

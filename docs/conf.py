"""Settings of the documentation site: `python -m sphinx -W --keep-going docs build/docs`.

Design: Sphinx, because its autodoc imports the package and so shows what users get: functions made from the table,
names imported with stars, values of defaults, compiled classes.  mkdocstrings reads the sources instead: it showed
`dtype=DEFAULT_INT` for "int64" and described `__doc__`; and Material for MkDocs has announced its end for May 2027.
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "scripts"), str(HERE.parent)]  # the extensions, and the package

project = "nd4py"
author = "the authors of nd4py"
copyright = "the authors of nd4py; Apache-2.0"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_docstrings", "sphinx_functions", "tutorial_notebooks"]
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = "nd4py"
html_static_path = ["static"]
html_css_files = ["site.css"]

myst_heading_anchors = 3
default_role = "py:obj"  # `name` in a docstring: a link where there is such a name, code where there is not
maximum_signature_line_length = 90
smartquotes = False  # quotes in docstrings are code

"""Sphinx extension: the directive that describes what a module of nd4py offers.

    .. offers:: nd4py.api.elementwise.elementwise
       :rows: ROUNDING

It stands for the names in the module's `__all__`, each under the name users know, `nd4py.floor`; with `rows`, for
those of one group of the table of operations; with `files`, for those from some files of a package, `nd4py.nn`.
"""

import inspect
from collections.abc import Mapping
from enum import Enum

from public_names import first_name, offered, space_of
from sphinx.util.docutils import SphinxDirective
from sphinx_docstrings import escaped

import nd4py


def entry(full_name, first, obj):
    """The lines that describe one name; `first` is where its object is described."""
    if isinstance(obj, nd4py.DType):
        return [f".. py:data:: {full_name}", "", f"   {obj.category}, bits: {8 * obj.itemsize}"]
    if first != full_name:
        return [f".. py:function:: {full_name}", "", f"   Another name of :py:obj:`{first}`."]
    if isinstance(obj, Mapping):
        return [f".. py:data:: {full_name}", "", *(f"   - {line}" for line in choices(obj)), ""]
    if not callable(obj):
        return [f".. py:data:: {full_name}", "", f"   The one :py:class:`nd4py.{type(obj).__name__}`."]
    if not inspect.isclass(obj):
        return [f".. autofunction:: {full_name}"]
    if issubclass(obj, Exception):
        return [f".. autoexception:: {full_name}"]
    if issubclass(obj, Enum):
        return [f".. autoclass:: {full_name}", "   :members:", "   :undoc-members:"]
    return [f".. autoclass:: {full_name}", "   :members:", "   :inherited-members:"]


def choices(functions):
    """A line for each name that a setting may have, with the first sentence about its function."""
    for name, function in functions.items():
        summary = (inspect.getdoc(function) or "").partition("\n")[0].partition(".  ")[0]
        yield f"``{name}``: {escaped(summary)}"


class Offers(SphinxDirective):
    """The names of one module."""

    required_arguments = 1
    option_spec = {"rows": str, "files": str}

    def run(self):
        """The nodes of all entries."""
        module_name = self.arguments[0]
        space, lines = space_of(module_name), []
        for name, obj in offered(module_name, **self.options).items():
            lines += [*entry(f"{space}.{name}", first_name(space, name, obj), obj), ""]
        if not lines:
            raise self.error(f"{module_name} offers nothing here")
        return self.parse_text_to_nodes("\n".join(lines))


def setup(app):
    """Register the directive."""
    app.add_directive("offers", Offers)
    return {"parallel_read_safe": True}

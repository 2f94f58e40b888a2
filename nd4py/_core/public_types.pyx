"""Types under the names that users know them by: in errors, `repr` and pickles."""

from typing import Any

from cpython.object cimport Py_TPFLAGS_HEAPTYPE, PyTypeObject

cdef extern from "Python.h":
    void PyType_Modified(PyTypeObject* kind)

cdef list written = []      # names that types of C point at


def name_types(namespace: dict[str, Any], str public) -> None:
    """Name the types among the values of `namespace` as parts of the module `public`, if they are of inner modules."""
    for value in list(namespace.values()):
        if isinstance(value, type) and value.__module__.startswith(("nd4py._", "nd4py.api.", f"{public}.")):
            name_type(value, public, value.__name__)


def name_type(named: type, str public, str name) -> None:
    """Name a type as one of the module `public`."""
    cdef PyTypeObject* kind = <PyTypeObject*><object>named
    if kind.tp_flags & Py_TPFLAGS_HEAPTYPE:
        named.__module__, named.__name__, named.__qualname__ = public, name, name
        return
    full = f"{public}.{name}".encode()
    written.append(full)
    kind.tp_name = full
    PyType_Modified(kind)

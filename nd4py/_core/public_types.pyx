"""Types as users know them: under the names that errors, `repr` and pickles have, and with the methods and properties
that are written in other files."""

from typing import Any

from cpython.object cimport Py_TPFLAGS_HEAPTYPE, PyTypeObject
from nd4py._core.array.array_base cimport ArrayBase

cdef extern from "Python.h":
    void PyType_Modified(PyTypeObject* kind)

cdef extern from *:
    """
    static int give(PyTypeObject* type, PyObject* name, PyObject* member) {
      int status = PyDict_SetItem(type->tp_dict, name, member);
      PyType_Modified(type);
      return status;
    }
    static void set_metaclass(PyTypeObject* type, PyTypeObject* metaclass) {
      Py_SET_TYPE((PyObject*)type, metaclass);
      PyType_Modified(type);
    }
    """
    int give(PyTypeObject* array, str name, object member) except -1
    void set_metaclass(PyTypeObject* array, PyTypeObject* metaclass)

cdef list written = []                   # names that types of C point at
cdef frozenset MACHINERY = frozenset(vars(type("Empty", (), {})))     # what every class has in its dictionary


def name_types(namespace: dict[str, Any], str public) -> None:
    """Name the types among the values of `namespace` as parts of the module `public`, if they are of inner modules."""
    for value in list(namespace.values()):
        if isinstance(value, type) and value.__module__.startswith(("nd4py._", "nd4py.api.", f"{public}.")):
            name_type(value, public, value.__name__)


def name_type(object named: type, str public, str name) -> None:
    """Name a type as one of the module `public`."""
    cdef PyTypeObject* kind = <PyTypeObject*>named
    if kind.tp_flags & Py_TPFLAGS_HEAPTYPE:
        named.__module__, named.__name__, named.__qualname__ = public, name, name
        return
    full = f"{public}.{name}".encode()
    written.append(full)
    kind.tp_name = full
    give(kind, "__module__", public)     # else it is that of the metaclass, if there is one of Python's


def extend(written_elsewhere: type, object array: type = ArrayBase) -> None:
    """Give a type of arrays the methods and properties of a class in another file; its own is long enough."""
    for name, member in vars(written_elsewhere).items():
        if name not in MACHINERY:
            give(<PyTypeObject*>array, name, member)


def let_make(object kind: type, object metaclass: type) -> None:
    """Let a metaclass make the classes that programs derive from a type of C, which must allow none."""
    set_metaclass(<PyTypeObject*>kind, <PyTypeObject*>metaclass)

"""Methods and properties of arrays that are written in other files."""

from nd4py._core.array.array_base cimport ArrayBase

cdef extern from *:
    """
    static int give(PyTypeObject* type, PyObject* name, PyObject* member) {
      int status = PyDict_SetItem(type->tp_dict, name, member);
      PyType_Modified(type);
      return status;
    }
    """
    int give(type array, str name, object member) except -1


cdef frozenset MACHINERY = frozenset(vars(type("Empty", (), {})))     # what every class has in its dictionary


def extend(written_elsewhere: type, type array=ArrayBase) -> None:
    """Give a type of arrays the methods and properties of a class in another file; its own is long enough."""
    for name, member in vars(written_elsewhere).items():
        if name not in MACHINERY:
            give(array, name, member)

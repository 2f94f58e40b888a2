"""The line of the user's program that called an operation which runs later."""

from cpython.object cimport PyObject

from pathlib import Path

cdef extern from *:
    """
    /* Where Python is: the code and instruction of the first frame outside the package. */
    static PyObject* nd_calling_code(PyObject* (*is_inside)(PyObject*), int* instruction) {
      PyFrameObject* frame = PyEval_GetFrame();
      PyCodeObject* code = 0;
      Py_XINCREF(frame);
      while (frame) {
        PyFrameObject* back;
        Py_XDECREF(code);
        code = PyFrame_GetCode(frame);
        *instruction = PyFrame_GetLasti(frame);
        if (is_inside(code->co_filename) != Py_True) break;
        back = PyFrame_GetBack(frame);
        Py_DECREF(frame);
        frame = back;
      }
      Py_XDECREF(frame);
      return (PyObject*)code;
    }
    static int nd_line(PyObject* code, int instruction) {
      return PyCode_Addr2Line((PyCodeObject*)code, instruction);
    }
    """
    PyObject* nd_calling_code(PyObject* (*is_inside)(PyObject*) noexcept, int* instruction)
    int nd_line(PyObject* code, int instruction)

# The package's folder as files name it, with and without links; compared as texts, since Python that ran here would be
# interrupted where no error can be raised.
cdef str PACKAGE = f"{Path(__file__).parent.parent}/"
cdef str RESOLVED = f"{Path(__file__).resolve().parent.parent}/"
cdef dict inside = {}                    # whether a file is one of the package's, by its name


cdef PyObject* is_inside(PyObject* name) noexcept:
    """True where a file is one of the package's."""
    cdef object found = inside.get(<object>name)
    cdef str file
    if found is None:
        file = <str>name
        found = file.startswith(PACKAGE) or file.startswith(RESOLVED)
        inside[file] = found
    return <PyObject*>found


cdef PyObject* calling_code(int* instruction):
    """A new reference to the code of the user's program that runs, or NULL; and which instruction of it."""
    return nd_calling_code(is_inside, instruction)


cdef str call_site_of(PyObject* code, int instruction):
    """" in <file>, line <number>", or "" where no code was found."""
    if code == NULL:
        return ""
    return f" in {(<object>code).co_filename}, line {nd_line(code, instruction)}"

"""Call sites: the line of the user's program that made an array, or called an operation which runs later.

tracemalloc and the debug mode are told where arrays were made, error messages where operations were called.
"""

import os

from cpython.object cimport PyObject
from cpython.ref cimport Py_XDECREF
from libc.stdint cimport uintptr_t
from nd4py._mem.pool.pool_guard cimport set_site

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

cdef extern from "<string.h>":
    char* strdup(const char* text)

# The package's folder as files name it, with and without links; compared as texts, since Python that ran here would be
# interrupted where no error can be raised.
cdef str PACKAGE = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "")
cdef str RESOLVED = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))), "")
cdef dict inside = {}                    # whether a file is one of the package's, by its name
cdef dict sites = {}                     # "file:line" -> where it stands in memory, for good: blocks outlive Python
TRACE_DOMAIN: int = DOMAIN
was_traced = False


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


cdef int note_site(void* block) except -1:
    """Name the line that called into nd4py."""
    cdef int instruction = 0
    cdef PyObject* code = calling_code(&instruction)
    site = f"{(<object>code).co_filename}:{nd_line(code, instruction)}" if code != NULL else ""
    Py_XDECREF(code)
    if site not in sites:
        sites[site] = <uintptr_t>strdup(site.encode(errors="replace"))
    set_site(block, <const char*><uintptr_t>sites[site])
    return 0

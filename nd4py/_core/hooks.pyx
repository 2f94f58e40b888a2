"""The seams through which the layers above give arrays their arithmetic."""

cdef Hooks hooks
cdef dict methods = {}


def install(**functions):
    """Give NDArray the functions its methods call, by name."""
    methods.update(functions)

"""The seams through which the layers above give arrays their arithmetic."""

cdef Hooks hooks
cdef dict methods = {}
cdef dict device_methods = {}
cdef dict functions = {}


def install(**seams):
    """Give arrays the functions their methods call, by name."""
    methods.update(seams)


def install_for_devices(**seams):
    """The same for arrays on devices, where a function of that name is not the host's."""
    device_methods.update(seams)


def installed(name):
    """The function that was installed under a name."""
    return methods[name]


def offer(namespace):
    """The functions that arrays have as methods too, by name."""
    functions.update(namespace)


def type_name(x):
    """The name of the type of an operand that is no array, for errors.  Raises the error of one that was released."""
    return methods["type_name"](x)

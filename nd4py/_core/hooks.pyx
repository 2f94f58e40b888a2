"""The seams through which the layers above give arrays their arithmetic."""

cdef Hooks hooks
cdef dict methods = {}
cdef dict device_methods = {}
cdef dict functions = {}


def install(**seams: Callable[..., Any]) -> None:
    """Give arrays the functions their methods call, by name."""
    methods.update(seams)


def install_for_devices(**seams: Callable[..., Any]) -> None:
    """The same for arrays on devices, where a function of that name is not the host's."""
    device_methods.update(seams)


def installed(name: str) -> Any:
    """The function that was installed under a name."""
    return methods[name]


def offer(namespace: dict[str, Any]) -> None:
    """The functions that arrays have as methods too, by name."""
    functions.update(namespace)


def type_name(x) -> str:
    """The name of the type of an operand that is no array, for errors.  Raises the error of one that was released."""
    return methods["type_name"](x)

"""Import of optional packages, which a pip extra brings."""

from importlib import import_module
from importlib.util import find_spec


def optional(module, who, extra="data"):
    """The module of that dotted name, imported when it is needed.  Raises ImportError naming the pip extra."""
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f"{who} needs {module} ({error}); install it with: pip install 'nd4py[{extra}]'") from None


def is_installed(package):
    """Whether a package is there, without importing it."""
    return find_spec(package) is not None

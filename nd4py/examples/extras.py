"""Import of the optional packages that the examples draw their results with."""

from importlib import import_module


def extra(module):
    """The module of that dotted name.  Raises ImportError naming the pip extra that brings it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(
            f"the examples need {module} ({error}); install it with: pip install 'nd4py[examples]'"
        ) from None

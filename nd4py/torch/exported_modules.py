"""Modules of PyTorch, exported in memory by PyTorch's own exporter, as models of ONNX.

Design: torch.export has no stable form of its graphs that others may read, but its ONNX exporter writes operators
with definitions.  A module then takes the way of every other ONNX model: checked, optimised and run in one place.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from nd4py.data.optional_packages import optional
from nd4py.onnx import Model

WHO = "torch.from_module"


def from_module(module: Any, example: Any, *, dynamic_shapes: Any = None) -> Model:
    """A module of PyTorch as a model that nd4py runs, without a file between them.

    module: a `torch.nn.Module`; it is exported as it computes when it does not train, and keeps its own mode
    example: what `module` is called with: an array, a tuple of the arguments, or a dict of them by their names; arrays
        are PyTorch's, NumPy's or nd4py's
    dynamic_shapes: axes whose sizes may differ from run to run, as `torch.export.export` takes them: for each argument
        of `example` a dict from axes to names, `({0: "batch", 1: "length"},)`.  None: the first axis of each array
        where the module allows it, and where it is longer than 1 in `example`, because torch.export takes 1 as fixed.
    Returns a `nd.onnx.Model`; its `run` takes the arrays among the arguments, PyTorch's on the host too.
    It needs torch 2.6 or newer and onnxscript, which a pip extra brings: `pip install nd4py[torch]`.
    Raises TypeError for what is no module and no example, ValueError where the module cannot be called with it,
    NotImplementedError that names all operators that nd4py does not have, ImportError where torch or onnxscript is
    missing, and `torch.onnx.OnnxExporterError` for modules that PyTorch cannot export.

    >>> import torch
    >>> model = nd.torch.from_module(torch.nn.Softmax(dim=-1), nd.zeros((2, 4), dtype="float32"))
    >>> model.run([nd.zeros((3, 4), dtype="float32")])[0].shape
    (3, 4)
    """
    torch = optional("torch", WHO, "torch")
    if not isinstance(module, torch.nn.Module):
        raise TypeError(f"{WHO}: module is a torch.nn.Module, got {type(module).__name__}")
    arguments, keywords = split_arguments(torch, example)
    if dynamic_shapes is None:
        dynamic_shapes = first_axes(torch, keywords or arguments)
    optional("onnxscript", WHO, "torch")
    with not_training(module), warnings.catch_warnings():
        for kind in (FutureWarning, DeprecationWarning):  # of what torch itself uses
            warnings.simplefilter("ignore", kind)
        check_example(torch, module, arguments, keywords)
        program = torch.onnx.export(
            module, arguments, kwargs=keywords, dynamo=True, dynamic_shapes=dynamic_shapes, verbose=False
        )
    return Model(program.model_proto)


def check_example(torch: Any, module: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """Raises ValueError where the module cannot be called with the example: the exporter's own error is pages long."""
    try:
        with torch.no_grad():
            module(*arguments, **keywords)
    except Exception as error:
        shapes = [str(tuple(each.shape)) for each in (*arguments, *keywords.values()) if hasattr(each, "shape")]
        raise ValueError(
            f"{WHO}: the module cannot be called with the example, arrays of {' and '.join(shapes)}: "
            f"{type(error).__name__}: {error}"
        ) from error


def split_arguments(torch: Any, example: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments by position and by name, with tensors in place of arrays.  Raises TypeError for no arrays."""
    by_name = isinstance(example, Mapping)
    arguments = () if by_name else example if isinstance(example, tuple) else (example,)
    found = tuple(as_tensors(torch, each) for each in arguments)
    named = {str(name): as_tensors(torch, each) for name, each in example.items()} if by_name else {}
    if not any(holds_tensor(torch, each) for each in (*found, *named.values())):
        raise TypeError(f"{WHO}: example has no array, got {type(example).__name__}")
    return found, named


def as_tensors(torch: Any, value: Any) -> Any:
    """`value` with tensors in place of the arrays of other libraries, also those in lists, tuples and dicts."""
    if isinstance(value, Mapping):
        return {name: as_tensors(torch, each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(as_tensors(torch, each) for each in value)
    if hasattr(value, "__dlpack__") and not isinstance(value, torch.Tensor):
        return torch.from_dlpack(value).clone()  # arrays may be read-only, which tensors cannot be
    return value


def holds_tensor(torch: Any, value: Any) -> bool:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return any(holds_tensor(torch, each) for each in value)
    return isinstance(value, torch.Tensor)


def first_axes(torch: Any, value: Any) -> Any:
    """The argument `dynamic_shapes` that leaves the first axis of every tensor open where the module allows it."""
    if isinstance(value, Mapping):
        return {name: first_axes(torch, each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(first_axes(torch, each) for each in value)
    is_open = isinstance(value, torch.Tensor) and value.ndim and value.shape[0] > 1
    return {0: torch.export.Dim.AUTO} if is_open else None


@contextmanager
def not_training(module: Any) -> Iterator[None]:
    """The module as it computes when it does not train; behind it each of its parts has its own mode again."""
    modes = [(part, part.training) for part in module.modules()]
    module.eval()
    try:
        yield
    finally:
        for part, mode in modes:
            part.training = mode

"""Write docs/migration/pytorch-names.md, a table of PyTorch's names: `python docs/scripts/render_pytorch_names.py`.

Which names there are is asked of PyTorch and nd4py; what to write for those that nd4py lacks stands in
`pytorch_counterparts`.
"""

import inspect
import re
import sys
from pathlib import Path

DOCS = Path(__file__).parents[1]
sys.path[:0] = [str(DOCS.parent), str(DOCS / "scripts")]

import pytorch_counterparts as counterparts  # noqa: E402
import torch  # noqa: E402
import torch.nn.functional as functional  # noqa: E402
from torch.optim import lr_scheduler  # noqa: E402
from torch.utils import data as torch_data  # noqa: E402

import nd4py as nd  # noqa: E402

TARGET = DOCS / "migration" / "pytorch-names.md"
HEAD = """# Names of PyTorch

The functions and classes that PyTorch {version} describes, and what to write here. This page is made by
`docs/scripts/render_pytorch_names.py`. Arguments have NumPy's names: `axis` for `dim`, `keepdims` for `keepdim`. A
shape is one argument. What works in another way is said [for PyTorch users](pytorch-users.md).

Names for quantized and sparse tensors, of TorchScript, with a trailing underscore, and those that PyTorch has no text
for are not in the tables. Methods of tensors are methods of arrays, or functions of the same name; under `torch.Tensor`
stand those that are methods alone.
"""
SKIPPED = re.compile(
    r"_$|_copy$|_values$|_forward$|_with_indices$|Options$|_datapipe|datapipes|native_|quantize|sparse|indices|crow_"
    r"|scaled_mm|grouped_mm|DispatchKey|AggregationType"
    r"|^(sym_|Sym|parse_|import_ir|init_num|merge_type|unify|alias|Script|DF|DataChunk|non_det|get_worker|swap_in)"
    r"|^(hspmm|smm|sspaddmm|Tag|Optional|boolean_dispatch)$|^(runtime|argument)_validation"
)
OF_STORAGE = re.compile(
    r"_$|sparse|coalesce|crow|ccol|indices|^is_(ipu|m|nested|quantized|set|shared|vulkan|x)"
    r"|^(storage_t|to_|untyped|values|ipu)"
    r"|^(as_subclass|index|module_load|name|reinforce|volatile|dense_dim|grad_dtype|row_.*|new_empty_strided|xpu)$"
)
HIDDEN = {"detach", "get_device"}  # functions that PyTorch's pages describe as methods
SPACES = (
    ("torch", torch, nd, counterparts.TORCH),
    ("torch.Tensor", torch.Tensor, nd.NDArray, counterparts.TENSOR),
    ("torch.linalg", torch.linalg, nd.linalg, counterparts.LINALG),
    ("torch.fft", torch.fft, nd.fft, {}),
    ("torch.special", torch.special, nd, counterparts.SPECIAL),
    ("torch.nn.functional", functional, nd, counterparts.FUNCTIONAL),
    ("torch.nn", torch.nn, None, counterparts.LAYERS),
    ("torch.nn.init", torch.nn.init, None, counterparts.INIT),
    ("torch.optim", torch.optim, None, counterparts.OPTIM),
    ("torch.optim.lr_scheduler", lr_scheduler, None, counterparts.SCHEDULES),
    ("torch.utils.data", torch_data, None, counterparts.DATA),
)


def spread(table):
    """A table with one name in each key."""
    return {name: text for names, text in table.items() for name in names.split()}


DIFFERS = spread(counterparts.DIFFERS)


def names(title, module):
    """The names of a module that its users are meant to know."""
    listed = getattr(module, "__all__", None) if title != "torch.nn" else None
    if title == "torch.nn.init":
        return sorted(name for name in dir(module) if name.endswith("_") and not name.startswith("_"))
    if title == "torch.Tensor":
        functions = {name for name in dir(torch) if inspect.isroutine(getattr(torch, name)) and name not in HIDDEN}
        own = {name for name in dir(module) if not name.startswith("_")} - functions
        return sorted((name for name in own if not OF_STORAGE.search(name)), key=str.lower)
    found = []
    for name in listed or dir(module):
        each = getattr(module, name, None)
        is_told = callable(each) and isinstance(each.__doc__, str) and each.__doc__.strip()
        if name.startswith("_") or not is_told or SKIPPED.search(name) or name == "Tensor":
            continue
        if title == "torch.nn" and not inspect.isclass(each):
            continue
        if title == "torch.nn.functional" and (inspect.isclass(each) or name.startswith(("has_", "handle_"))):
            continue
        found.append(name)
    return sorted(found, key=str.lower)


def rows(table, chosen):
    """A line for each key of a table that has some of these names."""
    groups = [([name for name in key.split() if name in chosen], text) for key, text in table.items()]
    lines = [(", ".join(f"`{name}`" for name in group), text) for group, text in groups if group]
    return [f"| {group} | {text} |" for group, text in sorted(lines, key=lambda line: line[0].lower())]


def section(title, module, ours, table):
    """The part of the page for one namespace: names that are the same, those to replace, those that are not there."""
    found, others = names(title, module), spread(table)
    shared = {} if module is torch else {names: text for names, text in counterparts.TORCH.items() if ours is nd}
    kept = [name for name in found if name not in others and ours is not None and hasattr(ours, name)]
    differs = [name for name in kept if ours is nd and name in DIFFERS]
    same = [name for name in kept if name not in differs]
    absent = [name for name in found if name not in kept and name not in others and name not in spread(shared)]
    unknown = others.keys() - set(found)
    assert not unknown, f"{title}: not among the names: {sorted(unknown)}"
    lines = rows(shared | table, set(found) - set(kept)) + rows(counterparts.DIFFERS, differs)
    text = [f"## `{title}`\n"]
    if same:
        text.append(f"The same name here: {', '.join(f'`{name}`' for name in same)}.\n")
    if lines:
        text.append("| PyTorch | nd4py |\n|---|---|\n" + "\n".join(lines) + "\n")
    if absent:
        text.append(f"Not in nd4py: {', '.join(f'`{name}`' for name in absent)}.\n")
    return "\n".join(text)


def page():
    """The text of the page."""
    version = ".".join(torch.__version__.split(".")[:2])
    parts = [HEAD.format(version=version), *(section(*space) for space in SPACES)]
    return "\n".join(parts)


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")

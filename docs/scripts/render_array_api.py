"""Write docs/array-api.md by calling every function of the standard: `python docs/scripts/render_array_api.py`.

The names, signatures and sample calls are those of `tests/standard/tables/names.py`.
"""

import inspect
import sys
from pathlib import Path

DOCS = Path(__file__).parents[1]
sys.path[:0] = [str(DOCS.parent), str(DOCS.parent / "tests")]

from standard.tables.names import (  # noqa: E402
    ATTRIBUTES,
    CONSTANTS,
    FUNCTIONS,
    INSPECTION,
    METHODS,
    VERSION,
    operator_methods,
)

import nd4py as nd  # noqa: E402

TARGET = DOCS / "array-api.md"
EXTRA_DTYPES = ("float16", "bfloat16")
HEAD = """# The array API

nd4py's main namespace follows the [Python array API standard](https://data-apis.org/array-api/{version}/),
revision {version}, with the extensions `linalg` and `fft`. This page is made by `docs/scripts/render_array_api.py`,
which calls every function of the standard with every dtype on every device. What is listed was accepted; where the
standard asks for the dtype, the result had the dtype it demands. `tests/standard` tests the values.

- Dtypes: {dtypes}. The standard has all of these but float16 and bfloat16.
- Devices: {devices}.
- "integers" stands for int8 to int64 and uint8 to uint64, "floats" for float32 and float64, "halves" for float16 and
  bfloat16, "complex" for complex64 and complex128, "all" for these and bool.

The signatures are the standard's. A function may take more: keywords by position as in NumPy, lists in place of tuples,
`out=`; see the [reference](reference/index.md).
"""
CHAPTERS = {"": "Main namespace", "linalg": "`linalg`", "fft": "`fft`"}
GROUPS = {
    "bool": ("bool",),
    "integers": ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    "floats": ("float32", "float64"),
    "halves": EXTRA_DTYPES,
    "complex": ("complex64", "complex128"),
}
DEVICES = nd.__array_namespace_info__().devices()
DTYPES = tuple(name for group in GROUPS.values() for name in group)


def find(entry):
    """The function of an entry, or None."""
    return getattr(getattr(nd, entry.where, None) if entry.where else nd, entry.name, None)


def sample_of(entry, dtype):
    """The arguments of a sample call; wrapped numbers where those of the sample do not fit an integer dtype."""
    try:
        return entry.sample(nd, dtype)
    except OverflowError:
        positional, keywords = entry.sample(nd, "float64")
        return [x.astype("int64").astype(dtype) if isinstance(x, nd.NDArray) else x for x in positional], keywords


def outcome(entry, function, dtype, device):
    """The result of the sample call, or the TypeError that refuses the dtype.

    A sample rounded to an integer dtype beyond the standard's may be a matrix without a result: not the dtype's fault.
    """
    try:
        positional, keywords = sample_of(entry, dtype)
        if "device" in inspect.signature(function).parameters:
            keywords = {**keywords, "device": device}
        return function(*positional, **keywords)
    except TypeError as error:
        return error
    except nd.linalg.LinAlgError:
        assert dtype not in entry.dtypes
        return None


def result_names(entry, result):
    """The dtypes of a result, of one array or several; () where no array is returned."""
    arrays = result if isinstance(result, tuple | list) else (result,)
    found = tuple(x.dtype.name for x in arrays if isinstance(x, nd.NDArray))
    return found[:1] if isinstance(entry.result, str) else found


def expected_names(entry, dtype):
    """The dtypes that the standard asks of the result; () where it returns no array."""
    return () if entry.result == "no array" else entry.result_dtypes(dtype)


def accepted(entry, function, device, deviations):
    """The dtypes that a function takes on a device; adds to `deviations` what the standard asks for and is not so."""
    found = []
    for dtype in DTYPES:
        result = outcome(entry, function, dtype, device)
        if isinstance(result, TypeError):
            if dtype in entry.dtypes:
                deviations.append(f"`{title(entry)}` refuses {dtype} on {device}: {result}")
            continue
        found.append(dtype)
        if dtype in entry.dtypes and result_names(entry, result) != expected_names(entry, dtype):
            given, wanted = result_names(entry, result), expected_names(entry, dtype)
            deviations.append(f"`{title(entry)}` of {dtype} on {device} gives {given}, not {wanted}")
    return found


def title(entry):
    """The name with its sub-namespace."""
    return f"{entry.where}.{entry.name}" if entry.where else entry.name


def grouped(dtypes):
    """Names of dtypes in words: whole groups by their name."""
    if set(dtypes) == set(DTYPES):
        return "all"
    words = []
    for group, members in GROUPS.items():
        present = [name for name in members if name in dtypes]
        words += [group] if len(present) == len(members) else present
    return ", ".join(words)


def line(entry, deviations):
    """The row of the table for one function."""
    function = find(entry)
    if function is None:
        deviations.append(f"`{title(entry)}` is missing")
        return ""
    if entry.category == "none":
        dtypes, devices = "-", "-"
    else:
        by_device = {device: accepted(entry, function, device, deviations) for device in DEVICES}
        dtypes = "; ".join(dict.fromkeys(grouped(found) for found in by_device.values()))
        devices = ", ".join(device for device, found in by_device.items() if found)
    signature = entry.signature.replace("|", "\\|")
    return f"| `{title(entry)}{signature}` | {dtypes} | {devices} |\n"


def missing():
    """What the standard names beside functions, and is not there."""
    constants = [name for name in CONSTANTS if not hasattr(nd, name)]
    parts = [name for name in (*ATTRIBUTES, *METHODS, *operator_methods()) if not hasattr(nd.NDArray, name)]
    info = nd.__array_namespace_info__()
    asked = [name for name in INSPECTION if not hasattr(info, name)]
    return [f"`{name}` is missing" for name in (*constants, *parts, *asked)]


def names(found):
    """Names as code, with commas."""
    return ", ".join(f"`{name}`" for name in found)


def page():
    """The whole text of array-api.md."""
    deviations = missing()
    text = HEAD.format(version=VERSION, dtypes=", ".join(DTYPES), devices=", ".join(f'`"{name}"`' for name in DEVICES))
    for where, chapter in CHAPTERS.items():
        members = [entry for entry in FUNCTIONS if entry.where == where]
        rows = "".join(line(entry, deviations) for entry in members)
        text += f"\n## {chapter} ({len(members)} functions)\n\n| function | dtypes | devices |\n|---|---|---|\n{rows}"
    text += f"\n## Arrays\n\nAttributes: {names(ATTRIBUTES)}. Where an array has not two axes, `T` reverses all, "
    text += f"as NumPy's does; the standard asks for an error.\n\nMethods: {names(METHODS)}.\n"
    text += f"\nOperators, with the dtypes of the function each stands for: {names(operator_methods())}.\n"
    text += f"\n## Constants and inspection\n\nConstants: {names(CONSTANTS)}.\n"
    text += f"\n`__array_namespace_info__()` has {names(INSPECTION)}.\n"
    listed = "".join(f"- {deviation}\n" for deviation in deviations) or "None.\n"
    return f"{text}\n## Deviations\n\nNames missing, dtypes refused, results of another dtype:\n\n{listed}"


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")

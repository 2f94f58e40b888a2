"""NumPy's names that nd4py leaves out on purpose, and what to use instead.

Design: `hasattr` stays false for them, so that programs that ask for a name go on as with any library without it; the
error says more.
"""

from __future__ import annotations

__all__: list[str] = []

STRINGS = "arrays hold numbers alone; keep text in lists, or in NumPy's arrays"
OBJECTS = "arrays hold numbers alone; keep objects in lists"
DATES = "arrays hold numbers alone; keep dates in NumPy's or pandas' arrays, or as numbers of days"
RECORDS = "use a dict of arrays, one for each field"
MASKED = "use NaN and the functions nd.nansum, nd.nanmean ..., or a mask with nd.where"
MATRICES = "use 2-D arrays and @"
LONG = "no processor computes with it in vectors; use float64"
ERRORS = "nd4py never warns: results are inf or NaN, which nd.isfinite finds"
FUNCTIONS = "write the function with nd's operations on whole arrays"
FINANCIAL = "it is in the package numpy-financial"
LOOPS = "compute with whole arrays, or loop over itertools.product of the axes' ranges"
GONE = {
    "NINF": "-nd.inf",
    "PINF": "nd.inf",
    "NAN": "nd.nan",
    "NaN": "nd.nan",
    "Inf": "nd.inf",
    "Infinity": "nd.inf",
    "NZERO": "-0.0",
    "PZERO": "0.0",
    "AxisError": "ValueError",
    "alltrue": "nd.all",
    "asfarray": "nd.asarray(x, dtype=float)",
    "byte_bounds": "x.address and x.nbytes",
    "cast": "x.astype",
    "complex": "complex",
    "cumproduct": "nd.cumprod",
    "float_": "nd.float64",
    "complex_": "nd.complex128",
    "find_common_type": "nd.result_type",
    "float": "float",
    "in1d": "nd.isin",
    "infty": "nd.inf",
    "int": "int",
    "msort": "nd.sort(x, axis=0)",
    "product": "nd.prod",
    "round_": "nd.round",
    "sometrue": "nd.any",
    "str": "str",
    "trapz": "nd.trapezoid",
}

# (what to use instead, the names)
ABSENT = (
    (MATRICES, ("matrix", "asmatrix", "mat", "bmat")),
    (MASKED, ("ma",)),
    (STRINGS, ("char", "strings", "str_", "bytes_", "character", "chararray")),
    (OBJECTS, ("object_", "void", "flexible")),
    (RECORDS, ("rec", "record", "recarray", "format_parser")),
    (DATES, ("datetime64", "timedelta64", "datetime_as_string", "datetime_data", "isnat")),
    (DATES, ("busdaycalendar", "busday_count", "busday_offset", "is_busday")),
    (LONG, ("longdouble", "clongdouble", "float96", "float128", "complex192", "complex256")),
    (ERRORS, ("setbufsize", "getbufsize")),
    (FUNCTIONS, ("frompyfunc",)),
    (FINANCIAL, ("fv", "ipmt", "irr", "mirr", "nper", "npv", "pmt", "ppmt", "pv", "rate")),
    (LOOPS, ("nested_iters",)),
    ("nd4py's elementwise functions are plain functions with the methods of NumPy's", ("ufunc",)),
    ("use nd.result_type", ("mintypecode",)),
    ("use nd.dtype(...).category", ("typename",)),
    ("use nd.__array_namespace_info__().dtypes()", ("typecodes",)),
    ("use nd.__array_namespace_info__().dtypes()", ("sctypeDict",)),
    ("use nd.generic", ("ScalarType",)),
    ("use x.address, or numpy.asarray(x), which shares the memory", ("ctypeslib",)),
    ("use nd.dtype", ("dtypes",)),
    ("use nd.asarray(True)", ("True_",)),
    ("use nd.asarray(False)", ("False_",)),
    ("use nd.NDArray", ("typing",)),
    ("errors are Python's: TypeError, ValueError, IndexError", ("exceptions",)),
    ("use the functions of nd4py itself", ("core",)),
    ("use numpy.f2py, whose functions take nd4py's arrays", ("f2py",)),
    ("run pytest in nd4py's source folder", ("test",)),
    ("nd4py has no C interface; use the buffer protocol or DLPack", ("get_include",)),
    ("use sys.byteorder", ("little_endian",)),
    ("use nd.show_config", ("show_runtime",)),
)


def instead() -> dict[str, str]:
    """What to use instead of each name."""
    gone = {name: f"NumPy 2 has none either; use {other}" for name, other in GONE.items()}
    return gone | {name: text for text, names in ABSENT for name in names}


def why_absent(name: str) -> str:
    """The text of the AttributeError for a name that the namespace lacks."""
    text = instead().get(name)
    return f"module 'nd4py' has no attribute {name!r}" if text is None else f"nd4py has no np.{name}: {text}"

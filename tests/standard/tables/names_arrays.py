"""Creation, dtype, indexing, manipulation, searching, set, sorting, statistical and utility functions."""

from .entry import Entry, indices, matrix, numbers, of, square, vector

LIKE = "(x, /, *, dtype=None, device=None)"
SHAPED = "(shape, *, dtype=None, device=None)"
REDUCED = "(x, /, *, axis=None, keepdims=False)"
SUMMED = "(x, /, *, axis=None, dtype=None, keepdims=False)"
SPREAD = "(x, /, *, axis=None, correction=0.0, keepdims=False)"
SCANNED = "(x, /, *, axis=None, dtype=None, include_initial=False)"
SORTED = "(x, /, *, axis=-1, descending=False, stable=True)"


def row(name, signature, category, result, sample, **keywords):
    return Entry(name, signature, category, result, sample, **keywords)


def made(*positional, **keywords):
    """A sample of a function that makes an array of the dtype from nothing."""
    return lambda xp, dtype: (positional, {**keywords, "dtype": getattr(xp, dtype)})


def constant(*positional, **keywords):
    """A sample in which no array takes part."""
    return lambda xp, dtype: (positional, keywords)


def dtype_object(xp, dtype):
    return getattr(xp, dtype)


def pair(xp, dtype):
    """A list of two arrays."""
    return [matrix(xp, dtype), matrix(xp, dtype)]


def column(xp, dtype):
    return numbers(xp, dtype, [[1], [2]])


def ascending(xp, dtype):
    return numbers(xp, dtype, [0, 1, 3, 4])


def mask(xp, dtype):
    return xp.asarray([[True, False, True], [False, False, True]])


def positions(*values):
    return lambda xp, dtype: indices(xp, values)


CREATION = (
    row("arange", "(start, /, stop=None, step=1, *, dtype=None, device=None)", "real", "same", made(1, 9, 2)),
    row("asarray", "(obj, /, *, dtype=None, device=None, copy=None)", "all", "same", of(matrix)),
    row("empty", SHAPED, "all", "same", made((2, 3))),
    row("empty_like", LIKE, "all", "same", of(matrix)),
    row("eye", "(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None)", "all", "same", made(2, 3, k=1)),
    row("from_dlpack", "(x, /, *, device=None, copy=None)", "all", "same", of(matrix)),
    row("full", "(shape, fill_value, *, dtype=None, device=None)", "all", "same", made((2, 3), True)),
    row("full_like", "(x, /, fill_value, *, dtype=None, device=None)", "all", "same", of(matrix, True)),
    row(
        "linspace",
        "(start, stop, /, num, *, dtype=None, device=None, endpoint=True)",
        "floating",
        "same",
        made(0.0, 1.0, 5),
    ),
    row("meshgrid", "(*arrays, indexing='xy')", "all", "same*", of(vector, vector)),
    row("ones", SHAPED, "all", "same", made((2, 3))),
    row("ones_like", LIKE, "all", "same", of(matrix)),
    row("tril", "(x, /, *, k=0)", "all", "same", of(square)),
    row("triu", "(x, /, *, k=0)", "all", "same", of(square)),
    row("zeros", SHAPED, "all", "same", made((2, 3))),
    row("zeros_like", LIKE, "all", "same", of(matrix)),
)

DATA_TYPES = (
    row("astype", "(x, dtype, /, *, copy=True, device=None)", "all", "same", of(matrix, dtype_object)),
    row("can_cast", "(from_, to, /)", "all", "no array", of(dtype_object, dtype_object)),
    row("finfo", "(type, /)", "floating", "no array", of(dtype_object)),
    row("iinfo", "(type, /)", "integral", "no array", of(dtype_object)),
    row("isdtype", "(dtype, kind)", "all", "no array", of(dtype_object, "numeric")),
    row("result_type", "(*arrays_and_dtypes)", "all", "no array", of(dtype_object, matrix)),
)

INDEXING = (
    row("take", "(x, indices, /, *, axis=None)", "all", "same", of(matrix, positions(1, -1), axis=1)),
    row(
        "take_along_axis",
        "(x, indices, /, *, axis=-1)",
        "all",
        "same",
        of(matrix, lambda xp, dtype: indices(xp, [[1, -1], [0, 2]])),
    ),
)

MANIPULATION = (
    row("broadcast_arrays", "(*arrays)", "all", "same*", of(matrix, column)),
    row("broadcast_shapes", "(*shapes)", "none", "no array", constant((2, 1), (3,))),
    row("broadcast_to", "(x, /, shape)", "all", "same", of(column, (2, 4))),
    row("concat", "(arrays, /, *, axis=0)", "all", "same", of(pair, axis=1)),
    row("expand_dims", "(x, /, axis)", "all", "same", of(matrix, (0, -1))),
    row("flip", "(x, /, *, axis=None)", "all", "same", of(matrix)),
    row("moveaxis", "(x, source, destination, /)", "all", "same", of(matrix, 0, 1)),
    row("permute_dims", "(x, /, axes)", "all", "same", of(matrix, (1, 0))),
    row("repeat", "(x, repeats, /, *, axis=None)", "all", "same", of(matrix, 2, axis=0)),
    row("reshape", "(x, /, shape, *, copy=None)", "all", "same", of(matrix, (3, -1))),
    row("roll", "(x, /, shift, *, axis=None)", "all", "same", of(matrix, 2, axis=1)),
    row("squeeze", "(x, /, axis)", "all", "same", of(column, 1)),
    row("stack", "(arrays, /, *, axis=0)", "all", "same", of(pair, axis=-1)),
    row("tile", "(x, repetitions, /)", "all", "same", of(matrix, (2, 2))),
    row("unstack", "(x, /, *, axis=0)", "all", "same*", of(matrix)),
)

SEARCHING = (
    row("argmax", REDUCED, "real", "index", of(matrix, axis=1)),
    row("argmin", REDUCED, "real", "index", of(matrix, axis=1)),
    row("count_nonzero", REDUCED, "all", "index", of(matrix, axis=1)),
    row("nonzero", "(x, /)", "all", "index*", of(matrix)),
    row("searchsorted", "(x1, x2, /, *, side='left', sorter=None)", "real", "index", of(ascending, vector)),
    row("where", "(condition, x1, x2, /)", "all", "same", of(mask, matrix, matrix)),
)

SETS = (
    row("isin", "(x1, x2, /, *, invert=False)", "integral", "bool", of(matrix, vector)),
    row(
        "unique_all",
        "(x, /)",
        "all",
        ("same", "index", "index", "index"),
        of(vector),
        fields=("values", "indices", "inverse_indices", "counts"),
    ),
    row("unique_counts", "(x, /)", "all", ("same", "index"), of(vector), fields=("values", "counts")),
    row("unique_inverse", "(x, /)", "all", ("same", "index"), of(vector), fields=("values", "inverse_indices")),
    row("unique_values", "(x, /)", "all", "same", of(vector)),
)

SORTING = (
    row("argsort", SORTED, "real", "index", of(matrix)),
    row("sort", SORTED, "real", "same", of(matrix)),
)

STATISTICS = (
    row("cumulative_prod", SCANNED, "numeric", "accumulated", of(matrix, axis=0)),
    row("cumulative_sum", SCANNED, "numeric", "accumulated", of(matrix, axis=0)),
    row("max", REDUCED, "real", "same", of(matrix)),
    row("mean", REDUCED, "floating", "same", of(matrix)),
    row("min", REDUCED, "real", "same", of(matrix)),
    row("prod", SUMMED, "numeric", "accumulated", of(matrix)),
    row("std", SPREAD, "real floating", "same", of(matrix)),
    row("sum", SUMMED, "numeric", "accumulated", of(matrix)),
    row("var", SPREAD, "real floating", "same", of(matrix)),
)

UTILITIES = (
    row("all", REDUCED, "all", "bool", of(matrix)),
    row("any", REDUCED, "all", "bool", of(matrix)),
    row("diff", "(x, /, *, axis=-1, n=1, prepend=None, append=None)", "numeric", "same", of(matrix)),
)

ARRAY_FUNCTIONS = (
    *CREATION,
    *DATA_TYPES,
    *INDEXING,
    *MANIPULATION,
    *SEARCHING,
    *SETS,
    *SORTING,
    *STATISTICS,
    *UTILITIES,
)

"""Columns of Arrow tables as columns of ours, which share their memory where that is possible."""

from nd4py import api as nd

from .tables import Texts


def columns_of(table, types, source):
    """The columns of a `pyarrow.Table` or `RecordBatch` by name.

    types: `pyarrow.types`
    Raises ValueError for columns that are neither numbers nor texts, and for two of one name.
    """
    if len(set(table.schema.names)) != len(table.schema.names):
        raise ValueError(f"{source}: two columns have one name, in {', '.join(table.schema.names)}")
    return {
        name: _column(column, types, f"{source}: column {name!r}")
        for name, column in zip(table.schema.names, table.columns, strict=True)
    }


def _column(column, types, what):
    kind = column.type
    if types.is_dictionary(kind) or types.is_string(kind) or types.is_large_string(kind):
        return _texts(column, types)
    if types.is_boolean(kind):
        return nd.asarray(_numpy(column)) if column.null_count == 0 else _with_nan(column)
    if types.is_integer(kind) or types.is_floating(kind):
        return nd.asarray(_numpy(column)) if column.null_count == 0 else _with_nan(column)
    if types.is_decimal(kind):
        return _with_nan(column)
    if types.is_null(kind):
        return nd.full((len(column),), float("nan"))
    if types.is_temporal(kind):
        return Texts.of([str(value) for value in column.to_pylist()])
    if types.is_list(kind) or types.is_fixed_size_list(kind) or types.is_large_list(kind):
        rows = column.to_pylist()
        if len({len(row) for row in rows if row is not None}) == 1 and None not in rows:
            return nd.asarray(rows)
    raise ValueError(f"{what} is of {kind}; numbers, texts and lists of as many numbers are read")


def _with_nan(column):
    return nd.asarray(_numpy(column.cast("float64")))


def _numpy(column):
    """The values as NumPy's, a view where they lie in one piece and are no bits."""
    return column.to_numpy(zero_copy_only=False)


def _texts(column, types):
    encoded = column if types.is_dictionary(column.type) else column.dictionary_encode()
    chunks = encoded.unify_dictionaries().chunks if hasattr(encoded, "chunks") else [encoded]
    if not chunks:
        return Texts.of([])
    parts = [_coded(chunk) for chunk in chunks]  # of one dictionary
    return Texts(nd.concat([codes for codes, _ in parts]), parts[0][1])


def _coded(chunk):
    """The codes and the names of one chunk; what is missing is the empty text."""
    names = ["" if name is None else str(name) for name in chunk.dictionary.to_pylist()]
    codes = chunk.indices.cast("int64")
    if codes.null_count:
        codes = codes.fill_null(len(names))
        names.append("")
    return nd.asarray(_numpy(codes)), names

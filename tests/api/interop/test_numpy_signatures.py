"""The arguments of NumPy's functions are taken under their names and in their order, but for what is listed here."""

import inspect

import numpy
import pytest
from beside_numpy import check

import nd4py as nd
from nd4py._spec.ops import ALL

SPACES = ("", "linalg", "fft")
# Arguments that no function takes, and why.
NOWHERE = {
    "like": "arrays of other libraries have their own functions",
    "subok": "functions without it give plain arrays",
}
# Arguments that a function does not take, and why.  `None` stands for the order of its arguments.
LACKING = {
    "array": {"ndmax": "it limits how deep lists of objects are read, which nd4py has none of"},
    "einsum": {"kwargs": "they are dtype, order and casting, which have names"},
    "load": {
        "fix_imports": "nothing is unpickled",
        "encoding": "nothing is unpickled",
        "max_header_size": "headers are checked",
    },
    "fft.fftfreq": {None: "a device can only be named"},
    "fft.rfftfreq": {None: "a device can only be named"},
}  # fmt: skip
# Rows of the table have the arguments of universal functions, also where NumPy has a function in Python.
UNIVERSAL = {name for row in ALL if row.family == "map" for name in (row.name, *row.aliases)}


def functions():
    """(name, NumPy's function, ours) of all that both have and that are no universal functions or classes."""
    for space in SPACES:
        theirs = getattr(numpy, space) if space else numpy
        ours = getattr(nd, space) if space else nd
        for name in sorted(set(theirs.__all__) & set(ours.__all__)):
            pair = getattr(theirs, name), getattr(ours, name)
            if name not in UNIVERSAL and all(
                callable(each) and not isinstance(each, type | numpy.ufunc) for each in pair
            ):
                yield f"{space}.{name}".lstrip("."), *pair


def signature_of(function):
    """The parameters of a function, or None where it tells none."""
    try:
        return list(inspect.signature(function).parameters.values())
    except ValueError:
        return None


def differences(theirs, ours):
    """The arguments that ours lacks, and None where those that both have stand in another order."""
    n_operands = max(sum(p.kind is p.POSITIONAL_ONLY for p in listed) for listed in (theirs, ours))
    names = {parameter.name for parameter in ours}
    rest = [parameter for parameter in theirs[n_operands:] if parameter.name not in NOWHERE or parameter.name in names]
    takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in ours)
    collects = any(parameter.kind is parameter.VAR_POSITIONAL for parameter in ours)
    lacking = [
        parameter.name
        for parameter in rest
        if parameter.name not in names
        and not takes_all
        and not (parameter.kind is parameter.VAR_POSITIONAL and collects)
    ]
    theirs_placed, ours_placed = (
        [p.name for p in listed if p.kind is p.POSITIONAL_OR_KEYWORD] for listed in (rest, ours[n_operands:])
    )
    shared = [name for name in theirs_placed if name in names]
    if ours_placed[: len(shared)] != shared or theirs_placed[: len(shared)] != shared:
        lacking.append(None)
    return lacking


FUNCTIONS = {name: (theirs, ours) for name, theirs, ours in functions() if signature_of(theirs) and signature_of(ours)}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_arguments_are_numpys(name):
    theirs, ours = map(signature_of, FUNCTIONS[name])
    assert set(differences(theirs, ours)) == set(LACKING.get(name, ()))


def test_most_functions_are_compared():
    assert len(FUNCTIONS) > 180
    assert {"sum", "pad", "repeat", "linalg.norm", "fft.fft"} <= FUNCTIONS.keys()
    assert set(LACKING) <= FUNCTIONS.keys()


def test_a_difference_is_found():
    def theirs(a, axis=None, out=None):
        return a

    def ours(x, /, axis=None):
        return x

    def turned(x, /, out=None, axis=None):
        return x

    listed = [list(inspect.signature(function).parameters.values()) for function in (theirs, ours, turned)]
    assert differences(listed[0], listed[1]) == ["out"]
    assert differences(listed[0], listed[2]) == [None]


# Calls as programs have them: arguments by name and by position.
CALLS = {
    "pad": lambda np: np.pad([1, 2], pad_width=1, mode="edge"),
    "repeat": lambda np: np.repeat([1, 2], repeats=2),
    "histogram": lambda np: np.histogram([1.0, 2.0, 2.5], bins=2, range=(0, 4)),
    "take": lambda np: np.take([1, 2, 3], indices=[0, 2]),
    "arange": lambda np: np.arange(0, stop=3, dtype="float32"),
    "tile": lambda np: np.tile([1, 2], reps=(2, 1)),
    "roll": lambda np: np.roll([1, 2, 3], shift=1),
    "split": lambda np: np.split(np.arange(4), indices_or_sections=2),
    "transpose": lambda np: np.transpose(np.ones((2, 3)), axes=(1, 0)),
    "swapaxes": lambda np: np.swapaxes(np.ones((2, 3)), axis1=0, axis2=1),
    "moveaxis": lambda np: np.moveaxis(np.ones((2, 3)), source=0, destination=1),
    "concatenate": lambda np: np.concatenate([[1], [2]], 0, None, dtype="float32"),
    "stack": lambda np: np.stack([[1], [2]], axis=0, dtype="float64"),
    "hstack": lambda np: np.hstack(tup=([1], [2]), dtype="int8", casting="unsafe"),
    "clip": lambda np: np.clip([1, 5], a_min=2, a_max=3),
    "clip by position": lambda np: np.clip([1, 5], 2, 3, np.zeros(2, dtype=int)),
    "linspace": lambda np: np.linspace(0, 1, 3, False),
    "eye": lambda np: np.eye(2, 3, 1),
    "full": lambda np: np.full(shape=2, fill_value=3.0),
    "where": lambda np: np.where([True, False], [1, 2], 3),
    "quantile": lambda np: np.quantile([1.0, 2.0, 4.0], q=0.5, axis=0, method="lower"),
    "median": lambda np: np.median([[1.0, 2.0]], 1, None, False, True),
    "std": lambda np: np.std([1.0, 2.0], 0, None, None, 1),
    "sum": lambda np: np.sum([[1, 2]], 0, "float64", None, True),
    "reshape": lambda np: np.reshape([1, 2, 3, 4], (2, 2), "F"),
    "ravel": lambda np: np.ravel([[1, 2], [3, 4]], order="F"),
    "isin": lambda np: np.isin([1, 2], [2], assume_unique=True, kind="sort"),
    "dot": lambda np: np.dot([1, 2], [3, 4]),
    "interp": lambda np: np.interp([0.5], [0.0, 1.0], [2.0, 3.0]),
    "diff": lambda np: np.diff([1, 4, 9], n=2),
    "gradient": lambda np: np.gradient([1.0, 4.0, 9.0]),
    "argsort": lambda np: np.argsort([3, 1, 2], kind="stable"),
    "average": lambda np: np.average([1.0, 2.0], weights=[1, 3]),
    "cov": lambda np: np.cov([[1.0, 2.0, 4.0], [2.0, 1.0, 0.0]], rowvar=True, bias=True),
    "outer": lambda np: np.outer([1, 2], [3, 4]),
    "einsum": lambda np: np.einsum("i,i->", np.asarray([1, 2]), np.asarray([3, 4])),
    "expand_dims": lambda np: np.expand_dims([1, 2], axis=0),
    "squeeze": lambda np: np.squeeze([[1, 2]], axis=0),
    "trace": lambda np: np.trace([[1, 2], [3, 4]], 0, 0, 1, "float64"),
    "broadcast_to": lambda np: np.broadcast_to([1, 2], (2, 2), subok=True),
    "meshgrid": lambda np: np.meshgrid([1], [2, 3], indexing="ij", sparse=True, copy=False),
    "allclose": lambda np: bool(np.allclose([1.0], [1.0 + 1e-9], rtol=1e-5)),
    "array_equal": lambda np: bool(np.array_equal([1, 2], [1, 2])),
    "count_nonzero": lambda np: np.count_nonzero([[0, 1]], axis=1),
    "linalg.norm": lambda np: np.linalg.norm([3.0, 4.0], ord=2),
    "linalg.eigvalsh": lambda np: np.linalg.eigvalsh([[2.0, 9.0], [1.0, 2.0]], UPLO="U"),
    "linalg.eigh": lambda np: np.linalg.eigh(np.asarray([[2.0, 9.0], [1.0, 2.0]]), "U")[0],
    "linalg.eigh complex": lambda np: np.linalg.eigh(np.asarray([[2.0, 9.0 + 1j], [0.0, 2.0]]), "U")[0],
    "linalg.eigh wrong": lambda np: np.linalg.eigh([[2.0]], "X"),
    "linalg.matrix_rank": lambda np: np.linalg.matrix_rank([[2.0, 0.0], [0.0, 1e-3]], tol=0.1),
    "linalg.pinv": lambda np: np.linalg.pinv(np.asarray([[2.0, 0.0], [0.0, 1e-3]]), 0.1, True),
    "linalg.svd": lambda np: np.linalg.svd([[2.0, 0.0], [0.0, 1.0]], compute_uv=False, hermitian=True),
    "fft out": lambda np: np.fft.fft([1.0, 2.0], None, -1, None, np.zeros(2, dtype="complex128")),
    "fft2 out": lambda np: np.fft.fft2([[1.0, 2.0]], out=np.zeros((1, 2), dtype="complex128")),
    "linalg.solve": lambda np: np.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [2.0, 4.0]),
    "fft": lambda np: np.fft.fft([1.0, 2.0, 3.0], n=4, axis=-1, norm="ortho"),
    "unravel_index": lambda np: np.unravel_index([1, 2], shape=(2, 2)),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls_as_programs_have_them(name):
    check(CALLS[name])


# Operands that the array API has no names for.
WITHOUT_NAMES = {"x2"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_arguments_behind_the_first_may_be_named(name):
    theirs, ours = map(signature_of, FUNCTIONS[name])
    named = {p.name for p in theirs if p.kind is not p.POSITIONAL_ONLY}
    unnamed = {p.name for p in ours[1:] if p.kind is p.POSITIONAL_ONLY} & named
    assert unnamed <= WITHOUT_NAMES

"""Instructions that share memory with NumPy: exports that live on, imports, writes from the other side."""

from .changing import assign_scalar
from .making import DTYPES, a_shape, some_data


def export(m):
    """A NumPy array over the memory of an array."""
    x = m.variable(lambda x: x.dtype.name != "bfloat16")
    if x is not None:
        way = m.pick("np.asarray(${x})", "np.asarray(${x})", "np.asarray(memoryview(${x}))", "np.from_dlpack(${x})")
        shared = f"${x}[...]"
        if "dlpack" in way:  # elements in reverse are a copy there
            steps = f"zip(${x}.strides, ${x}.shape)"
            shared = f"{shared} if all(step >= 0 or size < 2 for step, size in {steps}) else ${x}.copy()"
        m.add(f"${m.new()} = " + way.replace("{x}", str(x)), f"${m.n_variables} = {shared}")


def foreign(m):
    """Memory of NumPy, now and then read-only, which nd4py looks at."""
    given = some_data(m)
    if m.chance(0.2):
        given = f"frozen({given})"
    e = m.new()
    m.add(f"${e} = {given}")
    way = "nd.asarray" if "bfloat16" in given else m.pick("nd.asarray", "nd.asarray", "nd.from_dlpack")
    m.add(f"${m.new()} = {way}(${e})", f"${m.n_variables} = ${e}[...]")


def foreign_alone(m):
    """Memory of NumPy that nothing else looks at, and bytes, which nobody can write."""
    shape, dtype = a_shape(m), m.random.choice(DTYPES)
    given = some_data(m, shape, dtype)
    e = m.new()
    if dtype != "bfloat16" and m.chance(0.3):
        m.add(f"${e} = nd.frombuffer({given}.tobytes(), dtype='{dtype}', shape={shape})", f"${e} = frozen({given})")
    else:
        view = m.pick("", "[...]", "[...][...]")
        m.add(f"${e} = nd.asarray({given}{view})", f"${e} = {given}")


def import_again(m):
    """nd4py looks at a NumPy array, which may be the export of an array."""
    if (e := m.variable(is_foreign=True)) is not None:
        m.add(f"${m.new()} = nd.asarray(${e})", f"${m.n_variables} = ${e}[...]")


def copy_of_foreign(m):
    if (e := m.variable(is_foreign=True)) is not None:
        m.add(f"${m.new()} = nd.asarray(${e}, copy=True)", f"${m.n_variables} = ${e}.copy()")


def view_of_foreign(m):
    """A view that NumPy makes."""
    e = m.variable(lambda x: x.ndim > 0, is_foreign=True)
    if e is not None:
        m.add(f"${m.new()} = np.flip(${e}, axis=0)[{m.pick('::2', '1:', '...')}]")


def foreign_write(m):
    """NumPy writes; what was computed before is left alone."""
    if (e := m.variable(lambda x: x.flags.writeable, is_foreign=True)) is not None:
        m.add(m.pick(f"${e}[...] = 1", f"${e}[:1] = 3", f"np.add(${e}, 1, out=${e}, casting='unsafe')"))


def through_numpy(m):
    """A NumPy function that writes to its own array from one of nd4py's."""
    x = m.variable(lambda x: x.dtype.name != "bfloat16")
    targets = m.variables(lambda y: x is not None and y.shape == m.shape(x) and y.flags.writeable, is_foreign=True)
    if x is not None and targets:
        e = m.random.choice(targets)
        m.add(f"np.copyto(${e}, np.asarray(${x}), casting='unsafe')", f"np.copyto(${e}, ${x}, casting='unsafe')")


EXPORTS = ((export, 5), (foreign, 4), (foreign_alone, 3), (import_again, 2), (copy_of_foreign, 1), (view_of_foreign, 1),
           (foreign_write, 5), (through_numpy, 2), (assign_scalar, 1))  # fmt: skip

"""Instructions that make arrays, views of them, and looks at them."""

DTYPES = ("float64", "float64", "float32", "float32", "int64", "int32", "int8", "uint8", "int16", "uint16", "uint32",
          "uint64", "bool", "complex128", "complex64", "float16", "bfloat16")  # fmt: skip
STEPS = ("", "", "", "1", "2", "3", "-1", "-2", "-3", "5", "-7")


def a_shape(m):
    """A shape of at most `m.most` elements."""
    ndim = m.random.choice((0, 1, 1, 1, 2, 2, 2, 3, 4))
    if m.chance(0.04):
        return tuple(m.random.choice((0, 1, 3)) for _ in range(ndim))
    if ndim == 0:
        return ()
    if m.most > 100_000:
        return m.pick((m.most,), (m.most // 500, 500), (500, m.most // 500), (40, m.most // 800, 20))
    side = max(int(m.most ** (1 / ndim)), 1)
    return tuple(m.random.choice((1, side, m.random.randint(1, side + 1))) for _ in range(ndim))


def a_flavor(m):
    return m.pick("count", "count", "small", "normal", "special")


def some_data(m, shape=None, dtype=None):
    dtype = dtype or m.random.choice(DTYPES)
    shape = a_shape(m) if shape is None else shape
    return f"data({shape}, '{dtype}', '{a_flavor(m)}', {m.random.randrange(100)})"


def make(m):
    """An array in memory of nd4py."""
    variable = m.new()
    if m.chance(0.75):
        m.add(f"${variable} = xp.asarray({some_data(m)}, copy=True)")
    else:
        shape, dtype = a_shape(m), m.pick("float64", "float32", "int64", "int16", "bool", "complex64")
        m.add(f"${variable} = " + m.pick(
            f"xp.zeros({shape}, dtype='{dtype}')",
            f"xp.ones({shape}, dtype='{dtype}')",
            f"xp.full({shape}, 3)",
            f"xp.full({shape}, 1, dtype='{dtype}')",
            f"xp.eye({m.random.randint(0, 6)}, {m.random.randint(1, 6)}, k={m.random.randint(-3, 3)})",
            f"xp.arange({m.random.randint(0, min(m.most, 400))})",
            f"xp.arange({m.random.randint(-9, 9)}, {m.random.randint(-9, 40)}, {m.pick(1, 2, -1, -3)})",
        ))  # fmt: skip


def make_like(m):
    """An array as large as another one, so that the two can meet."""
    if (other := m.variable()) is not None:
        given = some_data(m, m.shape(other), m.model[other].dtype.name if m.chance(0.5) else None)
        m.add(f"${m.new()} = xp.asarray({given}, copy=True)")


def look(m, variable=None):
    """Values are compared."""
    if variable is None:
        variable = m.variable(is_foreign=None)
    if variable is None:
        return
    x = m.model[variable]
    if variable in m.model.foreign:
        m.add(f"np.asarray(${variable})", f"np.asarray(${variable})", look=variable)
        return
    ways = [
        "values_of(${})",
        "values_of(${})",
        "values_of(${})",
        "values_of(${}.copy())",
        "values_of(nd.ascontiguous(${}))",
    ]
    if x.dtype.name != "bfloat16":
        ways += ["np.array(memoryview(${}))", "np.array(${}.tolist(), dtype='" + x.dtype.name + "').reshape(${}.shape)"]
        if x.dtype.name not in ("float64", "int64", "int32", "complex128", "bool"):
            ways.pop()
    m.add(m.random.choice(ways).replace("{}", str(variable)), f"${variable}", look=variable)


def look_at_the_dead(m):
    """What is used after its scope is an error."""
    variable = m.variable(is_foreign=False, is_dead=True)
    if variable is not None:
        way = m.pick("values_of(${})", "values_of(xp.add(${}, ${}))", "${}.shape", "float(nd.sum(${}))", "${}.tolist()")
        m.add(way.replace("{}", str(variable)), f"${variable}")


def a_slice(m, n):
    def bound():
        return "" if m.chance(0.4) else str(m.random.randint(-n - 2, n + 2))

    step = m.random.choice(STEPS)
    text = f"{bound()}:{bound()}"
    return f"{text}:{step}" if step else text


def a_key(m, shape, may_drop=True):
    """The text of a basic index."""
    parts = []
    for n in shape[: m.random.randint(0, len(shape)) if m.chance(0.3) else len(shape)]:
        if may_drop and n and m.chance(0.2):
            parts.append(str(m.random.randint(-n, n - 1)))
        else:
            parts.append(a_slice(m, n) if m.chance(0.8) else ":")
    n_dropped = sum(":" not in part for part in parts)
    if not parts or (n_dropped < len(shape) and m.chance(0.1)):
        parts.append("...")
    if m.chance(0.08) and n_dropped < len(shape):
        parts.insert(m.random.randint(0, len(parts)), "None")
    return ", ".join(parts)


def view(m):
    if (x := m.variable()) is not None:
        m.add(f"${m.new()} = ${x}[{a_key(m, m.shape(x))}]")


def turned_view(m):
    """Transposes and the like."""
    if (x := m.variable()) is None:
        return
    ndim = len(m.shape(x))
    order = list(range(ndim))
    m.random.shuffle(order)
    ways = [f"xp.permute_dims(${x}, {tuple(order)})", f"xp.expand_dims(${x}, axis={m.random.randint(-ndim - 1, ndim)})"]
    if ndim:
        ways.append(f"xp.flip(${x}, axis={m.random.randrange(ndim)})")
    if ndim >= 2:
        a, b = m.random.sample(range(ndim), 2)
        ways += [f"xp.swapaxes(${x}, {a}, {b})", f"xp.moveaxis(${x}, {a}, {b})", f"${x}.mT"]
    if m.model[x].dtype.kind == "c":
        ways += [f"${x}.real", f"${x}.imag"]
    ones = tuple(i for i, n in enumerate(m.shape(x)) if n == 1)
    if ones:
        ways.append(f"xp.squeeze(${x}, axis={m.random.choice(ones)})")
    if m.model[x].size < 2000 and ndim < 4:
        ways.append(f"xp.broadcast_to(${x}, {(m.random.randint(1, 3), *m.shape(x))})")
    m.add(f"${m.new()} = {m.random.choice(ways)}")


def reshaped(m):
    """A view where strides allow it, else a copy; the same rule on both sides."""
    if (x := m.variable()) is None:
        return
    size = m.model[x].size
    divisors = [n for n in range(1, min(size, 60) + 1) if size % n == 0] or [1]
    a = m.random.choice(divisors)
    shape = m.pick((-1,), (a, -1), (-1, a), (size,), (1, size, 1)) if size else (0,)
    m.add(f"${m.new()} = xp.reshape(${x}, {shape})")


def forget(m):
    """A variable goes, so that chains need not write it and memory comes round again."""
    if len(m.variables(is_foreign=None)) > 2:
        m.add(f"del ${m.variable(is_foreign=None)}")


MAKE = ((make, 3), (make_like, 2), (forget, 1))
LOOKS = ((look, 4), (look_at_the_dead, 1))
VIEWS = ((view, 6), (turned_view, 3), (reshaped, 2))

"""Instructions that write into arrays: assignments, masks, integer indices, in-place operators, `out=`."""

import numpy as np

from .computing import a_map
from .making import a_key

SCALARS = ("0", "1", "7", "-3", "2.5", "True", "300", "1e30", "float('nan')", "-0.0", "2j", "2**63 - 1")


def two_runs(m, n):
    """Two slices of an axis of `n` elements that have as many elements, often shared ones."""
    count = m.random.randint(1, n)

    def run():
        steps = [s for s in (1, 1, 2, 3, -1, -1, -2, -3) if abs(s) * (count - 1) < n]
        step = m.random.choice(steps)
        first = m.random.randint(0, n - 1 - abs(step) * (count - 1))
        if step > 0:
            return f"{first}:{first + step * (count - 1) + 1}:{step}"
        last = first - 1
        return f"{first - step * (count - 1)}:{last if last >= 0 else ''}:{step}"

    return run(), run()


def overlapping(m):
    """Two parts of one axis of one array, or of two arrays that may share memory."""
    x = m.variable(lambda x: x.ndim > 0 and x.size > 1, is_foreign=m.pick(False, False, False, None))
    if x is None:
        return
    shape = m.shape(x)
    axis = m.random.randrange(len(shape))
    if shape[axis] == 0:
        return
    partners = m.variables(lambda y: y.shape == shape)
    y = m.random.choice(partners) if partners and m.chance(0.3) else x
    here, there = two_runs(m, shape[axis])
    before = ":, " * axis
    value = f"${y}[{before}{there}]"
    if m.chance(0.15):
        value = f"xp.flip({value}, axis={axis})"
    write(m, x, f"{before}{here}", value)


def write(m, x, key, value):
    """An assignment; values of nd4py are written into a NumPy array by way of NumPy.

    NumPy does not look whether a mask lies in the memory that is written: it gets a copy.
    """
    apart = f"np.array({key})" if key.startswith("$") else key
    if x in m.model.foreign:
        value = f"np.asarray({value}).astype(${x}.dtype)" if "$" in value else value
        m.add(f"${x}[{apart}] = {value}")
    else:
        m.add(f"${x}[{key}] = {value}", f"${x}[{apart}] = cast({value}, ${x})")


def turned_onto_itself(m):
    """A square written over its transpose, and an array over its reverse."""
    x = m.variable(lambda x: x.ndim >= 2 and x.shape[-1] == x.shape[-2])
    if x is not None:
        write(m, x, "...", m.pick(f"${x}.mT", f"${x}[..., ::-1]", f"xp.flip(${x}.mT, axis=-1)"))


def assign(m):
    """Part of an array from part of another one; sizes are cut to the smaller ones."""
    x, y = m.variable(), m.variable()
    if x is None or y is None:
        return
    own, other = m.shape(x), m.shape(y)
    if len(other) > len(own):
        own, other, x, y = other, own, y, x
    if m.chance(0.9):
        tail = own[len(own) - len(other) :]
        sizes = [b if b == 1 and m.chance(0.5) else min(a, b) for a, b in zip(tail, other, strict=True)]
        key = ", ".join(["...", *(f":{a if b == 1 else b}" for a, b in zip(tail, sizes, strict=True))])
        value = f"${y}[{', '.join(['...', *(f':{b}' for b in sizes)])}]"
    else:
        key, value = a_key(m, own), f"${y}"
    write(m, x, key, value)


def assign_scalar(m):
    if (x := m.variable(is_foreign=m.pick(False, False, None))) is not None:
        value = m.random.choice(SCALARS[:7] if m.chance(0.8) else SCALARS)
        if x in m.model.foreign:
            value = m.pick("0", "1", "7")
        write(m, x, a_key(m, m.shape(x)), value)


def mask_of(m, x):
    """The text of a mask for x; now and then a view of x itself."""
    ways = [f"(${x} != 0)", f"(${x} == 1)"]
    if m.model[x].dtype.kind in "iufV":
        ways += [f"(${x} > 2)", f"(${x} <= 0)"]
    masks = m.variables(lambda y: y.dtype.kind == "b" and y.shape == m.shape(x))
    ways += [f"${mask}" for mask in masks[-3:]]
    return m.random.choice(ways)


def assign_mask(m):
    if (x := m.variable(lambda x: x.ndim > 0)) is None:
        return
    mask = mask_of(m, x)
    partners = m.variables(lambda y: y.shape == m.shape(x))
    other = m.random.choice(partners)
    value = m.pick("0", "1", "3", f"${other}[{mask}]")
    if len(m.shape(x)) == 1 and m.chance(0.4):
        mask, count = f"(${x} != 0)", int(np.count_nonzero(m.model[x]))
        value = m.pick(f"${x}[:{count}]", f"${x}[{m.shape(x)[0] - count}:]", f"${x}[::-1][:{count}]")
    write(m, x, mask, value)


def take_mask(m):
    if (x := m.variable(lambda x: x.ndim > 0)) is not None:
        m.add(f"${m.new()} = ${x}[{mask_of(m, x)}]")


def assign_positions(m):
    """Integer arrays as an index: positions along the first axis."""
    if (x := m.variable(lambda x: x.ndim > 0 and 0 < x.shape[0] < 500)) is None:
        return
    n = m.shape(x)[0]
    positions = m.random.sample(range(n), m.random.randint(1, min(n, 8)))
    index = f"xp.asarray({positions})"
    first = m.random.randint(0, n - len(positions))
    value = m.pick("1", f"${x}[{first}:{first + len(positions)}]", f"${x}[{positions[::-1]}]")
    write(m, x, index, value)


def in_place(m):
    """x += y and its like."""
    if (x := m.variable()) is None:
        return
    operator, name = m.pick(("+=", "add"), ("+=", "add"), ("*=", "multiply"), ("-=", "subtract"), ("/=", "divide"),
                            ("//=", "floor_divide"), ("%=", "remainder"), ("**=", "pow"), ("&=", "bitwise_and"),
                            ("|=", "bitwise_or"), ("^=", "bitwise_xor"))  # fmt: skip
    found = a_map(m, name=name, first=x)
    if found is None:
        return
    call, expected, operands = found
    m.add(f"${x} {operator} {operands[1]}", f"${x}[...] = into(${x}, {expected})")


def with_out(m):
    """out= an array of the right shape, which may be an operand, or share memory with one."""
    found = a_map(m)
    if found is None:
        return
    call, expected, operands = found
    shapes = [m.shape(int(text[1:])) for text in operands if text.startswith("$")]
    targets = m.variables(lambda x: x.shape in shapes)
    if targets and not call.startswith("xp.isclose"):
        out = m.random.choice(targets)
        m.add(f"{call[:-1]}, out=${out})", f"${out}[...] = into(${out}, {expected})")


def with_shifted_out(m):
    """out= a part of an operand that lies a few elements further on, or backwards."""
    x = m.variable(lambda x: x.ndim > 0 and x.shape[0] > 1)
    if x is None:
        return
    here, there = two_runs(m, m.shape(x)[0])
    name = m.pick("add", "subtract", "multiply", "maximum", "negative", "square")
    if name in ("negative", "square"):
        is_exact = name == "negative" or m.model[x].dtype.kind != "c"  # products of complex numbers are rounded
        reference = f", np.{name}(${x}[{there}])" if is_exact else ""
        ours, ref = f"xp.{name}(${x}[{there}]", f"agreed(nd.{name}(@{x}[{there}]){reference})"
    else:
        ours = f"xp.{name}(${x}[{there}], ${x}[{here}]"
        ref = f"agreed(nd.{name}(@{x}[{there}], @{x}[{here}]), None)"
    m.add(f"{ours}, out=${x}[{here}])", f"${x}[{here}] = into(${x}[{here}], {ref})")


OVERLAP = ((overlapping, 6), (turned_onto_itself, 1))
ASSIGN = ((assign, 4), (assign_scalar, 3), (assign_positions, 2))
MASKS = ((assign_mask, 3), (take_mask, 1))
OUT = ((in_place, 5), (with_out, 3), (with_shifted_out, 3))

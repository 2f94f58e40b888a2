"""Instructions about when and where things run: threads, what is deferred, wrong requests."""

from .computing import a_map, chain, map_row, reduce


def at_once(m):
    """Two operations in two threads at the same time."""
    one, two = a_map(m), a_map(m)
    if one is not None and two is not None:
        a, b = m.new(), m.new()
        m.add(f"${a}, ${b} = together(lambda: {one[0]}, lambda: {two[0]})", f"${a}, ${b} = {one[1]}, {two[1]}")


def looked_at_by_two(m):
    """Two threads want the values of one deferred array."""
    x = m.variable()
    if x is not None:
        m.add(f"${m.new()}, ${m.new()} = together(lambda: ${x} * 2, lambda: ${x} * 2)",
              f"${m.n_variables - 1}, ${m.n_variables} = agreed(@{x} * 2), agreed(@{x} * 2)")  # fmt: skip


def halves_written_at_once(m):
    """Two threads write to different halves of one array."""
    x = m.variable(lambda x: x.ndim > 0 and x.shape[0] > 1 and x.flags.writeable)
    if x is not None:
        n = m.shape(x)[0] // 2
        m.add(f"together(lambda: ${x}.__setitem__(slice(None, {n}), 1), lambda: ${x}.__setitem__(slice({n}, None), 0))",
              f"${x}[:{n}] = cast(1, ${x}); ${x}[{n}:] = cast(0, ${x})")  # fmt: skip


def race(m):
    """A scope ends while another thread still computes on its arrays."""
    if m.chance(0.3):
        m.add(f"raced({m.pick(1000, 1_000_000, 1_000_000)}, {m.chance(0.5)}, {m.chance(0.5)})", "None")


def flush(m):
    m.add(m.pick("nd.flush()", "nd.synchronize()"), "None")


def block(m):
    if (x := m.variable()) is not None:
        m.add(f"${x}.block()", f"${x}")


def within(m):
    """An operation that is not deferred, or that runs on some number of threads."""
    if (found := a_map(m)) is not None:
        around = m.pick("nd.combine(False)", "nd.threads(1)", "nd.threads(2)", "nd.threads(3)", "nd.combine(True)")
        m.add(f"${m.new()} = {found[0]}", f"${m.n_variables} = {found[1]}", within=around)


def mistake(m):
    """A request that is wrong whatever the arrays are; nothing changes."""
    if (x := m.variable()) is None:
        return
    shape = m.shape(x)
    wrong = [f"xp.sum(${x}, axis={len(shape)})", f"xp.sum(${x}, axis={-len(shape) - 1})", f"xp.reshape(${x}, (7, -3))",
             f"xp.permute_dims(${x}, {tuple(range(len(shape) + 1))})", f"${x}[{', '.join(['0'] * (len(shape) + 1))}]",
             f"xp.astype(${x}, 'float65')", f"xp.concat((${x}, 'no'))", f"xp.add(${x}, 'no')", f"xp.add(${x}, None)",
             f"xp.broadcast_to(${x}, (-1,))", f"${x}[1.5]", f"${x}['a']", f"xp.sum(${x}, axis='a')",
             "xp.zeros((-1,))", f"xp.stack((${x},), axis={len(shape) + 2})", f"xp.add(${x}, ${x}, out=3)",
             f"xp.squeeze(xp.stack((${x}, ${x})), axis=0)"]  # fmt: skip
    if shape and shape[0]:
        wrong += [f"${x}[{shape[0]}]", f"${x}[{-shape[0] - 1}]", f"xp.take(${x}, xp.asarray([{shape[0]}]), axis=0)",
                  f"xp.sum(${x}, axis=(0, 0))", f"${x}[xp.asarray([{2**40}])]",
                  f"${x}[:, xp.zeros((3, 99), dtype='bool')]",
                  f"${x}[::0]"]  # fmt: skip
        if shape[0] > 1:
            wrong += [f"${x}.__setitem__(slice(None), xp.zeros(({shape[0] + 1}, *${x}.shape[1:]), dtype=${x}.dtype))",
                      f"xp.add(${x}, xp.zeros(({shape[0] + 1}, *${x}.shape[1:]), dtype=${x}.dtype))"]  # fmt: skip
    m.add(m.random.choice(wrong), f"${x}; refuse()")


THREADS = ((race, 1), (at_once, 2), (looked_at_by_two, 1), (halves_written_at_once, 1), (map_row, 2), (reduce, 1))
DEFERRAL = ((flush, 1), (block, 1), (within, 3), (chain, 4))
MISTAKES = ((mistake, 1),)

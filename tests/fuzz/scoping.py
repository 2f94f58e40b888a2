"""Instructions of workspaces, and the end of arrays before their time."""

from .model import root

CONFIGURATIONS = (
    "",
    "",
    "initial_size=20_000, policy_allocation='strict'",
    "policy_spill='reallocate'",
    "policy_learning='over_time', cycles_before_initialization=2",
    "policy_learning='none'",
    "policy_reuse='when_freed'",
    "policy_reuse='when_freed', policy_spill='reallocate', policy_allocation='strict'",
    "policy_location='virtual', policy_learning='none', initial_size=30_000",
)
RINGS = (
    "policy_reset='endofbuffer_reached', overallocation_limit=1, initial_size=9000",
    "policy_reset='endofbuffer_reached', overallocation_limit=2",
)


def enter(m):
    if len(m.model.stack(0)) > 4 or m.uses_threads and m.chance(0.5):
        return
    # A workspace has one configuration: the one of its name.
    number = m.random.choice((0, 0, 1, 1, m.random.randrange(len(CONFIGURATIONS) + len(RINGS))))
    # A workspace is borrowed once, in whichever thread the step will run.
    if all([scope.name for scope in own].count(f"w{number}") <= 1 for own in m.model.stacks.values()):
        enter_workspace(m, number)


def enter_workspace(m, number):
    given, is_ring = (CONFIGURATIONS + RINGS)[number], number >= len(CONFIGURATIONS)
    m.add(f"scopes.entered(nd.workspace('w{number}', nd.WorkspaceConfiguration({given})))",
          f"model.enter('w{number}', {is_ring})")  # fmt: skip


def export_outlives(m):
    """What NumPy looks at stays as it is when its scope ends and the next one writes to its own memory."""
    number = m.pick(2, 8, 9)
    if any(scope.name == f"w{number}" for scope in m.model.stack(0)):
        return
    x, export, later = m.new(), m.new(), m.new()
    n, dtype = m.random.randint(1, 300), m.pick("float64", "int32")
    enter_workspace(m, number)
    m.add(f"${x} = xp.asarray(data(({n},), '{dtype}', 'count', {m.random.randrange(100)}), copy=True)")
    m.add(f"${export} = np.asarray(${x})", f"${export} = ${x}[...]")
    m.add("scopes.leave()", "model.leave()")
    enter_workspace(m, number)
    m.add(f"${later} = xp.full(({n},), 7, dtype='{dtype}')")
    m.add("scopes.leave()", "model.leave()")


def step_out(m):
    """Plain arrays inside a scope."""
    m.add("scopes.entered(nd.scope_out_of_workspaces())", "model.enter(None)")


def leave(m):
    m.add("scopes.leave()", "model.leave()")


def detach(m):
    # What another thread ran lies in no workspace: then it is a view.
    if (x := m.variable()) is not None and not (m.uses_threads and m.model.homes[x] is not None):
        m.add(
            f"${m.new()} = ${x}.detach()", f"${m.n_variables} = ${x}[...] if model.homes[{x}] is None else ${x}.copy()"
        )


def copy(m):
    if (x := m.variable()) is not None:
        m.add(f"${m.new()} = ${x}.copy()")


def close(m):
    """An array that nothing else uses gives its memory back; what waits for its values has them."""
    owners = m.variables()
    model = m.model
    alone = [x for x in owners if sum(root(model[x]) is root(model[y]) for y in model.variables()) == 1]
    if alone:
        x = m.random.choice(alone)
        m.add(f"closed(${x}); del ${x}", f"del ${x}")


SCOPES = ((enter, 4), (leave, 4), (detach, 2), (step_out, 1), (copy, 1), (export_outlives, 1))
CLOSE = ((close, 1),)

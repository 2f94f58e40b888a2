"""Random programs of scopes and arrays, run beside a model that knows every value: for properties and stress."""

import gc
import random
import threading

import numpy as np

import nd4py as nd

SIZES = (0, 1, 7, 64, 130, 600)
SCOPED = [
    {},
    {"initial_size": 20_000, "policy_allocation": "strict"},
    {"policy_spill": "reallocate"},
    {"policy_learning": "over_time", "cycles_before_initialization": 3},
    {"policy_learning": "none"},
    {"initial_size": 5000, "max_size": 4000},
    {"policy_location": "mmap", "policy_learning": "none", "initial_size": 30_000},
    {"policy_reuse": "when_freed"},
    {"policy_reuse": "when_freed", "policy_spill": "reallocate", "policy_allocation": "strict"},
    {"policy_reuse": "when_freed", "policy_location": "virtual", "policy_learning": "none"},
    {"policy_location": "virtual", "policy_learning": "none", "initial_size": 30_000},
]
CIRCULAR = [
    {"overallocation_limit": 1},
    {"overallocation_limit": 2.5, "initial_size": 9001},
    {"overallocation_limit": 2, "policy_spill": "reallocate"},
    {"policy_allocation": "strict", "initial_size": 5000},
    {"overallocation_limit": 4, "initial_size": 6000, "max_size": 15_000},
]


class Program:
    """Workspaces of one thread, and the arrays made in them with the value that fills each."""

    ACTIONS = (
        *("make", "make", "make", "make", "view", "combine", "detach", "export", "forget", "scope_out", "toggle"),
        *("enter", "enter", "enter", "leave", "leave", "leave", "leave"),
    )

    def __init__(self, seed):
        self.random = random.Random(seed)
        ring = self.random.choice(CIRCULAR) | {"policy_reset": "endofbuffer_reached"}
        chosen = [self.random.choice(SCOPED), ring]
        self.workspaces = [nd.Workspace(f"w{i}", nd.WorkspaceConfiguration(**given)) for i, given in enumerate(chosen)]
        self.scopes = []  # what to leave, innermost last
        self.arrays = []  # (array, value)
        self.exports = []  # (a NumPy array over one, value)

    def run(self, n_steps):
        for _ in range(n_steps):
            getattr(self, self.random.choice(self.ACTIONS))()
            self.check()
        self.finish()

    def finish(self):
        while self.scopes:
            self.leave()
        self.check()
        for workspace in self.workspaces:
            workspace.destroy()
            assert workspace.n_arrays == 0
        self.check_exports()
        self.arrays.clear()
        self.exports.clear()

    def alive(self):
        return [(x, value) for x, value in self.arrays if isinstance(x, nd.NDArray)]

    # Actions.

    def make(self):
        value = self.random.randrange(1, 1000)
        self.arrays.append((nd.full(self.random.choice(SIZES), value), value))

    def view(self):
        if self.alive():
            x, value = self.random.choice(self.alive())
            self.arrays.append((x[:: self.random.choice((1, 2, -1))], value))

    def combine(self):
        if self.alive():
            x, value = self.random.choice(self.alive())
            self.arrays.append((x * 2 - value + 0, value))

    def detach(self):
        if self.alive():
            x, value = self.random.choice(self.alive())
            name = self.random.choice(("detach", "leverage", "migrate", "dup", "unsafe_duplication"))
            self.arrays.append((getattr(x, name)(), value))

    def export(self):
        # What is mapped to a file shows the file, whatever happens to the array.
        found = [(x, v) for x, v in self.alive() if not (x.workspace and x.workspace.configuration.is_mapped)]
        if found:
            x, value = self.random.choice(found)
            self.exports.append((np.asarray(x), value))

    def forget(self):
        for kept in (self.arrays, self.exports):
            self.random.shuffle(kept)
            del kept[len(kept) // 2 :]

    def enter(self):
        workspace = self.random.choice(self.workspaces)
        if len(self.scopes) < 6 and not workspace.is_borrowed:
            workspace.__enter__()
            self.scopes.append(workspace)

    def scope_out(self):
        scope = nd.scope_out_of_workspaces()
        scope.__enter__()
        self.scopes.append(scope)

    def leave(self):
        if self.scopes:
            self.scopes.pop().__exit__(None, None, None)

    def toggle(self):
        current = nd.workspace_manager.current_workspace()
        if current is not None:
            current.toggle_workspace_use(not current.is_used)

    # What must hold after each.

    def check(self):
        for x, value in self.arrays:
            if isinstance(x, nd.NDArray):
                assert np.all(np.asarray(x.detach()) == value)
                inside = x.workspace
                assert inside is None or inside.is_open or inside.configuration.is_circular
            else:
                try:
                    x.tolist()
                except nd.WorkspaceError:
                    continue
                raise AssertionError("a released array was used")
        self.check_exports()
        for workspace in self.workspaces:
            own = [x for x, _ in self.alive() if x.workspace is workspace]
            assert workspace.n_arrays >= len({id(x) for x in own})
            if workspace.configuration.policy_reuse is nd.ReusePolicy.NONE:
                assert workspace.host_offset <= workspace.current_size or workspace.is_destroyed
            assert workspace.cycles_count == workspace.generation_id - workspace.is_open
            assert workspace.max_cycle_allocations >= workspace.last_cycle_allocations
            assert (workspace.spilled_size > 0) <= (workspace.number_of_external_allocations > 0)
            assert workspace.pinned_size == 0 or workspace.configuration.is_circular

    def check_exports(self):
        for seen, value in self.exports:
            assert np.all(seen == value)


def run_program(seed, n_steps):
    """Run one program; what the pool holds is afterwards what it held before."""
    program = Program(seed)
    program.run(n_steps)
    del program
    gc.collect()


def in_thread(function):
    """What `function` returns in a new thread."""
    found = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    thread.join()
    return found[0]

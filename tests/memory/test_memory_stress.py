"""One program of random requests to the pool and to workspaces, with guard bytes, in 16 threads, in the debug mode.

ND4PY_STRESS=1 makes ten million of them.
"""

import os
import subprocess
import sys

import pytest

WHOLE = os.environ.get("ND4PY_STRESS", "") not in ("", "0")
N_REQUESTS = 10_000_000 if WHOLE else 100_000
SECONDS = 1800 if WHOLE else 120

PROGRAM = """
import random, sys, threading
import nd4py as nd
from nd4py._mem.arena.arena_measures import use_arena
from nd4py._mem.pool.pool_measures import Exchange

N_THREADS, N_ROUNDS, SLOTS, MOST_BYTES = 16, 10, 2048, 4096
n_requests, in_pool, in_arena = map(int, sys.argv[1:])      # the last two: whether a fault is planted there
VIRTUAL = {"policy_location": "virtual", "policy_learning": "none", "initial_size": "1G"}
REUSED = {"policy_reuse": "when_freed"}
KINDS = [                                                   # with the largest request
    ({}, 4096),
    ({"policy_spill": "reallocate", "policy_allocation": "strict"}, 4096),
    (REUSED | {"policy_spill": "reallocate"}, 4096),
    (REUSED | VIRTUAL, 200_000),
    ({"policy_reset": "endofbuffer_reached", "overallocation_limit": 2, "initial_size": 500_000}, 4096),
    (VIRTUAL, 4096),
]
exchange, faults = Exchange(SLOTS, MOST_BYTES), []

def work(number):
    rng = random.Random(number)
    policies, most_bytes = KINDS[number % len(KINDS)]
    workspace = nd.Workspace(f"w{number}", nd.WorkspaceConfiguration(**policies))
    share = n_requests // N_THREADS // N_ROUNDS
    for round in range(N_ROUNDS):
        part = rng.randrange(share // 4, 3 * share // 4)    # in the arena, the others in the pool
        is_chosen = number == round == 5                    # for the fault, when everybody is at work
        repeats = rng.random() < 0.5                        # the same locations as before, which a plan then holds
        with workspace:
            faults.append(use_arena(workspace, number if repeats else number + 16 * round, part, most_bytes,
                                    part // 2 if is_chosen and in_arena else -1))
        exchange.work(1000 * number + round + 1, share - part, True, 10 if is_chosen and in_pool else -1, 16)
    workspace.destroy()

threads = [threading.Thread(target=work, args=(number,)) for number in range(N_THREADS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
exchange.clear(True)
assert len(faults) == N_THREADS * N_ROUNDS                  # no thread ended before its time
print(exchange.n_faults, sum(faults))
del exchange
nd.memory.check()
"""


def stress(n_requests, in_pool=False, in_arena=False):
    """(faults found in blocks of the pool, in places of workspaces, what the debug mode says)."""
    command = [sys.executable, "-c", PROGRAM, *map(str, (n_requests, int(in_pool), int(in_arena)))]
    environment = {**os.environ, "ND4PY_DEBUG_MEMORY": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    return (*map(int, done.stdout.split()), done.stderr.strip())


def test_random_requests_to_pool_and_workspaces():
    assert stress(N_REQUESTS) == (0, 0, "")


@pytest.mark.parametrize("location", ["in_pool", "in_arena"])
def test_a_planted_fault_is_found(location):
    """Within a block, which only the program itself can know."""
    assert stress(40_000, **{location: True}) == (int(location == "in_pool"), int(location == "in_arena"), "")

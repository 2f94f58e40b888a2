"""Random programs on foreign memory: exporters are written, shared and dropped between the calls.

What each call returns is compared, bit for bit, with what NumPy makes of copies that were taken at that call.
"""

import random

import numpy as np
import pytest
from deferred_arrays import VALUES, N, equal, fresh

import nd4py as nd


@pytest.mark.parametrize("seed", range(20))
def test_random_programs_have_the_values_of_their_calls(seed):
    Program(random.Random(seed)).run(60)


class Program:
    """Arrays over foreign memory with what they ought to be, results, and NumPy's names for the memory."""

    def __init__(self, choose):
        self.choose, self.arrays, self.results = choose, [], []

    def run(self, n_steps):
        steps = [self.import_one, self.import_one, self.compute, self.compute, self.compute, self.compute, self.write,
                 self.write, self.drop, self.drop, self.export, self.write_ours, self.look]  # fmt: skip
        for _ in range(n_steps):
            self.choose.choice(steps)()
        for result, expected in self.results:
            equal(result, expected)

    def import_one(self):
        """(array, outside: what NumPy holds of its memory)"""
        memory = VALUES * self.choose.random()
        whole = self.choose.choice([memory, memory[:], memory[::-1][::-1]])
        kind = self.choose.choice(["asarray", "asarray", "frombuffer", "dlpack", "bytes"])
        if kind == "bytes":
            self.arrays.append((nd.frombuffer(memory.tobytes(), dtype="float64"), []))
        elif kind == "frombuffer":
            self.arrays.append((nd.frombuffer(memory, dtype="float64"), [memory]))
        else:
            self.arrays.append(({"asarray": nd.asarray, "dlpack": nd.from_dlpack}[kind](whole), [memory, whole]))
        if self.choose.random() < 0.5:
            self.arrays[-1][1].clear()

    def operand(self):
        """(array, its values now), looked at without an export of its memory"""
        if self.results and self.choose.random() < 0.4:
            return self.choose.choice(self.results[-4:])
        x = self.choose.choice(self.arrays)[0] if self.arrays else fresh()
        return x, np.asarray(nd.array(x, copy=True))

    def compute(self):
        (x, a), (y, b) = self.operand(), self.operand()
        call = self.choose.choice([
            lambda xp, x, y: x * y, lambda xp, x, y: x - y + 1, lambda xp, x, y: xp.maximum(x, y),
            lambda xp, x, y: xp.sqrt(xp.abs(x)) * 0.5 - y, lambda xp, x, y: xp.where(x > 0, y, x),
        ])  # fmt: skip
        self.results.append((call(nd, x, y), call(np, a, b)))

    def write(self):
        names = [memory for _, outside in self.arrays for memory in outside if memory.flags.writeable]
        if names:
            self.choose.choice(names)[self.choose.randrange(N) :] = self.choose.random()

    def write_ours(self):
        writable = [x for x, _ in self.arrays if x.is_writable]
        if writable:
            self.choose.choice(writable)[self.choose.randrange(N) :] = self.choose.random()

    def export(self):
        if self.arrays:
            x, outside = self.choose.choice(self.arrays)
            outside.append(self.choose.choice([np.asarray, lambda x: np.asarray(memoryview(x)), np.from_dlpack])(x))

    def drop(self):
        if self.arrays:
            self.choose.choice(self.arrays)[1].clear()

    def look(self):
        if self.results:
            equal(*self.results.pop(self.choose.randrange(len(self.results))))

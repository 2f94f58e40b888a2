"""Shrinking: the shortest program, with the smallest numbers, that still fails."""

import time


def shrunk(steps, fails, seconds=20.0):
    """A shorter list of steps for which `fails(steps)` holds, as it does for `steps`; the best one in `seconds`."""
    until = time.monotonic() + seconds
    before = None
    while before != steps and time.monotonic() < until:
        before = steps
        steps = with_fewer_steps(steps, fails, until)
        steps = with_simpler_steps(steps, fails, until)
    return steps


def with_fewer_steps(steps, fails, until):
    """Parts are left out, halves first, single steps last."""
    size = max(len(steps) // 2, 1)
    while True:
        position = len(steps)
        while position > 0 and time.monotonic() < until:
            shorter = steps[: max(position - size, 0)] + steps[position:]
            if len(shorter) < len(steps) and fails(shorter):
                steps = shorter
            position -= size
        if size == 1 or time.monotonic() >= until:
            return steps
        size = size // 2


def with_simpler_steps(steps, fails, until):
    """One thread, nothing around a line, smaller numbers."""
    position = 0
    while position < len(steps) and time.monotonic() < until:
        for simpler in simpler_steps(steps[position]):
            changed = [*steps[:position], simpler, *steps[position + 1 :]]
            if time.monotonic() < until and fails(changed):
                steps = changed
                break
        else:
            position += 1
    return steps


def simpler_steps(step):
    """Steps that are simpler than this one."""
    if step.thread:
        yield step.replaced(thread=0)
    if step.within:
        yield step.replaced(within="")
    for position, number in enumerate(step.numbers):
        smaller = {0, 1, 2, 3, number // 2, number - 1} if number > 0 else {0, -1, number // 2 + 1, number + 1}
        for value in sorted(smaller, key=abs):
            if abs(value) < abs(number) and (changed := step.with_number(position, value)) is not None:
                yield changed

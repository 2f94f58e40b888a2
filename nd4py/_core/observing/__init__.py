"""Observing: who is told of every operation that runs.

The files, as the build lists them:

- bad_values.h: NaN and infinity among floating numbers, told by their bits.
- observers.pyx: Observers, which are told of every operation that runs on the host: what it reads and writes, and when.
- panic.pyx: The search for NaN and infinity: which operation made the first one, at which line of the program.
- panic_error.py: The error of an operation that makes NaN or infinity while that is forbidden.
"""

"""Observing: who is told of every operation that runs.

The files, as the build lists them:

- observers.pyx: Observers, which are told of every operation that runs on the host: what it reads and writes, and when.
"""

"""Threads: how many work, and how work is interrupted.

The files, as the build lists them:

- interrupts.h: Ctrl-C during long work: the main thread of Python looks for signals between tasks, and what it finds
  ends its work.
- interrupts.pyx: Interrupts of long work: Ctrl-C, and every other signal with a handler in Python.
- thread_gate.h: The gate's memory: what is in use, and for each calling thread whether its team is awake.
- thread_proof.h: Whether threads can be made: libgomp ends the process where one cannot.
- threads.pyx: The thread gate, which decides how many threads a piece of work may use.
"""

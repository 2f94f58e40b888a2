"""Threads: how many work, and how work is interrupted.

The files, as the build lists them:

- thread_gate.h: What threads of parallel work share: the gate's memory, which is what is in use and for each calling
  thread whether its team is awake; and signals, which end work.
- thread_proof.h: Whether threads can be made: libgomp ends the process where one cannot.
- threads.pyx: Threads of parallel work: the gate, which decides how many a piece of work may use, and signals, which
  end work.
"""

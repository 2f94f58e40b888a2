"""A differential fuzzer: random programs over arrays, run by nd4py and beside it by a model in NumPy.

    python -m tests.fuzz --minutes 30                      (in the root of the repository)
    python -m tests.fuzz --seconds 60 --only overlap,threads
    python -m tests.fuzz --seed 12345 --programs 1         one program once more

Design: a program is a list of steps, and a step is a line of Python for each side (`steps.py`), so that it can be
printed, run again, and shrunk by deleting lines and by writing smaller numbers into them.  The model runs the whole
program first (`model.py`): moves are NumPy's own; what is computed is nd4py's answer on fresh copies in one thread with
nothing deferred, which has to agree with NumPy's within the row's tolerance.  So all that follows is compared bit for
bit: however an array is laid out, shared, deferred, handed over or cut into threads, its values are those.  nd4py runs
the program after that, with nothing of the model between its lines, because a look at any value ends a chain
(`subject.py`).  Programs run in child processes, which say what they are about to do, so that a crash or an endless
loop is a fault like any other (`worker.py`, `run.py`).
"""

"""Graphs: the launches of a function, recorded once and then repeated without Python.

The files, as the build lists them:

- arena_plan.py: The launches of a graph that are needed, and memory for the arrays between them.
- capture_error.py: The error of a function that no graph can hold.
- captured.pyx: Captured calls: a function run once on copies of its inputs, and what repeats it on others of their
  shapes.
- graph.pyx: Graph: a function's launches, recorded for each kind of inputs and repeated without Python.
- launch_recording.pyx: Recording: what operations give to their loops while a graph is captured.
- replay.pyx: Replaying: the launches of a graph run one after the other, without Python.
- result_structure.py: What a function returns, taken apart into arrays and put together again.
"""

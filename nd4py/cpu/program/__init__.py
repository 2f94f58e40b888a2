"""Programs: several operations in one pass over memory.

The files, as the build lists them:

- fused_runs.inc: Several cheap rows in one pass, with what lies between them in registers.
- fusing.pyx: Which steps of a program run as one, and how: cheap rows of one dtype that follow each other.
- produce.pyx: Elements that are computed when they are wanted, in C order, by a program over a plan.
- program.pyx: A program: several loops over one tile after another, so that what lies between them never leaves the
  caches.
- row_programs.pyx: Run a program whose tiles are whole rows: what a row comes to is known while the row is still in the
  cache.
"""

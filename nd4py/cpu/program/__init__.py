"""Programs: several operations in one pass over memory.

The files, as the build lists them:

- block_programs.pyx: Programs over tiles of several whole rows, which are short, or whose elements do not lie side by
  side.
- fused_runs.inc: Fused loops: a sequence of cheap rows in one pass, with intermediate values in registers.
- fusing.pyx: Fusion of a program's steps: cheap rows of one dtype that follow each other.
- produce.pyx: Elements computed on demand, in C order, by a program over a plan.
- program.pyx: Programs: a sequence of loops over one tile after another, with intermediate values in the caches.
- quotients.inc: Quotients of vectors by one value, which are the bits of a division and take a quarter of its time.
- recorded_calls.pyx: Descriptions of plans and programs for graphs that are captured.
- rooms.pyx: Tasks of programs, on threads that each have memory of their own for registers and copies of operands.
- row_programs.pyx: Programs over tiles that are whole rows.
- short_row_runs.inc: Fused loops over rows that are too short for loops of their own.
- sweep_pieces.pyx: One piece of a sweep: some rows of a strip of columns, tile by tile.
- sweep_programs.pyx: Programs over blocks too large for the caches: several sweeps, each of which ends with reductions.
"""

"""What an element of a map row costs on one thread, in picoseconds.  Written by asv_bench/cost_model.py.

A row or dtype that is not listed costs what moving its bytes does.
"""

PICOSECONDS_PER_BYTE = 8
PICOSECONDS = {}

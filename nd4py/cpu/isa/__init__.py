"""Instruction sets: which loops this processor runs, and what all families of loops are built from.

The files, as the build lists them:

- isa.pyx: Which instruction set's loops are used: the best the processor has, or the one named by ND4PY_ISA.
- last_cache.pyx: The size of the last cache, beyond which results are written past the caches.
- loop_module.h: What every family of loops is built from, once per instruction set: the functions of one element, the
  vector width, and the extension module that hands out the family's table and nothing else.
- loops.h: What an instruction-set build of the loops offers to the Cython drivers.
"""

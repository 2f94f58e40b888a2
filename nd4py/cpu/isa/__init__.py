"""Instruction sets: the choice of loops for this processor, and the frame of all loop modules.

The files, as the build lists them:

- isa.pyx: Choice of the instruction set whose loops run.
- last_cache.pyx: Size of the last cache, beyond which results are written past the caches.
- loop_module.h: Frame of every loop module: functions of one element, vector width, module definition.
- loops.h: Loop tables of one instruction set, as the Cython drivers see them.
"""

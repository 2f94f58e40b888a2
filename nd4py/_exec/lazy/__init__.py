"""The lazy engine on the host: which operations are deferred, and the pass over memory that runs them.

The files, as the build lists them:

- across_backends.py: Deferred operations of the host and all devices: running, waiting for, counting and explaining
  them.
- assembly.pyx: Compilation of a chain to a program with as few registers as possible.
- checked_links.pyx: The operations of a pass run one by one, to find which of them makes NaN or infinity.
- deferred_reductions.pyx: Reductions of rows that are deferred, and those that run in the pass that computes what they
  reduce.
- host_backend.pyx: The lazy engine's backend for the host: which operations it defers, those with large results, and
  their memory.
- materialize.pyx: When deferred operations run on the host, and which those are, as data that can be printed or drawn.
- observed_passes.pyx: Passes over memory as observers are told of them: one operation that names those of the program.
- outputs.pyx: The arrays that a chain writes, and their memory; and those that can never have values.
- program_steps.pyx: The steps of a program: links of a chain as loops, and where their operands lie.
- run_chain.pyx: Running a chain in one pass over memory, or one of its values into a reduction.
- sweeps.pyx: Steps in several sweeps over blocks that are too large for the caches: each ends with reductions.
"""

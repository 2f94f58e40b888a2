"""The lazy engine: operations that have been called and not yet been run, on the host and on devices alike.

The files, as the build lists them:

- chain.pyx: A chain: operations on arrays of one shape that have been called and not yet been run.
- deferral.pyx: Whether operations are put off: what a thread asked for, and what the process was told.
- deferred.pyx: What arrays are before their values have been computed: parts of a chain of operations that nobody has
  looked at.
- deferring.pyx: Which chain an operation joins.
- hazards.pyx: When chains run: somebody looks, or what they read is about to change or to go.
- lazy_backend.pyx: What the lazy engine asks of a kind of memory: above all to run a chain.
- pending_program.pyx: What a chain is going to do, as data that can be printed or drawn.
"""

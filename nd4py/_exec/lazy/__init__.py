"""The lazy engine on the host: which operations are deferred, and one pass over memory that runs them.

The files, as the build lists them:

- across_backends.py: What the host and all devices have deferred: run, waited for, counted and explained.
- assembly.pyx: From a chain to a program: what is needed, in the order in which it was called, in as few registers as
  possible.
- defer.pyx: Which operations on the host are put off: those whose results are large, and reductions of their rows.
- explain.pyx: What a pending array waits for, as data that can be printed or drawn.
- failures.pyx: Pending arrays that can never have their values: what they would be made of is gone.
- host_backend.pyx: The host as the lazy engine sees it: results belong to workspaces, and a pass over memory runs a
  chain.
- materialize.pyx: When operations on the host that were put off run: what the layers above call, and operands that go.
- outputs.pyx: The arrays that a chain writes, and the memory they get.
- run_chain.pyx: Run a chain: one pass that writes the values somebody holds, or hands one of them to a reduction.
"""

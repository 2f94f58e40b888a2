"""The lazy engine on devices: several operations as one kernel.

The files, as the build lists them:

- chain_launch.pyx: Launches of chains: one kernel for all steps, or the kernels of rows one after the other.
- chain_plans.py: What is launched for a chain, or for one of its steps, on operands of a layout: the function and the
  launch.
- chain_runs.py: How a chain runs: as one kernel once it pays to compile one, else its steps one by one.
- device_assembly.pyx: From a chain to what is launched: the links that somebody needs, values numbered anew, and a key
  of its kernel.
- device_backend.pyx: Devices as the lazy engine sees them: results belong to streams, and launches run a chain.
- device_defer.pyx: Which operations on devices are put off.
"""

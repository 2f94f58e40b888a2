"""The lazy engine on devices: several operations as one kernel.

The files, as the build lists them:

- chain_launch.pyx: Launches of chains: one kernel for all steps, or the kernels of rows one after the other.
- chain_plans.py: Launch plans of chains and of their steps, for operands of a layout.
- chain_runs.py: Execution of chains: as one kernel once it pays to compile one, else step by step.
- device_assembly.pyx: Assembly of a chain for its launch: needed steps, renumbered values, kernel key.
- device_backend.pyx: Devices as a backend of the lazy engine.
- device_defer.pyx: Deferral of operations on devices.
"""

"""Updaters, and the schedules of their learning rates.

The files, as the build lists them:

- schedules.py: Learning-rate schedules.
- updaters.py: Updaters: optimizers that compute the change of the parameters from a gradient.
"""

"""Updaters, and the schedules of their learning rates.

The files, as the build lists them:

- adam.py: Adam and its relatives: means of gradients over means of their squares.
- adaptive.py: A rate for each parameter, from the squares of its gradients: AdaGrad, RmsProp, AdaDelta.
- courses.py: Schedules made of parts: constant, piecewise, cycles, and a rise before another schedule.
- decays.py: Schedules that fall from an initial value, by a formula.
- descent.py: Gradient descent: plain, with momentum, and by the sign of the gradient.
- factored.py: AdaFactor: Adam's second moments of a matrix, kept as the means of its rows and of its columns.
- schedule.py: Schedule: the protocol and base classes of learning-rate schedules.
- schedules.py: Schedules by name.
- updater.py: Updater: the base class of optimizers, which compute the change of the parameters from a gradient.
- updaters.py: Updaters by name.
"""

"""One line per updater and schedule: what the tests of `nn` run over, beside the tables of `cases`."""

import math

import numpy as np

from nd4py import nn

PARAMS = np.linspace(-1.0, 1.0, 1000)  # what updaters with weight decay are given


# Updaters: (updater, reference), where reference(g, state, t) changes the dictionary `state` and returns the delta.
def adam(g, s, t, rate=1e-3, b1=0.9, b2=0.999, eps=1e-8):
    s["m"] = b1 * s["m"] + (1 - b1) * g
    s["v"] = b2 * s["v"] + (1 - b2) * g**2
    return rate * s["m"] / (1 - b1**t) / (np.sqrt(s["v"] / (1 - b2**t)) + eps)


def adamax(g, s, t):
    s["m"] = 0.9 * s["m"] + 0.1 * g
    s["u"] = np.maximum(0.999 * s["u"], np.abs(g) + 1e-8)
    return 1e-3 / (1 - 0.9**t) * s["m"] / s["u"]


def amsgrad(g, s, t):
    s["m"] = 0.9 * s["m"] + 0.1 * g
    s["v"] = 0.999 * s["v"] + 0.001 * g**2
    s["h"] = np.maximum(s["h"], s["v"])
    return 1e-3 * s["m"] / (1 - 0.9**t) / (np.sqrt(s["h"] / (1 - 0.999**t)) + 1e-8)


def nadam(g, s, t):
    s["m"] = 0.9 * s["m"] + 0.1 * g
    s["v"] = 0.999 * s["v"] + 0.001 * g**2
    mean = 0.9 * s["m"] / (1 - 0.9 ** (t + 1)) + 0.1 * g / (1 - 0.9**t)
    return 1e-3 * mean / (np.sqrt(s["v"] / (1 - 0.999**t)) + 1e-8)


def adabelief(g, s, t):
    s["m"] = 0.9 * s["m"] + 0.1 * g
    s["s"] = 0.999 * s["s"] + 0.001 * (g - s["m"]) ** 2 + 1e-14
    return 1e-3 * s["m"] / (1 - 0.9**t) / (np.sqrt(s["s"] / (1 - 0.999**t)) + 1e-14)


def adadelta(g, s, t):
    s["s"] = 0.95 * s["s"] + 0.05 * g**2
    delta = g * np.sqrt(s["x"] + 1e-6) / np.sqrt(s["s"] + 1e-6)
    s["x"] = 0.95 * s["x"] + 0.05 * delta**2
    return delta


def adafactor(g, s, t):
    b2 = 1 - t**-0.8
    s["v"] = b2 * s["v"] + (1 - b2) * (g**2 + 1e-30)
    u = g / np.sqrt(s["v"])
    size = max(1e-3, math.sqrt(np.mean(PARAMS**2)))
    return min(0.01, 1 / math.sqrt(t)) * size * u / max(1.0, math.sqrt(np.mean(u**2)))


def adagrad(g, s, t):
    s["h"] = s["h"] + g**2
    return 0.1 * g / (np.sqrt(s["h"]) + 1e-6)


def rmsprop(g, s, t):
    s["v"] = 0.95 * s["v"] + 0.05 * g**2
    return 0.1 * g / (np.sqrt(s["v"]) + 1e-8)


def lion(g, s, t):
    before = s["m"]
    s["m"] = 0.99 * before + 0.01 * g
    return 1e-4 * np.sign(0.9 * before + 0.1 * g)


def nesterovs(g, s, t):
    before = s["v"]
    s["v"] = 0.9 * before - 0.1 * g
    return 0.9 * before - 1.9 * s["v"]


UPDATERS = (
    (nn.NoOp(), lambda g, s, t: g),
    (nn.Sgd(), lambda g, s, t: 1e-3 * g),
    (nn.Nesterovs(), nesterovs),
    (nn.AdaGrad(), adagrad),
    (nn.RmsProp(), rmsprop),
    (nn.AdaDelta(), adadelta),
    (nn.AdaFactor(), adafactor),
    (nn.Adam(), adam),
    (nn.AdaMax(), adamax),
    (nn.AMSGrad(), amsgrad),
    (nn.Nadam(), nadam),
    (nn.AdaBelief(), adabelief),
    (nn.AdamW(), lambda g, s, t: adam(g, s, t) + 1e-5 * PARAMS),
    (nn.Lion(), lion),
    (nn.Lion(weight_decay=0.1), lambda g, s, t: lion(g, s, t) + 1e-5 * PARAMS),
)

# Schedules: values at chosen steps.
SCHEDULES = (
    (nn.ExponentialSchedule(0.1, 0.5), {0: 0.1, 1: 0.05, 3: 0.0125}),
    (nn.InverseSchedule(0.1, 1.0, 2.0), {0: 0.1, 1: 0.025, 9: 0.001}),
    (nn.StepSchedule(0.1, 0.5, 10), {0: 0.1, 9: 0.1, 10: 0.05, 25: 0.025}),
    (nn.SigmoidSchedule(0.1, 1.0, 5), {0: 0.1 / (1 + math.exp(-5)), 5: 0.05, 100_000: 0.0}),
    (nn.PolySchedule(0.1, 2.0, 10), {0: 0.1, 5: 0.025, 10: 0.0, 11: 0.0}),
    (nn.OneCycleSchedule(1.0, 20, 0.5), {0: 0.04, 9: 1.0, 19: 4e-6, 99: 4e-6}),
    (nn.MapSchedule({0: 0.1, 5: 0.01}), {0: 0.1, 4: 0.1, 5: 0.01, 99: 0.01}),
    (nn.FixedSchedule(0.1), {0: 0.1, 99: 0.1}),
    (nn.CosineSchedule(0.1, 10, 0.02), {0: 0.1, 5: 0.06, 10: 0.02, 11: 0.02}),
    (nn.CosineSchedule(0.1, 10, restarts=True), {5: 0.05, 10: 0.1, 15: 0.05, 20: 0.1}),
    (nn.CosineSchedule(0.1, 10, restarts=True, growth=2), {5: 0.05, 10: 0.1, 20: 0.05, 30: 0.1, 50: 0.05, 70: 0.1}),
    (nn.OneCycleSchedule(1.0, 11, 0.5, 25.0, 10.0), {0: 0.04, 10: 0.004, 99: 0.004}),
    (nn.RampSchedule(nn.StepSchedule(0.1, 0.5, 4), 4), {0: 0.025, 3: 0.1, 4: 0.05, 8: 0.025}),
    (nn.WarmupSchedule(nn.StepSchedule(0.1, 0.5, 4), 4, 0.02), {0: 0.02, 2: 0.06, 4: 0.1, 7: 0.1, 8: 0.05}),
    (nn.CycleSchedule(0.1, 1.0, 22, 2), {0: 0.1, 5: 0.55, 10: 1.0, 15: 0.55, 20: 0.1, 21: 0.055, 22: 0.01, 99: 0.01}),
)

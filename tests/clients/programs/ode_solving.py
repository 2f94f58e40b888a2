"""Differential equations: Euler and Runge-Kutta, a pendulum, predators and prey, Lorenz, heat, a boundary problem."""

import nd4py as np


def euler(f, y0, t):
    y = np.zeros((len(t), len(y0)))
    y[0] = y0
    for i in range(len(t) - 1):
        y[i + 1] = y[i] + (t[i + 1] - t[i]) * f(y[i], t[i])
    return y


def rk4(f, y0, t):
    y = np.zeros((len(t), len(y0)))
    y[0] = y0
    for i in range(len(t) - 1):
        h = t[i + 1] - t[i]
        k1 = f(y[i], t[i])
        k2 = f(y[i] + h / 2 * k1, t[i] + h / 2)
        k3 = f(y[i] + h / 2 * k2, t[i] + h / 2)
        k4 = f(y[i] + h * k3, t[i] + h)
        y[i + 1] = y[i] + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


def decay(y, t):
    return -0.5 * y


for n in (11, 21, 41):
    t = np.linspace(0, 4, n)
    exact = np.exp(-0.5 * t)
    print(n, *(f"{np.abs(solve(decay, [1.0], t)[:, 0] - exact).max():.3e}" for solve in (euler, rk4)))


def pendulum(y, t, b=0.25, c=5.0):
    theta, omega = y
    return np.array([omega, -b * omega - c * np.sin(theta)])


t = np.linspace(0, 10, 201)
solution = rk4(pendulum, [np.pi - 0.1, 0.0], t)
theta = solution[:, 0]
turns = np.where(np.diff(np.sign(solution[:, 1])))[0]
print(solution[-1].round(6), turns[:5], np.degrees(theta.max()).round(3))
energy = 0.5 * solution[:, 1] ** 2 - 5 * np.cos(theta)
print("falls", bool((np.diff(energy) < 1e-9).all()), energy[[0, -1]].round(5))


def predators(y, t):
    a, b, c, d = 1.1, 0.4, 0.4, 0.1
    return np.array([a * y[0] - b * y[0] * y[1], -c * y[1] + d * y[0] * y[1]])


t = np.arange(0, 30, 0.05)
population = rk4(predators, np.array([10.0, 5.0]), t)
prey, hunters = population.T
invariant = 0.1 * prey - 0.4 * np.log(prey) + 0.4 * hunters - 1.1 * np.log(hunters)
print(population[-1].round(4), np.ptp(invariant) < 1e-3)
peaks = np.flatnonzero((prey[1:-1] > prey[:-2]) & (prey[1:-1] > prey[2:])) + 1
print(peaks, np.diff(t[peaks]).round(3), prey[peaks].round(3))


def lorenz(y, t):
    return np.array([10 * (y[1] - y[0]), y[0] * (28 - y[2]) - y[1], y[0] * y[1] - 8 / 3 * y[2]])


orbit = rk4(lorenz, np.ones(3), np.linspace(0, 2, 401))
print(orbit[-1].round(4), orbit.max(axis=0).round(3))

# Heat in a rod: explicit steps, then one implicit system.
nx = 21
u = np.zeros(nx)
u[nx // 2] = 1.0
r = 0.4
for _ in range(50):
    u[1:-1] = u[1:-1] + r * (u[2:] - 2 * u[1:-1] + u[:-2])
print(u[:: nx // 4].round(6), u.sum().round(6))
A = np.diag(np.full(nx, 1 + 2 * r)) + np.diag(np.full(nx - 1, -r), 1) + np.diag(np.full(nx - 1, -r), -1)
A[0, :], A[-1, :] = 0, 0
A[0, 0] = A[-1, -1] = 1
w = np.zeros(nx)
w[nx // 2] = 1
for _ in range(50):
    w = np.linalg.solve(A, w)
print(w[nx // 2].round(6), np.abs(u - w).max().round(5), np.allclose(w, w[::-1]))

# u'' = -pi^2 sin(pi x), u(0) = u(1) = 0
x, h = np.linspace(0, 1, 51, retstep=True)
D2 = (np.eye(49, k=1) - 2 * np.eye(49) + np.eye(49, k=-1)) / h**2
inner = np.linalg.solve(D2, -(np.pi**2) * np.sin(np.pi * x[1:-1]))
print(f"{np.abs(inner - np.sin(np.pi * x[1:-1])).max():.2e}", f"{np.trapezoid(np.r_[0, inner, 0], x):.6f}")
slope = np.gradient(np.r_[0, inner, 0], x)
print(slope[[0, 25, -1]].round(4))

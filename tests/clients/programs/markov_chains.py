"""A Markov chain of the weather: its steps, its stationary distribution, hitting times, a sampled path."""

import nd4py as np

states = ["sunny", "cloudy", "rainy", "storm"]
P = np.array([
    [0.7, 0.2, 0.1, 0.0],
    [0.3, 0.4, 0.25, 0.05],
    [0.2, 0.3, 0.4, 0.1],
    [0.1, 0.3, 0.5, 0.1],
])  # fmt: skip
assert np.allclose(P.sum(axis=1), 1)
print(P.sum(axis=1))

start = np.array([1.0, 0, 0, 0])
for day in (1, 2, 5, 50):
    print(day, np.round(start @ np.linalg.matrix_power(P, day), 6))

values, vectors = np.linalg.eig(P.T)
order = np.argsort(-values.real)
print(np.round(values[order].real, 6))
stationary = vectors[:, order[0]].real
stationary = stationary / stationary.sum()
print(dict(zip(states, [round(float(p), 6) for p in stationary])))

n = len(states)
A = np.vstack([P.T - np.eye(n), np.ones(n)])
b = np.append(np.zeros(n), 1)
solution, residuals, rank, singular = np.linalg.lstsq(A, b, rcond=None)
print(np.allclose(solution, stationary), rank)

# Expected days until the first storm.
Q = np.delete(np.delete(P, 3, axis=0), 3, axis=1)
times = np.linalg.solve(np.eye(3) - Q, np.ones(3))
print("days until a storm", np.round(times, 4))
fundamental = np.linalg.inv(np.eye(3) - Q)
print(np.round(fundamental, 4), np.round(np.linalg.det(np.eye(3) - Q), 8))

# Absorbing: the gambler's ruin.
N, p = 10, 0.48
T = np.zeros((N + 1, N + 1))
T[0, 0] = T[N, N] = 1
for i in range(1, N):
    T[i, i + 1], T[i, i - 1] = p, 1 - p
ruin = np.linalg.matrix_power(T, 3000)[:, 0]
ratio = (1 - p) / p
exact = 1 - (1 - ratio ** np.arange(N + 1)) / (1 - ratio**N)
print(np.abs(ruin - exact).max() < 1e-9, np.round(ruin[[1, 5, 9]], 5))

# A path, from uniform numbers of a generator that everyone can write.
seed, path, state = 12345, [], 0
cumulative = np.cumsum(P, axis=1)
for _ in range(3000):
    seed = (1103515245 * seed + 12345) % 2**31
    state = int(np.searchsorted(cumulative[state], seed / 2**31))
    path.append(state)
path = np.array(path)
counts = np.bincount(path, minlength=4)
print(counts, np.abs(counts / len(path) - stationary).max() < 0.05)
transitions = np.zeros((4, 4), dtype=int)
np.add.at(transitions, (path[:-1], path[1:]), 1)
estimate = transitions / transitions.sum(axis=1, keepdims=True)
print(transitions[0], np.abs(estimate - P).max() < 0.08)
changes = np.flatnonzero(np.diff(path)) + 1
runs = np.diff(np.concatenate(([0], changes, [len(path)])))
print(runs.max(), round(float(runs.mean()), 4), states[path[changes[runs[1:].argmax()]]])
entropy = -(stationary[:, None] * P * np.log2(np.where(P > 0, P, 1))).sum()
print(f"entropy rate {entropy:.5f} bits")

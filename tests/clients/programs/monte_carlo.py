"""Monte Carlo: pi, an integral, a random walk, the birthday problem, an option, a bootstrap, a Metropolis chain.

The numbers depend on the generator, so what is printed is whether they lie where theory says.
"""

import nd4py as np

rng = np.random.default_rng(42)


def near(value, exact, tolerance):
    return bool(abs(float(value) - exact) < tolerance)


n = 200_000
points = rng.random((n, 2))
inside = (points**2).sum(axis=1) <= 1
print("pi", near(4 * inside.mean(), np.pi, 0.03))

x = rng.uniform(0, 2, size=n)
f = np.exp(-(x**2))
estimate, error = 2 * f.mean(), 2 * f.std(ddof=1) / np.sqrt(n)
print("integral", near(estimate, 0.882081, 6 * error), near(error, 0.0016, 0.0005))

steps = np.where(rng.random((2000, 400)) < 0.5, -1, 1)
walks = steps.cumsum(axis=1)
print(walks.shape, near(walks[:, -1].mean(), 0, 3), near(walks[:, -1].std(), 20, 2))
returned = (walks == 0).any(axis=1).mean()
print("returned", near(returned, 0.96, 0.03), int(np.abs(walks).max()) <= 400)

birthdays = rng.integers(0, 365, size=(5000, 23))
shared = np.array([len(np.unique(row)) < 23 for row in birthdays])
print("birthdays", near(shared.mean(), 0.507, 0.04))

S0, K, r, sigma, T = 100.0, 105.0, 0.03, 0.2, 1.0
z = rng.standard_normal(n)
z = np.concatenate([z, -z])
S = S0 * np.exp((r - sigma**2 / 2) * T + sigma * np.sqrt(T) * z)
price = np.exp(-r * T) * np.maximum(S - K, 0).mean()
print("option", near(price, 7.13, 0.15))

np.random.seed(7)
sample = np.random.normal(loc=5, scale=2, size=300)
means = np.array([np.random.choice(sample, size=sample.size).mean() for _ in range(500)])
low, high = np.percentile(means, [2.5, 97.5])
print("bootstrap", bool(low < sample.mean() < high), near(high - low, 0.45, 0.12))
shuffled = np.random.permutation(sample)
print(np.array_equal(np.sort(shuffled), np.sort(sample)), shuffled.shape)
np.random.shuffle(shuffled)
dice = np.random.randint(1, 7, size=60_000)
counts = np.bincount(dice)[1:]
print("dice", dice.min(), dice.max(), bool(((counts - 10_000) ** 2 / 10_000).sum() < 30))

chain = np.empty(20_000)
state, accepted = 0.0, 0
proposals, uniforms = rng.normal(0, 2.5, len(chain)), rng.random(len(chain))
for i in range(len(chain)):
    candidate = state + proposals[i]
    if uniforms[i] < np.exp((state**2 - candidate**2) / 2):
        state = candidate
        accepted += 1
    chain[i] = state
print("metropolis", near(chain[1000:].mean(), 0, 0.15), near(chain[1000:].var(), 1, 0.2), 0.3 < accepted / 20_000 < 0.7)

again = np.random.default_rng(42).random((3, 2))
print("repeats", np.array_equal(again, points[:3]))
picked = rng.choice(5, size=10_000, p=[0.1, 0.2, 0.4, 0.2, 0.1])
print(np.abs(np.bincount(picked) / 10_000 - [0.1, 0.2, 0.4, 0.2, 0.1]).max() < 0.03)

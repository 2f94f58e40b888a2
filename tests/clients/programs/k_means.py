"""k-means by hand, with the elbow, and a nearest-centroid classifier."""

import nd4py as np

# Three clouds on a spiral, without random numbers.
n = 60
t = np.arange(n) * 2.399963
radius = np.sqrt(np.arange(n) / n)
cloud = np.column_stack((radius * np.cos(t), radius * np.sin(t)))
centers = np.array([[0.0, 0.0], [4.0, 1.0], [1.5, 5.0]])
X = np.concatenate([cloud * s + c for s, c in zip((1.0, 1.4, 0.8), centers)])
labels = np.repeat([0, 1, 2], n)
print(X.shape, np.round(X.mean(axis=0), 4), np.round(X.std(axis=0), 4))


def distances(A, B):
    return np.sqrt(((A[:, np.newaxis, :] - B[np.newaxis, :, :]) ** 2).sum(axis=2))


def kmeans(X, k, n_steps=50):
    C = X[np.linspace(0, len(X) - 1, k).astype(int)].copy()
    for step in range(n_steps):
        assigned = distances(X, C).argmin(axis=1)
        new = np.array([X[assigned == j].mean(axis=0) for j in range(k)])
        if np.allclose(new, C):
            break
        C = new
    inertia = ((X - C[assigned]) ** 2).sum()
    return C, assigned, inertia, step


C, assigned, inertia, step = kmeans(X, 3)
order = np.lexsort((C[:, 1], C[:, 0]))
print(np.round(C[order], 4), f"{inertia:.4f}", step)
confusion = np.zeros((3, 3), int)
for a, b in zip(labels, assigned):
    confusion[a, b] += 1
print(confusion, (confusion.max(axis=1).sum() / len(X)).round(4))
sizes = np.unique(assigned, return_counts=True)[1]
print(sorted(sizes.tolist()))

inertias = [kmeans(X, k)[2] for k in range(1, 7)]
print([f"{float(i):.3f}" for i in inertias])
drops = -np.diff(inertias)
print("elbow at", 2 + np.argmax(drops[:-1] / drops[1:]))

# Silhouettes.
D = distances(X, X)
scores = []
for i in range(0, len(X), 10):
    own = D[i][(assigned == assigned[i]) & (np.arange(len(X)) != i)].mean()
    other = min(D[i][assigned == j].mean() for j in set(assigned.tolist()) - {int(assigned[i])})
    scores.append((other - own) / max(own, other))
print(np.round(scores, 3), round(float(np.mean(scores)), 4))

points = np.array([[0.2, 0.1], [3.0, 2.0], [2.0, 4.0], [-1, 7]])
print(distances(points, C[order]).argmin(1), np.linalg.norm(points - C[order][0], axis=1).round(3))
Z = (X - X.min(axis=0)) / np.ptp(X, axis=0)
print(Z.min(0), Z.max(0), np.round(np.percentile(Z, [25, 50, 75], axis=0), 4))

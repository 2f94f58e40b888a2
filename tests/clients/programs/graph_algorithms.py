"""Graphs as matrices: breadth first, shortest ways, triangles, PageRank, components, spectra, spanning trees."""

import nd4py as np

n = 12
edges = [
    (0, 1, 4), (0, 2, 2), (1, 2, 5), (1, 3, 10), (2, 4, 3), (4, 3, 4), (3, 5, 11), (6, 7, 1), (7, 8, 2), (6, 8, 2),
    (9, 10, 7),
]  # fmt: skip
W = np.full((n, n), np.inf)
np.fill_diagonal(W, 0)
for i, j, w in edges:
    W[i, j] = W[j, i] = w
A = (np.isfinite(W) & ~np.eye(n, dtype=bool)).astype(int)
print(A.sum() // 2, A.sum(axis=0), (A == A.T).all())


def breadth_first(A, start):
    level = np.full(len(A), -1)
    level[start] = 0
    front = np.zeros(len(A), dtype=bool)
    front[start] = True
    depth = 0
    while front.any():
        depth += 1
        front = (A[front].sum(axis=0) > 0) & (level < 0)
        level[front] = depth
    return level


print(breadth_first(A, 0), breadth_first(A, 7))


def dijkstra(W, start):
    distance = np.full(len(W), np.inf)
    distance[start] = 0
    before = np.full(len(W), -1, dtype=int)
    done = np.zeros(len(W), dtype=bool)
    for _ in range(len(W)):
        i = np.where(done, np.inf, distance).argmin()
        if done[i] or not np.isfinite(distance[i]):
            break
        done[i] = True
        better = distance[i] + W[i] < distance
        distance[better] = (distance[i] + W[i])[better]
        before[better] = i
    return distance, before


distance, before = dijkstra(W, 0)
print(distance, before)
way, at = [], 5
while at >= 0:
    way.append(int(at))
    at = before[at]
print(way[::-1])

D = W.copy()
for k in range(n):
    D = np.minimum(D, D[:, k : k + 1] + D[k : k + 1, :])
print(np.array_equal(D[0], distance), np.max(D[np.isfinite(D)]), np.isinf(D).sum())

print("triangles", np.trace(np.linalg.matrix_power(A, 3)) // 6, "walks of 4", np.linalg.matrix_power(A, 4)[0, 5])
reach = np.linalg.matrix_power(A + np.eye(n, dtype=int), n) > 0
component = np.array([np.flatnonzero(row)[0] for row in reach])
names, sizes = np.unique(component, return_counts=True)
print(names, sizes, component)

degree = A.sum(axis=1)
L = np.diag(degree) - A
values = np.linalg.eigvalsh(L.astype(float))
print("components", int((np.abs(values) < 1e-9).sum()), values[-3:].round(4))
part = np.ix_([0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5])
print("spanning trees", round(float(np.linalg.det(L[part][1:, 1:].astype(float)))))
_, vectors = np.linalg.eigh(L[part].astype(float))
fiedler = vectors[:, 1] * np.sign(vectors[0, 1])
print(np.where(fiedler > 0)[0], np.round(np.abs(fiedler), 4))

links = np.zeros((6, 6))
for source, targets in {0: [1, 2], 1: [2], 2: [0], 3: [2, 4], 4: [3, 5], 5: []}.items():
    links[targets, source] = 1
out = links.sum(axis=0)
M = np.where(out > 0, links / np.where(out > 0, out, 1), 1 / 6)
rank = np.ones(6) / 6
for step in range(100):
    new = 0.15 / 6 + 0.85 * M @ rank
    if np.abs(new - rank).sum() < 1e-10:
        break
    rank = new
print(rank.round(5), np.argsort(-rank), rank.sum().round(6))

# Kruskal.
table = np.array(edges)
table = table[np.lexsort((table[:, 1], table[:, 0], table[:, 2]))]
root = np.arange(n)
tree = []
for i, j, w in table:
    if root[i] != root[j]:
        root[root == root[j]] = root[i]
        tree.append((int(i), int(j), int(w)))
print(sum(w for _, _, w in tree), tree)

order = np.array([3, 1, 0, 2, 4, 5])
P = np.eye(6, dtype=int)[order]
print(np.array_equal(P @ A[:6, :6] @ P.T, A[np.ix_(order, order)]), np.argsort(order))
colors = np.full(n, -1)
for i in np.argsort(-degree, kind="stable"):
    used = colors[A[i] == 1]
    colors[i] = next(c for c in range(n) if c not in used)
print(colors, bool((colors[np.nonzero(A)[0]] != colors[np.nonzero(A)[1]]).all()))

"""Principal components of a table of measurements: by covariance, by singular values, whitened, rebuilt."""

import nd4py as np

np.set_printoptions(precision=4, suppress=True)
i = np.arange(90)
height = 170 + 8 * np.sin(i * 0.7) + 3 * np.cos(i * 2.1)
weight = 65 + 0.9 * (height - 170) + 4 * np.sin(i * 1.3)
age = 40 + 12 * np.cos(i * 0.31)
income = 2000 + 30 * age + 120 * np.sin(i * 0.9)
data = np.vstack((height, weight, age, income)).T
names = ["height", "weight", "age", "income"]

mean, std = data.mean(axis=0), data.std(axis=0, ddof=1)
Z = (data - mean) / std
print(np.abs(Z.mean(axis=0)).max() < 1e-12, Z.std(axis=0, ddof=1))

C = np.cov(Z, rowvar=False)
print(C)
print(np.allclose(C, np.corrcoef(data.T)))
values, vectors = np.linalg.eigh(C)
values, vectors = values[::-1], vectors[:, ::-1]
vectors *= np.sign(vectors[np.abs(vectors).argmax(axis=0), range(4)])
print(values)
explained = values / values.sum()
print(explained, np.cumsum(explained))
print("components for 95 percent:", np.searchsorted(np.cumsum(explained), 0.95) + 1)
for k in range(2):
    strongest = np.argsort(-np.abs(vectors[:, k]))
    print(k, [(names[j], round(float(vectors[j, k]), 3)) for j in strongest[:2]])

U, S, Vt = np.linalg.svd(Z, full_matrices=False)
print(U.shape, np.allclose(S**2 / (len(Z) - 1), values), np.allclose(np.abs(Vt), np.abs(vectors.T)))

scores = Z @ vectors
print(scores[:2], np.allclose(np.cov(scores.T), np.diag(values)))
rebuilt = scores[:, :2].dot(vectors[:, :2].T) * std + mean
errors = np.sqrt(((data - rebuilt) ** 2).mean(axis=0))
print(errors, np.linalg.matrix_rank(rebuilt - rebuilt.mean(axis=0)))

white = scores / np.sqrt(values)
print(np.allclose(white.T @ white / (len(Z) - 1), np.eye(4)))
mahalanobis = np.sqrt(np.einsum("ij,jk,ik->i", Z, np.linalg.inv(C), Z))
print(np.argsort(mahalanobis)[-3:], mahalanobis.max(), np.allclose(mahalanobis, np.linalg.norm(white, axis=1)))

# The first component by power iteration.
v = np.ones(4)
for step in range(200):
    w = C @ v
    w /= np.linalg.norm(w)
    if np.abs(w - v).max() < 1e-12:
        break
    v = w
print(np.allclose(np.abs(v), np.abs(vectors[:, 0])), step < 199, np.round(v @ C @ v, 6))

"""Conway's game of life, as in many tutorials: by slices, by roll and by a sum of shifted copies."""

import nd4py as np


def step_by_slices(Z):
    N = (Z[0:-2, 0:-2] + Z[0:-2, 1:-1] + Z[0:-2, 2:] +
         Z[1:-1, 0:-2]                 + Z[1:-1, 2:] +
         Z[2:  , 0:-2] + Z[2:  , 1:-1] + Z[2:  , 2:])  # fmt: skip
    birth = (N == 3) & (Z[1:-1, 1:-1] == 0)
    survive = ((N == 2) | (N == 3)) & (Z[1:-1, 1:-1] == 1)
    Z[...] = 0
    Z[1:-1, 1:-1][birth | survive] = 1
    return Z


def step_by_roll(Z):
    N = sum(np.roll(Z, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
    return ((N == 3) | ((Z == 1) & (N == 2))).astype(int)


def show(Z):
    for row in Z:
        print("".join("#" if cell else "." for cell in row))


glider = np.array([[0, 1, 0], [0, 0, 1], [1, 1, 1]])
Z = np.zeros((12, 12), dtype=int)
Z[1:4, 1:4] = glider
for generation in range(9):
    step_by_slices(Z)
show(Z)
print(np.argwhere(Z).tolist())

torus = np.zeros((8, 8), dtype=int)
torus[:3, :3] = glider
before = torus.copy()
for _ in range(32):
    torus = step_by_roll(torus)
print("back after 32 steps:", (torus == before).all())

pentomino = np.zeros((40, 40), np.uint8)
pentomino[18:21, 18:21] = [[0, 1, 1], [1, 1, 0], [0, 1, 0]]
population = [int(pentomino.sum())]
history = [pentomino]
for _ in range(60):
    padded = np.pad(history[-1], 1)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3))
    neighbours = windows.sum(axis=(2, 3)) - history[-1]
    history.append(np.where(history[-1], np.isin(neighbours, [2, 3]), neighbours == 3).astype(np.uint8))
    population.append(int(history[-1].sum()))
print(population)
ages = np.stack(history).sum(axis=0)
print(ages.shape, ages.max(), *np.unravel_index(ages.argmax(), ages.shape))
alive = np.any(history[-1], axis=0)
print(np.where(alive)[0][[0, -1]], np.count_nonzero(history[-1]), np.packbits(history[-1][20]).tolist())
blinker = np.array([[0, 0, 0], [1, 1, 1], [0, 0, 0]])
print(np.array_equal(step_by_roll(np.pad(blinker, 2)), np.pad(blinker.T, 2)))

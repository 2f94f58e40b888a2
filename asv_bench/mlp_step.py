"""The training step of an MLP in nd4py, PyTorch and JAX: weights, loss, updater and batch are the same.

Dense 512 and dense 256 with relu, softmax over 10; negative log likelihood, Adam with rate 1e-3, float32.
A step returns the score before it.
"""

from peer_networks import jax_logits, nd4py_network, torch_network

RATE, BETA_1, BETA_2, EPSILON = 1e-3, 0.9, 0.999, 1e-8


def nd4py_step(x, labels, weights):
    """A function that fits nd4py's network to one batch."""
    import nd4py as nd
    from nd4py.data import DataSet

    network = nd4py_network("MLP", weights)
    examples = DataSet(x, nd.one_hot(labels, 10, dtype="float32"))

    def step():
        network.fit(examples)
        return network.score_value

    return step


def torch_step(x, labels, weights, compiled=lambda network: network):
    """The same step in PyTorch; `compiled` may be torch.compile."""
    import torch

    network = compiled(torch_network("MLP", weights))
    updater = torch.optim.Adam(network.parameters(), lr=RATE)
    loss = torch.nn.CrossEntropyLoss()

    def step():
        updater.zero_grad()
        score = loss(network(x), labels)
        score.backward()
        updater.step()
        return score.item()

    return step


def jax_step(x, labels, weights):
    """The same step in JAX, jitted as a whole."""
    import jax
    from jax import numpy as jnp

    def loss(weights):
        log_probabilities = jax.nn.log_softmax(jax_logits(weights, x))
        return -jnp.mean(jnp.take_along_axis(log_probabilities, labels[:, None], axis=1))

    @jax.jit
    def update(weights, means, squares, t):
        score, slopes = jax.value_and_grad(loss)(weights)
        means = jax.tree.map(lambda m, g: BETA_1 * m + (1 - BETA_1) * g, means, slopes)
        squares = jax.tree.map(lambda v, g: BETA_2 * v + (1 - BETA_2) * g * g, squares, slopes)
        rate = RATE * jnp.sqrt(1 - BETA_2**t) / (1 - BETA_1**t)
        moved = jax.tree.map(lambda w, m, v: w - rate * m / (jnp.sqrt(v) + EPSILON), weights, means, squares)
        return (moved, means, squares, t + 1), score

    zeros = jax.tree.map(jnp.zeros_like, weights)
    state = (weights, zeros, zeros, jnp.float32(1))

    def step():
        nonlocal state
        state, score = update(*state)
        return float(score)

    return step

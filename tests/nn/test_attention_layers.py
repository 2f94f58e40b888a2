"""Layers of attention and embeddings: against NumPy, masks, states, refusals."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn
from nd4py.nn.parameters import lay_out, views

GIVEN = nn.InputType.recurrent(6, 5)
MASK = np.asarray([[1, 1, 1, 0, 0], [0, 1, 1, 0, 1], [1, 1, 1, 1, 1]], float)
ATTENTION = {
    "self": nn.SelfAttentionLayer(4, 2, 3),
    "self without weights": nn.SelfAttentionLayer(project_input=False),
    "heads": nn.MultiHeadAttention(4, 2),
    "causal": nn.MultiHeadAttention(4, 2, causal=True),
    "encoder": nn.TransformerEncoderLayer(2, 7, "gelu"),
    "causal encoder, norms first": nn.TransformerEncoderLayer(2, norm_first=True, causal=True),
    "recurrent": nn.RecurrentAttentionLayer(4, 2),
}


def params_of(layer, given=GIVEN, seed=0):
    """Random parameters of a layer, by name."""
    slots = lay_out({"0": layer.parameters(given)})
    if not slots:
        return {}
    return views(nd.asarray(np.random.default_rng(seed).normal(scale=0.5, size=slots[-1].stop)), slots, 1)[0]


def sequences(seed=1):
    return nd.asarray(np.random.default_rng(seed).normal(size=(3, 5, 6)))


def output(layer, params, x, **how):
    y = layer.forward(params, x, **how)
    return y[0] if layer.is_recurrent else y


def assert_alike(got, want):
    np.testing.assert_allclose(np.asarray(got), np.asarray(want), rtol=1e-11, atol=1e-12)


def attention(q, k, v, n_heads, causal=False):
    """Heads one by one, in NumPy: q, k, v (batch, length, n_heads * size)."""
    found = []
    for head in range(n_heads):
        a, b, c = (x[..., head * x.shape[2] // n_heads : (head + 1) * x.shape[2] // n_heads] for x in (q, k, v))
        scores = a @ b.swapaxes(1, 2) / np.sqrt(a.shape[2])
        scores = np.where(np.tri(*scores.shape[1:], dtype=bool), scores, -np.inf) if causal else scores
        weights = np.exp(scores)
        found.append(weights / weights.sum(2, keepdims=True) @ c)
    return np.concatenate(found, 2)


def heads_of(p, x, n_heads, causal=False):
    q, k, v = (x @ p["W" + each] + p.get("b" + each, 0.0) for each in "qkv")
    return attention(q, k, v, n_heads, causal) @ p["Wo"] + p.get("bo", 0.0)


def normed(x, gamma, beta):
    return (x - x.mean(2, keepdims=True)) / np.sqrt(x.var(2, keepdims=True) + 1e-5) * gamma + beta


def encoded(p, x, norm_first, causal):
    def fed(x):
        return np.maximum(x @ p["W1"] + p["b1"], 0) @ p["W2"] + p["b2"]

    def norm(x, number):
        return normed(x, p["gamma" + number], p["beta" + number])

    if norm_first:
        x = x + heads_of(p, norm(x, "1"), 2, causal)
        return x + fed(norm(x, "2"))
    x = norm(x + heads_of(p, x, 2, causal), "1")
    return norm(x + fed(x), "2")


def asked(p, x):
    """The recurrent layer of attention, step by step."""
    y, found = np.zeros((len(x), 4)), []
    for t in range(x.shape[1]):
        answer = attention((y @ p["Wq"])[:, None], x @ p["Wk"], x @ p["Wv"], 2)[:, 0]
        y = np.tanh(x[:, t] @ p["W"] + p["b"] + answer @ p["RW"])
        found.append(y)
    return np.stack(found, 1)


@pytest.mark.parametrize("layer, reference", [
    (ATTENTION["self"], lambda p, x: heads_of(p, x, 2)),
    (ATTENTION["self without weights"], lambda p, x: attention(x, x, x, 1)),
    (ATTENTION["heads"], lambda p, x: heads_of(p, x, 2)),
    (ATTENTION["causal"], lambda p, x: heads_of(p, x, 2, True)),
    (nn.TransformerEncoderLayer(2), lambda p, x: encoded(p, x, False, False)),
    (ATTENTION["causal encoder, norms first"], lambda p, x: encoded(p, x, True, True)),
    (ATTENTION["recurrent"], asked),
    (nn.LearnedSelfAttentionLayer(4, 2, n_queries=3),
     lambda p, x: attention(np.stack([p["Q"] @ p["Wq"]] * 3), x @ p["Wk"], x @ p["Wv"], 2) @ p["Wo"]),
    (nn.LearnedSelfAttentionLayer(project_input=False, n_queries=3),
     lambda p, x: attention(np.stack([p["Q"]] * 3), x, x, 1)),
])  # fmt: skip
def test_values(layer, reference):
    params, x = params_of(layer), sequences()
    assert_alike(
        output(layer, params, x), reference({name: np.asarray(p) for name, p in params.items()}, np.asarray(x))
    )


@pytest.mark.parametrize("layer", [pytest.param(layer, id=name) for name, layer in ATTENTION.items()])
def test_masked_steps_are_not_seen(layer):
    """Not even where they are NaN."""
    params, x = params_of(layer), np.array(sequences())
    x[MASK == 0] = np.nan
    y = np.asarray(output(layer, params, nd.asarray(x), mask=nd.asarray(MASK)))
    assert not y[MASK == 0].any()
    for i in range(3):
        alone = output(layer, params, nd.asarray(x[i : i + 1][:, MASK[i] == 1]))
        assert_alike(y[i][MASK[i] == 1], alone[0])
    gradients = nd.grad(lambda p: nd.sum(output(layer, p, nd.asarray(x), mask=nd.asarray(MASK)) ** 2))(dict(params))
    assert not any(np.isnan(np.asarray(g)).any() for g in gradients.values())


def test_learned_queries_see_no_masked_steps():
    layer, x = nn.LearnedSelfAttentionLayer(4, 2, n_queries=3), np.array(sequences())
    params = params_of(layer)
    x[MASK == 0] = np.nan
    y = layer.forward(params, nd.asarray(x), mask=nd.asarray(MASK))
    for i in range(3):
        assert_alike(y[i], layer.forward(params, nd.asarray(x[i : i + 1][:, MASK[i] == 1]))[0])
    assert layer.output_mask(nd.asarray(MASK), GIVEN) is None


@pytest.mark.parametrize("name", ["causal", "causal encoder, norms first"])
@pytest.mark.parametrize("is_masked", [False, True])
def test_steps_one_by_one_are_the_whole_sequence(name, is_masked):
    layer, x = ATTENTION[name], sequences()
    params, state, found = params_of(layer), None, []
    for part in (slice(0, 1), slice(1, 3), slice(3, 4), slice(4, 5)):
        mask = nd.asarray(MASK[:, part]) if is_masked else None
        y, state = layer.forward(params, x[:, part], mask=mask, state=state)
        found.append(y)
    want = output(layer, params, x, mask=nd.asarray(MASK) if is_masked else None)
    assert_alike(nd.concat(found, axis=1), want)
    assert state["k"].shape[2] == 5


def test_dropout_is_drawn_from_the_generator():
    layer, x = nn.TransformerEncoderLayer(2, dropout_rate=0.5), sequences()
    params = params_of(layer)
    runs = [layer.forward(params, x, train=True, rng=nd.random.Generator(seed)) for seed in (1, 1, 2)]
    np.testing.assert_array_equal(np.asarray(runs[0]), np.asarray(runs[1]))
    assert not np.array_equal(np.asarray(runs[0]), np.asarray(runs[2]))
    assert_alike(layer.forward(params, x), nn.TransformerEncoderLayer(2).forward(params, x))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint8"])
def test_embeddings(dtype):
    table = nd.asarray(np.random.default_rng(0).normal(size=(7, 3)))
    numbers = np.asarray([[6, 0, 2], [2, 2, 5]])
    layer = nn.EmbeddingSequenceLayer(7, 3)
    for x in (numbers, numbers[:, :, None]):
        got = layer.forward({"W": table}, nd.asarray(x.astype(dtype)))
        np.testing.assert_array_equal(np.asarray(got), np.asarray(table)[numbers])
    rows = nn.EmbeddingLayer(7, 3, "tanh", has_bias=True)
    for x in (numbers[:, 0], numbers[:, :1]):
        got = rows.forward({"W": table, "b": nd.ones(3)}, nd.asarray(x.astype(dtype)))
        assert_alike(got, np.tanh(np.asarray(table)[numbers[:, 0]] + 1))


def test_gradients_of_embeddings_add_up():
    layer, numbers = nn.EmbeddingSequenceLayer(4, 2), nd.asarray([[1.0, 3.0, 1.0], [1.0, 0.0, 3.0]])
    weights = np.arange(12.0).reshape(2, 3, 2)
    got = nd.grad(lambda w: nd.sum(layer.forward({"W": w}, numbers) * nd.asarray(weights)))(nd.ones((4, 2)))
    want = np.zeros((4, 2))
    np.add.at(want, np.asarray(numbers).astype(int), weights)
    assert_alike(got, want)


def test_masked_numbers_may_be_anything():
    layer, table = nn.EmbeddingSequenceLayer(4, 2), nd.ones((4, 2))
    got = layer.forward({"W": table}, nd.asarray([[1.0, -1.0, 99.0]]), mask=nd.asarray([[1.0, 0.0, 0.0]]))
    assert got.tolist() == [[[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]]


def test_positions_of_steps():
    x = np.random.default_rng(3).normal(size=(2, 5, 6))
    table = np.random.default_rng(4).normal(size=(8, 6))
    y, _ = nn.PositionEmbeddingLayer(8).forward({"W": nd.asarray(table)}, nd.asarray(x))
    assert_alike(y, x + table[:5])
    steps, pairs = np.arange(5.0)[:, None], np.arange(3)
    angles = steps / 10_000.0 ** (2 * pairs / 6)
    waves = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(5, 6)
    y, _ = nn.PositionEncodingLayer().forward({}, nd.asarray(x))
    assert_alike(y, x + waves)


@pytest.mark.parametrize("layer", [nn.PositionEmbeddingLayer(5), nn.PositionEncodingLayer()])
def test_positions_are_counted_on(layer):
    x, params = sequences(), params_of(layer)
    whole, _ = layer.forward(params, x)
    state, parts = None, []
    for part in (x[:, :2], x[:, 2:3], x[:, 3:]):
        y, state = layer.forward(params, part, state=state)
        parts.append(y)
    assert_alike(nd.concat(parts, axis=1), whole)


TABLE = {"W": nd.ones((4, 2))}


@pytest.mark.parametrize(
    "make, error, words",
    [
        (lambda: nn.MultiHeadAttention(4, 3), ValueError, "MultiHeadAttention: n_heads must divide 4, .* given 3"),
        (lambda: nn.MultiHeadAttention(4, 0), ValueError, "n_heads must be a whole number of at least 1"),
        (lambda: nn.SelfAttentionLayer(4, 2, project_input=False), ValueError, "without project_input there is one"),
        (lambda: nn.SelfAttentionLayer(4, 3).output_type(GIVEN), ValueError, "n_heads must divide 4, the outputs"),
        (lambda: nn.SelfAttentionLayer(4.5), ValueError, "SelfAttentionLayer: n_out must be a whole number"),
        (lambda: nn.LearnedSelfAttentionLayer(4, n_queries=0), ValueError, "n_queries must be a whole number"),
        (lambda: nn.RecurrentAttentionLayer(4, 3), ValueError, "n_heads must divide 4"),
        (lambda: nn.TransformerEncoderLayer(4).output_type(GIVEN), ValueError, "n_heads must divide 6"),
        (lambda: nn.TransformerEncoderLayer(2, 0), ValueError, "feed_forward_size must be a whole number"),
        (lambda: nn.TransformerEncoderLayer(2, dropout_rate=1.0), ValueError, "rate 1 would drop everything"),
        (lambda: nn.TransformerEncoderLayer(2, epsilon=-1.0), ValueError, "epsilon must be at least 0"),
        (lambda: nn.MultiHeadAttention(4).forward({}, sequences()), ValueError, "params must have the weights Wq"),
        (lambda: nn.MultiHeadAttention(4).output_type(nn.InputType.feed_forward(4)), ValueError, "sequences are"),
        (
            lambda: ATTENTION["causal"].forward(params_of(ATTENTION["causal"]), sequences(), state={"h": 1}),
            ValueError, "state must have k",
        ),
        (lambda: nn.PositionEmbeddingLayer(0), ValueError, "PositionEmbeddingLayer: max_length must be a whole number"),
        (lambda: nn.PositionEmbeddingLayer(4).output_type(GIVEN), ValueError, "at most max_length=4 steps, given 5"),
        (lambda: nn.PositionEmbeddingLayer(2).forward(params_of(nn.PositionEmbeddingLayer(2)), sequences()),
         ValueError, "at most max_length=2 steps, given 5"),
        (lambda: nn.PositionEncodingLayer().output_type(nn.InputType.feed_forward(4)), ValueError, "sequences are"),
        (lambda: nn.EmbeddingLayer(0, 3), ValueError, "n_in, how many numbers there are, must be a whole number"),
        (lambda: nn.EmbeddingLayer(4, 2).output_type(GIVEN), ValueError, "take an EmbeddingSequenceLayer"),
        (lambda: nn.EmbeddingSequenceLayer(4, 2).output_type(GIVEN), ValueError, "one number for each step is needed"),
        (lambda: nn.EmbeddingLayer(4, 2).forward(TABLE, nd.asarray([4.0])), IndexError, "from 0 to 3, given 4 to 4"),
        (lambda: nn.EmbeddingLayer(4, 2).forward(TABLE, nd.asarray([-1, 2])), IndexError, "given -1 to 2"),
        (lambda: nn.EmbeddingLayer(4, 2).forward(TABLE, nd.asarray([0.5])), IndexError, "must be whole numbers"),
        (lambda: nn.EmbeddingLayer(4, 2).forward(TABLE, nd.asarray([np.nan])), IndexError, "must be whole numbers"),
    ],
)  # fmt: skip
def test_refusals(make, error, words):
    with pytest.raises(error, match=words):
        make()

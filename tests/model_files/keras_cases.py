"""Models of one or two layers, for each layer of Keras that is loaded and each of its settings that matters."""

import keras
from keras import layers
from keras_models import Case, stack

ACTIVATIONS = (
    *("celu", "elu", "exponential", "gelu", "hard_shrink", "hard_sigmoid", "hard_swish", "hard_tanh", "leaky_relu"),
    *("linear", "log_sigmoid", "log_softmax", "mish", "relu", "relu6", "selu", "sigmoid", "silu", "soft_shrink"),
    *("sparse_plus", "sparse_sigmoid"),
    *("softmax", "softplus", "softsign", "squareplus", "tanh", "tanh_shrink"),
)
SHAPES = {1: (9, 3), 2: (9, 10, 3), 3: (6, 5, 7, 3)}
# Sizes that 3 elements, 1, 2 or 3 apart, go over with as much padding in front as behind; with another, Keras on
# PyTorch counts some of the padding.
EVEN = {1: (9, 3), 2: (9, 7, 3), 3: (7, 9, 7, 2)}
ANY = {"rows": (4,), "steps": (6, 4), "images": (5, 6, 4), "volumes": (3, 4, 3, 4)}


def made(kind, *arguments, **settings):
    """A function that makes a layer."""
    return lambda: getattr(layers, kind)(*arguments, **settings)


def windows():
    """Layers with windows: kinds of padding and strides."""
    for n, shape in SHAPES.items():
        for padding in ("valid", "same"):
            for stride in (1, 2, 3):
                how = {"strides": stride, "padding": padding}
                name = f"{n} axes, {padding}, stride {stride}"
                yield f"Conv: {name}", stack(shape, made(f"Conv{n}D", 4, 3, **how))
                yield f"ConvTranspose: {name}", stack(shape, made(f"Conv{n}DTranspose", 4, 3, **how))
                yield f"MaxPooling: {name}", stack(shape, made(f"MaxPooling{n}D", 3, **how), made("Dense", 2))
                average = made(f"AveragePooling{n}D", 3, **how)
                yield f"AveragePooling: {name}", stack(EVEN[n], average, made("Dense", 2))
                if n < 3:
                    deep = {**how, "depth_multiplier": 2}
                    yield f"DepthwiseConv: {name}", stack(shape, made(f"DepthwiseConv{n}D", 3, **deep))
                    yield f"SeparableConv: {name}", stack(shape, made(f"SeparableConv{n}D", 5, 3, **deep))
        for kind in ("Max", "Average"):
            for keeps in (False, True):
                layer = made(f"Global{kind}Pooling{n}D", keepdims=keeps)
                yield f"Global{kind}Pooling: {n} axes, {keeps}", stack(shape, made("Dense", 4), layer, made("Dense", 2))
        uneven = tuple((axis, 2) for axis in range(n))
        around = [made(f"ZeroPadding{n}D", uneven if n > 1 else (1, 2)), made(f"UpSampling{n}D", 2)]
        around += [made(f"Cropping{n}D", uneven if n > 1 else (2, 1)), made(f"Conv{n}D", 2, 2), made("Flatten")]
        if n == 2:
            yield (
                "bilinear upsampling",
                stack(SHAPES[2], made("UpSampling2D", (2, 3), interpolation="bilinear"), made("Dense", 2)),
            )
        yield f"padding, upsampling and cropping: {n} axes", stack(shape, *around, made("Dense", 2))
        if n > 1:
            first = {"data_format": "channels_first"}
            chain = [
                made(f"Conv{n}D", 4, 2, **first),
                made(f"MaxPooling{n}D", 2, padding="same", **first),
                made("Flatten", **first),
            ]
            yield f"channels first: {n} axes", stack(shape, *chain, made("Dense", 2))
    steps = {"data_format": "channels_first", "padding": "same"}
    yield "channels first: 1 axis", stack((3, 8), made("Conv1D", 4, 3, **steps), made("MaxPooling1D", 2, **steps))
    causal = made("Conv1D", 4, 3, dilation_rate=2, padding="causal")
    yield "Conv1D: causal, any length", stack((None, 3), causal, made("GlobalMaxPooling1D"))
    groups = made("Conv2D", 6, 3, dilation_rate=2, groups=2, use_bias=False, padding="same")
    yield "Conv2D: dilation and groups", stack((9, 10, 4), groups)


def normalizations():
    """Normalizations and layers that keep the shape, of examples of any number of axes."""
    rows = {
        "BatchNormalization": made("BatchNormalization"),
        "BatchNormalization without scale": made("BatchNormalization", scale=False),
        "BatchNormalization without center": made("BatchNormalization", center=False, epsilon=1e-4),
        "LayerNormalization": made("LayerNormalization"),
        "LayerNormalization without scale": made("LayerNormalization", scale=False),
        "GroupNormalization": made("GroupNormalization", 2),
        "GroupNormalization of all": made("GroupNormalization", -1, center=False),
        "RMSNormalization": made("RMSNormalization"),
        "UnitNormalization": made("UnitNormalization"),
        "Normalization": made("Normalization", mean=[1.0, 2.0, 3.0, 4.0], variance=[1.0, 2.0, 3.0, 4.0]),
        "Rescaling": made("Rescaling", 0.5, offset=2.0),
        "LeakyReLU": made("LeakyReLU"),
        "ELU": made("ELU", 0.5),
        "ReLU": made("ReLU", max_value=1.0, negative_slope=0.1, threshold=0.05),
        "Softmax": made("Softmax"),
        "PReLU": made("PReLU"),
        "Dropout": made("Dropout", 0.5),
        "GaussianNoise": made("GaussianNoise", 0.5),
        "Identity": made("Identity"),
    }
    for name, layer in rows.items():
        for what, shape in ANY.items():
            yield f"{name}: {what}", stack(shape, made("Dense", 4), layer, made("Dense", 3))
    for axis in (1, 2):
        yield f"Softmax: axis {axis}", stack((5, 4, 3), made("Conv2D", 4, 3, padding="same"), made("Softmax", axis))
    yield "BatchNormalization: axis 1", stack((6, 4, 3), made("BatchNormalization", axis=1), made("Conv2D", 2, 2))
    shapes = [made("Reshape", (8, -1)), made("Permute", (2, 1)), made("Dense", 3), made("Reshape", (9, 3, 1))]
    yield "Reshape and Permute", stack((4, 6, 3), *shapes, made("Permute", (3, 1, 2)))
    yield "RepeatVector", stack((4,), made("Dense", 3), made("RepeatVector", 4), made("SpatialDropout1D", 0.1))


def recurrences():
    """Recurrent layers in either direction, with padding and without."""
    for kind in ("LSTM", "GRU", "SimpleRNN"):
        for steps in (False, True):
            whole = {"return_sequences": steps}
            yield f"{kind}: {steps}", Case(stack((6, 4), made(kind, 5, **whole), made("Dense", 2)))
            behind = made(kind, 5, go_backwards=True, use_bias=False, **whole)
            yield f"{kind}: {steps}, from behind", Case(stack((None, 4), behind, made("Dense", 2)))
            chain = [made("Masking"), made(kind, 5, return_sequences=True), made(kind, 3, **whole)]
            yield f"{kind}: {steps}, with padding", Case(stack((6, 4), *chain), padding=0.4)
            for mode in ("concat", "sum", "mul", "ave"):
                both = lambda kind=kind, whole=whole, mode=mode: layers.Bidirectional(  # noqa: E731
                    getattr(layers, kind)(3, **whole), merge_mode=mode
                )
                yield f"{kind}: {steps}, both ways, {mode}", Case(stack((6, 4), made("Masking"), both), padding=0.4)
    gates = {"activation": "relu", "recurrent_activation": "hard_sigmoid"}
    videos = {"padding": "same", "return_sequences": True}
    chain = [made("ConvLSTM2D", 3, (3, 2), **videos), made("ConvLSTM2D", 2, 3, strides=2, go_backwards=True)]
    yield "ConvLSTM2D", Case(stack((4, 7, 8, 2), *chain))
    other = made("ConvLSTM2D", 2, (2, 3), use_bias=False, recurrent_activation="hard_sigmoid", dilation_rate=2)
    yield "ConvLSTM2D: dilation", Case(stack((3, 9, 8, 1), other))
    yield "LSTM: other activations", Case(stack((6, 4), made("LSTM", 5, **gates)))
    yield "GRU: other activations", Case(stack((6, 4), made("GRU", 5, reset_after=False, **gates)))
    each = [lambda: layers.TimeDistributed(layers.Conv2D(3, 2)), lambda: layers.TimeDistributed(layers.Flatten())]
    each += [lambda: layers.TimeDistributed(layers.Dense(3)), made("LSTM", 2)]
    yield "TimeDistributed", Case(stack((3, 6, 5, 2), *each))
    yield "states", Case(states)
    yield "translation", Case(translation, words=5)


def states():
    """A recurrence that goes on where another ended."""
    x, y = keras.Input((5, 4)), keras.Input((7, 4))
    last, *ends = layers.LSTM(3, return_state=True)(x)
    found = layers.LSTM(3, return_sequences=True, return_state=True)(y, initial_state=ends)
    end = layers.GRU(3)(y, initial_state=layers.GRU(3, return_state=True)(x)[1])
    return keras.Model([x, y], [*found, last, end])


def translation():
    """Words to words, with padding in both."""
    words = layers.Embedding(5, 4, mask_zero=True)
    x, y = keras.Input((None,)), keras.Input((None,))
    coded = words(x)
    both = layers.Bidirectional(layers.LSTM(3, return_sequences=True))(coded)
    mean = layers.GlobalAveragePooling1D()(layers.Concatenate()([both, coded]))
    _, *ends = layers.LSTM(3, return_state=True)(coded)
    steps = layers.LSTM(3, return_sequences=True)(words(y), initial_state=ends)
    return keras.Model([x, y], [mean, layers.TimeDistributed(layers.Dense(2))(steps)])


def attention():
    """Attention of all kinds, between sequences of different lengths."""
    q, v, k = keras.Input((6, 4)), keras.Input((5, 4)), keras.Input((5, 4))
    found = [layers.MultiHeadAttention(2, 3)(q, v, k), layers.MultiHeadAttention(2, 3)(query=q, value=v)]
    other = layers.MultiHeadAttention(2, 3, value_dim=5, output_shape=8, use_bias=False, dropout=0.1)
    found += [other(q, q, use_causal_mask=True), layers.Attention(use_scale=True)([q, v, k])]
    found += [layers.Attention()([q, q], use_causal_mask=True), layers.AdditiveAttention()([q, v, k])]
    return keras.Model([q, v, k], [*found, layers.AdditiveAttention(use_scale=False)([q, v])])


def padded_attention():
    words, x = layers.Embedding(5, 4, mask_zero=True), keras.Input((None,))
    y = words(x)
    found = [layers.MultiHeadAttention(2, 3)(y, y), layers.Attention()([y, y]), layers.AdditiveAttention()([y, y])]
    return keras.Model(x, found)


def transformer():
    """Two blocks, with sums by + and by a layer."""
    x = keras.Input((None,))
    y = layers.Embedding(5, 4, mask_zero=True)(x)
    for _ in range(2):
        seen = layers.Dropout(0.1)(layers.MultiHeadAttention(2, 4)(y, y))
        y = layers.LayerNormalization(epsilon=1e-6)(layers.Add()([y, seen]))
        y = layers.LayerNormalization()(y + layers.Dense(4)(layers.Dense(8, "gelu")(y)))
    return keras.Model(x, layers.Dense(2)(layers.GlobalAveragePooling1D()(y)))


def arithmetic():
    x = keras.Input((4,))
    y = (2 * (x + 1.0) - 3.0) / 4.0
    return keras.Model(x, layers.Dense(2)(y * x + x))


def steps_of_models():
    """Layers and models on every step, and recurrences of cells."""

    def on_steps(*chain):
        return lambda: layers.TimeDistributed(keras.Sequential([each() for each in chain]))

    def on_step(kind, *arguments, **settings):
        return lambda: layers.TimeDistributed(getattr(layers, kind)(*arguments, **settings))

    images = [on_step("Conv2D", 3, 2), on_step("MaxPooling2D", 2), on_step("BatchNormalization"), on_step("Flatten")]
    yield "TimeDistributed: images", stack((3, 6, 5, 2), *images, made("GRU", 2))
    model = on_steps(made("Conv1D", 3, 2), made("GlobalMaxPooling1D"), made("Dense", 4))
    yield "TimeDistributed: a model", stack((3, 6, 2), model, made("LSTM", 2))
    inner = lambda: layers.TimeDistributed(layers.TimeDistributed(layers.Dense(2)))  # noqa: E731
    yield "TimeDistributed: of itself", stack((3, 4, 2), inner, on_step("Bidirectional", layers.LSTM(3)))
    line = {"padding": "same", "return_sequences": True}
    lines = [made("ConvLSTM1D", 3, 3, **line), made("ConvLSTM1D", 2, 2, strides=2, dilation_rate=1)]
    yield "ConvLSTM1D", stack((4, 7, 2), *lines)
    cells = lambda: layers.RNN([layers.LSTMCell(4), layers.GRUCell(3), layers.LSTMCell(2)])  # noqa: E731
    one = lambda: layers.RNN(layers.SimpleRNNCell(3), return_sequences=True)  # noqa: E731
    yield "RNN", stack((5, 3), one, cells)


def both_ways_with_states():
    x = keras.Input((5, 4))
    steps, *ends = layers.Bidirectional(layers.LSTM(3, return_sequences=True, return_state=True))(x)
    last, *others = layers.Bidirectional(layers.GRU(3, return_state=True), merge_mode="ave")(x)
    states = [layers.Concatenate()(ends[i::2]) for i in (0, 1)]
    return keras.Model(x, [steps, last, *others, layers.LSTM(6)(steps, initial_state=states)])


def preparations():
    """Layers that prepare data, and those that do nothing but while Keras trains."""
    chance = [made("RandomFlip"), made("RandomZoom", 0.2), made("RandomContrast", 0.1), made("RandomBrightness", 0.1)]
    yield "augmentation", stack((5, 6, 3), *chance, made("Rescaling", 0.1), made("Conv2D", 2, 2))
    for kind in ("bilinear", "nearest"):
        yield f"Resizing: {kind}", stack((5, 6, 3), made("Resizing", 7, 4, interpolation=kind), made("Conv2D", 2, 2))
    edges = made("Resizing", 7, 4, pad_to_aspect_ratio=True, fill_value=1.5)
    yield "Resizing: edges of a value", stack((5, 6, 3), made("Solarization"), edges, made("Conv2D", 2, 2))
    crops = [made("CenterCrop", 4, 3), made("AdaptiveAveragePooling2D", (3, 2)), made("Dense", 2)]
    yield "CenterCrop and means", stack((7, 6, 3), *crops)
    yield "adaptive maxima", stack((7, 3), made("AdaptiveMaxPooling1D", 3), made("Dense", 2))
    for mode in ("int", "one_hot", "multi_hot", "count"):
        bins = made("Discretization", [-0.5, 0.0, 0.5], output_mode=mode)
        yield f"Discretization: {mode}", stack((1,) if mode == "one_hot" else (4,), bins, made("Dense", 2))
    orthogonal = keras.regularizers.OrthogonalRegularizer(0.1)
    penalties = {"bias_regularizer": "l1", "activity_regularizer": "l2", "kernel_regularizer": orthogonal}
    rows = [made("Dense", 3, **penalties), made("ActivityRegularization", 0.1)]
    chain = [made("Normalization", axis=None, mean=1.0, variance=4.0), *rows]
    yield "what training alone reads", stack((4,), *chain)
    yield "recurrent dropout", stack((5, 4), made("LSTM", 3, recurrent_dropout=0.2, recurrent_regularizer="l2"))
    for axes in ([2, 3], [1, 2, 3]):
        yield f"LayerNormalization: axes {axes}", stack((4, 3, 2), made("LayerNormalization", axis=axes))
    yield "BatchNormalization: steps", stack((4, 3), made("BatchNormalization", axis=1), made("Dense", 2))
    for equation, shape, axes in (("abc,cde->abde", (None, 2, 3), "de"), ("abc,bd->adc", (4, 5), "d")):
        layer = made("EinsumDense", equation, shape, bias_axes=axes, activation="relu")
        yield f"EinsumDense: {equation}", stack((6, 5), layer)


def functions():
    """What `keras.ops` computes of tensors, and of tensors and numbers."""
    ops = keras.ops
    x, y = keras.Input((4, 6)), keras.Input((4, 6))
    z = layers.Dense(6)(x)
    rows = [ops.mean(z, axis=-1), ops.max(z, axis=1), ops.var(z, axis=(1, 2), keepdims=True), ops.norm(z, axis=-1)]
    rows += [ops.reshape(z, (-1, 24)), ops.transpose(z, (0, 2, 1)), z[:, 0], z[..., 1:4]]
    rows += [ops.matmul(z, ops.swapaxes(y, 1, 2)), ops.einsum("bij,bkj->bik", z, y), ops.where(z > 0.1, z, y)]
    rows += [ops.softmax(z, axis=1), ops.relu(z), ops.gelu(z), ops.clip(z, -0.1, 0.2), ops.sqrt(ops.abs(z)), z**2]
    rows += [1 - z, 2 / (3 + ops.square(z)), -z, z / (ops.exp(y) + 1), ops.tanh(z), ops.stack([z, y], axis=1)]
    rows += [ops.flip(z, axis=1), ops.repeat(z, 2, axis=1), ops.pad(z, ((0, 0), (1, 0), (0, 2)))]
    rows += [ops.tile(z, (1, 2, 1)), ops.take(z, 1, axis=1), ops.cumsum(z, axis=1), ops.logsumexp(z, axis=1)]
    rows += [ops.one_hot(ops.argmax(z, axis=-1), 6), ops.normalize(z, axis=-1), ops.cast(z, "float32") * y]
    rows += [ops.squeeze(ops.expand_dims(z, 1), 1) + y[:, :1], *ops.split(z, 2, axis=-1)]
    return keras.Model([x, y], rows)


CASES = {
    **{f"activation {name}": Case(stack((4,), made("Dense", 5, activation=name))) for name in ACTIVATIONS},
    **{name: Case(model) for name, model in windows()},
    **{name: Case(model) for name, model in normalizations()},
    **dict(recurrences()),
    **{name: Case(model) for name, model in (*steps_of_models(), *preparations())},
    "both ways with states": Case(both_ways_with_states),
    "functions": Case(functions),
    "transformer": Case(transformer, words=5),
    "attention": Case(attention),
    "padded attention": Case(padded_attention, words=5),
    "arithmetic": Case(arithmetic),
    "Masking": Case(stack((6, 4), made("Masking"), made("Dense", 3), made("GlobalAveragePooling1D")), padding=0.4),
    "EinsumDense": Case(stack((6, 4), made("EinsumDense", "abc,cd->abd", (None, 5), bias_axes="d"))),
}

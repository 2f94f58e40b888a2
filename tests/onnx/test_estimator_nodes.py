"""Operators of `ai.onnx.ml` beside onnxruntime, and what of damaged ones is refused."""

import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import nd4py as nd

N, N_FEATURES = 50, 4
FLOAT, DOUBLE, INT64, STRING = TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT64, TensorProto.STRING


def model_of(operator, inputs, outputs, *, version=3, domain="ai.onnx.ml", **attributes):
    """A model of one node.  inputs, outputs: element types of matrices, or pairs of them and numbers of axes"""
    names = [f"x{i}" for i in range(len(inputs))], [f"y{i}" for i in range(len(outputs))]
    node = helper.make_node(operator, *names, domain=domain, **attributes)
    values = [
        [
            described(name, *(kind if isinstance(kind, tuple) else (kind, 2)))
            for name, kind in zip(each, kinds, strict=True)
        ]
        for each, kinds in zip(names, (inputs, outputs), strict=True)
    ]
    opsets = [helper.make_opsetid("", 19), helper.make_opsetid("ai.onnx.ml", version)]
    return helper.make_model(helper.make_graph([node], "g", *values), opset_imports=opsets, ir_version=9)


def described(name, kind, n_axes):
    return helper.make_tensor_value_info(name, kind, [f"{name}_{axis}" for axis in range(n_axes)])


def check(model, *given, rtol=1e-5):
    """The same outputs as onnxruntime, also from the runs that repeat launches."""
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    wanted = session.run(None, dict(zip([each.name for each in session.get_inputs()], given, strict=True)))
    loaded = nd.onnx.load(model)
    for _ in range(4):
        for x, y in zip(loaded.run(list(given)), wanted, strict=True):
            found, y = np.asarray(x), np.asarray(y)
            assert found.shape == y.shape
            if y.dtype.kind in "OU":
                assert found.tolist() == y.tolist()
            else:
                assert found.dtype == y.dtype
                np.testing.assert_allclose(found, y, rtol=rtol, atol=1e-6)


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture
def x(rng):
    return rng.standard_normal((N, N_FEATURES)).astype(np.float32)


def grown(rng, kind, n_targets, modes, *, n_trees=5, depth=4, positive=False):
    """Attributes of trees that are made at random, in the names of version 1."""
    nodes = {
        name: [] for name in ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids")
    }
    said = {name: [] for name in ("treeids", "nodeids", "ids", "weights")}
    for tree in range(n_trees):
        waiting, n = [(0, depth)], 1
        while waiting:
            number, left = waiting.pop()
            is_leaf = left == 0 or (left < depth and rng.random() < 0.3)
            mode = "LEAF" if is_leaf else str(rng.choice(modes))
            row = (tree, number, int(rng.integers(N_FEATURES)), float(rng.normal()), mode, 0, 0)
            if not is_leaf:
                row = (*row[:5], n, n + 1)
                waiting += [(n, left - 1), (n + 1, left - 1)]
                n += 2
            for name, value in zip(nodes, row, strict=True):
                nodes[name].append(value)
            for target in range(n_targets) if is_leaf else ():
                weight = float(rng.random() / n_trees if positive else rng.normal())
                for name, value in zip(said, (tree, number, target, weight), strict=True):
                    said[name].append(value)
    return {**{f"nodes_{k}": v for k, v in nodes.items()}, **{f"{kind}_{k}": v for k, v in said.items()}}


COMPARISONS = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT")


@pytest.mark.parametrize("aggregate", ["SUM", "AVERAGE", "MIN", "MAX"])
@pytest.mark.parametrize("modes", [COMPARISONS[:1], COMPARISONS])
def test_trees_for_numbers(rng, x, aggregate, modes):
    trees = grown(rng, "target", 2, modes)
    more = {"n_targets": 2, "aggregate_function": aggregate, "base_values": [0.5, -1.0]}
    check(model_of("TreeEnsembleRegressor", [FLOAT], [FLOAT], **trees, **more), x)


def test_missing_values(rng, x):
    trees = grown(rng, "target", 1, COMPARISONS[:1])
    tracks = [int(mode != "LEAF" and rng.random() < 0.5) for mode in trees["nodes_modes"]]
    x[rng.random(x.shape) < 0.3] = np.nan
    model = model_of(
        "TreeEnsembleRegressor", [FLOAT], [FLOAT], **trees, n_targets=1, nodes_missing_value_tracks_true=tracks
    )
    check(model, x)


@pytest.mark.parametrize("transform", ["NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO"])
def test_trees_for_classes(rng, x, transform):
    trees = grown(rng, "class", 3, COMPARISONS[:1])
    model = model_of(
        "TreeEnsembleClassifier",
        [FLOAT],
        [(INT64, 1), FLOAT],
        **trees,
        classlabels_int64s=[7, 3, 5],
        post_transform=transform,
    )
    check(model, x)


@pytest.mark.parametrize("positive", [False, True])
@pytest.mark.parametrize("transform", ["NONE", "LOGISTIC"])
def test_trees_for_two_classes(rng, x, transform, positive):
    trees = grown(rng, "class", 1, COMPARISONS[:1], positive=positive)
    labels = {"classlabels_strings": ["no", "yes"]}
    model = model_of(
        "TreeEnsembleClassifier", [FLOAT], [(STRING, 1), FLOAT], **trees, **labels, post_transform=transform
    )
    check(model, x)


def test_scores_of_one_class_that_implementations_turn_differently(rng):
    trees = grown(rng, "class", 1, COMPARISONS[:1])
    more = {"classlabels_int64s": [0, 1], "post_transform": "SOFTMAX"}
    with pytest.raises(NotImplementedError, match="of one class with SOFTMAX"):
        nd.onnx.load(model_of("TreeEnsembleClassifier", [FLOAT], [(INT64, 1), FLOAT], **trees, **more))


@pytest.mark.parametrize(
    "change, words",
    [
        ({"nodes_truenodeids": [0, 0, 0]}, "back to themselves"),
        ({"nodes_truenodeids": [9, 0, 0]}, "leads to node"),
        ({"nodes_featureids": [0]}, "has 1 features"),
        ({"n_targets": 1 << 40}, "targets of 3 nodes"),
        ({"target_ids": [0, 7]}, "do not fit"),
        ({"target_ids": [0, -1]}, "speaks of target -1"),
        ({"target_nodeids": [1, 8]}, "do not fit"),
    ],
)
def test_damaged_trees(change, words):
    stump = {
        "nodes_treeids": [0] * 3, "nodes_nodeids": [0, 1, 2], "nodes_featureids": [0] * 3, "nodes_values": [0.0] * 3,
        "nodes_modes": ["BRANCH_LEQ", "LEAF", "LEAF"], "nodes_truenodeids": [1, 0, 0], "nodes_falsenodeids": [2, 0, 0],
        "target_treeids": [0, 0], "target_nodeids": [1, 2], "target_ids": [0, 0], "target_weights": [1.0, 2.0],
    }  # fmt: skip
    attributes = {**stump, "n_targets": 1}
    check(model_of("TreeEnsembleRegressor", [FLOAT], [FLOAT], **attributes), np.float32([[-1], [1]]))
    with pytest.raises(ValueError, match=words):
        nd.onnx.load(model_of("TreeEnsembleRegressor", [FLOAT], [FLOAT], **{**attributes, **change}))


@pytest.mark.parametrize("transform", ["NONE", "LOGISTIC", "SOFTMAX"])
def test_linear_models(rng, x, transform):
    weights = [float(value) for value in rng.normal(size=3 * N_FEATURES)]
    bias = [0.5, -0.25, 0.0]
    model = model_of(
        "LinearClassifier", [FLOAT], [(INT64, 1), FLOAT], coefficients=weights, intercepts=bias,
        classlabels_ints=[4, 2, 9], post_transform=transform,
    )  # fmt: skip
    check(model, x)
    numbers = model_of("LinearRegressor", [FLOAT], [FLOAT], coefficients=weights, intercepts=bias, targets=3)
    check(numbers, x)


@pytest.mark.parametrize("kernel", ["LINEAR", "RBF", "POLY", "SIGMOID"])
@pytest.mark.parametrize("one_class", [0, 1])
def test_support_vectors(rng, x, kernel, one_class):
    vectors = [float(value) for value in rng.normal(size=6 * N_FEATURES)]
    model = model_of(
        "SVMRegressor", [FLOAT], [FLOAT], support_vectors=vectors, n_supports=6, kernel_type=kernel, rho=[0.25],
        coefficients=[float(value) for value in rng.normal(size=6)], kernel_params=[0.3, 0.5, 3.0], one_class=one_class,
    )  # fmt: skip
    check(model, x)


def machines(rng, n_classes, has_probabilities, kernel="RBF", transform="NONE"):
    """Attributes of a classifier with a machine for each pair of classes, made at random."""
    counts = [3 + number % 2 for number in range(n_classes)]
    n_pairs = n_classes * (n_classes - 1) // 2
    sizes = {
        "support_vectors": sum(counts) * N_FEATURES, "coefficients": sum(counts) * (n_classes - 1), "rho": n_pairs,
    }  # fmt: skip
    given = {name: rng.normal(size=size).tolist() for name, size in sizes.items()}
    if has_probabilities:
        given |= {"prob_a": (-1 - rng.random(n_pairs)).tolist(), "prob_b": rng.normal(size=n_pairs).tolist()}
    kernels = {"kernel_type": kernel, "kernel_params": [0.3, 0.5, 2.0]}
    return {**given, **kernels, "vectors_per_class": counts, "post_transform": transform}


@pytest.mark.parametrize("transform", ["NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO"])
@pytest.mark.parametrize("kernel", ["LINEAR", "RBF", "POLY", "SIGMOID"])
@pytest.mark.parametrize("n_classes, has_probabilities", [(2, False), (2, True), (3, False), (5, True)])
def test_votes_of_support_vectors(rng, x, n_classes, has_probabilities, kernel, transform):
    given = machines(rng, n_classes, has_probabilities, kernel, transform)
    labels = {"classlabels_strings": [f"c{i}" for i in range(n_classes)]} if kernel == "RBF" else {
        "classlabels_ints": [7 * i for i in range(n_classes)]
    }  # fmt: skip
    kind = STRING if kernel == "RBF" else INT64
    model = model_of("SVMClassifier", [FLOAT], [(kind, 1), FLOAT], **given, **labels)
    if n_classes == 2 and not has_probabilities and "SOFTMAX" in transform:
        with pytest.raises(NotImplementedError, match=f"with scores of one pair with {transform}"):
            nd.onnx.load(model)
    else:
        check(model, x, rtol=2e-4)


def test_classifiers_without_pairs_are_refused(rng):
    given = machines(rng, 3, False)
    for labels in ({}, {"classlabels_ints": [1, 2]}):
        with pytest.raises(NotImplementedError, match="without support vectors and labels of two classes"):
            nd.onnx.load(model_of("SVMClassifier", [FLOAT], [(INT64, 1), FLOAT], **given, **labels))
    for name in ("coefficients", "support_vectors", "rho"):
        damaged = {**given, name: given[name][:-1]}
        with pytest.raises(ValueError, match="attributes of node .* do not fit"):
            nd.onnx.load(model_of("SVMClassifier", [FLOAT], [(INT64, 1), FLOAT], **damaged, classlabels_ints=[1, 2, 3]))
    with pytest.raises(ValueError, match="prob_a and prob_b"):
        nd.onnx.load(model_of(
            "SVMClassifier", [FLOAT], [(INT64, 1), FLOAT], **given, classlabels_ints=[1, 2, 3], prob_a=[1.0, 2.0, 3.0],
        ))  # fmt: skip


def test_features(rng, x):
    check(model_of("Scaler", [FLOAT], [FLOAT], offset=[0.5, 1.0, 0.0, 2.0], scale=[2.0, 1.0, 0.5, 3.0]), x)
    for norm in ("MAX", "L1", "L2"):
        found = nd.onnx.load(model_of("Normalizer", [FLOAT], [FLOAT], norm=norm)).run([x])[0]
        order = {"MAX": np.inf, "L1": 1, "L2": 2}[norm]
        np.testing.assert_allclose(found, x / np.linalg.norm(x, order, axis=1, keepdims=True), rtol=1e-5)
    check(model_of("Binarizer", [FLOAT], [FLOAT], threshold=0.25), x)
    check(model_of("ArrayFeatureExtractor", [FLOAT, INT64], [FLOAT], version=1), x, np.int64([[2, 0]]))
    check(model_of("FeatureVectorizer", [FLOAT, FLOAT], [FLOAT], inputdimensions=[4, 2]), x, x[:, :2].copy())
    x[rng.random(x.shape) < 0.3] = np.nan
    fill = {"imputed_value_floats": [1.0, 2.0, 3.0, 4.0], "replaced_value_float": float("nan")}
    check(model_of("Imputer", [FLOAT], [FLOAT], **fill), x)
    whole = rng.integers(0, 3, (5, 2))
    check(model_of("Imputer", [INT64], [INT64], imputed_value_int64s=[9], replaced_value_int64=1), whole)


def test_labels():
    texts = np.asarray(["b", "z", "a"], dtype=object)
    known = {"keys_strings": ["a", "b"], "values_int64s": [10, 20], "default_int64": -5}
    check(model_of("LabelEncoder", [(STRING, 1)], [(INT64, 1)], version=2, **known), texts)
    back = {"keys_int64s": [30, 10, 20], "values_strings": ["x", "y", "z"], "default_string": "?"}
    check(model_of("LabelEncoder", [(INT64, 1)], [(STRING, 1)], version=2, **back), np.int64([10, 99, 30]))
    numbers = {"keys_floats": [2.0, float("nan"), 1.0], "values_floats": [0.5, 7.0, 0.25], "default_float": -1.0}
    check(model_of("LabelEncoder", [(FLOAT, 1)], [(FLOAT, 1)], version=4, **numbers), np.float32([1, np.nan, 2, 3]))
    check(model_of("OneHotEncoder", [(INT64, 1)], [FLOAT], cats_int64s=[3, 1], zeros=1), np.int64([1, 3, 8]))
    check(model_of("OneHotEncoder", [(STRING, 1)], [FLOAT], cats_strings=["a", "b"], zeros=1), texts)
    strict = nd.onnx.load(model_of("OneHotEncoder", [(INT64, 1)], [FLOAT], cats_int64s=[3, 1], zeros=0))
    with pytest.raises(ValueError, match="none of the classes"):
        strict.run([np.int64([8])])


@pytest.mark.parametrize("mode", ["TF", "IDF", "TFIDF"])
def test_counts_of_runs(mode):
    """Pairs and single numbers, with up to two left out in between."""
    attributes = {
        "mode": mode, "min_gram_length": 1, "max_gram_length": 2, "max_skip_count": 2, "ngram_counts": [0, 3],
        "ngram_indexes": [0, 2, 1, 4, 3], "pool_int64s": [2, 3, 5, 5, 6, 7, 8], "weights": [1.0, 2.0, 0.5, 3.0, 0.25],
    }  # fmt: skip
    model = model_of("TfIdfVectorizer", [INT64], [FLOAT], domain="", **attributes)
    check(model, np.int64([[2, 5, 5, 6, 3, 7], [7, 1, 8, 8, 5, 6]]))
    attributes["ngram_indexes"] = [0, 2, 1, 4, 1 << 40]
    with pytest.raises(ValueError, match="do not fit"):
        nd.onnx.load(model_of("TfIdfVectorizer", [INT64], [FLOAT], domain="", **attributes))


def test_texts_are_refused_where_they_cannot_be_held():
    node = helper.make_node("Concat", ["x", "x"], ["y"], axis=0)
    values = [helper.make_tensor_value_info(name, STRING, [None]) for name in "xy"]
    model = helper.make_model(helper.make_graph([node], "g", values[:1], values[1:]), ir_version=9)
    with pytest.raises(NotImplementedError, match=r"Concat of string"):
        nd.onnx.load(model)


@pytest.mark.parametrize("mode", ["avg", "max"])
def test_regions(rng, mode):
    x = rng.standard_normal((2, 3, 9, 8)).astype(np.float32)
    rois = np.float32([[0, 0, 6, 5], [1.5, 2.25, 3, 3], [-2, -1, 20, 4], [2, 2, 2, 2]])
    for transform in ("half_pixel", "output_half_pixel"):
        for ratio in (0, 2) if mode == "avg" else ():
            model = model_of(
                "RoiAlign", [(FLOAT, 4), FLOAT, (INT64, 1)], [(FLOAT, 4)], domain="", mode=mode,
                output_height=3, output_width=2, sampling_ratio=ratio, spatial_scale=0.75,
                coordinate_transformation_mode=transform,
            )  # fmt: skip
            check(model, x, rois, np.int64([0, 1, 1, 0]))
    model = model_of("RoiAlign", [(FLOAT, 4), FLOAT, (INT64, 1)], [(FLOAT, 4)], domain="", mode=mode)
    assert nd.onnx.load(model).run([x, rois[:0], np.int64([])])[0].shape == (0, 3, 1, 1)


@pytest.mark.parametrize("groups", [1, 2])
def test_moved_convolution(rng, groups):
    x = rng.standard_normal((2, 4, 7, 6)).astype(np.float32)
    w = rng.standard_normal((6, 4 // groups, 3, 2)).astype(np.float32)
    moves = rng.standard_normal((2, groups * 3 * 2 * 2, 4, 3)).astype(np.float32) * 2
    given = [x, w, moves, rng.random(6, np.float32), rng.random((2, groups * 6, 4, 3), np.float32)]
    model = model_of(
        "DeformConv", [(FLOAT, n) for n in (4, 4, 4, 1, 4)], [(FLOAT, 4)], domain="",
        group=groups, offset_group=groups, strides=[2, 2], pads=[1, 1, 1, 0], dilations=[1, 1], kernel_shape=[3, 2],
    )  # fmt: skip
    check(model, *given, rtol=1e-4)


def test_short_numbers_stand_for_weights(rng):
    """Weights of 4 bits as files have them: they become floats before anything is computed with them."""
    weights = rng.integers(-8, 8, (4, 3)).astype(np.int8)
    packed = helper.make_tensor("w", TensorProto.INT4, (4, 3), weights.reshape(-1).tolist())
    nodes = [
        helper.make_node("DequantizeLinear", ["w", "s"], ["f"]),
        helper.make_node("MatMul", ["x", "f"], ["y"]),
    ]
    values = [described(name, FLOAT, 2) for name in "xy"]
    graph = helper.make_graph(
        nodes, "g", values[:1], values[1:], [packed, numpy_helper.from_array(np.float32(0.5), "s")]
    )
    model = nd.onnx.load(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10))
    x = rng.random((2, 4), np.float32)
    np.testing.assert_allclose(np.asarray(model.run([x])[0]), x @ (weights * np.float32(0.5)), rtol=1e-5)
    assert "steps of constants computed: 1" in model.summary()

"""Ensembles of trees of decisions, of every example at once: level by level, all trees together."""

from __future__ import annotations

from typing import Any

import numpy

from nd4py import api as nd

from ..operator_rows import Limits, Rows
from .class_scores import TRANSFORMS, labels_of, second_scores

COMPARISONS = {
    "BRANCH_LEQ": nd.less_equal, "BRANCH_LT": nd.less, "BRANCH_GTE": nd.greater_equal, "BRANCH_GT": nd.greater,
    "BRANCH_EQ": nd.equal, "BRANCH_NEQ": nd.not_equal,
}  # fmt: skip
MOST_WEIGHTS = 1 << 27  # nodes times targets
MODES = (*COMPARISONS, "BRANCH_MEMBER")  # by their numbers in version 5
AGGREGATES = ("AVERAGE", "SUM", "MIN", "MAX")
TRANSFORM_NAMES = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")


class Forest:
    """The nodes of all trees, one after the other; a leaf leads to itself.

    features, splits, modes, yes, no: of each node    roots: the first node of each tree
    tracks: whether a missing value (NaN) takes the way of `yes`    members: of each node that asks for one of a set
    weights: (nodes, targets), NaN where a leaf says nothing of a target
    Raises ValueError where nodes lead to nodes that are not there, or back to themselves.
    """

    def __init__(
        self, *, features: Any, splits: Any, modes: list[str], yes: Any, no: Any, roots: Any, weights: Any,
        tracks: Any = None, members: dict[int, list[float]] | None = None,
    ) -> None:  # fmt: skip
        n = len(modes)
        self.features, self.yes, self.no, self.roots = (
            numpy.asarray(x, numpy.int64) for x in (features, yes, no, roots)
        )
        for places in (self.yes, self.no, self.roots):
            if places.size and (places.min() < 0 or places.max() >= n):
                raise ValueError(f"a tree leads to node {places.max()} of {n}")
        for name, values in (("features", features), ("splits", splits), ("ways", yes), ("tracks", tracks or modes)):
            if len(values) != n:
                raise ValueError(f"an ensemble of trees has {len(values)} {name} for {n} nodes")
        self.depth = depth_of(self.yes, self.no, self.roots)
        self.splits, self.weights = numpy.asarray(splits), numpy.asarray(weights)
        self.tracks = numpy.asarray(tracks, bool) if tracks is not None and any(tracks) else None
        kinds = numpy.asarray(modes)
        self.masks = {mode: kinds == mode for mode in dict.fromkeys(modes) if mode not in ("LEAF", "BRANCH_MEMBER")}
        self.members = None
        if members:
            self.members = numpy.full((n, max(map(len, members.values()))), numpy.nan)
            for node, values in members.items():
                self.members[node, : len(values)] = values
            self.is_member = kinds == "BRANCH_MEMBER"

    def leaves(self, x: Any) -> Any:
        """The leaf that each example ends in.  x: (n, features)    Returns (n, trees)."""
        n, n_trees = x.shape[0], len(self.roots)
        places = nd.broadcast_to(nd.asarray(self.roots), (n, n_trees)).reshape(-1)
        for _ in range(self.depth):
            features = picked(self.features, places).reshape(n, n_trees)
            values = nd.take_along_axis(x, features, axis=1).reshape(-1)
            places = nd.where(self._is_yes(values, places), picked(self.yes, places), picked(self.no, places))
        return places.reshape(n, n_trees)

    def _is_yes(self, values: Any, places: Any) -> Any:
        splits = picked(self.splits, places).astype(values.dtype)
        found = None
        for mode, mask in self.masks.items():
            here = COMPARISONS[mode](values, splits)
            found = here if found is None else nd.where(picked(mask, places), here, found)
        if self.members is not None:
            among = nd.any(values[:, None] == picked(self.members, places).astype(values.dtype), axis=1)
            found = among if found is None else nd.where(picked(self.is_member, places), among, found)
        if self.tracks is not None:
            found = found | (nd.isnan(values) & picked(self.tracks, places))
        return nd.zeros(values.shape, dtype=nd.bool) if found is None else found

    def totals(self, x: Any, aggregate: str) -> Any:
        """What the trees say together.  Returns (n, targets)."""
        x = x if nd.isdtype(x.dtype, "real floating") else x.astype(nd.float32)
        leaves = self.leaves(x)
        said = picked(self.weights, leaves.reshape(-1)).astype(x.dtype).reshape(*leaves.shape, -1)
        is_said = said == said
        if aggregate in ("MIN", "MAX"):
            least = nd.asarray(numpy.asarray(numpy.inf if aggregate == "MIN" else -numpy.inf)).astype(x.dtype)
            best = (nd.min if aggregate == "MIN" else nd.max)(nd.where(is_said, said, least), axis=1)
            return nd.where(nd.any(is_said, axis=1), best, 0)
        total = nd.sum(nd.where(is_said, said, 0), axis=1)
        return total / len(self.roots) if aggregate == "AVERAGE" else total


def picked(values: Any, places: Any) -> Any:
    return nd.take(nd.asarray(values), places, axis=0)


def depth_of(yes: Any, no: Any, roots: Any) -> int:
    """The most decisions from a root to a leaf.  Raises ValueError where there is no end."""
    level, depth = numpy.unique(roots), 0
    while True:
        inner = level[(yes[level] != level) | (no[level] != level)]
        if not inner.size:
            return depth
        level, depth = numpy.unique(numpy.concatenate([yes[inner], no[inner]])), depth + 1
        if depth > len(yes):
            raise ValueError("the nodes of a tree lead back to themselves")


def forest_of_lists(given: dict[str, Any], kind: str, n_targets: int) -> Forest:
    """The forest in the attributes of a classifier or regressor, where nodes have numbers within their trees.

    kind: "class" or "target", the beginning of the names of what leaves say
    """
    trees, numbers = given["nodes_treeids"], given["nodes_nodeids"]
    place = {pair: i for i, pair in enumerate(zip(trees, numbers, strict=True))}
    modes = [str(mode) for mode in given["nodes_modes"]]

    def next_of(name: str) -> list[int]:
        ways = zip(trees, given[name], modes, strict=True)
        return [i if mode == "LEAF" else place.get((tree, to), -1) for i, (tree, to, mode) in enumerate(ways)]

    weights = no_weights(len(modes), n_targets)
    said = zip(
        given[f"{kind}_treeids"], given[f"{kind}_nodeids"], given[f"{kind}_ids"], numbers_in(given, f"{kind}_weights"),
        strict=True,
    )  # fmt: skip
    for tree, number, target, weight in said:
        if target < 0:
            raise ValueError(f"a leaf speaks of target {target}")
        at = (place[tree, number], target)
        weights[at] = weight if numpy.isnan(weights[at]) else weights[at] + weight
    first: dict[int, int] = {}
    for i, tree in enumerate(trees):
        first.setdefault(tree, i)
    return Forest(
        features=given["nodes_featureids"], splits=numbers_in(given, "nodes_values"), modes=modes,
        yes=next_of("nodes_truenodeids"), no=next_of("nodes_falsenodeids"), roots=list(first.values()),
        weights=weights, tracks=given.get("nodes_missing_value_tracks_true"),
    )  # fmt: skip


def no_weights(n_nodes: int, n_targets: int) -> Any:
    """What nodes say before it is known.  Raises ValueError for more than a file can mean."""
    if not 0 < n_targets <= MOST_WEIGHTS // max(n_nodes, 1):
        raise ValueError(f"{n_targets} targets of {n_nodes} nodes")
    return numpy.full((n_nodes, n_targets), numpy.nan)


def numbers_in(given: dict[str, Any], name: str) -> Any:
    """A list of numbers, or the tensor that has more digits; None where neither is given."""
    tensor = given.get(f"{name}_as_tensor")
    return numpy.asarray(tensor) if tensor is not None else given.get(name)


class TreeEnsembleRegressor:
    """Numbers by trees.  given: the attributes of the node"""

    def __init__(self, **given: Any) -> None:
        self.forest = forest_of_lists(given, "target", given["n_targets"])
        base = numbers_in(given, "base_values")
        self.base = None if base is None else numpy.asarray(base)
        self.aggregate = given.get("aggregate_function", "SUM")
        self.transform = TRANSFORMS[given.get("post_transform", "NONE")]

    def __call__(self, x: Any) -> Any:
        y = self.forest.totals(x, self.aggregate)
        y = y if self.base is None else y + nd.asarray(self.base).astype(y.dtype)
        return self.transform(y).astype(nd.float32)


class TreeEnsembleClassifier:
    """Classes by trees: the labels, and a score of each class.  given: the attributes of the node"""

    def __init__(self, **given: Any) -> None:
        self.labels = given.get("classlabels_int64s") or given.get("classlabels_strings") or []
        self.forest = forest_of_lists(given, "class", len(self.labels))
        base = numbers_in(given, "base_values")
        self.base = None if base is None else numpy.asarray(base)
        weights = numpy.asarray(numbers_in(given, "class_weights"))
        self.is_of_one = len(set(given["class_ids"])) == 1 and len(self.labels) == 2
        self.only = given["class_ids"][0] if self.is_of_one else 0
        self.is_positive = bool((weights >= 0).all())
        self.name = given.get("post_transform", "NONE")

    def __call__(self, x: Any) -> tuple[Any, Any]:
        scores = self.forest.totals(x, "SUM")
        base = None if self.base is None else nd.asarray(self.base).astype(scores.dtype)
        if self.is_of_one:
            score = scores[:, self.only : self.only + 1]
            score = score if base is None else score + base[-1]
            is_second = score[:, 0] > (0.5 if self.is_positive else 0)
            scores = second_scores(score, self.name, is_probability=self.is_positive)
            return labels_of(self.labels, is_second.astype(nd.int64)), scores.astype(nd.float32)
        scores = scores if base is None else scores + base
        chosen = nd.argmax(scores, axis=1)
        return labels_of(self.labels, chosen), TRANSFORMS[self.name](scores).astype(nd.float32)


class TreeEnsemble:
    """Numbers by trees whose leaves are listed apart, from version 5 on.  given: the attributes of the node"""

    def __init__(self, **given: Any) -> None:
        modes = [MODES[number] for number in numpy.asarray(given["nodes_modes"]).tolist()]
        targets, n = given["leaf_targetids"], len(modes)
        leaves = list(range(n, n + len(targets)))
        ways = [
            [
                to + n if is_leaf else to
                for to, is_leaf in zip(given[f"{way}nodeids"], given[f"{way}leafs"], strict=True)
            ]
            + leaves
            for way in ("nodes_true", "nodes_false")
        ]
        weights = no_weights(n + len(targets), given["n_targets"])
        weights[leaves, targets] = numpy.asarray(given["leaf_weights"])
        nothing = [0] * len(targets)
        tracks = given.get("nodes_missing_value_tracks_true")
        self.forest = Forest(
            features=[*given["nodes_featureids"], *nothing],
            splits=[*numpy.asarray(given["nodes_splits"]).tolist(), *nothing], modes=modes + ["LEAF"] * len(targets),
            yes=ways[0], no=ways[1], roots=given["tree_roots"], weights=weights,
            tracks=[*tracks, *nothing] if tracks else None, members=members_of(modes, given.get("membership_values")),
        )  # fmt: skip
        self.aggregate = AGGREGATES[given.get("aggregate_function", 1)]
        self.transform = TRANSFORMS[TRANSFORM_NAMES[given.get("post_transform", 0)]]

    def __call__(self, x: Any) -> Any:
        return self.transform(self.forest.totals(x, self.aggregate)).astype(x.dtype)


def members_of(modes: list[str], values: Any) -> dict[int, list[float]]:
    """The sets of the nodes that ask for a member; a NaN ends each."""
    runs: list[list[float]] = [[]]
    for value in [] if values is None else numpy.asarray(values).tolist():
        if value == value:
            runs[-1].append(value)
        else:
            runs.append([])
    asking = [i for i, mode in enumerate(modes) if mode == "BRANCH_MEMBER"]
    if len(asking) > len(runs):
        raise ValueError(f"{len(asking)} nodes ask for members of {len(runs)} sets")
    return dict(zip(asking, runs, strict=False))


def is_turned_differently(node: Any, schema: Any, attributes: Any, constants: Any) -> str | None:
    """Why a classifier is refused: of scores of one class onnxruntime and ONNX's reference make different ones."""
    del node, schema, constants
    transform = attributes.get("post_transform", b"NONE").decode()
    is_of_one = len(set(attributes.get("class_ids", ()))) == 1
    return f"with scores of one class with {transform}" if is_of_one and transform not in ("NONE", "LOGISTIC") else None


OPERATORS: Rows = {
    "ai.onnx.ml:TreeEnsemble": [(5, 5, TreeEnsemble)],
    "ai.onnx.ml:TreeEnsembleClassifier": [(1, 5, TreeEnsembleClassifier)],
    "ai.onnx.ml:TreeEnsembleRegressor": [(1, 5, TreeEnsembleRegressor)],
}
LIMITS: Limits = {"TreeEnsembleClassifier": is_turned_differently}

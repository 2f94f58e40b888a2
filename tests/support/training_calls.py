"""A good call of everything public of networks, data, training and parallel training: `CALLS[label]()` is the call."""

import dataclasses
import functools

import cases
from public_calls import call, of, saved, x

import nd4py as nd
from nd4py import data, nn, parallel, train

FEED_FORWARD = nn.InputType.feed_forward(4)


def network(updater=None):
    """A small one with parameters."""
    layers = [nn.DenseLayer(3, activation="tanh"), nn.OutputLayer(2)]
    return nn.MultiLayerNetwork(layers, input_type=FEED_FORWARD, updater=updater, dtype="float64")


def examples():
    """A few, for the network."""
    return data.DataSet(x(6, 4) / 24.0, nd.asarray([[1.0, 0.0], [0.0, 1.0]] * 3))


def evaluation():
    """One that has seen something."""
    result = nn.Evaluation()
    result.eval(nd.asarray([[1.0, 0.0], [0.0, 1.0]]), nd.asarray([[0.9, 0.1], [0.2, 0.8]]))
    return result


def fitted(make):
    """A normalizer that has seen examples."""
    result = make()
    result.fit(examples())
    return result


def of_layers():
    """Workspaces of layers."""
    again = nd.WorkspaceConfiguration(policy_reuse="when_freed")
    return nn.LayerWorkspaceMgr({"activations": ("of layers", again)})


def with_normalizer(path):
    """Write a network and its normalizer."""
    train.save(network(), path, normalizer=fitted(data.NormalizerStandardize))


def network_file():
    """A network that was saved."""
    return saved("network.zip", with_normalizer)


def normalizer_file(make):
    """A normalizer that was saved."""
    return saved(f"{make.__name__}.json", fitted(make).save)


def idx_file():
    """Bytes of an IDX file of three numbers."""
    return saved("numbers.idx", lambda path: path.write_bytes(bytes([0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3])))


def settings(instance):
    """The arguments that make a dataclass."""
    return {each.name: getattr(instance, each.name) for each in dataclasses.fields(instance) if each.init}


def made(instance):
    """The call that makes a dataclass like `instance`."""
    return functools.partial(call, type(instance), **settings(instance))


def prefixed(name, calls):
    """The calls with `name` before theirs."""
    return {f"{name}.{method}": make for method, make in calls.items()}


def of_layer(case):
    """The calls of a layer's own methods."""
    parameters = {each.name: x(*each.shape) / 100.0 for each in case.layer.parameters(case.given)}
    given = (parameters, x(2, *case.given.shape))
    own = {"forward": lambda: given, "output_type": lambda: (case.given,), "parameters": lambda: (case.given,)}
    if isinstance(case.layer, nn.OutputLayer):
        labels = nd.asarray([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
        own |= {
            "pre_activation": lambda: given, "score": lambda: (*given, labels),
            "example_labels": lambda: ((3, 2), nd.float64), "prepare_labels": lambda: (labels, (2, 2), nd.float64),
        }  # fmt: skip
    return of(lambda: case.layer, **own)


def of_updater(updater):
    """The calls of an updater's methods."""
    size = 3
    state = updater.init(x(size))
    return of(
        lambda: updater,
        init=lambda: (x(size),), rate=lambda: (1, 0), settings=lambda: (1, 0),
        update=lambda: (x(size), state, 1, 0), advance=lambda: (x(size), state, 1, 0),
    )  # fmt: skip


def instances_of(table):
    """One of each class."""
    return {type(each).__name__: each for each in reversed(table)}


UPDATERS = {}
for name, each in instances_of([each for each, _ in cases.UPDATERS]).items():
    UPDATERS |= {name: made(each), **prefixed(name, of_updater(each))}
SCHEDULES = {}
for name, each in instances_of([each for each, _ in cases.SCHEDULES]).items():
    own = of(lambda each=each: each, at=lambda: (3,), value=lambda: (3, 0))
    SCHEDULES |= {name: made(each), **prefixed(name, own)}
LAYERS = {}
for case in reversed(cases.LAYERS):
    name = type(case.layer).__name__
    LAYERS |= {name: made(case.layer), **prefixed(name, of_layer(case))}
DISTRIBUTIONS = {
    type(each).__name__: made(each)
    for each in (
        nn.Binomial(5, 0.5), nn.Constant(1.0), nn.LogNormal(), nn.Normal(), nn.Orthogonal(), nn.TruncatedNormal(),
        nn.Uniform(0.0, 1.0),
    )
}  # fmt: skip

NETWORKS = {
    "MultiLayerNetwork": lambda: call(
        nn.MultiLayerNetwork, [nn.DenseLayer(3), nn.OutputLayer(2)], input_type=FEED_FORWARD, updater=nn.Adam()
    ),
    "NetworkConfiguration": made(network().configuration),
    "NetworkConfiguration.from_json": lambda: call(
        nn.NetworkConfiguration.from_json, network().configuration.to_json()
    ),
    "InputType": lambda: call(nn.InputType, "feed_forward", (4,)),
    "Parameter": lambda: call(nn.Parameter, "w", (4, 3), 4, 3),
    "Layer": lambda: call(nn.Layer, name="a"),
    "WeightedLayer": lambda: call(nn.WeightedLayer, weight_init="relu", l1=0.1),
    **prefixed("Layer", of(nn.Layer, forward=lambda: ({}, x(2, 3)))),
    **prefixed("InputType", of(
        lambda: nn.InputType, convolutional=lambda: (4, 4, 1), convolutional_flat=lambda: (4, 4, 1),
        feed_forward=lambda: (4,),
    )),
    **prefixed("MultiLayerNetwork", of(
        lambda: network(nn.Adam()),
        add_listeners=lambda: (train.CollectScoresListener(),), set_listeners=lambda: (train.CollectScoresListener(),),
        adopt=lambda: (x(23), x(46)), set_params=lambda: (x(23),), set_updater_state=lambda: (x(46),),
        clone=lambda: (), to_device=lambda: ("cpu",), save=lambda: ("network_saved.zip",),
        load=lambda: (network_file(),), from_configuration=lambda: (network().configuration,),
        parameters_of=lambda: (network().configuration,), example_labels=lambda: (3,),
        compute_gradient_and_score=lambda: (examples().features, examples().labels),
        fit_batch=lambda: (examples().features, examples().labels), fit=lambda: (examples(), 1),
        output=lambda: (x(2, 4),), feed_forward=lambda: (x(2, 4),), score=lambda: (examples(),),
        evaluate=lambda: (examples(),), memory_info=lambda: (8, FEED_FORWARD),
    )),
    "LayerWorkspaceMgr": lambda: call(
        nn.LayerWorkspaceMgr, {"input": ("a", nd.WorkspaceConfiguration())}, default=("b", nd.WorkspaceConfiguration())
    ),
    **prefixed("LayerWorkspaceMgr", of(
        of_layers,
        cast_to=lambda: ("input", "float32", x(3)), configuration=lambda: ("activations",),
        create=lambda: ("input", (3,)), create_uninitialized=lambda: ("input", (3,)), dup=lambda: ("input", x(3)),
        has_configuration=lambda: ("input",), is_scoped_out=lambda: ("input",), leverage_to=lambda: ("input", x(3)),
        notify_scope_borrowed=lambda: ("input",), notify_scope_entered=lambda: ("activations",),
        recorded=lambda: ("activations",), set_no_leverage_override=lambda: ("of layers",),
        validate_array_location=lambda: ("input", x(3)), workspace=lambda: ("activations",),
        workspace_name=lambda: ("activations",),
    )),
    "Evaluation": lambda: call(nn.Evaluation, 2, ["a", "b"]),
    **prefixed("Evaluation", of(
        evaluation, eval=lambda: ([1, 0], nd.asarray([[0.9, 0.1], [0.2, 0.8]])), f1=lambda: (1,),
        merge=lambda: (evaluation(),), precision=lambda: (1,), recall=lambda: (1,),
    )),
}  # fmt: skip


def of_normalizer(make):
    """The calls of a normalizer's methods."""
    return of(
        lambda: fitted(make),
        fit=lambda: (examples(),), from_json=lambda: (fitted(make).to_json(),), load=lambda: (normalizer_file(make),),
        save=lambda: ("normalizer_saved.json",), revert=lambda: (examples(),), transform=lambda: (examples(),),
        revert_features=lambda: (x(3, 4),), transform_features=lambda: (x(3, 4),),
        revert_labels=lambda: (x(3, 2),), transform_labels=lambda: (x(3, 2),),
    )  # fmt: skip


DATA = {
    "DataSet": lambda: call(data.DataSet, x(3, 4), x(3, 2)),
    **prefixed("DataSet", of(
        examples, batch_by=lambda: (2,), get=lambda: ([1, 2],), merge=lambda: ([examples(), examples()],),
        shuffle=lambda: (3,), split_test_and_train=lambda: (2, 3),
    )),
    "ArrayDataSetIterator": lambda: call(data.ArrayDataSetIterator, x(6, 4), x(6, 2), 2, 3),
    "AsyncDataSetIterator": lambda: call(data.AsyncDataSetIterator, data.ListDataSetIterator([examples()]), 2),
    "AsyncShieldDataSetIterator": lambda: call(
        data.AsyncShieldDataSetIterator, data.ListDataSetIterator([examples()])
    ),
    "ListDataSetIterator": lambda: call(data.ListDataSetIterator, [examples()]),
    "DigitsDataSetIterator": lambda: call(data.DigitsDataSetIterator, 100, True, 3),
    "MnistDataSetIterator": lambda: call(data.MnistDataSetIterator, 100, True, 3, folder="."),
    "ImagePreProcessingScaler": lambda: call(data.ImagePreProcessingScaler, 0.0, 1.0, 8),
    "NormalizerMinMaxScaler": lambda: call(data.NormalizerMinMaxScaler, 0.0, 1.0),
    "read_idx": lambda: call(data.read_idx, idx_file()),
    **prefixed("NormalizerMinMaxScaler", of(data.NormalizerMinMaxScaler, fit_label=lambda: (True,))),
    **prefixed("NormalizerMinMaxScaler", of_normalizer(data.NormalizerMinMaxScaler)),
    **prefixed("NormalizerStandardize", of_normalizer(data.NormalizerStandardize)),
    **prefixed("ImagePreProcessingScaler", of_normalizer(data.ImagePreProcessingScaler)),
}  # fmt: skip
TRAIN = {
    "load": lambda: call(train.load, network_file()),
    "load_normalizer": lambda: call(train.load_normalizer, network_file()),
    "save": lambda: call(train.save, network(), "saved.zip"),
    "CollectScoresListener": lambda: call(train.CollectScoresListener, 1),
    "PerformanceListener": lambda: call(train.PerformanceListener, 1, True, str),
    "ScoreIterationListener": lambda: call(train.ScoreIterationListener, 1, str),
}
for name, make in {
    "TrainingListener": train.TrainingListener,
    "CollectScoresListener": train.CollectScoresListener,
    "PerformanceListener": lambda: train.PerformanceListener(1, write=str),
    "ScoreIterationListener": lambda: train.ScoreIterationListener(1, write=str),
}.items():
    TRAIN |= prefixed(name, of(
        make, iteration_done=lambda: (network(), 1, 0), on_epoch_end=lambda: (network(),),
        on_epoch_start=lambda: (network(),),
    ))  # fmt: skip
PARALLEL = {
    "ParallelWrapper": lambda: call(parallel.ParallelWrapper, network(), workers=2),
    "ParallelWrapper.fit": lambda: call(
        parallel.ParallelWrapper(network(), workers=1).fit, data.ListDataSetIterator([examples()]), 1
    ),
    "average": lambda: call(parallel.average, [x(3), x(3)]),
    "average_and_propagate": lambda: call(
        parallel.average_and_propagate, [network()], [network(), network()], updaters=True
    ),
}
CALLS = {
    **{f"nn.{name}": make for name, make in {**UPDATERS, **SCHEDULES, **LAYERS, **DISTRIBUTIONS, **NETWORKS}.items()},
    **prefixed("data", DATA),
    **prefixed("train", TRAIN),
    **prefixed("parallel", PARALLEL),
}

"""A good call of everything public of networks, data, training and parallel training: `CALLS[label]()` is the call."""

import dataclasses
import functools
from pathlib import Path

import cases
from data_cases.data_calls import DATA, examples, fitted, prefixed
from nn_cases.evaluations import EVALUATIONS
from nn_cases.losses import LOSS_OBJECTS, OTHER_LOSSES
from nn_cases.vertices import ROWS, VertexCase
from onnx.parser import parse_model
from public_calls import call, of, saved, x
from serve_cases.serving_calls import SERVE
from train_cases.early_stopping_calls import EARLY_STOPPING
from train_cases.experiment_tools import MetricLogger, Trial
from train_cases.parallel_calls import parallel_calls

import nd4py as nd
from nd4py import data, keras, nn, onnx, train, zoo
from nd4py.nn.fitting import sources, training_run
from nd4py.nn.inputs import preprocess

FEED_FORWARD = nn.InputType.feed_forward(4)


def network(updater=None):
    """A small one with parameters."""
    layers = [nn.DenseLayer(3, activation="tanh"), nn.OutputLayer(2)]
    return nn.MultiLayerNetwork(layers, input_type=FEED_FORWARD, updater=updater, dtype="float64")


def graph(updater=None):
    """The same as a graph."""
    vertices = {"hidden": (nn.DenseLayer(3, activation="tanh"), "x"), "out": (nn.OutputLayer(2), "hidden")}
    return nn.ComputationGraph({"x": FEED_FORWARD}, vertices, outputs="out", updater=updater, dtype="float64")


def autoencoder(kind=nn.MultiLayerNetwork):
    """One with a layer that can be pretrained."""
    if kind is nn.MultiLayerNetwork:
        return kind([nn.AutoEncoder(3), nn.OutputLayer(2)], input_type=FEED_FORWARD)
    return kind({"x": FEED_FORWARD}, {"0": (nn.AutoEncoder(3), "x"), "1": (nn.OutputLayer(2), "0")}, outputs="1")


@dataclasses.dataclass(frozen=True)
class Steps(nn.Layer):
    """A recurrent layer that keeps nothing."""

    is_recurrent = True

    def forward(self, params, x, *, train=False, rng=None, mask=None, state=None):
        return x, {"last": x[:, -1]}


def steps(kind=nn.MultiLayerNetwork):
    """A network with a recurrent layer that has seen a step."""
    sequences = nn.InputType.recurrent(4)
    if kind is nn.MultiLayerNetwork:
        result = kind([Steps(), nn.DenseLayer(2)], input_type=sequences)
    else:
        result = kind({"x": sequences}, {"0": (Steps(), "x"), "1": (nn.DenseLayer(2), "0")}, outputs="1")
    result.rnn_time_step(x(2, 4))
    return result


def graph_file():
    """A graph that was saved."""
    return saved("graph.zip", graph().save)


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


def settings(instance):
    """The arguments that make a dataclass."""
    return {each.name: getattr(instance, each.name) for each in dataclasses.fields(instance) if each.init}


def made(instance):
    """The call that makes a dataclass like `instance`."""
    return functools.partial(call, type(instance), **settings(instance))


def of_layer(case):
    """The calls of a layer's own methods."""
    seen = preprocess(case.given, case.layer.wanted_input)
    parameters = {each.name: x(*each.shape) / 100.0 for each in case.layer.parameters(seen)}
    inputs = x(case.n_examples, *seen.shape)
    given = (parameters, inputs % case.whole if case.whole else inputs / 100.0)
    own = {
        "forward": lambda: given, "output_type": lambda: (seen,), "parameters": lambda: (seen,),
        "output_mask": lambda: (None, seen), "made_mask": lambda: (inputs, None),
    }  # fmt: skip
    if isinstance(case.layer, nn.ScoredLayer):
        shape = (case.n_outputs, *case.layer.output_type(seen).shape)
        labels = case.layer.example_labels(shape, nd.float64)
        own |= {
            "score": lambda: (*given, labels), "example_scores": lambda: (*given, labels),
            "example_labels": lambda: (shape, nd.float64), "prepare_labels": lambda: (labels, shape, nd.float64),
        }  # fmt: skip
    if hasattr(case.layer, "pre_activation") and isinstance(case.layer, nn.ScoredLayer):
        own["pre_activation"] = lambda: given
    if isinstance(case.layer, nn.PretrainedLayer):
        own |= {"pretrain_score": lambda: given, "reconstruct": lambda: given}
    if isinstance(case.layer, nn.VariationalAutoencoder):
        z, rng = x(2, case.layer.n_out), nd.random.Generator(1)
        own |= {
            "generate_at_mean_given_z": lambda: (parameters, z),
            "generate_random_given_z": lambda: (parameters, z, rng),
            "reconstruction_log_probability": lambda: (*given, 2, rng),
            "reconstruction_probability": lambda: (*given, 2, rng),
        }  # fmt: skip
    if isinstance(case.layer, nn.Yolo2OutputLayer):
        own["detected_objects"] = lambda: (given[1], 0.5, 0.4)
    return of(lambda: case.layer, **own)


def of_updater(updater):
    """The calls of an updater's methods."""
    size = 3
    state, params = updater.init(x(size)), (x(size),) if updater.takes_params else ()
    return of(
        lambda: updater,
        init=lambda: (x(size),), rate=lambda: (1, 0), settings=lambda: (1, 0),
        update=lambda: (x(size), state, 1, 0, *params), advance=lambda: (x(size), state, 1, 0, *params),
        state_size=lambda: ((size,),),
    )  # fmt: skip


def of_network(make, file, **own):
    """The calls of a network's methods, of which `file` gives one that was saved."""
    return of(
        lambda: make(nn.Adam()),
        add_listeners=lambda: (train.CollectScoresListener(),), set_listeners=lambda: (train.CollectScoresListener(),),
        adopt=lambda: (x(23), x(46)), set_params=lambda: (x(23),), set_updater_state=lambda: (x(46),),
        clone=lambda: (), to_device=lambda: ("cpu",), save=lambda: (f"{make.__name__}_saved.zip",),
        load=lambda: (file(),), from_configuration=lambda: (make().configuration,),
        to_json=lambda: (), from_json=lambda: (make().configuration.to_json(),),
        stages_of=lambda: (make().configuration,), example_labels=lambda: (3,),
        compute_gradient_and_score=lambda: (examples().features, examples().labels),
        fit_batch=lambda: (examples().features, examples().labels), fit=lambda: (examples(), 1),
        predict=lambda: (x(6, 4),), output=lambda: (x(2, 4),), feed_forward=lambda: (x(2, 4),),
        score=lambda: (examples(),), evaluate=lambda: (examples(),), memory_info=lambda: (8, FEED_FORWARD),
        f1_score=lambda: (examples(),), score_examples=lambda: (examples(),), retyped=lambda: (FEED_FORWARD,),
        recompute_running_values=lambda: (examples(),), rnn_time_step=lambda: (x(2, 4),),
        rnn_clear_previous_state=lambda: (), **own,
    )  # fmt: skip


def instances_of(table):
    """One of each class."""
    return {type(each).__name__: each for each in reversed(table)}


UPDATERS = {}
for name, each in instances_of([each for each, _ in cases.UPDATERS]).items():
    UPDATERS |= {name: made(each), **prefixed(name, of_updater(each))}
SCHEDULES = {}
for name, each in instances_of([each for each, _ in cases.SCHEDULES]).items():
    own = of(lambda each=each: each, counted=lambda: (3, 0), value=lambda: (3, 0))
    if hasattr(each, "at"):
        own |= of(lambda each=each: each, at=lambda: (3,))
    SCHEDULES |= {name: made(each), **prefixed(name, own)}
LAYERS = {}
for case in reversed(cases.LAYERS):
    name = type(case.layer).__name__
    LAYERS |= {name: made(case.layer), **prefixed(name, of_layer(case))}
VERTICES = {}
for case in reversed((*cases.VERTICES, VertexCase(nn.Vertex(), (ROWS,), lambda a: a))):
    name, types = type(case.vertex).__name__, lambda case=case: case.given
    own = of(
        lambda case=case: case.vertex, forward=lambda case=case: ({}, [x(*shape) for shape in case.shapes]),
        output_type=types, parameters=types,
        output_mask=lambda case=case: ([x(*shape[:2]) for shape in case.shapes], case.given),
    )  # fmt: skip
    VERTICES |= {name: made(case.vertex), **prefixed(name, own)}
DISTRIBUTIONS = {
    type(each).__name__: made(each)
    for each in (
        nn.Binomial(5, 0.5), nn.Constant(1.0), nn.LogNormal(), nn.Normal(), nn.Orthogonal(), nn.TruncatedNormal(),
        nn.Uniform(0.0, 1.0), nn.VarianceScaling(2.0, "fan_avg", "uniform"),
    )
}  # fmt: skip

RULES = {}
for each in (
    *instances_of((*OTHER_LOSSES, *(loss for loss, _ in LOSS_OBJECTS))).values(),
    nn.ELU(), nn.LeakyReLU(), nn.RReLU(), nn.ThresholdedReLU(), nn.Dropout(), nn.AlphaDropout(), nn.GaussianDropout(),
    nn.GaussianNoise(), nn.SpatialDropout(), nn.MaxNormConstraint(), nn.MinMaxNormConstraint(),
    nn.NonNegativeConstraint(), nn.UnitNormConstraint(), nn.DropConnect(), nn.WeightNoise(nn.Normal()),
):  # fmt: skip
    if isinstance(each, nn.Activation):
        own = {"in_training": lambda: (x(2, 3), nd.random.Generator(1))}
    elif isinstance(each, nn.Loss):
        shape = (2, 3, 8)
        labels = each.example_labels(shape, nd.float64)
        own = {
            "example_labels": lambda shape=shape: (shape, nd.float64),
            "prepare_labels": lambda labels=labels, shape=shape: (labels, shape, nd.float64, "a layer"),
        }
    elif isinstance(each, nn.InputNoise):
        own = {"apply": lambda: (x(2, 3, 4), nd.random.Generator(1))}
    elif isinstance(each, nn.Constraint):
        own = {"apply": lambda: (x(2, 3), nn.Parameter("W", (2, 3)))}
        own |= {"norms": lambda: (x(2, 3),)} if hasattr(each, "norms") else {}
    else:
        own = dict.fromkeys(("apply", "changed"), lambda: (x(2, 3), nn.Parameter("W", (2, 3)), nd.random.Generator(1)))
    name = type(each).__name__
    RULES |= {name: made(each), **prefixed(name, of(lambda each=each: each, **own))}

NETWORKS = {
    "DetectedObject": made(nn.DetectedObject(1.0, 1.0, 2.0, 2.0, 0.9, 0, (1.0,))),
    **prefixed("DetectedObject", of(
        lambda: nn.DetectedObject(1.0, 1.0, 2.0, 2.0, 0.9, 0, (1.0,)),
        overlap=lambda: (nn.DetectedObject(1.0, 1.0, 2.0, 2.0, 0.9, 0, (1.0,)),),
    )),
    "MultiLayerNetwork": lambda: call(
        nn.MultiLayerNetwork, [nn.DenseLayer(3), nn.OutputLayer(2)], input_type=FEED_FORWARD, updater=nn.Adam()
    ),
    "NetworkConfiguration": made(network().configuration),
    "NetworkConfiguration.from_json": lambda: call(
        nn.NetworkConfiguration.from_json, network().configuration.to_json()
    ),
    "InputType": lambda: call(nn.InputType, "feed_forward", (4,)),
    **prefixed("MultiLayerNetwork", of(
        steps, rnn_get_previous_state=lambda: (0,), rnn_set_previous_state=lambda: (0, {}),
    )),
    "Snapshot": lambda: call(nn.Snapshot, network()),
    **prefixed("Snapshot", of(
        lambda: nn.Snapshot(network()), checked=lambda: (x(2, 4),), outputs=lambda: ((x(2, 4),),),
        outputs_of=lambda: ([0], (x(2, 4),)), check_layers=lambda: ([0],),
        activations=lambda: ((x(2, 4),),), working_bytes=lambda: (3,),
    )),
    **prefixed("ComputationGraph", of(
        lambda: steps(nn.ComputationGraph), rnn_get_previous_state=lambda: ("0",),
        rnn_set_previous_state=lambda: ("0", {}),
    )),
    "RecurrentLayer": lambda: call(nn.RecurrentLayer, 3, "tanh"),
    "WrapperLayer": lambda: call(nn.WrapperLayer, nn.DenseLayer(3)),
    "TransferLearning.fine_tune": lambda: call(nn.TransferLearning(network()).fine_tune, l2=0.1, seed=3),
    "TransferLearning": lambda: call(nn.TransferLearning, network()),
    **prefixed("TransferLearning", of(
        lambda: nn.TransferLearning(network()), add_layer=lambda: (nn.DenseLayer(3),), remove_layers=lambda: (1,),
        n_out_replace=lambda: (0, 5), set_feature_extractor=lambda: (0,), set_input_type=lambda: (FEED_FORWARD,),
        remove_output_layer=lambda: (), build=lambda: (),
    )),
    "GraphTransferLearning.fine_tune": lambda: call(nn.GraphTransferLearning(graph()).fine_tune, l2=0.1, seed=3),
    "GraphTransferLearning": lambda: call(nn.GraphTransferLearning, graph()),
    **prefixed("GraphTransferLearning", of(
        lambda: nn.GraphTransferLearning(graph()), add_vertex=lambda: ("new", nn.DenseLayer(3), "x"),
        remove_vertex=lambda: ("out",), n_out_replace=lambda: ("out", 5), set_feature_extractor=lambda: ("out",),
        set_outputs=lambda: ("out",), build=lambda: (),
    )),
    "TransferLearningHelper": lambda: call(nn.TransferLearningHelper, network(), 0),
    **prefixed("TransferLearningHelper", of(
        lambda: nn.TransferLearningHelper(network(), 0), featurize=lambda: (x(2, 4),),
        fit_featurized=lambda: (data.DataSet(x(6, 3), examples().labels), 1),
        output_from_featurized=lambda: (x(2, 3),),
    )),
    "ComputationGraph": lambda: call(
        nn.ComputationGraph, {"x": FEED_FORWARD}, {"out": (nn.OutputLayer(2), "x")}, outputs="out"
    ),
    "GraphConfiguration": made(graph().configuration),
    "GraphConfiguration.from_json": lambda: call(nn.GraphConfiguration.from_json, graph().configuration.to_json()),
    "TrainingConfiguration": lambda: call(nn.TrainingConfiguration, updater=nn.Adam(), l2=0.1, dtype="float16"),
    "TrainingConfiguration.taken_over": lambda: call(network().configuration.taken_over, nn.DenseLayer(3)),
    "NetworkConfiguration.taken_over": lambda: call(network().configuration.taken_over, nn.DenseLayer(3)),
    "GraphConfiguration.taken_over": lambda: call(graph().configuration.taken_over, nn.DenseLayer(3)),
    "Node": lambda: call(nn.Node, nn.DenseLayer(3), ("x",)),
    **prefixed("MultiLayerNetwork", of(
        autoencoder, pretrain=lambda: (examples(), 1), pretrain_layer=lambda: (0, examples(), 1),
        layer_params=lambda: (0,),
    )),
    **prefixed("ComputationGraph", of(
        lambda: autoencoder(nn.ComputationGraph), pretrain=lambda: (examples(), 1),
        pretrain_layer=lambda: ("0", examples(), 1), layer_params=lambda: ("0",),
    )),
    "LambdaLayer": lambda: call(nn.LambdaLayer, abs),
    **prefixed("LambdaLayer", of(
        lambda: nn.LambdaLayer(abs), forward=lambda: ({}, x(2, 3)), output_type=lambda: (FEED_FORWARD,),
        output_mask=lambda: (None, FEED_FORWARD), parameters=lambda: (FEED_FORWARD,),
    )),
    "GradientFailure": made(nn.GradientFailure((0, 1), 2.0, 1.0)),
    "ParameterCheck": made(nn.ParameterCheck("0_W", 4, 1e-9, ())),
    "GradientCheckReport": made(nn.GradientCheckReport((nn.ParameterCheck("0_W", 4, 1e-9, ()),))),
    "gradient_check": lambda: call(nn.gradient_check, network(), examples(), n_samples=2, seed=1),
    "Parameter": lambda: call(nn.Parameter, "w", (4, 3), 4, 3),
    "Layer": lambda: call(nn.Layer, name="a"),
    "WeightedLayer": lambda: call(nn.WeightedLayer, weight_init="relu", l1=0.1),
    **prefixed("Layer", of(nn.Layer, forward=lambda: ({}, x(2, 3)))),
    **prefixed("InputType", of(
        lambda: nn.InputType, convolutional=lambda: (4, 4, 1), convolutional_flat=lambda: (4, 4, 1),
        convolutional_3d=lambda: (4, 4, 4, 1), recurrent=lambda: (4, 3), feed_forward=lambda: (4,),
    )),
    "InputType.fits": lambda: call(FEED_FORWARD.fits, (3, 4)),
    **prefixed("MultiLayerNetwork", of_network(
        network, network_file, get_layer=lambda: (1,), feed_forward_to_layer=lambda: (1, x(2, 4))
    )),
    **prefixed("ComputationGraph", of_network(
        graph, graph_file, get_layer=lambda: ("hidden",), get_vertex=lambda: ("hidden",)
    )),
    **VERTICES,
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
    **EVALUATIONS,
}  # fmt: skip


def averaged(make):
    """An average that has seen weights."""
    result = make()
    result.update(network())
    return result


def with_average(path):
    """Write a network and an average of its weights."""
    train.save(network(), path, average=averaged(train.ExponentialMovingAverage))


def a_run():
    """A run of training that has done an epoch."""
    result = training_run.TrainingRun(network(), sources.source_of(examples(), None, 2, None), 1, None)
    result.history.add_iteration(1, 0.5, 6)
    result.history.end_epoch(1, 0.1)
    return result


def with_parameters(path):
    """Write the parameters of a network."""
    train.save_parameters(network(), path)


TRAIN = {
    "load": lambda: call(train.load, network_file()),
    "load_average": lambda: call(train.load_average, saved("averaged.zip", with_average)),
    "ExponentialMovingAverage": made(train.ExponentialMovingAverage(0.9, every=2)),
    "StochasticWeightAveraging": made(train.StochasticWeightAveraging(start=3)),
    "load_normalizer": lambda: call(train.load_normalizer, network_file()),
    "save": lambda: call(train.save, network(), "saved.zip"),
    "save_parameters": lambda: call(train.save_parameters, network(), "saved.safetensors", metadata={"by": "nd4py"}),
    "load_parameters": lambda: call(train.load_parameters, network(), saved("parameters.safetensors", with_parameters)),
    "CollectScoresListener": lambda: call(train.CollectScoresListener, 1),
    "PerformanceListener": lambda: call(train.PerformanceListener, 1, True, str),
    "ScoreIterationListener": lambda: call(train.ScoreIterationListener, 1, str),
    "LivePlotListener": lambda: call(train.LivePlotListener, seconds=0.5, show=repr),
    "ParquetLogListener": lambda: call(train.ParquetLogListener, "log.parquet", frequency=1),
    "CSVLogListener": lambda: call(train.CSVLogListener, "log.csv", frequency=1),
    "CheckpointListener": lambda: call(train.CheckpointListener, "checkpoints", every_iterations=2, keep_last=1),
    "CheckpointListener.set_state": lambda: call(
        train.CheckpointListener("checkpoints").set_state, train.CheckpointListener("checkpoints").state()
    ),
    "EvaluativeListener": lambda: call(train.EvaluativeListener, examples(), 2),
    "MetricLoggerListener": lambda: call(train.MetricLoggerListener, MetricLogger(), frequency=2),
    "OptunaPruningListener": lambda: call(train.OptunaPruningListener, Trial(), monitor="score"),
    "ParameterStatisticsListener": lambda: call(train.ParameterStatisticsListener, 2),
    "ParameterStatisticsListener.on_gradient_calculation": lambda: call(
        train.ParameterStatisticsListener(1).on_gradient_calculation, network(), network().params()
    ),
    "SleepyListener": lambda: call(train.SleepyListener, 0.001, 0.001),
    "TensorBoardListener": lambda: call(train.TensorBoardListener, "runs", frequency=1, bins=5, statistics=2),
    "TensorBoardListener.on_gradient_calculation": lambda: call(
        train.TensorBoardListener("runs", statistics=1).on_gradient_calculation, network(), network().params()
    ),
    "TimeIterationListener": lambda: call(train.TimeIterationListener, 1, str),
}
for name, make in {
    "TrainingListener": train.TrainingListener,
    "CollectScoresListener": train.CollectScoresListener,
    "PerformanceListener": lambda: train.PerformanceListener(1, write=str),
    "ScoreIterationListener": lambda: train.ScoreIterationListener(1, write=str),
    "ExponentialMovingAverage": train.ExponentialMovingAverage,
    "StochasticWeightAveraging": train.StochasticWeightAveraging,
    "LivePlotListener": lambda: train.LivePlotListener(show=repr),
    "ParquetLogListener": lambda: train.ParquetLogListener("log.parquet", frequency=1),
    "CSVLogListener": lambda: train.CSVLogListener("log.csv", frequency=1),
    "CheckpointListener": lambda: train.CheckpointListener("checkpoints", delete_existing=True),
    "EvaluativeListener": lambda: train.EvaluativeListener(examples()),
    "MetricLoggerListener": lambda: train.MetricLoggerListener(MetricLogger(), frequency=1),
    "OptunaPruningListener": lambda: train.OptunaPruningListener(Trial(), monitor="score"),
    "ParameterStatisticsListener": train.ParameterStatisticsListener,
    "SleepyListener": train.SleepyListener,
    "TensorBoardListener": lambda: train.TensorBoardListener("runs"),
    "TimeIterationListener": lambda: train.TimeIterationListener(1, write=str),
    "EarlyStopping": lambda: train.EarlyStopping(monitor="loss"),
}.items():
    TRAIN |= prefixed(name, of(
        make, iteration_done=lambda: (network(), 1, 0), on_epoch_end=lambda: (network(),),
        on_epoch_start=lambda: (network(),), on_fit_start=lambda: (network(), a_run()),
        on_fit_end=lambda: (network(), a_run()), on_safe_point=lambda: (network(), a_run()),
    ))  # fmt: skip
for make in (train.ExponentialMovingAverage, train.StochasticWeightAveraging):
    TRAIN |= prefixed(make.__name__, of(
        lambda make=make: averaged(make),
        applied=lambda: (network(),), network=lambda: (network(),), share=lambda: (3,), update=lambda: (network(),),
    ))  # fmt: skip
TRAIN |= {
    "WeightAverage": lambda: call(train.WeightAverage, every=2),
    **prefixed("WeightAverage", of(train.WeightAverage, share=lambda: (3,))),
} | EARLY_STOPPING


PARALLEL = parallel_calls(network)
ZOO = {}
for model in (
    zoo.AlexNet(), zoo.Darknet19(), zoo.InceptionResNetV1(n_classes=2), zoo.LeNet(), zoo.ResNet50(), zoo.SqueezeNet(),
    zoo.TextGenerationLSTM(n_characters=3), zoo.TinyYOLO(), zoo.TransformerEncoder(vocabulary_size=3, n_classes=2),
    zoo.UNet(), zoo.VGG16(), zoo.Xception(),
):  # fmt: skip
    ZOO[type(model).__name__] = made(model)
ZOO |= prefixed("LeNet", of(zoo.LeNet, configuration=lambda: (), init=lambda: ()))
DOUBLED = parse_model('<ir_version: 8, opset_import: ["": 17]> g (float[n] x) => (float[n] y) { y = Add(x, x) }')
ONNX = {
    "load": lambda: call(onnx.load, DOUBLED),
    "export": lambda: call(onnx.export, network(), saved("net.onnx", lambda path: path.write_bytes(b"")), x(3)),
    "Model": lambda: call(onnx.Model, DOUBLED),
    "Backend": lambda: call(onnx.Backend),
    "Backend.is_compatible": lambda: call(onnx.Backend.is_compatible, DOUBLED, "CPU"),
    "Backend.prepare": lambda: call(onnx.Backend.prepare, DOUBLED, "CPU"),
    "Backend.run_model": lambda: call(onnx.Backend.run_model, DOUBLED, [nd.ones(2, dtype="float32")], "CPU"),
    "Backend.run_node": lambda: call(onnx.Backend.run_node, DOUBLED.graph.node[0], [nd.ones(2), nd.ones(2)], "CPU"),
    "Backend.supports_device": lambda: call(onnx.Backend.supports_device, "CPU"),
    "Model.run": lambda: call(onnx.load(DOUBLED).run, {"x": nd.ones(2, dtype="float32")}),
}
KERAS = {"load": lambda: call(keras.load, Path(__file__).parents[1] / "model_files/kept/dense.keras")}
CALLS = {
    **{
        f"nn.{name}": make
        for name, make in {**UPDATERS, **SCHEDULES, **LAYERS, **DISTRIBUTIONS, **RULES, **NETWORKS}.items()
    },
    **prefixed("data", DATA),
    **prefixed("train", TRAIN),
    **prefixed("parallel", PARALLEL),
    **prefixed("zoo", ZOO),
    **prefixed("onnx", ONNX),
    **prefixed("keras", KERAS),
    **prefixed("serve", SERVE),
}

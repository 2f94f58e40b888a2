"""What other libraries call the methods of networks, and what takes their place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nd4py.api.unknown_settings import Function, telling_settings

# What to write, and the names that others have for it.
HINTS = {
    "a network has its parameters as soon as it is made; another seed= draws others": ("init",),
    "there is no mode: `fit` trains, `output` and `predict` compute without dropout": ("train", "eval", "training"),
    "give updater= to the network, and loss= to its output layer, when they are made": (
        *("compile", "optimizer", "loss", "criterion"),
    ),
    "`param_table()` has the parameters by name, and `params()` all of them in one vector": (
        *("state_dict", "parameters", "named_parameters", "weights", "get_weights"),
    ),
    "`set_params(vector)` sets all parameters, and nd4py.train.load_parameters(net, path) reads them from a file": (
        *("load_state_dict", "set_weights", "load_weights"),
    ),
    "`to_device(...)` moves a network": ("to", "cuda", "cpu"),
    "`fit_batch(x, labels)` is a step of training": ("zero_grad", "backward", "step", "train_on_batch"),
    "`output(x)` computes outputs": (*("forward", "call", "predict_on_batch", "predict_proba", "label_probabilities"),),
    "`evaluate(data, nn.ROC())` and its like take any evaluations": (
        *("evaluate_roc", "evaluate_regression", "do_evaluation"),
    ),
    "the rate is one of the updater, configuration.updater; a schedule changes it: nn.Adam(nn.StepSchedule(...))": (
        *("set_learning_rate", "learning_rate", "lr"),
    ),
    "`to_json()` describes the network": ("to_yaml", "get_config"),
    "settings are fields of `configuration`": ("dtype", "layers", "updater", "seed"),
    "`num_params()` counts the parameters": ("count_params", "n_params"),
}


# Arguments of `fit`, and what other libraries call them.
FIT_SPELLINGS = {
    "epochs": ("epoch", "n_epochs", "nb_epoch", "num_epochs", "max_epochs", "n_epoch"),
    "batch_size": ("batch", "batchsize", "minibatch", "mini_batch_size"),
    "listeners": ("callbacks", "callback", "listener"),
    "validation_data": ("eval_set", "val_data", "validation", "test_data"),
    "class_weight": ("class_weights",),
    "sample_weight": ("sample_weights", "weights"),
}
# What to write in place of arguments that belong to something else.
OF_OTHERS = {
    "masks belong to a batch: fit(data.DataSet(x, y, features_mask=, labels_mask=))": (
        *("mask", "masks", "features_mask", "labels_mask", "feature_mask"),
    ),
    "the network has updater=nn.Adam(rate) when it is made": ("learning_rate", "lr", "optimizer", "updater"),
    "the output layer has loss= when it is made": ("loss", "criterion"),
}


def telling_fit(fit: Function) -> Function:
    """A method `fit` that tells of arguments that it does not have."""
    return telling_settings(fit, FIT_SPELLINGS, "fit", OF_OTHERS)


def hint_for(name: str) -> str:
    """What to write in place of an attribute that networks do not have, after a colon; an empty text for any other."""
    return next((f": {hint}" for hint, names in HINTS.items() if name in names), "")


class OtherNames:
    """The base class of networks for names that they have not: the error says what to write."""

    if not TYPE_CHECKING:  # which would believe that there is everything

        def __getattr__(self, name: str) -> Any:
            told = f"{type(self).__name__!r} object has no attribute {name!r}{hint_for(name)}"
            raise AttributeError(told, name=name, obj=self)

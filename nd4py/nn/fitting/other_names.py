"""What other libraries call the methods of networks, and what takes their place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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


def hint_for(name: str) -> str:
    """What to write in place of an attribute that networks do not have, after a colon; an empty text for any other."""
    return next((f": {hint}" for hint, names in HINTS.items() if name in names), "")


class OtherNames:
    """The base class of networks for names that they have not: the error says what to write."""

    if not TYPE_CHECKING:  # which would believe that there is everything

        def __getattr__(self, name: str) -> Any:
            told = f"{type(self).__name__!r} object has no attribute {name!r}{hint_for(name)}"
            raise AttributeError(told, name=name, obj=self)

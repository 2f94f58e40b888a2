"""What is said of arguments that a class does not take, for every class that a program makes by calling it."""

import inspect

import pytest

from nd4py import data, nn, parallel, train, zoo
from nd4py.api.unknown_settings import TellingArguments, keywords_of

CLASSES = {
    name: found
    for package in (nn, data, train, parallel, zoo)
    for name in dir(package)
    if isinstance(found := getattr(package, name), type)
    and issubclass(found, TellingArguments)
    and not inspect.isabstract(found)
}
TOLD = {name: kind for name, kind in CLASSES.items() if keywords_of(kind.__init__)}


def test_classes_of_every_kind_are_told_of():
    assert len(TOLD) > 60
    for kind in (
        data.CSVRecordReader,
        data.DataSet,
        data.NormalizerMinMaxScaler,
        nn.Evaluation,
        nn.TransferLearning,
        parallel.ModelServer,
        parallel.ParallelWrapper,
        train.EarlyStoppingConfiguration,
        train.MaxEpochsTerminationCondition,
        train.ScoreIterationListener,
        zoo.LeNet,
    ):
        assert TOLD[kind.__name__] is kind


@pytest.mark.parametrize("name", sorted(TOLD))
def test_an_argument_that_a_class_does_not_take_is_told(name):
    kind = TOLD[name]
    known = keywords_of(kind.__init__)
    for each in known:
        with pytest.raises(TypeError, match=f"^{name}: there is no setting '{each}x'. Did you mean '"):
            kind(**{f"{each}x": 1})
    parameters = inspect.signature(kind).parameters.values()
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return
    taken = ", ".join(each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD) or "none"
    with pytest.raises(TypeError, match=f"^{name}: takes {taken} by position, given {len(known) + 1} arguments"):
        kind(*range(len(known) + 1))


def test_classes_that_take_nothing_refuse_arguments():
    class Quiet(train.TrainingListener):
        pass

    class Counting(train.TrainingListener):
        def __init__(self, *given, **settings):
            self.given = given, settings

    for kind in (Quiet, *(kind for name, kind in CLASSES.items() if name not in TOLD)):
        if keywords_of(kind.__init__) != ():
            continue
        with pytest.raises(TypeError, match=f"^{kind.__name__}: takes none by position, given 1 arguments$"):
            kind(1)
        with pytest.raises(TypeError, match=f"^{kind.__name__}: there is no setting 'x'. Known: none$"):
            kind(x=1)
    assert Counting(1, x=2).given == ((1,), {"x": 2})

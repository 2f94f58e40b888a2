"""The pages for users of other libraries: the names in them exist, and none of ours is missing."""

import dataclasses
import re
from pathlib import Path

import pytest

import nd4py as nd
from nd4py import data, nn, parallel, train, zoo
from nd4py.nn.losses.losses import LOSS_TYPES
from nd4py.nn.registries import LAYERS, SCHEDULES, UPDATERS, VERTICES

MIGRATION = Path(__file__).parents[2] / "docs" / "migration"
DL4J = MIGRATION / "dl4j-users.md"
SPACES = {"nn": nn, "data": data, "train": train, "parallel": parallel, "zoo": zoo}
OBJECTS = {"x": nd.NDArray, "net": nn.MultiLayerNetwork}
NAME = re.compile(rf"(?<![\w.])({'|'.join([*SPACES, *OBJECTS])})\.((?:[A-Za-z]\w*)(?:\.\w+)*)")


def our_names(page):
    """The names in the right columns of a page's tables and in its other text, with what they begin with."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    ours = [line.rsplit(" | ", 1)[-1] for line in text.splitlines()]
    code = (span for line in ours for span in re.findall(r"`([^`]+)`", line))
    return {found.groups() for span in code for found in NAME.finditer(span)}


def has(start, path):
    """Whether an object has an attribute, also as a field of a dataclass without a default."""
    for part in path.split("."):
        fields = {field.name for field in dataclasses.fields(start)} if dataclasses.is_dataclass(start) else set()
        if not hasattr(start, part) and part not in fields:
            return False
        start = getattr(start, part, None)
    return True


@pytest.mark.parametrize("name", ["dl4j-users", "jax-users", "pytorch-names", "pytorch-users"])
def test_names_exist(name):
    ours = our_names(MIGRATION / f"{name}.md")
    wrong = {f"{first}.{path}" for first, path in ours if not has((SPACES | OBJECTS)[first], path)}
    assert not wrong


@pytest.mark.parametrize("space", sorted(SPACES))
def test_page_for_deeplearning4j_has_every_name(space):
    """But those of lists that grow; the page says that those which it does not name have no counterpart."""
    found = {path.partition(".")[0] for first, path in our_names(DL4J) if first == space}
    missing = sorted(set(SPACES[space].__all__) - found - {*LAYERS, *VERTICES, *LOSS_TYPES, *UPDATERS, *SCHEDULES})
    assert not missing, f"docs/migration/dl4j-users.md does not say what {missing} stand for"

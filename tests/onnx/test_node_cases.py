"""The official cases of ONNX's operators: each passes, or is refused when it is loaded and stands in the list."""

import pytest
from node_cases import node_cases, outcome, refused

FEWEST_PASSING = 1849
MOST_REFUSED = 35
STRIDE = 8  # the default run takes every eighth case


def failures(cases):
    listed = refused()
    wanted = {case.name: "refused" if case.name in listed else "passes" for case in cases}
    found = {case.name: outcome(case) for case in cases}
    return {name: found[name] for name in wanted if found[name] != wanted[name]}


def test_a_share_of_the_cases():
    assert failures(node_cases()[::STRIDE]) == {}


@pytest.mark.slow
def test_all_cases():
    assert failures(node_cases()) == {}


def test_the_list_of_refused_cases_does_not_grow():
    names = {case.name for case in node_cases()}
    assert refused().keys() <= names
    assert len(refused()) <= MOST_REFUSED
    assert len(names) - len(refused()) >= FEWEST_PASSING

"""The examples of `nd4py.cuda`: in docstrings, and the programs of the reference that need a device."""

import gc

import pytest
from public_objects import device_programs, failures, public_objects


def test_examples_in_docstrings(simulator, capsys):
    objects = [(name, found) for name, found in public_objects() if name.startswith("nd4py.cuda.")]
    assert failures(objects) == 0, capsys.readouterr().out


@pytest.mark.parametrize("program", device_programs(), ids=lambda program: program.splitlines()[2][:40])
def test_program_runs(program, simulator):
    names = {"__name__": "__main__"}
    exec(compile(program, "<documentation>", "exec"), names)
    names.clear()
    gc.collect()

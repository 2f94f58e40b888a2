"""Type checkers see nd4py as it is: the stubs name what the compiled modules hold, and a small program checks."""

import ast
import importlib
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typed_programs import WRITTEN, calls_of_functions, write_documentation

import nd4py as nd

ROOT = Path(__file__).parents[2]
STUBS = sorted((ROOT / "nd4py").rglob("*.pyi"))
COMPILED = sorted((ROOT / "nd4py").rglob("*.pyx"))

RIGHT = """
import nd4py as nd
from nd4py import nn

def scaled(x: nd.NDArray, factor: float) -> nd.NDArray:
    x = x[1:, None].T + 1
    x *= factor
    return -x / nd.exp(x)

total: float = float(nd.sum(scaled(nd.ones((3, 2), dtype="float32"), 2.0)))
layers: list[nn.Layer] = [nn.DenseLayer(n_out=3)]
"""
WRONG = {
    'x.shape + "x"': "operator",
    "x @ 2": "operator",
    "x.transposed": "attr-defined",
    "nd.exponential(1)": "attr-defined",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where programs are checked, with one cache of what mypy found in nd4py."""
    return tmp_path_factory.mktemp("typing")


def check(program, folder):
    """What mypy --strict says about a program."""
    path = folder / "program.py"
    path.write_text(program)
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", f"--cache-dir={folder}", str(path)]
    environment = {**os.environ, "MYPYPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300).stdout


def test_program_is_accepted(folder):
    assert check(RIGHT, folder).startswith("Success")


def test_calls_as_users_write_them_are_accepted(folder):
    program = WRITTEN.read_text()
    assert check(program, folder).startswith("Success")
    exec(compile(program, "typed_program.py", "exec"), {})


def test_a_call_of_every_function_is_accepted(folder):
    """Those of `namespace_calls`, with arrays that `a` makes."""
    program, n_calls = calls_of_functions()
    assert n_calls > 120
    assert check(program, folder).startswith("Success")


def test_the_documentation_is_accepted(tmp_path):
    """But for what is looked at where it may be None."""
    programs = write_documentation(tmp_path)
    assert len(programs) > 40
    command = [sys.executable, "-m", "mypy", "--check-untyped-defs", "--follow-imports=silent"]
    command += [
        "--disable-error-code=union-attr",
        f"--cache-dir={tmp_path / 'cache'}",
        *programs,
    ]
    environment = {**os.environ, "MYPYPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert done.stdout.startswith("Success"), done.stdout


@pytest.mark.parametrize("name, package", [("nd", nd), ("nd.nn", nd.nn)])
def test_every_public_name_is_known(name, package, folder):
    """Those of `nn` too, which it takes from the lists of its folders."""
    program = "import nd4py as nd\n" + "".join(f"{name}.{each}\n" for each in package.__all__)
    assert check(program, folder).startswith("Success")


def test_mistakes_are_found(folder):
    lines = check("import nd4py as nd\nx: nd.NDArray = nd.ones(3)\n" + "\n".join(WRONG), folder).splitlines()
    found = [line.rpartition("[")[2].rstrip("]") for line in lines if ": error: " in line]
    assert found == list(WRONG.values())


def module_of(path):
    """The imported module that a stub or a Cython source stands for."""
    return importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))


def names_in(body):
    """Public names and special methods that a stub declares."""
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id


@pytest.mark.parametrize("path", STUBS, ids=lambda path: path.stem)
def test_stub_names_exist(path):
    module = module_of(path)
    tree = ast.parse(path.read_text())
    # Type aliases are for checkers alone.
    assert {name for name in names_in(tree.body) if not name[0].isupper() or name == "NDArray"} <= set(dir(module))
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            assert set(names_in(node.body)) - {"__buffer__", "node"} <= set(dir(getattr(module, node.name)))


@pytest.mark.parametrize("path", COMPILED, ids=lambda path: path.stem)
def test_compiled_functions_have_a_stub(path):
    """Every function and class that Python can reach in a compiled module is in its stub."""
    module = module_of(path)
    own = {name for name, value in vars(module).items()
           if getattr(value, "__module__", None) == module.__name__
           and (inspect.isclass(value) or callable(value)) and not name.startswith("_")}  # fmt: skip
    stub = path.with_suffix(".pyi")
    declared = set(names_in(ast.parse(stub.read_text()).body)) if stub.exists() else set()
    assert own - declared == set()


def test_array_stub_is_complete():
    """Every public attribute of NDArray, and every special method that is not Python's own, is declared."""
    from nd4py import NDArray

    [stub] = [node for node in ast.parse((ROOT / "nd4py/_core/array/array.pyi").read_text()).body
              if isinstance(node, ast.ClassDef)]  # fmt: skip
    machinery = {
        "__release_buffer__",  # of every class with __buffer__, from Python 3.12 on
        "__module__",  # else that of the class of the class
        *("__getattribute__", "__new__", "__pyx_vtable__", "__reduce__", "__repr__", "__str__", "__setattr__"),
        "__init__",
    }
    names = {**vars(NDArray), **vars(NDArray.__base__)}
    held = {name for name in names if name not in machinery | {"__doc__", "__delitem__", "__delattr__"}}
    assert held - set(names_in(stub.body)) == set()


def test_the_package_offers_its_names_and_folders_alone():
    offered = {name for name in dir(nd) if not name.startswith("_")}
    assert offered - set(nd.__all__) <= {path.stem for path in Path(nd.__file__).parent.iterdir()}

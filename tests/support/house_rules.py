"""The rules of the house: functions from a source tree to the lines that break them.

A rule takes a `Tree` and yields messages `path:line: what is wrong`.  `test_architecture.py` applies every rule
to this repository, and to a tiny tree that breaks it, so that no rule can go blind.
"""

import ast
import re
import sys
from collections import Counter
from graphlib import CycleError, TopologicalSorter

from source_tree import CPP, CYTHON, PYTHON, RANK

ABOVE_THE_API = ("nn", "data", "train", "zoo", "sklearn", "onnx", "keras", "torch", "parallel", "serve", "examples")
MAX_LINES, MAX_COLUMNS, MAX_IMPORTS, MAX_FILES = 500, 120, 15, 25


def files_are_short(tree):
    """One subject per file: at 500 lines it is two files.  The table is exempt."""
    for source in tree.sources:
        n_lines = source.text.count("\n")
        if n_lines > MAX_LINES and source.path != "nd4py/_spec/ops.py":
            yield f"{source.path}:{n_lines}: more than {MAX_LINES} lines"


def lines_are_short(tree):
    for source in tree.sources:
        yield from source.grep(rf"^[^\n]{{{MAX_COLUMNS + 1},}}$", source.text)


def folders_are_small(tree):
    """A folder is read at a glance: sources, headers and stubs of one family."""
    n_files = Counter(path.parent for path in tree.files)
    for path in tree.files:
        n = n_files.pop(path.parent, 0)
        if n > MAX_FILES:
            yield f"{path.as_posix()}:1: one of {n} files of its folder, more than {MAX_FILES}"


def folders_say_what_they_hold(tree):
    for source in tree.inside(suffixes=PYTHON):
        if source.path.endswith("/__init__.py") and not ast.get_docstring(ast.parse(source.text)):
            yield f"{source.path}:1: does not say what the folder holds"


def files_import_little(tree):
    """A file that needs more than fifteen modules of ours has several subjects.  Tables of contents are exempt."""
    for source in tree.inside():
        if len(source.imports) > MAX_IMPORTS and "/__init__." not in source.path:
            yield f"{source.path}:{source.imports[-1].line}: {len(source.imports)} imports of nd4py"


def imports_point_down(tree):
    """Rank of the target below the file's own; a layer may always import from itself."""
    for source in tree.inside():
        for found in source.imports:
            for target in found.targets:
                parts = target.split(".")
                layer = parts[1] if len(parts) > 1 and parts[1] in RANK else "nd4py"
                if layer != source.layer and RANK[layer] >= RANK[source.layer]:
                    yield f"{source.path}:{found.line}: {source.layer} may not import {layer} ({target})"


def imports_stand_at_the_top(tree):
    """An import inside a function hides a cycle.  What stands below `if TYPE_CHECKING:` is read, and never run."""
    for source in tree.inside():
        lines = source.bare.split("\n")
        for found in source.imports:
            above = next((line for line in reversed(lines[: found.line - 1]) if line and line[0] != " "), "")
            if found.is_indented and not above.startswith("if TYPE_CHECKING:"):
                yield f"{source.path}:{found.line}: indented import"


def imports_have_no_cycle(tree):
    modules = {source.path.rsplit(".", 1)[0].removesuffix("/__init__").replace("/", "."): source
               for source in tree.inside(suffixes=(".py", ".pyx"))}  # fmt: skip
    graph = {name: {m for found in source.imports for m in map(_module_of(modules), found.targets) if m and m != name}
             for name, source in modules.items()}  # fmt: skip
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        yield f"{modules[error.args[1][0]].path}:1: import cycle {' -> '.join(error.args[1])}"


def _module_of(modules):
    """The module a dotted name lives in: the name itself, or its parent when the name is not a module."""
    return lambda target: next((name for name in (target, target.rpartition(".")[0]) if name in modules), None)


def lazy_modules_exist(tree):
    """What is imported at its first use is named by a string, which no compiler and no type checker reads."""
    modules = {path.with_suffix("").as_posix().removesuffix("/__init__").replace("/", ".") for path in tree.files}
    for source in tree.inside():
        package = source.path.rpartition("/")[0].replace("/", ".")
        for found in re.finditer(r"\bLazy(?:Module|Function)\(\s*f?\"([\w.{}]+)\"", source.code):
            name = found[1].replace("{__package__}", package)
            is_standard = name.partition(".")[0] in sys.stdlib_module_names
            if name not in modules and "{" not in name and not is_standard:
                line = source.code.count("\n", 0, found.start()) + 1
                yield f"{source.path}:{line}: there is no module {name}"


def cupy_stays_in_cuda(tree):
    for source in tree.inside():
        if source.layer != "cuda":
            yield from source.grep(r"^\s*(from|import|cimport)\b.*\bcupy\b.*", source.bare)


def devices_are_told_apart_in_exec(tree):
    for source in tree.inside():
        if source.layer != "_exec":
            yield from source.grep(r"\.device\s*[!=]=", source.bare)


# What code has names for that runs on one backend only, or asks which one an array is on.  The public `device=`, the
# attribute `.device`, and the functions that people call with the name of a device are no such thing.
BACKEND_WORDS = (
    r"\b(DeviceArray|\w*elsewhere|by_backend|backends?|backend_\w+|\w+_on_(host|device)|host_\w+|cuda|cupy"
    r"|device_(?!scope\b)\w+|install_for_devices|UnsupportedOnDevice|\w+\.devices|type\(\w+\) is( not)? NDArray)\b"
)


def api_names_no_backend(tree):
    """The api calls functions that know where arrays are, in `_exec`, and never asks itself."""
    for source in tree.inside("api"):
        yield from source.grep(BACKEND_WORDS, source.bare)


def dtypes_are_rows(tree):
    """Backends look dtypes up, `NUMBER["int64"]`, and branch on none; no function per dtype, no fused types."""
    for source in tree.inside("cpu", "cuda", "_exec"):
        code = re.sub(r'NUMBER\["\w+"\]', "", source.code)
        yield from source.grep(r"\b(b?float(16|32|64)|u?int(8|16|32|64))\b", code)
        yield from source.grep(r"\b(cdef|def)\b.*\w_(f16|f32|f64|i32|i64|float|double)\(", source.bare)
    for source in tree.inside():
        yield from source.grep(r"ctypedef fused.*|cimport.*\b(floating|integral|numeric)\b", source.bare)


def layers_above_use_public_names(tree):
    """Networks, data, training: no `cimport`, no underscore, nothing below `api`."""
    for source in tree.inside(*ABOVE_THE_API):
        yield from source.grep(r"\bcimport\b", source.bare)
        for found in source.imports:
            for target in found.targets:
                if target.split(".")[1:2] in (["cpu"], ["cuda"]) or "._" in target:
                    yield f"{source.path}:{found.line}: reaches below the api ({target})"


def threads_have_one_gate(tree):
    """OpenMP in `cpu` and the gate alone, always with its number; Python threads where work is handed over.

    A lock, or the main thread, may stand anywhere, imported by its name: neither competes.
    """
    for source in tree.inside():
        is_gate = source.path.startswith("nd4py/_core/threads/threads")
        if source.layer != "cpu" and not is_gate:
            yield from source.grep(r"\bomp_|cython\.parallel", source.bare)
        if source.layer not in ("parallel", "data", "_mem") and not is_gate:
            thread_makers = (
                r"^\s*(import threading|from threading import (?!(R?Lock|main_thread)$)"
                r"|(from|import) (concurrent|multiprocessing))"
            )
            yield from source.grep(thread_makers, source.bare)
        for call in re.finditer(r"\b(prange|parallel)\(([^)]|\([^)]*\))*\):", source.bare):
            if "num_threads=" not in call[0]:
                line = source.bare.count(chr(10), 0, call.start()) + 1
                yield f"{source.path}:{line}: {call[1]} without num_threads="


def kernels_hold_their_memory(tree):
    """A function that gives up the GIL says before what it reads and writes; waiting for a lock reads nothing."""
    for source in tree.inside("cpu", "cuda", "_exec", suffixes=CYTHON):
        for function in re.finditer(r"^( *)(?:cp?def|def) .*\n(?:(?:\1 +.*| *)\n)*", source.bare, re.M):
            for found in re.finditer(r"^ +with nogil:.*\n(?P<first>.*)", function[0], re.M):
                if ".add" in function[0][: found.start()] or "hold_" in function[0][: found.start()]:
                    continue
                if "PyThread_acquire_lock" not in found["first"]:
                    line = source.bare.count("\n", 0, function.start() + found.start()) + 1
                    yield f"{source.path}:{line}: gives up the GIL without holding the memory it works on"


def sections_begin_at_once(tree):
    """A function enters its section with its first statement, for the section ends wherever the function does."""
    for source in tree.sources:
        for found in re.finditer(r"^(.*)\n\s*?^ +cdef Section section\n(.*)", source.bare, re.M):
            if not found[1].endswith(":") or not re.match(r" +enter(_own)?\(&section", found[2]):
                line = source.bare.count("\n", 0, found.start(2))
                yield f"{source.path}:{line}: a section is entered by the first statement of a function"


def kernels_raise_what_stopped_them(tree):
    """A function that works without the GIL asks afterwards whether a signal ended the work: results are unfinished."""
    for source in tree.inside("cpu", suffixes=CYTHON):
        for function in re.finditer(r"^( *)(?:cp?def|def) .*\n(?:(?:\1 +.*| *)\n)*", source.bare, re.M):
            work = list(re.finditer(r"^ +with nogil:.*\n(?!.*PyThread_acquire_lock)", function[0], re.M))
            if not work:
                continue
            line = source.bare.count("\n", 0, function.start() + work[-1].start()) + 1
            if "raise_if_stopped()" not in function[0][work[-1].end() :]:
                yield f"{source.path}:{line}: gives up the GIL and does not raise what a signal ended the work with"
            if "noexcept" in function[0].split(":\n")[0]:
                yield f"{source.path}:{line}: gives up the GIL and cannot raise what a signal ended the work with"


def memory_comes_from_the_pool(tree):
    for source in tree.inside():
        if not source.path.startswith(("nd4py/_mem/pool/", "nd4py/_mem/diagnostics/pool_events")):
            # The `malloc` of a driver is a device's.
            yield from source.grep(r"(?<!\.)(?<!def )\b(malloc|calloc|realloc|PyMem_\w+)\b", source.bare)


def systems_have_their_headers(tree):
    """What Linux, macOS and Windows do differently stands in headers named so, beside what the others do."""
    only_there = r"#\s*include <(?:sys/|linux/|mach/|dlfcn|windows)|\bposix\.(?:dlfcn|mman)\b"
    for source in tree.inside(suffixes=CYTHON + CPP):
        is_guarded = "#ifdef __linux__" in source.text
        if not source.path.rpartition("/")[2].startswith("system_") and not is_guarded:
            yield from source.grep(only_there, source.text)


# Functions that write to memory which may be read at the same time, and the checks that come before them.
WRITERS = "mark_written|prepare_write|check_writable|prepare_to_write|scatter|scatter_along|write_selected|put_slices"
OVERLAP_QUESTIONS = "disturbs|share_bytes|overlaps|shares|apart|apart_elsewhere|is_apart_and_alike"
# Files that write without asking, and why they may.
WRITE_WITHOUT_ASKING = {
    "nd4py/_core/array/array_base.pyx": "says what preparing and marking are",
    "nd4py/_core/interop/arrow.pyx": "hands memory out and writes none",
    "nd4py/_core/interop/buffers.pyx": "hands memory out and writes none",
    "nd4py/_exec/device/device_operations.pyx": "its backend asks, in rows and copies",
    "nd4py/api/interop/numpy_protocols.py": "NumPy asks",
    "nd4py/cuda/device_averaging.py": "every device adds up memory of its own",
}


def writers_ask_about_overlap(tree):
    """One rule says which arrays share memory, `_core/overlap`; a file that writes to arrays asks it."""
    for source in tree.inside(suffixes=(".py", ".pyx")):
        if source.layer == "cpu" or source.path in WRITE_WITHOUT_ASKING:
            continue
        if not re.search(rf"(?<!def )\b({OVERLAP_QUESTIONS})\(", source.bare):
            yield from source.grep(rf"^(?!.*\bdef ).*\b({WRITERS})\(.*", source.bare)
        if not source.path.startswith("nd4py/_core/layout/overlap"):
            address = r"\.(data|address)\b(?!\[)"
            yield from source.grep(rf"{address}[^=,\n]* [<>]=? [^=,\n]*{address}", source.bare)


def writes_are_counted_first(tree):
    """What is interrupted in the middle of a write has changed: the tape must notice."""
    writers = r"^ +(?:\w+ = )?(?:scatter|scatter_along|write_selected|put|copy_elements|backend\.write)\("
    for source in tree.inside("_exec", "api", suffixes=(".py", ".pyx")):
        for function in re.finditer(r"^( *)(?:cp?def|def) .*\n(?:(?:\1 +.*| *)\n)*", source.bare, re.M):
            before = function[0].partition("mark_written(")[0]
            if before != function[0] and re.search(writers, before, re.M):
                line = source.bare.count("\n", 0, function.start() + len(before)) + 1
                yield f"{source.path}:{line}: counts a write that may have been interrupted before"


# What a module may call while it is imported: small constants and classes, names bound to rows, and upcalls.
CALLS_AT_IMPORT = {
    *("dataclass", "field", "namedtuple", "NamedTuple", "ParamSpec", "TypeVar", "ContextVar", "local", "Lock", "RLock"),
    *("getLogger", "frozenset", "set", "tuple", "list", "dict", "range", "len", "zip", "enumerate", "sorted", "map"),
    *("getattr", "min", "max", "sum", "int", "float", "isinstance", "items", "values", "keys", "get", "update"),
    *("join", "split"),
    *("lru_cache", "wraps", "partial", "contextmanager", "property", "compile", "count", "Path", "DType"),
    *("fill", "fill_in", "check_filled", "row_number", "row_function", "operator_number", "by_backend", "driver"),
    *("differentiable", "differentiable_results", "slice", "BoundedCache", "Counter", "append", "next", "register"),
    *("staticmethod", "globals", "LazyModule", "LazyFunction", "LateFunctions", "late_names"),
    *("names_at_first_use", "name_type", "name_types", "WorkspaceConfiguration", "attach_methods"),
    *("public_names", "classes_of", "Composed"),
}  # fmt: skip
# The exceptions: pool and gate must know limits, debug mode, the end of a thread and a fork before the first call,
# a build for another table or processor is refused at import, and the functions of nd4py.random are methods of a
# generator, NDArray is completed by files of its own, `mgrid` and its like and the manager of workspaces are objects,
# and so are the initializers that have names.  Losses have names that are made from those of their classes.
WORK_AT_IMPORT = {
    "nd4py/__init__.py": {"vars", "update", "register_when_imported"},
    "nd4py/_core/__init__.py": {"find_spec", "ImportError", "dirname"},
    "nd4py/_core/array/released.pyx": {"graft", "set_revoke"},
    "nd4py/_core/upcalls.pyx": {"Upcalls", "DeviceUpcalls"},
    "nd4py/_core/lazy/deferred.pyx": {"graft_deferred"},
    "nd4py/_exec/lazy/materialize.pyx": {"set_scope_upcall", "set_release_upcall", "register_at_fork"},
    "nd4py/_core/array/array.pyx": {"keep_objects"},
    "nd4py/_core/array/array_type.py": {"let_make"},
    "nd4py/_exec/lazy/host_backend.pyx": {"new_backend"},
    "nd4py/cuda/program/device_backend.pyx": {"new_backend"},
    "nd4py/_exec/batching/batch_backend.py": {"BatchFamily"},
    "nd4py/_exec/batching/batched_array.pyx": {"extend"},
    "nd4py/_exec/recording/recording_backend.py": {"RecordingFamily"},
    "nd4py/_exec/recording/recorded_array.pyx": {"extend"},
    "nd4py/cuda/array/device_array.pyx": {"keep_objects"},
    "nd4py/_core/array/methods.pyx": {"extend"},
    "nd4py/_core/array/numpy_methods.pyx": {"extend"},
    "nd4py/api/creation/grid_keys.py": {"Grid", "Joined", "Key"},
    "nd4py/_core/array/workspace_methods.pyx": {"extend"},
    "nd4py/_core/layout/subarrays.pyx": {"extend"},
    "nd4py/_core/workspace_copies.pyx": {"extend"},
    "nd4py/_mem/workspace/workspace_manager.py": {"WorkspaceManager"},
    "nd4py/_mem/workspace/held_memory.pyx": {"register_at_fork"},
    "nd4py/_mem/pool/pool.pyx": {"prepare_threads"},
    "nd4py/_mem/pool/pool_shared.pyx": {"memset"},
    "nd4py/_mem/pool/pool_magazines.pyx": {"memset"},
    "nd4py/_mem/diagnostics/memory_wants.py": {"apply_environment"},
    "nd4py/_mem/pool/pool_guard.pyx": {"start"},
    "nd4py/_core/threads/threads.pyx": {"note_main_thread", "main_thread", "watch_forks", "initial_thread_count"},
    "nd4py/_core/lazy/deferring.pyx": {"fewest_elements"},
    "nd4py/cpu/isa/isa.pyx": {"check", "select"},
    "nd4py/_exec/dispatch/row_table.pyx": {"check", "copy_rows", "copy_dtypes"},
    "nd4py/api/random/__init__.py": {"RandomState"},
    "nd4py/_exec/device/placement.py": {"apply_environment"},
    "nd4py/cuda/allocation/device_arena.pyx": {"extend", "graft"},
    "nd4py/cuda/backend.py": {"CudaBackend"},
    "nd4py/cuda/launch/launch_configuration.pyx": {"__new__"},
    "nd4py/cuda/fallback.py": {"apply_environment"},
    "nd4py/cuda/memory.py": {"apply_environment"},
    "nd4py/nn/losses/losses.py": {"spelled", "has_defaults"},
    "nd4py/nn/initialization/initializers.py": {"Constant", "Orthogonal", "TruncatedNormal", "VarianceScaling"},
    "nd4py/serve/__init__.py": {"ImportError"},  # says which extra has the server
    "nd4py/sklearn/__init__.py": {"ImportError"},  # says which extra has scikit-learn
    "nd4py/keras/__init__.py": {"ImportError"},  # says which extra has h5py
    "nd4py/onnx/__init__.py": {"ImportError"},  # says which extra has onnx
    "nd4py/cuda/compile/loaded_modules.py": {"LoadedModules"},
}
# Descriptions that the models of the zoo have as settings: frozen dataclasses, nothing is computed.
OF_MODELS = {"Adam", "AdamW", "LeakyReLU", "Nesterovs", "RmsProp", "convolutional"}


def imports_do_no_work(tree):
    """Module-level calls come from an allow-list; `_spec` may also call its own row builders."""
    for source in tree.inside(*RANK.keys() - {"_spec"}, suffixes=(".py", ".pyx")):
        allowed = CALLS_AT_IMPORT | WORK_AT_IMPORT.get(source.path, set())
        allowed |= OF_MODELS if source.layer == "zoo" else set()
        calls = _calls_at_import(source.text) if source.suffix == ".py" else _cython_calls_at_import(source.bare)
        wrong = ((line, name) for line, name in calls if not {name, name.removeprefix("_")} & allowed)
        yield from (f"{source.path}:{line}: calls {name}() at import" for line, name in wrong)


def annotations_are_texts(tree):
    """Annotations cost an import nothing, and `help` shows `Operand` in place of the eight types it stands for."""
    for source in tree.inside(suffixes=(".py",)):
        if "\nfrom __future__ import annotations\n" not in source.bare:
            yield from source.grep(r"\) -> ", source.bare)


def _calls_at_import(text):
    """(line, name) of calls outside functions and outside `if __name__ == ...`."""
    is_program = re.compile(r"if __name__\b").match
    nodes = [node for node in ast.parse(text).body if not is_program(ast.unparse(node).partition("\n")[0])]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            nodes += node.decorator_list + node.args.defaults
        elif not isinstance(node, ast.Lambda):
            nodes += ast.iter_child_nodes(node)
        if isinstance(node, ast.Call):
            yield node.lineno, node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "?")


def _cython_calls_at_import(text):
    """(line, name) of calls that begin an unindented statement or stand right of its `=`."""
    for match in re.finditer(r"^(?:(?:cdef [\w* ]+ )?\w+ = )?([\w.]+)\(", text, re.M):
        yield text.count("\n", 0, match.start()) + 1, match[1].split(".")[-1]


def operations_are_listed_once(tree):
    """A file that does not read the table may not hold five of its names as strings (`__all__` and drivers aside)."""
    names = _operation_names(tree)
    for source in tree.inside():
        if source.layer == "_spec" or any("_spec" in target for found in source.imports for target in found.targets):
            continue
        code = re.sub(r"__all__\s*=\s*[\[(][^\])]*[\])]|by_backend\(\"\w+\"|LazyFunction\([^)]*\)", "", source.code)
        held = {text for text in re.findall(r"[\"'](\w+)[\"']", code) if text in names}
        if len(held) >= 5:
            yield f"{source.path}:1: a second list of operations ({', '.join(sorted(held))})"


def operations_are_not_named_in_cpp(tree):
    """Which loop a row has is said by the table: loops that are written by hand name no row's functor."""
    names = "|".join(_operation_names(tree))
    for source in tree.sources:
        if source.suffix in (".h", ".inc", ".cu", ".cuh", ".pyx"):
            yield from source.grep(rf"\bop_({names})(_vjp_\w+)?\b", source.bare)


def _operation_names(tree):
    table = [source for source in tree.inside("_spec") if source.path.endswith("/ops.py")]
    return {name for source in table for name in re.findall(r"^\s*\w+\(\s*\"(\w+)\"", source.text, re.M)}


def file_names_say_the_subject(tree):
    """No bucket (`util`) and no second engine for one job (`new_`, `_v2`)."""
    for source in tree.inside(suffixes=PYTHON + CYTHON + CPP):
        if re.search(r"(util|helper|common|misc|legacy|(?<!isa)_v\d|(^|/)new_)", source.path):
            yield f"{source.path}:1: the file's name does not say its subject"


# Families, of which each layer has its part, and what lower layers call in higher ones.
IN_SEVERAL_LAYERS = {
    *("creation", "convolution", "correlation", "factorizations", "matmul", "memory", "random", "reductions", "scans"),
    "upcalls",
}  # fmt: skip


def file_names_have_one_meaning(tree):
    """A name stands in one folder, but for families and operations, once in a layer, and nd4py's names at its top."""
    folders, of_layers = {}, IN_SEVERAL_LAYERS | _operation_names(tree)
    for source in tree.inside(suffixes=(".py", ".pyx", ".h", ".inc")):
        folder, _, file_name = source.path.rpartition("/")
        stem = file_name.partition(".")[0]
        key = (stem, source.layer if stem in of_layers else "")
        if stem != "__init__" and source.layer != "nd4py" and folders.setdefault(key, folder) != folder:
            yield f"{source.path}:1: {folders[key]} has a file of this name"


def directives_stand_in_setup(tree):
    """Cython directives are set for every module at once, in setup.py."""
    pattern = r"^#\s*(cython|distutils):.*|^\s*@cython\.(boundscheck|wraparound|cdivision|initializedcheck).*"
    for source in tree.inside(suffixes=CYTHON):
        yield from source.grep(pattern, source.text)


def c_functions_state_how_they_fail(tree):
    """A cdef function with a C result says `noexcept` or `except ...`."""
    c_type = r"(?:const )?(?:void|int|bint|char|float|double|size_t|Py_ssize_t|u?int\d+_t|\w+Loops?|\w+_fn)\b"
    pattern = rf"^\s*cdef (?:inline )?{c_type}(?: const)?\s*\**\s*\w+\((?:[^()]|\([^()]*\))*\)(?P<rest>[^\n]*)"
    for source in tree.inside(suffixes=CYTHON):
        for match in re.finditer(pattern, source.bare, re.M):
            if "except" not in match["rest"]:
                line = source.bare.count("\n", 0, match.start()) + 1
                yield f"{source.path}:{line}: does not state how it fails"


# Words that this project had of its own, where the field says defer, deferred, materialize and attached array.  Written
# with brackets so that the pattern does not find itself.
FORMER_WORDS = r"\b(put(s|ting)? of[f]|pendin[g]|settl[e]\w*|tenan[ct]\w*)\b"


def words_are_those_of_the_field(tree):
    for source in tree.sources:
        yield from source.grep(FORMER_WORDS, source.text)


def nothing_is_left_open(tree):
    # Written with brackets so that the pattern does not find itself.
    pattern = r"TO[D]O|FIX[M]E|XX[X]|NotImplementedError[(][)]|pytest\.mark\.ski[p][(]"
    for source in tree.sources:
        yield from source.grep(pattern, source.text)


RULES = (
    files_are_short,
    lines_are_short,
    folders_are_small,
    folders_say_what_they_hold,
    files_import_little,
    imports_point_down,
    imports_stand_at_the_top,
    imports_have_no_cycle,
    lazy_modules_exist,
    cupy_stays_in_cuda,
    devices_are_told_apart_in_exec,
    api_names_no_backend,
    dtypes_are_rows,
    layers_above_use_public_names,
    threads_have_one_gate,
    kernels_hold_their_memory,
    sections_begin_at_once,
    kernels_raise_what_stopped_them,
    memory_comes_from_the_pool,
    systems_have_their_headers,
    writers_ask_about_overlap,
    writes_are_counted_first,
    imports_do_no_work,
    annotations_are_texts,
    operations_are_listed_once,
    operations_are_not_named_in_cpp,
    file_names_say_the_subject,
    file_names_have_one_meaning,
    directives_stand_in_setup,
    c_functions_state_how_they_fail,
    words_are_those_of_the_field,
    nothing_is_left_open,
)

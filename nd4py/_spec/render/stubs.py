"""Type stubs of the compiled modules, made from their sources.

An argument has the type of its annotation, else the Python type of its C type.  A result has an annotation.  An array's
method that is a function of the namespace too has that function's types; Python's operators and protocols have theirs.
What a class that others are made of gives of its own kind is `Self`.

Design: not mypy's stubgen, which imports what is compiled and knows the names of arguments only.  The stubs are
committed, so that a fresh clone can be checked before it is built; a test says when one is stale.
"""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

from .cython_definitions import Argument, Function, Module, Type, argument_of, module_of, separated

HEADER = "# Made from {} by the build (nd4py/_spec/render/stubs.py); change the source, not this file.\n"
LINE_LENGTH = 120
ANNOTATIONS = "nd4py._core.annotations"

BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift", "matmul")
# (arguments after self, result) of Python's protocols; {own} is the class, {other} what its operators take.
PROTOCOLS = {
    **{f"__{side}{name}__": ("other: {other}", "{own}") for name in BINARY for side in ("", "r")},
    **{f"__i{name}__": ("other: {other}", "Self") for name in BINARY},
    **{f"__{name}__": ("other: {other}", "{own}") for name in ("eq", "ne", "lt", "le", "gt", "ge")},
    **{f"__{name}__": ("", "{own}") for name in ("neg", "pos", "abs", "invert", "copy")},
    "__deepcopy__": ("memo: object", "{own}"),
    "__len__": ("", "int"),
    "__bool__": ("", "bool"),
    "__int__": ("", "int"),
    "__index__": ("", "int"),
    "__float__": ("", "float"),
    "__complex__": ("", "complex"),
    "__iter__": ("", "Iterator[{own}]"),
    "__contains__": ("value: object", "bool"),
    "__format__": ("specification: str, /", "str"),
    "__round__": ("n_digits: int | None = None", "Any"),
    "__reduce__": ("", "tuple[Any, ...]"),
    "__reduce_ex__": ("protocol: SupportsIndex, /", "tuple[Any, ...]"),
    "__getbuffer__": ("flags: int, /", "memoryview"),
    "__getitem__": ("key: Any", "Any"),
    "__setitem__": ("key: Any, value: Any", "None"),
    "__array_namespace__": ("*, api_version: str | None = None", "Any"),
    "__array_ufunc__": ("ufunc: Any, method: str, *inputs: Any, **keywords: Any", "Any"),
    "__array_function__": ("function: Any, types: Any, args: Any, keywords: Any", "Any"),
    "__array__": ("dtype: Any = None, copy: bool | None = None", "numpy.ndarray[Any, Any]"),
    "__dlpack_device__": ("", "tuple[int, int]"),
    "__enter__": ("", "Self"),
    "__exit__": (
        "kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None", "None",
    ),
}  # fmt: skip
NOT_TYPED = {
    f"__{name}__"
    for name in (
        *("dealloc", "del", "releasebuffer", "repr", "str"),
        *("dir", "delitem", "delattr", "getattribute", "setattr"),
    )
}
RENAMED = {"__getbuffer__": "__buffer__", "__cinit__": "__init__"}
# What object's own methods promise otherwise.
EXCEPTIONS = {"__rmul__": "misc, unused-ignore", "__eq__": "override", "__ne__": "override"}
EXCEPTIONS["__hash__"] = "assignment, unused-ignore"  # which some types have and others do not
# What may stand on the other side of an array's operators; products of matrices take arrays alone.
OPERANDS = {"NDArray": "Operand", "Self": "Operand | Self"}
# What arrays of every kind have in common: each kind has it with its own types.
SHARED = "ArrayBase"
BUILT_IN = {"None", "True", "False", "BaseException"}
OUTSIDE = {
    **dict.fromkeys(("Any", "ClassVar", "Self", "SupportsIndex", "TypeGuard"), "typing"),
    **dict.fromkeys(("Callable", "Iterable", "Iterator", "Sequence"), "collections.abc"),
    "AbstractContextManager": "contextlib",
    "TracebackType": "types",
}


class Stubs:
    """The stubs of all compiled modules below a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.modules = [module_of(path, root) for path in sorted((root / "nd4py").rglob("*.pyx"))]
        self.functions = namespace_functions(root)
        self.homes = homes(root) | {name: module.name for module in self.modules for name in module.types}
        by_name = {name: found for module in self.modules for name, found in module.types.items()}
        self.bases = {found.base for found in by_name.values()}
        for module in self.modules:
            for extension, extended in module.extensions:
                by_name[extended].functions += module.types[extension].functions
                module.types[extension].functions = []
        if shared := by_name.get(SHARED):
            for found in by_name.values():
                if found.base == SHARED:
                    add_shared(found, shared)
            shared.functions, shared.attributes, shared.constants = [], [], []

    def texts(self) -> dict[Path, str]:
        """The text of every stub by its path; a module that Python has nothing of has none."""
        return {
            module.path.with_suffix(".pyi"): text for module in self.modules if (text := self.text(module)) is not None
        }

    def text(self, module: Module) -> str | None:
        """The stub of a module."""
        parts = [f"{name}: {type_}\n" for name, type_ in module.constants]
        parts += [self.function(module, each, "") for each in module.functions]
        parts += [self.type(module, each) for each in module.types.values()]
        if not parts:
            return None
        body = "".join(parts).replace("\nclass ", "\n\nclass ")
        imports = self.imports(module, body)
        source = module.path.relative_to(self.root).as_posix()
        return HEADER.format(source) + (imports and f"{imports}\n") + body

    def imports(self, module: Module, body: str) -> str:
        """The imports that a stub's types need.  Raises ValueError for a name that is nowhere."""
        needed: dict[str, set[str]] = {}
        types = re.sub(r"#.*|\"[^\"]*\"|'[^']*'", "", body)
        for name in set(re.findall(r"(?<![\w.])[A-Z]\w*", types)):
            if name in module.types or name in BUILT_IN or re.search(rf"^\s*(def )?{name}\b", body, re.M):
                continue
            home = module.imports.get(name) or self.homes.get(name)
            if home is None:
                raise ValueError(f"{module.path}: the type {name} is not known; nd4py._core.annotations may define it")
            needed.setdefault(home, set()).add(name)
        lines = ["import numpy\n"] * ("numpy." in types)
        return "".join(lines + [f"from {home} import {', '.join(sorted(needed[home]))}\n" for home in sorted(needed)])

    def type(self, module: Module, found: Type) -> str:
        """A class of a stub."""
        base = f"({found.base})" if found.base and found.base in {*module.types, *module.imports} else ""
        types = {"None": "None", "100.0": "float"}
        lines = [
            f"    {name}: ClassVar[{types[value]}]{ignored(name)}\n"
            for name, value in found.constants
            if value in types
        ]
        own = {each.name for each in found.functions}
        for name, type_, is_assigned in found.attributes:
            if name in own:
                continue
            lines.append(f"    {name}: {type_}\n" if is_assigned else property_text(name, type_))
        lines += [self.method(module, found, each) for each in found.functions]
        body = "".join(lines)
        return f"class {found.name}{base}:\n{body}" if body else f"class {found.name}{base}: ...\n"

    def method(self, module: Module, found: Type, function: Function) -> str:
        """A method or property of a class, by the rules at the top of this file."""
        name = function.name
        if name in NOT_TYPED or (name.startswith("_") and not name.startswith("__")):
            return ""
        own = "Self" if found.name in self.bases else found.name
        if name in ("__init__", "__cinit__"):
            function.result = "None"
        elif function.result is None and name in PROTOCOLS:
            arguments, result = PROTOCOLS[name]
            other = OPERANDS.get(own, "Any")
            if "matmul" in name and other != "Any":
                other = own
            text = ", ".join(filter(None, ["self", arguments.format(other=other)]))
            return definition(RENAMED.get(name, name), text, result.format(own=own), "    ")
        elif found.is_array and name in self.functions and "property" not in function.decorators:
            function = self.completed(function, self.functions[name], own)
        if any(each.endswith(".setter") for each in function.decorators):
            if function.result == "NoReturn":  # it says what to do instead
                return ""
            return definition(name, argument_text(function.arguments, True), "None", "    ", f"    @{name}.setter\n")
        decorator = "    @property\n" if "property" in function.decorators else ""
        return self.function(module, function, "    ", decorator)

    def completed(self, function: Function, of_namespace: ast.FunctionDef, own: str) -> Function:
        """A method with the types that the function of its name has."""
        result = function.result or ast.unparse(of_namespace.returns or ast.Name("Any")).replace("NDArray", own)
        given = of_namespace.args
        types = {
            each.arg: ast.unparse(each.annotation)
            for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)
            if each.annotation
        }
        arguments = [
            Argument(each.name, each.type or types.get(each.name, ""), each.default) for each in function.arguments
        ]
        if [each.name for each in arguments[1:]] == ["*args", "**keywords"] and not arguments[1].type:
            rest = ast.parse(f"def f({ast.unparse(given)}): ...").body[0]
            assert isinstance(rest, ast.FunctionDef)
            del (rest.args.posonlyargs or rest.args.args)[0]
            written = ast.unparse(rest.args).removeprefix("/, ")
            arguments = [arguments[0], *(argument_of(spaced(part), Path()) for part in separated(written))]
        return Function(function.name, arguments, result, function.decorators)

    def function(self, module: Module, function: Function, indent: str, decorator: str = "") -> str:
        """A function of a stub.  Raises ValueError where its source does not say what it returns."""
        if function.result is None:
            raise ValueError(f"{module.path}: {function.name} has no type of its result; annotate it: `-> ...`")
        name = RENAMED.get(function.name, function.name)
        result = function.result
        if "contextmanager" in function.decorators:
            result = re.sub(r"^Iterator\[(.*)\]$", r"AbstractContextManager[\1]", result)
        return definition(name, argument_text(function.arguments, bool(indent)), result, indent, decorator)


def add_shared(kind: Type, shared: Type) -> None:
    """Give a kind of arrays what all have in common, where it has nothing of its own of that name."""
    own = {each.name for each in kind.functions}
    kind.attributes = shared.attributes + kind.attributes
    kind.constants = shared.constants + kind.constants
    kind.functions = [
        replace(each, result=each.result and re.sub(rf"\b{SHARED}\b", kind.name, each.result))
        for each in shared.functions
        if each.name not in own
    ] + kind.functions


def spaced(argument: str) -> str:
    """An argument as `ast.unparse` writes it, with spaces around the sign before its default."""
    return re.sub(r"(?<=[\w\]])=", " = ", argument, count=1)


def argument_text(arguments: list[Argument], is_method: bool) -> str:
    """The arguments of a definition; those without a type may be anything."""
    texts = []
    for number, argument in enumerate(arguments):
        if argument.name in ("*", "/") or (is_method and number == 0):
            texts.append(argument.name)
        else:
            texts.append(str(Argument(argument.name, argument.type or "Any", argument.default)))
    return ", ".join(texts)


def ignored(name: str) -> str:
    """The comment that a type checker needs where a member is not what object's is."""
    return f"  # type: ignore[{EXCEPTIONS[name]}]" if name in EXCEPTIONS else ""


def property_text(name: str, type_: str) -> str:
    """An attribute that may be read alone."""
    return f"    @property\n    def {name}(self) -> {type_}: ...\n"


def definition(name: str, arguments: str, result: str, indent: str, decorator: str = "") -> str:
    """A `def` of a stub, in one line or one line an argument."""
    line = f"{indent}def {name}({arguments}) -> {result}: ...{ignored(name)}\n"
    if len(line) > LINE_LENGTH:
        lines = "".join(f"{indent}    {argument},\n" for argument in separated(arguments))
        line = f"{indent}def {name}(\n{lines}{indent}) -> {result}: ...\n"
    return decorator + line


def homes(root: Path) -> dict[str, str]:
    """The modules that types come from, by their names: classes in Python, and aliases of long types."""
    found: dict[str, str] = {}
    for path in sorted((root / "nd4py").rglob("*.py")):
        for name in re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.M):
            found.setdefault(name, ".".join(path.relative_to(root).with_suffix("").parts))
    text = (root / "nd4py/_core/annotations.py").read_text(encoding="utf-8")
    return found | dict.fromkeys(re.findall(r"^(\w+)(?:: TypeAlias)? = ", text, re.M), ANNOTATIONS) | OUTSIDE


def namespace_functions(root: Path) -> dict[str, ast.FunctionDef]:
    """The public functions of `nd4py.api` by their names."""
    found: dict[str, ast.FunctionDef] = {}
    for path in sorted((root / "nd4py/api").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        public = public_names(tree) or ()
        found |= {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in public}
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id in found:
                found[ast.unparse(node.targets[0])] = found[node.value.id]  # another name of the function
    return found


def public_names(tree: ast.Module) -> list[str] | None:
    """What a module lists in `__all__`, or None where it lists nothing of that kind."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and ast.unparse(node).startswith("__all__"):
            return re.findall(r"'(\w+)'", ast.unparse(node))
    return None

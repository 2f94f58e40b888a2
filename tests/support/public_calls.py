"""A good call of what is public beside functions of arrays: `CALLS[label]()` is the call, made of fresh objects.

Those of networks and data are in `training_calls`.  Files are written to the current folder.
"""

import functools
import io
import math
import tempfile
from pathlib import Path

import nd4py as nd

call = functools.partial


def x(*shape):
    """Numbers of a shape."""
    return nd.reshape(nd.arange(1.0, math.prod(shape) + 1.0), shape)


def of(make, **methods):
    """{method: call} of an object that `make` gives, with the arguments that a function without any gives."""
    return {name: functools.partial(bound, make, name, arguments) for name, arguments in methods.items()}


def bound(make, name, arguments):
    """The call of one method."""
    return call(getattr(make(), name), *arguments())


def manager():
    """The workspace manager, with a workspace of the thread's own."""
    nd.workspace_manager.get_workspace_for_current_thread(id="public calls")
    return nd.workspace_manager


def workspace():
    """A workspace with memory."""
    return nd.workspace("public calls, sized", nd.WorkspaceConfiguration(policy_reuse="when_freed"))


def profiled():
    """A profile that has seen two operations."""
    with nd.profile() as profile:
        x(3) + 1
    return profile


FILES = tempfile.TemporaryDirectory()  # lasts as long as the process


def saved(name, write):
    """The path of a file, written when it is missing."""
    path = Path(FILES.name) / name
    if not path.exists():
        write(path)
    return path


def array_file():
    """An array that was saved."""
    return saved("array.npy", lambda path: nd.save(path, x(3)))


def raw_file():
    """The bytes of an array."""
    return saved("array.raw", lambda path: x(3).tofile(path))


ARRAYS = of(
    lambda: x(2, 3),
    all=lambda: (0,), any=lambda: (0,), argpartition=lambda: (1,), compress=lambda: ([True, False], 0),
    dump=lambda: ("saved.pickle",), fill=lambda: (1.0,), flatten=lambda: ("C",), item=lambda: (2,),
    partition=lambda: (1,), put=lambda: ([0], 1.0), ravel=lambda: ("C",),
    setflags=lambda: (True,), sort=lambda: (0,), tobytes=lambda: ("C",), tofile=lambda: ("saved.raw",),
    trace=lambda: (1,), view=lambda: ("int64",), copy=lambda: ("C",), argmax=lambda: (0,), argmin=lambda: (0,),
    argsort=lambda: (0,),
    astype=lambda: ("float32",), broadcast_to=lambda: ((4, 2, 3),), clip=lambda: (1.0, 2.0), cumprod=lambda: (0,),
    cumsum=lambda: (0,), diagonal=lambda: (1,), dot=lambda: (x(3, 2),), leverage_or_detach=lambda: ("nowhere",),
    leverage_to=lambda: ("nowhere",), max=lambda: (0,), mean=lambda: (0,), migrate=lambda: (False,), min=lambda: (0,),
    permute_dims=lambda: ((1, 0),), prod=lambda: (0,), repeat=lambda: (2, 0), reshape=lambda: ((3, 2),),
    std=lambda: (0,), sum=lambda: (0,), swapaxes=lambda: (0, 1), take=lambda: ([0, 1], 0),
    tensor_along_dimension=lambda: (0, 1), tensors_along_dimension=lambda: (1,), to_device=lambda: ("cpu",),
    round=lambda: (1,), transpose=lambda: ((1, 0),), var=lambda: (0,),
)  # fmt: skip
ARRAYS["choose"] = lambda: call(nd.asarray([0, 1]).choose, [x(2), x(2)])
ARRAYS["searchsorted"] = lambda: call(x(3).searchsorted, 2.0)
ARRAYS["squeeze"] = lambda: call(x(2, 1).squeeze, 1)

NAMESPACE = {
    "combine": lambda: call(nd.combine, False),
    "explain": lambda: call(nd.explain, x(3)),
    "helpers": lambda: call(nd.helpers, True),
    "select_instruction_set": lambda: call(nd.select_instruction_set, None),
    "threads": lambda: call(nd.threads, 1),
    "DType": lambda: call(nd.DType, 1),
    "can_cast": lambda: call(nd.can_cast, "int8", "int16"),
    "finfo": lambda: call(nd.finfo, "float32"),
    "iinfo": lambda: call(nd.iinfo, "int8"),
    "isdtype": lambda: call(nd.isdtype, nd.int8, "integral"),
    "result_type": lambda: call(nd.result_type, "int8", x(3)),
    "load": lambda: call(nd.load, array_file()),
    "save": lambda: call(nd.save, "saved.npy", x(3)),
    "save, a file": lambda: call(nd.save, io.BytesIO(), x(3), format="npy"),
    "save, named": lambda: call(nd.save, "saved.safetensors", {"a": x(3)}, metadata={"b": "c"}),
    "savez": lambda: call(nd.savez, "saved.npz", x(3)),
    "savez_compressed": lambda: call(nd.savez_compressed, "saved.npz", x(3)),
    "bartlett": lambda: call(nd.bartlett, 5),
    "blackman": lambda: call(nd.blackman, 5),
    "hamming": lambda: call(nd.hamming, 5),
    "hanning": lambda: call(nd.hanning, 5),
    "kaiser": lambda: call(nd.kaiser, 5, 8.6),
    "base_repr": lambda: call(nd.base_repr, 100, 16, 2),
    "binary_repr": lambda: call(nd.binary_repr, 100, 12),
    "issubdtype": lambda: call(nd.issubdtype, nd.int8, nd.integer),
    "promote_types": lambda: call(nd.promote_types, "int8", "float32"),
    "Profile.totals": lambda: call(profiled().totals, "kind"),
    "Profile.table": lambda: call(profiled().table, "calls", 3, "line"),
    "Profile.pairs": lambda: call(profiled().pairs),
    "Profile.to_chrome_trace": lambda: call(profiled().to_chrome_trace, "trace.json"),
    "Profile.to_tensorboard": lambda: call(profiled().to_tensorboard, "logs", 1),
    "set_panic": lambda: call(nd.set_panic, None),
    "panic": lambda: call(nd.panic, "nan"),
    "capture": lambda: call(nd.capture, nd.sum, x(3)),
    "Graph.repeated": lambda: call(nd.capture(nd.sum, x(3)).repeated, x(3)),
    "grad": lambda: call(nd.grad, nd.sum, 0),
    "vjp": lambda: call(nd.vjp, nd.sin, x(3)),
    "jvp": lambda: call(nd.jvp, nd.sin, (x(3),), (x(3),)),
    "hvp": lambda: call(nd.hvp, nd.sum, (x(3),), (x(3),)),
    "jacobian": lambda: call(nd.jacobian, nd.sin, 0),
    "jacobian of": lambda: call(lambda given: nd.jacobian(nd.sin)(given), x(3)),
    "hessian": lambda: call(nd.hessian, nd.sum, 0),
    "hessian of": lambda: call(lambda given: nd.hessian(lambda x: nd.sum(nd.sin(x)))(given), x(3)),
    "checkpoint": lambda: call(nd.checkpoint, nd.sin),
    "grad of checkpoint": lambda: call(lambda given: nd.grad(lambda x: nd.sum(nd.checkpoint(nd.sin)(x)))(given), x(3)),
    "custom_gradient": lambda: call(nd.custom_gradient, lambda x: (x, lambda g: g)),
    "value_and_grad": lambda: call(nd.value_and_grad, nd.sum, 0),
    "vmap": lambda: call(nd.vmap, nd.sum, 0, 0),
    "vmap of": lambda: call(lambda given: nd.vmap(lambda x: nd.sum(nd.exp(x) * x))(given), x(3)),
    "grad of": lambda: call(lambda given: nd.grad(lambda x: nd.sum(nd.exp(x) * x))(given), x(3)),
    "array2string": lambda: call(nd.array2string, x(3)),
    "array_repr": lambda: call(nd.array_repr, x(3)),
    "array_str": lambda: call(nd.array_str, x(3)),
    "broadcast": lambda: call(nd.broadcast, x(3), x(2, 1)),
    "diag_indices": lambda: call(nd.diag_indices, 3),
    "einsum_path": lambda: call(nd.einsum_path, "ij,jk", x(2, 3), x(3, 2)),
    "errstate": lambda: call(nd.errstate, divide="ignore"),
    "flatiter": lambda: call(nd.flatiter, x(2, 3)),
    "format_float_positional": lambda: call(nd.format_float_positional, 1.5),
    "format_float_scientific": lambda: call(nd.format_float_scientific, 1.5),
    "fromfile": lambda: call(nd.fromfile, raw_file()),
    "fromfunction": lambda: call(nd.fromfunction, lambda *grids: sum(grids), (2, 3)),
    "fromiter": lambda: call(nd.fromiter, [1, 2, 3], "int64"),
    "fromregex": lambda: call(nd.fromregex, io.StringIO("a 1 b 2"), r"(\d)", [("digit", int)]),
    "fromstring": lambda: call(nd.fromstring, "1 2 3", sep=" "),
    "genfromtxt": lambda: call(nd.genfromtxt, ["1 2", "3 4"]),
    "info": lambda: call(nd.info, x(3), 76, io.StringIO()),
    "loadtxt": lambda: call(nd.loadtxt, ["1 2", "3 4"]),
    "mask_indices": lambda: call(nd.mask_indices, 3, nd.triu),
    "may_share_memory": lambda: call(nd.may_share_memory, x(3), x(3)),
    "memmap": lambda: call(nd.memmap, raw_file(), "float64", "r"),
    "ndenumerate": lambda: call(nd.ndenumerate, x(2, 3)),
    "ndindex": lambda: call(nd.ndindex, 2, 3),
    "nditer": lambda: call(nd.nditer, x(2, 3)),
    "poly1d": lambda: call(nd.poly1d, [1.0, 2.0]),
    "poly1d.deriv": lambda: call(nd.poly1d([1.0, 2.0]).deriv, 1),
    "poly1d.integ": lambda: call(nd.poly1d([1.0, 2.0]).integ, 1, 2.0),
    "poly1d.of_coefficients": lambda: call(nd.poly1d([1.0, 2.0]).of_coefficients, [1.0, 2.0]),
    "printoptions": lambda: call(nd.printoptions, precision=3),
    "savetxt": lambda: call(nd.savetxt, "saved.txt", x(3)),
    "set_printoptions": lambda: call(nd.set_printoptions, precision=8),
    "show_config": lambda: call(nd.show_config, "dicts"),
    "seterr": lambda: call(nd.seterr, divide="warn"),
    "seterrcall": lambda: call(nd.seterrcall, None),
    "shares_memory": lambda: call(nd.shares_memory, x(3), x(3)),
    "tril_indices": lambda: call(nd.tril_indices, 3),
    "triu_indices": lambda: call(nd.triu_indices, 3),
    "vectorize": lambda: call(nd.vectorize, lambda a: a + 1),
    "geomspace": lambda: call(nd.geomspace, 1.0, 8.0, 4),
    "logspace": lambda: call(nd.logspace, 0.0, 2.0, 3),
    "identity": lambda: call(nd.identity, 3),
    "indices": lambda: call(nd.indices, (2, 3)),
    "tri": lambda: call(nd.tri, 3, 4, 1),
    "broadcast_shapes": lambda: call(nd.broadcast_shapes, (2, 1), (3,)),
    "device": lambda: call(nd.device, "cpu"),
    "frombuffer": lambda: call(nd.frombuffer, b"x" * 24, dtype="float64", shape=(3,)),
    "set_default_device": lambda: call(nd.set_default_device, "cpu"),
    "workspace": lambda: call(nd.workspace, "public calls"),
    "WorkspaceConfiguration": lambda: call(nd.WorkspaceConfiguration, initial_size=1000),
    **of(lambda: nd.flatiter(x(2, 3)), element=lambda: ((1, 2),)),
    **of(nd.__array_namespace_info__, default_dtypes=lambda: (), dtypes=lambda: ()),
    **of(workspace, record_places=lambda: ([],), toggle_workspace_use=lambda: (True,)),
    **of(
        manager, check_if_workspace_exists=lambda: ("x",), check_if_workspace_exists_and_active=lambda: ("x",),
        create_new_workspace=lambda: (nd.WorkspaceConfiguration(), "new"), destroy_workspace=lambda: (workspace(),),
        get_and_activate_workspace=lambda: (None, "activated"),
        get_workspace_for_current_thread=lambda: (None, "public calls"),
        set_debug_mode=lambda: (nd.WorkspaceDebugMode.DISABLED,),
        set_default_configuration=lambda: (nd.WorkspaceConfiguration(),),
        set_workspace_for_current_thread=lambda: (workspace(),),
    ),
}  # fmt: skip

MEMORY = {
    "human": lambda: call(nd.memory.human, 1000),
    "lay_out": lambda: call(nd.memory.lay_out, [("a", 100), ("b", 50), ("a", 0)]),
    "plot_timeline": lambda: call(nd.memory.plot_timeline, "timeline.png", recording()),
    "set_limits": lambda: call(nd.memory.set_limits),
    "set_report_path": lambda: call(nd.memory.set_report_path, None),
    "start_recording": lambda: call(nd.memory.start_recording, 1000),
}


def recording():
    """What a recording gives."""
    nd.memory.start_recording()
    nd.ones(3)
    return nd.memory.stop_recording()


RANDOM = {
    **of(
        lambda: nd.random.Generator(3),
        bernoulli=lambda: (0.5, 3), beta=lambda: (1.0, 2.0, 3), binomial=lambda: (5, 0.5, 3),
        categorical=lambda: (x(3),), choice=lambda: (5, 3), exponential=lambda: (1.0, 3), gamma=lambda: (1.0, 2.0, 3),
        gumbel=lambda: (0.0, 1.0, 3), integers=lambda: (0, 5, 3), laplace=lambda: (0.0, 1.0, 3),
        multinomial=lambda: (5, [0.5, 0.5], 3), normal=lambda: (0.0, 1.0, 3), permutation=lambda: (5,),
        poisson=lambda: (2.0, 3), random=lambda: (3,), standard_normal=lambda: (3,),
        truncated_normal=lambda: (-1.0, 1.0, 0.0, 1.0, 3), uniform=lambda: (0.0, 1.0, 3),
        bytes=lambda: (3,), chisquare=lambda: (2.0, 3), dirichlet=lambda: ([1.0, 2.0], 3), f=lambda: (2.0, 3.0, 3),
        hypergeometric=lambda: (5, 4, 3, 2), multivariate_hypergeometric=lambda: ([3, 4], 2, 3),
        geometric=lambda: (0.5, 3), logistic=lambda: (0.0, 1.0, 3), lognormal=lambda: (0.0, 1.0, 3),
        logseries=lambda: (0.5, 3), multivariate_normal=lambda: ([0.0, 1.0], [[2.0, 0.5], [0.5, 1.0]], 3),
        negative_binomial=lambda: (2.0, 0.5, 3), noncentral_chisquare=lambda: (2.0, 1.0, 3),
        noncentral_f=lambda: (2.0, 3.0, 1.0, 3), pareto=lambda: (3.0, 3), permuted=lambda: (x(5),),
        power=lambda: (2.0, 3), rayleigh=lambda: (2.0, 3), shuffle=lambda: (x(5),), spawn=lambda: (2,),
        standard_cauchy=lambda: (3,), standard_exponential=lambda: (3,), standard_gamma=lambda: (2.0, 3),
        standard_t=lambda: (4.0, 3), triangular=lambda: (0.0, 1.0, 3.0, 3), vonmises=lambda: (0.0, 2.0, 3),
        wald=lambda: (1.0, 2.0, 3), weibull=lambda: (2.0, 3), zipf=lambda: (3.0, 3),
    ),
    **of(
        lambda: nd.random.RandomState(3), rand=lambda: (2, 3), randint=lambda: (0, 5, 3), randn=lambda: (2, 3),
        random_integers=lambda: (1, 5, 3), random_sample=lambda: (3,),
    ),
    "RandomState": lambda: call(nd.random.RandomState, 3),
    "Generator": lambda: call(nd.random.Generator, 3),
    "default_rng": lambda: call(nd.random.default_rng, 3),
    "BitGenerator": lambda: call(nd.random.BitGenerator, 3),
    "BitGenerator.spawn": lambda: call(nd.random.BitGenerator(3).spawn, 2),
    "MT19937": lambda: call(nd.random.MT19937, 3),
    "PCG64": lambda: call(nd.random.PCG64, 3),
    "PCG64DXSM": lambda: call(nd.random.PCG64DXSM, 3),
    "Philox": lambda: call(nd.random.Philox, 3),
    "SFC64": lambda: call(nd.random.SFC64, 3),
    "SeedSequence": lambda: call(nd.random.SeedSequence, 3),
    "SeedSequence.spawn": lambda: call(nd.random.SeedSequence(3).spawn, 2),
    "SeedSequence.generate_state": lambda: call(nd.random.SeedSequence(3).generate_state, 2),
    "seed": lambda: call(nd.random.seed, 3),
    "set_state": lambda: call(nd.random.set_state, nd.random.get_state()),
}  # fmt: skip


CALLS = {
    **{f"NDArray.{name}": make for name, make in ARRAYS.items()},
    **NAMESPACE,
    **{f"memory.{name}": make for name, make in MEMORY.items()},
    **{f"random.{name}": make for name, make in RANDOM.items()},
}

"""Random numbers that depend on a seed alone, not on the number of threads.

Use `Generator`: it has a seed, and its state can be saved.  The functions beside it are the methods of
one generator that the whole process shares.  Threads may call them at the same time; each gets numbers of its own, but
which ones depends on timing.  The generator gets its seed when the first of them is asked for: a child made by fork
continues from where its parent was, or has a seed of its own where the parent never asked.

The files, as the build lists them:

- continuous.py: Continuous distributions.
- discrete.py: Discrete distributions.
- distribution_parameters.py: Parameters of distributions: shapes, numbers and arrays of numbers, checked and converted.
- generator.py: The random generator: a seed, and a position in its stream.
- probabilities.py: Probabilities of categories, checked and added up.
- sampling.py: Permutations and random choices.
"""

from .generator import Generator, default_rng

__all__ = [
    "Generator",
    "bernoulli",
    "beta",
    "binomial",
    "categorical",
    "choice",
    "default_rng",
    "exponential",
    "gamma",
    "get_state",
    "gumbel",
    "integers",
    "laplace",
    "multinomial",
    "normal",
    "permutation",
    "poisson",
    "random",
    "seed",
    "set_state",
    "standard_normal",
    "truncated_normal",
    "uniform",
]

_GENERATOR = Generator()
bernoulli = _GENERATOR.bernoulli
beta = _GENERATOR.beta
binomial = _GENERATOR.binomial
categorical = _GENERATOR.categorical
choice = _GENERATOR.choice
exponential = _GENERATOR.exponential
gamma = _GENERATOR.gamma
gumbel = _GENERATOR.gumbel
integers = _GENERATOR.integers
laplace = _GENERATOR.laplace
multinomial = _GENERATOR.multinomial
normal = _GENERATOR.normal
permutation = _GENERATOR.permutation
poisson = _GENERATOR.poisson
random = _GENERATOR.random
standard_normal = _GENERATOR.standard_normal
truncated_normal = _GENERATOR.truncated_normal
uniform = _GENERATOR.uniform


def seed(value: int | None = None) -> None:
    """Restart the shared generator from a seed, by default one from the operating system.

    Raises ValueError for a seed outside [0, 2**64), TypeError for a number that is not whole.
    """
    _GENERATOR.state = {"seed": Generator(value).state["seed"], "offset": 0}


def get_state() -> dict[str, int]:
    """The state of the shared generator, for `set_state`.  Raises nothing."""
    return _GENERATOR.state


def set_state(state: dict[str, int]) -> None:
    """Set the state of the shared generator.  Raises ValueError and TypeError for anything but a state."""
    _GENERATOR.state = state

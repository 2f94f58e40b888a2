"""Random numbers that depend on a seed alone, not on the number of threads.

Use `Generator`: it has a seed, and its state can be saved.  The functions beside it are the methods of
one generator that the whole process shares.  Threads may call them at the same time; each gets numbers of its own, but
which ones depends on timing.  The generator gets its seed when the first of them is asked for: a child made by fork
continues from where its parent was, or has a seed of its own where the parent never asked.

The files, as the build lists them:

- bit_generators.py: Sources of random bits as NumPy has them, and seeds that others are made of.
- composed_continuous.py: Continuous distributions composed of uniform, normal, exponential and gamma numbers.
- composed_shapes.py: Distributions whose numbers are chosen among candidates: triangular, wald, vonmises, zipf and
  other whole numbers.
- continuous.py: Continuous distributions.
- discrete.py: Discrete distributions.
- distribution_parameters.py: Parameters of distributions: shapes, numbers and arrays of numbers, checked and converted.
- generator.py: The random generator: a seed, and a position in its stream.
- multivariate.py: Distributions of vectors.
- probabilities.py: Probabilities of categories, checked and added up.
- random_state.py: RandomState: a generator with the names that NumPy had before `Generator`.
- sampling.py: Permutations and random choices.
- seeds.py: Seeds: whole numbers of any size, and sequences of them, as words of 64 bits.
- shuffling.py: Shuffles in place and along axes, and random bytes.
- urns.py: Draws from urns without putting back: hypergeometric distributions.
"""

from .bit_generators import MT19937, PCG64, PCG64DXSM, SFC64, BitGenerator, Philox, SeedSequence
from .generator import Generator, default_rng
from .random_state import RandomState

__all__ = [
    "MT19937",
    "PCG64",
    "PCG64DXSM",
    "SFC64",
    "BitGenerator",
    "Philox",
    "SeedSequence",
    "Generator",
    "RandomState",
    "bernoulli",
    "beta",
    "binomial",
    "bytes",
    "categorical",
    "chisquare",
    "choice",
    "default_rng",
    "dirichlet",
    "exponential",
    "f",
    "gamma",
    "geometric",
    "get_state",
    "gumbel",
    "hypergeometric",
    "integers",
    "laplace",
    "logistic",
    "lognormal",
    "logseries",
    "multinomial",
    "multivariate_hypergeometric",
    "multivariate_normal",
    "negative_binomial",
    "noncentral_chisquare",
    "noncentral_f",
    "normal",
    "pareto",
    "permutation",
    "permuted",
    "poisson",
    "power",
    "rand",
    "randint",
    "randn",
    "random",
    "random_integers",
    "random_sample",
    "ranf",
    "rayleigh",
    "sample",
    "seed",
    "set_state",
    "shuffle",
    "standard_cauchy",
    "standard_exponential",
    "standard_gamma",
    "standard_normal",
    "standard_t",
    "triangular",
    "truncated_normal",
    "uniform",
    "vonmises",
    "wald",
    "weibull",
    "zipf",
]

_GENERATOR = RandomState()
bernoulli = _GENERATOR.bernoulli
beta = _GENERATOR.beta
binomial = _GENERATOR.binomial
bytes = _GENERATOR.bytes
categorical = _GENERATOR.categorical
chisquare = _GENERATOR.chisquare
choice = _GENERATOR.choice
dirichlet = _GENERATOR.dirichlet
exponential = _GENERATOR.exponential
f = _GENERATOR.f
gamma = _GENERATOR.gamma
geometric = _GENERATOR.geometric
get_state = _GENERATOR.get_state
gumbel = _GENERATOR.gumbel
hypergeometric = _GENERATOR.hypergeometric
integers = _GENERATOR.integers
laplace = _GENERATOR.laplace
logistic = _GENERATOR.logistic
lognormal = _GENERATOR.lognormal
logseries = _GENERATOR.logseries
multinomial = _GENERATOR.multinomial
multivariate_hypergeometric = _GENERATOR.multivariate_hypergeometric
multivariate_normal = _GENERATOR.multivariate_normal
negative_binomial = _GENERATOR.negative_binomial
noncentral_chisquare = _GENERATOR.noncentral_chisquare
noncentral_f = _GENERATOR.noncentral_f
normal = _GENERATOR.normal
pareto = _GENERATOR.pareto
permutation = _GENERATOR.permutation
permuted = _GENERATOR.permuted
poisson = _GENERATOR.poisson
power = _GENERATOR.power
rand = _GENERATOR.rand
randint = _GENERATOR.randint
randn = _GENERATOR.randn
random = _GENERATOR.random
random_integers = _GENERATOR.random_integers
random_sample = _GENERATOR.random_sample
ranf = _GENERATOR.ranf
rayleigh = _GENERATOR.rayleigh
sample = _GENERATOR.sample
seed = _GENERATOR.seed
set_state = _GENERATOR.set_state
shuffle = _GENERATOR.shuffle
standard_cauchy = _GENERATOR.standard_cauchy
standard_exponential = _GENERATOR.standard_exponential
standard_gamma = _GENERATOR.standard_gamma
standard_normal = _GENERATOR.standard_normal
standard_t = _GENERATOR.standard_t
triangular = _GENERATOR.triangular
truncated_normal = _GENERATOR.truncated_normal
uniform = _GENERATOR.uniform
vonmises = _GENERATOR.vonmises
wald = _GENERATOR.wald
weibull = _GENERATOR.weibull
zipf = _GENERATOR.zipf

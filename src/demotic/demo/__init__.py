"""The bundled corpus: Chinese and English drawn from a hand-written synchronous grammar."""

from .corpus import DemoCorpus, generate
from .files import write
from .pairs import Pair
from .statistics import statistics
from .wording import Wording

__all__ = ["DemoCorpus", "Pair", "Wording", "generate", "statistics", "write"]

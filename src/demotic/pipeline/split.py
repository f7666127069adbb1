"""Splits dev and test sets off a corpus so that no training pair repeats their sentences.

Sentences are drawn by a hash of the source text and the seed, independent of the order of the
corpus.  Training excludes every pair whose source or target equals that of a drawn sentence,
ignoring case and white space.  For a set given by the user, only pairs with the same source are
excluded, so that scores stay comparable with those of others who train on the same text; pairs
that share a target with it are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain

from demotic.errors import Error
from demotic.text.clean import clean
from demotic.text.pairs import Pair

__all__ = ["HeldOut", "Split", "draw"]

_SHARE = 0.05
_MOST = 1000
_FEWEST = 20  # sentences per set; scores on fewer mean nothing
_LENGTHS = (6, 600)  # characters of sentences suitable for testing
_PROGRESS_EVERY = 1000  # pairs

Progress = Callable[[int], None]


@dataclass(frozen=True)
class HeldOut:
    """A dev or test set: raw sentences, and the references of each."""

    source: Sequence[str]
    references: Sequence[Sequence[str]]
    """By file: references[k][i] is the k-th reference of sentence i."""
    given: bool = True
    """Given by the user rather than drawn from the corpus."""

    def __len__(self) -> int:
        return len(self.source)

    @property
    def targets(self) -> Iterator[str]:
        """All references."""
        return chain.from_iterable(self.references)


@dataclass
class Split:
    """The two sets, and the selection of training pairs."""

    dev: HeldOut
    test: HeldOut
    read: int = 0
    left_out: int = 0
    """Pairs excluded in the last pass of `training` because dev or test has their sentence."""
    shared: int = 0
    """Training pairs with the translation of a given dev or test sentence; not excluded."""

    def __post_init__(self) -> None:
        sets = (self.dev, self.test)
        self._sources = _digests(text for one in sets for text in one.source)
        self._drawn = _digests(one for part in sets if not part.given for one in part.targets)
        self._given = _digests(one for part in sets if part.given for one in part.targets)

    def training(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The pairs that share no source with dev or test, and no target with drawn sentences."""
        self.left_out = self.shared = 0
        for pair in pairs:
            target = _digest(pair.target)
            if _digest(pair.source) in self._sources or target in self._drawn:
                self.left_out += 1
            else:
                self.shared += target in self._given
                yield pair


def draw(
    pairs: Iterable[Pair],
    *,
    dev: HeldOut | int | None = None,
    test: HeldOut | int | None = None,
    seed: int = 1,
    progress: Progress | None = None,
) -> Split:
    """Draws the sets that are not given, with the requested size or one by the corpus' size.

    Reads `pairs` once, keeping only hashes and positions, and then again for the drawn sentences,
    so `pairs` must be iterable twice.  Raises Error if there are too few sentences.
    """
    lowest = _Lowest(sum(one if isinstance(one, int) else _MOST for one in (test, dev)))
    read = 0
    for read, pair in enumerate(pairs, 1):
        if _usable(pair):
            lowest.add(_digest(pair.source, seed), read)
        if progress is not None and read % _PROGRESS_EVERY == 0:
            progress(read)
    sizes = [_size(given, read) for given in (test, dev)]
    _check_enough(lowest.seen, sum(sizes), read)
    drawn = lowest.places(sum(sizes))
    chosen = set(drawn)
    texts = {
        place: (_line(pair.source), _line(pair.target))
        for place, pair in enumerate(pairs, 1)
        if place in chosen
    }

    def made(places: list[int]) -> HeldOut:
        rows = [texts[place] for place in sorted(places)]
        return HeldOut([row[0] for row in rows], [[row[1] for row in rows]], given=False)

    return Split(
        dev=dev if isinstance(dev, HeldOut) else made(drawn[sizes[0] :]),
        test=test if isinstance(test, HeldOut) else made(drawn[: sizes[0]]),
        read=read,
    )


class _Lowest:
    """The first positions of the keys that sort lowest, in bounded memory."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._keys: dict[bytes, int] = {}
        self._limit: bytes | None = None
        self.seen = 0
        """Number of distinct keys, at most some multiple of `count`."""

    def add(self, key: bytes, place: int) -> None:
        if self._limit is not None and key > self._limit:
            return
        self._keys.setdefault(key, place)
        self.seen = max(self.seen, len(self._keys))
        if len(self._keys) > 8 * self._count:
            kept = sorted(self._keys)[: 4 * self._count]
            self._keys = {one: self._keys[one] for one in kept}
            self._limit = kept[-1]

    def places(self, count: int) -> list[int]:
        return [self._keys[key] for key in sorted(self._keys)[:count]]


def _size(given: HeldOut | int | None, pairs: int) -> int:
    """How many sentences to draw."""
    if isinstance(given, HeldOut):
        return 0
    return given if given is not None else max(_FEWEST, min(_MOST, round(_SHARE * pairs)))


def _check_enough(usable: int, wanted: int, pairs: int) -> None:
    """At least half of the corpus must be left for training."""
    if wanted > usable // 2:
        raise Error(
            f"{pairs:,} sentence pairs, {usable:,} of them distinct and of ordinary length",
            expected=f"at least {2 * wanted:,}, of which {wanted:,} are held out for tuning and "
            "testing",
            advice="give more text, smaller --dev-size and --test-size, or your own sets with "
            "--dev and --test",
        )


def _usable(pair: Pair) -> bool:
    """Whether a pair is suitable for testing: ordinary length on both sides, not a copy."""
    lengths = [len(pair.source.strip()), len(pair.target.strip())]
    low, high = _LENGTHS
    fits = min(lengths) >= low // 2 and max(lengths) >= low and max(lengths) <= high
    return fits and _folded(pair.source) != _folded(pair.target)


def _line(text: str) -> str:
    return clean(text, "nfc")


def _folded(text: str) -> str:
    return "".join(text.split()).casefold()


def _digests(texts: Iterable[str]) -> frozenset[bytes]:
    return frozenset(map(_digest, texts)) - {_digest("")}


def _digest(text: str, seed: int | None = None) -> bytes:
    salt = b"" if seed is None else seed.to_bytes(8, "little")
    return blake2b(_folded(text).encode("utf-8", "replace"), digest_size=12, salt=salt).digest()

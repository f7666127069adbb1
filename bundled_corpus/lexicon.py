"""The lexicon: typed entries, read from the `.tsv` files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from .tables import rows

HELD = "held"


@dataclass(frozen=True)
class Entry:
    """What all entries share: a Chinese form, English equivalents, and classes to select by."""

    source: str
    target: tuple[str, ...]
    classes: tuple[str, ...]

    @property
    def held(self) -> bool:
        """Whether the entry is kept out of the training data."""
        return HELD in self.classes


@dataclass(frozen=True)
class Noun(Entry):
    number: str
    measures: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Name(Entry):
    nation: str


@dataclass(frozen=True)
class Place(Entry):
    at: tuple[str, ...]
    measure: str


@dataclass(frozen=True)
class Adjective(Entry):
    kind: str
    uses: tuple[str, ...]


@dataclass(frozen=True)
class Frame(Entry):
    """A verb with its slots; its classes are the constructions that it is used in."""

    id: str
    slots: dict[str, tuple[str, ...]]
    kind: str
    places: tuple[str, ...]


@dataclass(frozen=True)
class Disposal(Entry):
    """A verb with a complement for 把 and 被; its classes are `ba` and `bei`."""

    slots: dict[str, tuple[str, ...]]
    agents: tuple[str, ...]


@dataclass(frozen=True)
class Situation:
    """One row of `themes.tsv`."""

    theme: str
    role: str
    subject: str
    event: str
    mode: str


@dataclass(frozen=True)
class Lexicon:
    nouns: tuple[Noun, ...]
    names: tuple[Name, ...]
    places: tuple[Place, ...]
    adjectives: tuple[Adjective, ...]
    frames: tuple[Frame, ...]
    disposals: tuple[Disposal, ...]
    times: tuple[Entry, ...]
    situations: tuple[Situation, ...]
    trades: dict[str, tuple[str, ...]]

    def noun(self, source: str) -> Noun:
        for noun in self.nouns:
            if noun.source == source:
                return noun
        raise LookupError(f"no noun {source!r} in nouns.tsv")

    def frame(self, name: str) -> Frame:
        if name not in self._by_id:
            raise LookupError(f"no frame {name!r} in frames.tsv")
        return self._by_id[name]

    @cached_property
    def _by_id(self) -> dict[str, Frame]:
        return {frame.id: frame for frame in self.frames}

    def place(self, source: str) -> Place:
        for place in self.places:
            if place.source == source:
                return place
        raise LookupError(f"no place {source!r} in places.tsv")

    def adjective(self, source: str) -> Adjective:
        for adjective in self.adjectives:
            if adjective.source == source:
                return adjective
        raise LookupError(f"no adjective {source!r} in adjectives.tsv")

    def entries(self) -> list[Entry]:
        """All entries that carry words."""
        tables: tuple[tuple[Entry, ...], ...] = (
            self.nouns, self.names, self.places, self.adjectives,
            self.frames, self.disposals, self.times,
        )  # fmt: skip
        return [entry for table in tables for entry in table]


def _listed(text: str, separator: str = ",") -> tuple[str, ...]:
    return () if text == "-" else tuple(text.split(separator))


def _slots(text: str) -> dict[str, tuple[str, ...]]:
    pairs = [item.partition("=") for item in ([] if text == "-" else text.split())]
    return {name: _listed(classes) for name, _, classes in pairs}


def _noun(row: dict[str, str]) -> Noun:
    measures = [item.partition(":") for item in _listed(row["measure"])]
    return Noun(
        *_shared(row, row["classes"]),
        number=row["number"],
        measures=tuple((zh, tuple(en.split("|")) if en else ()) for zh, _, en in measures),
    )


def _shared(row: dict[str, str], classes: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    return row["source"], _listed(row["target"], "|"), _listed(classes)


def _frame(row: dict[str, str]) -> Frame:
    return Frame(
        *_shared(row, row["uses"]),
        id=row["id"],
        slots=_slots(row["slots"]),
        kind=row["kind"],
        places=_listed(row["places"]),
    )


@lru_cache(maxsize=1)
def load() -> Lexicon:
    """The lexicon, read once."""
    return Lexicon(
        nouns=tuple(_noun(row) for row in rows("nouns.tsv")),
        names=tuple(
            Name(*_shared(row, row["kind"]), nation=row["nation"]) for row in rows("names.tsv")
        ),
        places=tuple(
            Place(*_shared(row, row["classes"]), at=_listed(row["at"], "|"), measure=row["measure"])
            for row in rows("places.tsv")
        ),
        adjectives=tuple(
            Adjective(*_shared(row, row["classes"]), kind=row["kind"], uses=_listed(row["uses"]))
            for row in rows("adjectives.tsv")
        ),
        frames=tuple(_frame(row) for row in rows("frames.tsv")),
        disposals=tuple(
            Disposal(
                *_shared(row, row["uses"]),
                slots=_slots(row["slots"]),
                agents=_listed(row["agents"]),
            )
            for row in rows("disposals.tsv")
        ),
        times=tuple(Entry(*_shared(row, row["when"])) for row in rows("times.tsv")),
        situations=tuple(Situation(**row) for row in rows("themes.tsv")),
        trades={row["source"]: _listed(row["frames"]) for row in rows("trades.tsv")},
    )

"""The tasks of `feature_families`: hierarchical models, tuning, dev and test sets, and trees.

Trees of real text come from parsers that are run beforehand (docs/trees.md has the scripts): files
`trees/TASK.PART.trees` in the folder of models, for the parts tune, dev and test, one tree per
line of `trees/TASK.PART.txt`, which `python -m benchmarks.feature_families --texts` writes.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from benchmarks.texts import data_folder
from demotic.align.options import DEFAULT_ALIGNERS, AlignOptions
from demotic.demo import REFERENCES, write_corpus
from demotic.feature_sets import FeatureSet
from demotic.learn.dev_set import DevSet
from demotic.lines import LineFile, write_text
from demotic.metrics import References
from demotic.model import Model
from demotic.model.build import BuildOptions, build
from demotic.model.file import MODEL_NAME
from demotic.rules import RuleOptions
from demotic.search.parsed import read_parsed

__all__ = ["PARTS", "TASKS", "Task", "open_task", "write_texts"]

PARTS = ("tune", "dev", "test")
SIZE, DEV_SIZE = 1000, 500
"""Sentences of real text to tune on, and at most to choose the round by."""
LABELS = ("NP", "VP", "IP")
"""Of random trees."""


class Side(NamedTuple):
    """A set of sentences, with one stream per reference."""

    source: list[str]
    references: list[list[str]]


@dataclass(frozen=True)
class TaskText:
    """Training text, and the sets by name; a task without `dev` chooses rounds by `tune`."""

    source: Path
    target: Path
    sets: dict[str, Side]
    trees: dict[str, Path]
    raw: dict[str, list[str]]
    """What a parser reads."""


@dataclass(frozen=True)
class Task:
    """A model with its sets, annotated with trees if asked for."""

    model: Model
    tune: DevSet
    test: DevSet


def bundled(home: Path) -> TaskText:
    """The bundled corpus with the trees of its grammar."""
    folder = home / "bundled" / "corpus"
    if not folder.exists():
        write_corpus(folder)
    text = folder / "tok"
    names = {"tune": "dev", "test": "test"}
    sets = {
        part: Side(
            list(LineFile(text / f"{name}.zh")),
            [list(LineFile(text / f"{name}.en.{i}")) for i in range(REFERENCES)],
        )
        for part, name in names.items()
    }
    trees = {part: text / f"{name}.zh.trees" for part, name in names.items()}
    return TaskText(text / "train.zh", text / "train.en", sets, trees, {})


class Pair(NamedTuple):
    source: str
    target: str
    raw: str
    """The source as a parser reads it."""


def _pairs(corpus: str, part: str, sides: tuple[str, str]) -> list[Pair]:
    folder = data_folder() / corpus
    source, target = (LineFile(folder / "tok" / f"{part}.{side}.gz") for side in sides)
    raw_path = folder / "raw" / f"{part}.{sides[0]}.gz"
    raw = LineFile(raw_path) if raw_path.exists() else (line.replace(" ", "") for line in source)
    return [Pair(*pair) for pair in zip(source, target, raw, strict=True)]


def _held_out(
    name: str,
    home: Path,
    sides: tuple[str, str],
    corpus: str = "",
    *,
    size: int = SIZE,
    tested: int = 0,
) -> TaskText:
    """The last `size` training pairs are the tuning set; the `tested` ones before join the test
    set.  The dev set chooses the round."""
    train, dev, test = (_pairs(corpus or name, part, sides) for part in ("train", "dev", "test"))
    tune, more = train[-size:], train[-size - tested : -size]
    chosen = dict(zip(PARTS, (tune, dev[: min(size, DEV_SIZE)], test + more), strict=True))
    paths = [home / name / f"train.{side}" for side in sides]
    if not all(path.exists() for path in paths):
        known = {pair.source for pair in tune + more}
        kept = [pair for pair in train[: -size - tested] if pair.source not in known]
        _write(paths[0], [pair.source for pair in kept])
        _write(paths[1], [pair.target for pair in kept])
    sets = {
        part: Side([pair.source for pair in pairs], [[pair.target for pair in pairs]])
        for part, pairs in chosen.items()
    }
    raw = {part: [pair.raw for pair in pairs] for part, pairs in chosen.items()}
    return TaskText(paths[0], paths[1], sets, _trees(home, name), raw)


def tatoeba(home: Path) -> TaskText:
    return _held_out("zh-en-tatoeba", home, ("zh", "en"))


def tanaka(home: Path) -> TaskText:
    """Its test set of 500 sentences is small."""
    return _held_out("ja-en-tanaka", home, ("ja", "en"), tested=1500)


def multi30k(home: Path) -> TaskText:
    """English to German: long sentences, and fewer of them to tune on."""
    return _held_out("en-de-multi30k", home, ("en", "de"), "de-en-multi30k", size=300)


TASKS = {
    "bundled": bundled,
    "zh-en-tatoeba": tatoeba,
    "ja-en-tanaka": tanaka,
    "en-de-multi30k": multi30k,
}


def _trees(home: Path, name: str) -> dict[str, Path]:
    return {part: home / "trees" / f"{name}.{part}.trees" for part in PARTS}


def _write(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with write_text(path) as file:
        file.writelines(f"{line}\n" for line in lines)


def write_texts(home: Path) -> None:
    """The sentences to be parsed."""
    for name, read in TASKS.items():
        for part, lines in read(home).raw.items():
            _write(home / "trees" / f"{name}.{part}.txt", lines)


@lru_cache(maxsize=1)
def _open_model(name: str, features: FeatureSet, home: Path) -> Model:
    """Builds the model unless it exists; another set of features shares the alignment."""
    folder = home / name / features
    if (folder / MODEL_NAME).exists():
        return Model.load(folder)
    others = sorted(path.parent for path in (home / name).glob(f"*/{MODEL_NAME}"))
    if others and not folder.exists():
        shutil.copytree(others[0], folder)
    text = TASKS[name](home)
    rules = RuleOptions(features=features, tight=True)
    # One aligner for real text, which takes a quarter of the time of both.
    align = DEFAULT_ALIGNERS if name == "bundled" else (AlignOptions(model="diagonal"),)
    options = BuildOptions(
        source=text.source, target=text.target, kind="hiero", align=align, rules=rules
    )
    return build(options, folder).model


@lru_cache(maxsize=2)
def open_task(name: str, features: FeatureSet, trees: str, home: Path) -> Task:
    """`trees`: none, true, random or right."""
    text = TASKS[name](home)
    sets = {part: _dev_set(text, part, trees, home / "trees" / name) for part in text.sets}
    tune = DevSet(sets["tune"].source, sets["tune"].references, sets.get("dev"))
    return Task(_open_model(name, features, home), tune, sets["test"])


def _dev_set(text: TaskText, part: str, trees: str, folder: Path) -> DevSet:
    side = text.sets[part]
    source = side.source
    if trees == "true":
        source = read_parsed(text.trees[part], source)
    elif trees != "none":
        path = folder / f"{part}.{trees}"
        _write(path, [_control(line.split(" "), trees, path) for line in source])
        source = read_parsed(path, source)
    return DevSet(source, References.from_streams(side.references))


def _control(words: list[str], trees: str, path: Path) -> str:
    """A tree that knows nothing of the sentence but its length."""
    if words == [""]:
        return "()"
    leaves = [f"(X {_escaped(word)})" for word in words]
    if trees == "right":
        made = leaves[-1]
        for leaf in reversed(leaves[:-1]):
            made = f"(XP {leaf} {made})"
        return made if len(leaves) > 1 else f"(XP {made})"
    return _random_tree(leaves, random.Random(f"{path.name} {' '.join(words)}"))


def _random_tree(leaves: list[str], rng: random.Random) -> str:
    if len(leaves) == 1:
        return leaves[0]
    cut = rng.randint(1, len(leaves) - 1)
    left, right = _random_tree(leaves[:cut], rng), _random_tree(leaves[cut:], rng)
    return f"({rng.choice(LABELS)} {left} {right})"


def _escaped(word: str) -> str:
    for sign, name in zip("()[]{}", ("LRB", "RRB", "LSB", "RSB", "LCB", "RCB"), strict=True):
        word = word.replace(sign, f"-{name}-")
    return word

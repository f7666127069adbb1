"""Training for a number of CPU seconds, and the scores of the best weights."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from benchmarks.texts import data_folder
from benchmarks.transformer.beam_search import beam_search, padded
from benchmarks.transformer.network import END, PAD, START, UNKNOWN, Shape, Transformer
from benchmarks.transformer.subwords import Subwords
from demotic.lines import LineFile, write_text
from demotic.metrics import Bleu, BleuOptions, Chrf, References, Ter

__all__ = ["Comparison", "Settings"]

LONGEST = 80
"""Longer training pairs, in pieces, are left out, and translations are cut."""
POINTS = 10
"""How often the dev set is translated."""


@dataclass(frozen=True)
class Settings:
    """Usual values for little text."""

    merges: int = 6000
    batch: int = 1000
    """Pieces of the longer sides of a batch, padding included."""
    peak: float = 1e-3
    warm_up: int = 400
    smoothing: float = 0.1
    beam: int = 5


class Codes:
    """Subwords and their numbers; source and target share them."""

    def __init__(self, sides: Sequence[Sequence[Sequence[str]]], merges: int) -> None:
        self._subwords = Subwords.learnt([line for side in sides for line in side], merges)
        pieces = {piece for side in sides for line in side for piece in self._subwords.split(line)}
        self._pieces = ["<pad>", "<s>", "</s>", "<unk>", *sorted(pieces)]
        self._ids = {piece: number for number, piece in enumerate(self._pieces)}

    def __len__(self) -> int:
        return len(self._pieces)

    def encode(self, line: Sequence[str]) -> list[int]:
        return [self._ids.get(piece, UNKNOWN) for piece in self._subwords.split(line)]

    def decode(self, ids: Sequence[int]) -> str:
        return self._subwords.joined(self._pieces[one] for one in ids if one > UNKNOWN)


class Comparison:
    """One task: its texts, a model, training and test."""

    def __init__(self, task: str, settings: Settings, seed: int) -> None:
        self.settings = settings
        torch.manual_seed(seed)
        self.rng = random.Random(seed)
        self.text = {part: _read(task, part) for part in ("train", "dev", "test")}
        self.codes = Codes(self.text["train"], settings.merges)
        self.model = Transformer(len(self.codes), Shape())
        pairs = zip(*self.text["train"], strict=True)
        self.pairs = [tuple(self.codes.encode(side) for side in pair) for pair in pairs]
        self.pairs = [pair for pair in self.pairs if 0 < max(map(len, pair)) < LONGEST]
        size = sum(one.numel() for one in self.model.parameters())
        print(f"{task}: {len(self.pairs):,} pairs, {len(self.codes):,} pieces, {size:,} weights")

    def run(self, seconds: float, out: Path | None) -> None:
        best, kept = -1.0, deepcopy(self.model.state_dict())
        dev = self.metrics("dev")[0]
        try:
            for spent, step in self.trained(seconds):
                score = dev.score(self.translated("dev", beam=1))
                print(f"{spent:6.0f} CPU s, step {step:,}: dev BLEU {score:.2f}", flush=True)
                if score > best:
                    best, kept = score, deepcopy(self.model.state_dict())
        except KeyboardInterrupt:
            print("interrupted; the best weights so far are tested", flush=True)
        self.model.load_state_dict(kept)
        self.report(out)

    def report(self, out: Path | None) -> None:
        torch.set_num_threads(1)
        beam = self.settings.beam
        dev = self.metrics("dev")[0].score(self.translated("dev", beam=beam))
        begin = time.process_time()
        output = self.translated("test", beam=beam)
        spent = time.process_time() - begin
        words = sum(map(len, self.text["test"][0]))
        scores = [f"{metric.score(output):.2f}" for metric in self.metrics("test")]
        print(f"dev BLEU {dev:.2f}; test BLEU, TER, chrF {', '.join(scores)}")
        print(f"decoding, one thread: {spent:.1f} CPU s, {words / spent:,.0f} source words/s")
        if out:
            with write_text(out) as file:
                file.writelines(f"{line}\n" for line in output)

    def metrics(self, part: str) -> tuple[Any, ...]:
        references = References.from_streams([[" ".join(line) for line in self.text[part][1]]])
        return Bleu(references, BleuOptions(tokenize="none")), Ter(references), Chrf(references)

    def trained(self, seconds: float) -> Iterator[tuple[float, int]]:
        """Trains, and yields CPU seconds and steps whenever the dev set is due."""
        optimizer = torch.optim.Adam(self.model.parameters(), betas=(0.9, 0.98), eps=1e-9)
        step, spent, due = 0, 0.0, seconds / POINTS
        while spent < seconds:
            for source, target in self.batches():
                begin = time.process_time()
                step += 1
                for group in optimizer.param_groups:
                    group["lr"] = self.rate(step)
                scores = self.model.train()(source, target[:, :-1])
                loss = functional.cross_entropy(
                    scores.flatten(0, 1),
                    target[:, 1:].flatten(),
                    ignore_index=PAD,
                    label_smoothing=self.settings.smoothing,
                )
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                spent += time.process_time() - begin
                if spent >= due:
                    due += seconds / POINTS
                    yield spent, step
                if spent >= seconds:
                    break

    def rate(self, step: int) -> float:
        """Rises to its peak, then falls with the root of the number of steps."""
        warm = self.settings.warm_up
        return self.settings.peak * min(step / warm, math.sqrt(warm / step))

    def batches(self) -> Iterator[tuple[Tensor, Tensor]]:
        """Pairs of similar length, in random order."""
        self.rng.shuffle(self.pairs)
        self.pairs.sort(key=lambda pair: max(map(len, pair)) + self.rng.random())
        groups: list[list[tuple[list[int], ...]]] = [[]]
        for pair in self.pairs:
            if (len(groups[-1]) + 1) * (max(map(len, pair)) + 2) > self.settings.batch:
                groups.append([])
            groups[-1].append(pair)
        self.rng.shuffle(groups)
        for group in groups:
            yield (
                padded([[*source, END] for source, _ in group]),
                padded([[START, *target, END] for _, target in group]),
            )

    def translated(self, part: str, *, beam: int, size: int = 64) -> list[str]:
        lines = [self.codes.encode(line)[: 2 * LONGEST] for line in self.text[part][0]]
        order = sorted(range(len(lines)), key=lambda index: len(lines[index]))
        result = [""] * len(lines)
        with torch.inference_mode():
            self.model.eval()
            for begin in range(0, len(order), size):
                some = order[begin : begin + size]
                found = beam_search(
                    self.model, [[*lines[index], END] for index in some], beam, LONGEST
                )
                for index, ids in zip(some, found, strict=True):
                    result[index] = self.codes.decode(ids)
        return result


def _read(task: str, part: str) -> list[list[list[str]]]:
    """Source and target; with several references, the first."""
    folder = data_folder() / task / "tok"
    paths = (folder / f"{part}.{task[:2]}.gz", folder / f"{part}.en.gz")
    return [[line.split() for line in LineFile(path)] for path in paths]

"""Beam search over the pieces of translations, several sentences at once."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from benchmarks.transformer.network import END, PAD, START, UNKNOWN, Transformer

__all__ = ["beam_search", "padded"]


def beam_search(
    model: Transformer, lines: list[list[int]], beam: int, most: int
) -> list[list[int]]:
    """The finished hypothesis of each line with the best mean score per piece, up to `most`."""
    count = len(lines)
    memory, mask = model.encode(padded(lines))
    rows = torch.arange(count).repeat_interleave(beam)
    memory = [(keys[rows], values[rows]) for keys, values in memory]
    mask = mask[rows]
    scores = torch.full((count, beam), -math.inf)
    scores[:, 0] = 0.0
    words = torch.full((count * beam, 1), START)
    past: list[Any] = [None] * len(memory)
    done: list[list[tuple[float, list[int]]]] = [[] for _ in lines]
    longest = min(most, 2 * max(map(len, lines)) + 10)
    for place in range(longest):
        logits, past = model.step(words[:, -1:], place, memory, mask, past)
        logits[:, [PAD, START, UNKNOWN]] = -math.inf
        totals = scores.view(-1, 1) + logits.log_softmax(-1)
        size = totals.shape[1]
        scores, best = totals.view(count, -1).topk(beam, dim=1)
        origin = (best // size + torch.arange(count)[:, None] * beam).flatten()
        words = torch.cat([words[origin], (best % size).view(-1, 1)], dim=1)
        past = [(keys[origin], values[origin]) for keys, values in past]
        ended = (words[:, -1] == END).view(count, beam) & scores.isfinite()
        for line, one in ended.nonzero().tolist():
            ids = words[line * beam + one, 1:-1].tolist()
            done[line].append((float(scores[line, one]) / (place + 1), ids))
        scores = scores.masked_fill(ended, -math.inf)
        if all(len(found) >= beam for found in done) or not scores.isfinite().any():
            break
    open_ones = words.view(count, beam, -1)[:, 0, 1:].tolist()
    return [max(found)[1] if found else rest for found, rest in zip(done, open_ones, strict=True)]


def padded(lines: list[list[int]]) -> Tensor:
    longest = max(map(len, lines))
    return torch.tensor([[*line, *[PAD] * (longest - len(line))] for line in lines])

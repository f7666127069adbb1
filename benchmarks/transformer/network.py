"""A small transformer (Vaswani et al. 2017) with layer normalisation before each part."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

__all__ = ["END", "PAD", "START", "UNKNOWN", "Shape", "Transformer"]

PAD, START, END, UNKNOWN = range(4)
Cache = tuple[Tensor, Tensor]


@dataclass(frozen=True)
class Shape:
    """Sizes that suit some ten thousand sentence pairs."""

    width: int = 256
    inner: int = 1024
    heads: int = 4
    layers: int = 3
    dropout: float = 0.3
    longest: int = 256


class Attention(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads, self.dropout = shape.heads, shape.dropout
        self.query = nn.Linear(shape.width, shape.width)
        self.memory = nn.Linear(shape.width, 2 * shape.width)
        self.out = nn.Linear(shape.width, shape.width)

    def remembered(self, states: Tensor) -> Cache:
        """Keys and values by head."""
        keys, values = self.memory(states).chunk(2, dim=-1)
        return self._by_head(keys), self._by_head(values)

    def forward(self, states: Tensor, memory: Cache, mask: Tensor | None) -> Tensor:
        dropout = self.dropout if self.training else 0.0
        query = self._by_head(self.query(states))
        found = functional.scaled_dot_product_attention(query, *memory, mask, dropout)
        return self.out(found.transpose(1, 2).flatten(2))

    def _by_head(self, states: Tensor) -> Tensor:
        return states.unflatten(-1, (self.heads, -1)).transpose(1, 2)


class Layer(nn.Module):
    """Self-attention, attention to the source in a decoder, and two linear maps."""

    def __init__(self, shape: Shape, *, decoder: bool) -> None:
        super().__init__()
        self.own = Attention(shape)
        self.source = Attention(shape) if decoder else None
        self.inner = nn.Sequential(
            nn.Linear(shape.width, shape.inner), nn.ReLU(), nn.Linear(shape.inner, shape.width)
        )
        self.norms = nn.ModuleList(nn.LayerNorm(shape.width) for _ in range(3))
        self.drop = nn.Dropout(shape.dropout)

    def forward(
        self,
        states: Tensor,
        mask: Tensor | None,
        memory: Cache | None = None,
        source_mask: Tensor | None = None,
        past: Cache | None = None,
    ) -> tuple[Tensor, Cache]:
        normed = self.norms[0](states)
        now = self.own.remembered(normed)
        if past is not None:
            now = torch.cat([past[0], now[0]], dim=2), torch.cat([past[1], now[1]], dim=2)
        states = states + self.drop(self.own(normed, now, mask))
        if self.source is not None and memory is not None:
            states = states + self.drop(self.source(self.norms[1](states), memory, source_mask))
        return states + self.drop(self.inner(self.norms[2](states))), now


class Transformer(nn.Module):
    """Source, target and output share one table of embeddings."""

    def __init__(self, vocabulary: int, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.embedding = nn.Embedding(vocabulary, shape.width, padding_idx=PAD)
        nn.init.normal_(self.embedding.weight, std=shape.width**-0.5)
        self.register_buffer("positions", _sinusoids(shape.longest, shape.width))
        self.encoder = nn.ModuleList(Layer(shape, decoder=False) for _ in range(shape.layers))
        self.decoder = nn.ModuleList(Layer(shape, decoder=True) for _ in range(shape.layers))
        self.norms = nn.ModuleList(nn.LayerNorm(shape.width) for _ in range(2))
        self.drop = nn.Dropout(shape.dropout)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Scores of the piece after each piece of the target."""
        memory, mask = self.encode(source)
        states = self._embed(target, 0)
        causal = torch.ones(target.shape[1], target.shape[1], dtype=torch.bool).tril()
        for layer, one in zip(self.decoder, memory, strict=True):
            states, _ = layer(states, causal, one, mask)
        return self._scores(states)

    def encode(self, source: Tensor) -> tuple[list[Cache], Tensor]:
        """What each layer of the decoder attends to, and where the source has pieces."""
        mask = (source != PAD)[:, None, None, :]
        states = self._embed(source, 0)
        for layer in self.encoder:
            states, _ = layer(states, mask)
        states = self.norms[0](states)
        return [layer.source.remembered(states) for layer in self.decoder], mask

    def step(
        self,
        pieces: Tensor,
        place: int,
        memory: list[Cache],
        mask: Tensor,
        past: list[Cache | None],
    ) -> tuple[Tensor, list[Cache]]:
        """Scores of the piece after the last ones, whose states are added to the past."""
        states, now = self._embed(pieces, place), []
        for layer, one, before in zip(self.decoder, memory, past, strict=True):
            states, cache = layer(states, None, one, mask, before)
            now.append(cache)
        return self._scores(states)[:, -1], now

    def _embed(self, pieces: Tensor, place: int) -> Tensor:
        scaled = self.embedding(pieces) * math.sqrt(self.shape.width)
        positions = self.positions[place : place + pieces.shape[1]]
        return self.drop(scaled + positions)

    def _scores(self, states: Tensor) -> Tensor:
        return functional.linear(self.norms[1](states), self.embedding.weight)


def _sinusoids(longest: int, width: int) -> Tensor:
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
    angles = torch.arange(longest)[:, None] * rates
    return torch.cat([angles.sin(), angles.cos()], dim=1)

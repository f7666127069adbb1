"""Symmetrisation from its definition, with sets.

`forward` links each target word at most once, `backward` each source word at most once (more is
allowed and means the same).  The order in which points are visited is part of the definition: by
target, then source; a point that is added further on is visited in the same round.
"""

from __future__ import annotations

Link = tuple[int, int]  # source, target

NEIGHBOURS = [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)]


def _by_target(links: set[Link]) -> list[Link]:
    return sorted(links, key=lambda link: (link[1], link[0]))


def _covers_new(links: set[Link], link: Link) -> int:
    """How many of its two words no link touches yet."""
    source, target = link
    return (source not in {s for s, _ in links}) + (target not in {t for _, t in links})


def _grow(current: set[Link], union: set[Link]) -> None:
    added = True
    while added:
        added = False
        seen: set[Link] = set()
        last = (-1, -1)
        while True:
            ahead = [p for p in _by_target(current) if p not in seen and (p[1], p[0]) > last]
            if not ahead:
                break
            source, target = ahead[0]
            seen.add((source, target))
            last = (target, source)
            for down, right in NEIGHBOURS:
                point = source + right, target + down
                if point in union and _covers_new(current, point):
                    current.add(point)
                    added = True


def symmetrize(kind: str, forward: set[Link], backward: set[Link]) -> set[Link]:
    union, current = forward | backward, forward & backward
    if kind in {"forward", "backward", "union", "intersection"}:
        return {
            "forward": forward,
            "backward": backward,
            "union": union,
            "intersection": current,
        }[kind]
    _grow(current, union)
    wanted = {"gd": 3, "gdf": 1, "gdfa": 2}[kind]
    for direction, other in ((forward, backward), (backward, forward)):
        for link in _by_target(direction - other):
            if link not in current and _covers_new(current, link) >= wanted:
                current.add(link)
    return current

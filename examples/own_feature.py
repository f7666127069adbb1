"""A sparse feature of your own: whether the words of a rule change places.

    echo 'family python function=examples/own_feature.py:word_order' > own.templates
    demotic tune zh-en --src dev.zh --ref dev.en --features own.templates -o tuned

python examples/own_feature.py shows which features fire for two rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from demotic.features.own import AppliedRule, feature


@feature
def word_order(use: AppliedRule) -> Iterator[str]:
    """Whether the links of a rule cross, by itself and with its first source word."""
    places = [target for _, target in sorted(use.links)]
    order = "crosses" if any(a > b for a, b in pairwise(places)) else "monotone"
    yield order
    yield f"{use.source[0]} {order}"


if __name__ == "__main__":
    sentence = ("我", "买的", "鱼")
    for links in (((0, 1), (1, 2)), ((0, 2), (1, 0))):
        rule = AppliedRule(("我", "买的"), ("that", "I", "bought"), links, sentence, 0, 2)
        print(*word_order(rule), sep=", ")

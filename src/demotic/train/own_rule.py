"""An update rule of the user's own, for `train --update-rule file.py:Class`.

The rule sees, for every sentence, the scores of the best gold and the best bad derivation in each
bin, and says which bin is learnt from.  Native threads call it one at a time, so that training
with it is slower than with a built-in rule.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from demotic.errors import InputError
from demotic.options import Option, Options, declared
from demotic.own_classes import OwnClass, entry_points_of, is_own, load_class

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from demotic import _core

__all__ = ["RuleChoice", "UpdateRule"]

_GROUP = "demotic.update_rules"
_BASE = "a class with choose(gold, bad, holds_gold, window)"
_ARGUMENTS = 4


class UpdateRule(Protocol):
    """Which bin of a sentence is learnt from."""

    def choose(
        self,
        gold: NDArray[np.float64],
        bad: NDArray[np.float64],
        holds_gold: NDArray[np.bool_],
        window: int,
        /,
    ) -> int:
        """Scores of the best gold and bad derivation per bin, -inf where there is none.

        `holds_gold` says where something gold is still in the beam, `window` is the length of the
        longest phrase.  The last bin is the end of the search.  -1: no update.
        """


@dataclass(frozen=True)
class RuleChoice:
    """A rule by `file.py:Class`, module:Class or the name of an entry point, and its options."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.make()

    @cached_property
    def _found(self) -> OwnClass:
        place = self.name
        if not is_own(place):
            installed = entry_points_of(_GROUP)
            if place not in installed:
                known = f"one of {', '.join(installed)}, or " if installed else ""
                raise InputError(
                    f"no update rule {place!r} of an installed package",
                    expected=f"{known}file.py:Class",
                    advice="for a rule of Demotic's give --method",
                )
            place = installed[place]
        found = load_class(place, _BASE)
        _check(found.cls, self.name)
        return found

    @property
    def digest(self) -> str:
        """Tells its code from another version."""
        return self._found.digest

    @property
    def known(self) -> tuple[Option, ...]:
        """Its options, if it is derived from `demotic.options.Options`."""
        cls = self._found.cls
        return declared(cls) if issubclass(cls, Options) else ()

    def make(self) -> UpdateRule:
        rule: UpdateRule = self._found.cls(**self.options)
        return rule

    def apply(self, options: _core.ViolationOptions) -> None:
        """Makes the native trainer ask it."""
        import numpy as np

        rule = self.make()

        def choose(gold: Any, bad: Any, holds_gold: Any, window: int) -> int:
            return int(rule.choose(gold, bad, holds_gold.astype(np.bool_), window))

        options.choose_by(choose)


def _check(cls: type, name: str) -> None:
    choose = getattr(cls, "choose", None)
    if not callable(choose):
        raise InputError(f"{name} has no method choose", expected=_BASE)
    try:
        inspect.signature(choose).bind(None, *range(_ARGUMENTS))
    except TypeError as error:
        raise InputError(
            f"choose of {name} cannot be called with {_ARGUMENTS} arguments: {error}",
            expected=_BASE,
        ) from None

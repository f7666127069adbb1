"""What all checks share: a broken promise, with what was found and what was promised."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["ContractError", "called", "refuses", "require"]


class ContractError(AssertionError):
    """A promise that is not kept."""


def require(holds: object, message: str) -> None:
    if not bool(holds):
        raise ContractError(message)


@contextmanager
def called(what: str) -> Iterator[None]:
    """Exceptions of the checked object are broken promises too."""
    try:
        yield
    except ContractError:
        raise
    except Exception as error:
        raise ContractError(f"{what} raised {type(error).__name__}: {error}") from error


def refuses(
    call: Callable[[], Any], expected: type[Exception] | tuple[type[Exception], ...], what: str
) -> None:
    """The call raises one of the expected exceptions."""
    names = expected if isinstance(expected, tuple) else (expected,)
    wanted = " or ".join(one.__name__ for one in names)
    try:
        call()
    except expected:
        return
    except Exception as error:
        raise ContractError(
            f"{what} raised {type(error).__name__} ({error}); expected {wanted}"
        ) from error
    raise ContractError(f"{what} was accepted; expected {wanted}")

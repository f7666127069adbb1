"""The exceptions that callers can catch; each names the cause and what to do.

All messages are composed here: location, what was found, what was expected, and advice.  Native
code raises the same classes with the same fields.
"""

from __future__ import annotations

import os

__all__ = ["Error", "FormatError", "InputError", "IoError", "ModelError"]


class Error(Exception):
    """Base of all errors caused by input or environment rather than by a bug of ours."""

    def __init__(
        self,
        found: str = "",
        *,
        path: str | os.PathLike[str] = "",
        line: int = 0,
        expected: str = "",
        advice: str = "",
    ) -> None:
        self.path = os.fspath(path)
        self.line = line
        self.found = found
        self.expected = expected
        self.advice = advice
        super().__init__(self._message())

    def _message(self) -> str:
        where = " ".join(
            part for part in (self.path, f"line {self.line}" if self.line else "") if part
        )
        what = f"{where}: {self.found}" if where else self.found
        if self.expected:
            what += f"; expected {self.expected}"
        return f"{what} ({self.advice})" if self.advice else what


class FormatError(Error):
    """A file or line that does not have the expected format."""


class InputError(Error, ValueError):
    """Options, names or texts that are not allowed, alone or together."""


class ModelError(Error):
    """Well-formed parts that do not fit together: versions, vocabularies, features."""


class IoError(Error, OSError):
    """The operating system refused; `errno` holds the reason."""

    def __init__(self, found: str = "", *, errno: int = 0, **fields: str) -> None:
        reason = os.strerror(errno) if errno else ""
        Error.__init__(self, f"{found} ({reason})" if reason else found, **fields)  # type: ignore[arg-type]
        self.errno = errno

    def __reduce__(self) -> tuple[object, ...]:
        # OSError loses its errno when pickled.
        return type(self), self.args, {**self.__dict__, "errno": self.errno}

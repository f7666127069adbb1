"""What can go wrong, as classes a caller can catch; each names the culprit and what to do.

A message is put together here and nowhere else: where, what was found, what was expected, and
a next step.  Native code raises the same classes with the same fields.
"""

from __future__ import annotations

import os

__all__ = ["Error", "FormatError", "InputError", "IoError", "ModelError"]


class Error(Exception):
    """Base of all errors that are the input's fault or the machine's, not a bug of ours."""

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
    """A file or a line that does not have the promised form."""


class InputError(Error, ValueError):
    """Options, names or texts that are not allowed, alone or together."""


class ModelError(Error):
    """Pieces that are well formed but do not fit each other: versions, vocabularies, features."""


class IoError(Error, OSError):
    """The operating system refused; `errno` says why."""

    def __init__(self, found: str = "", *, errno: int = 0, **fields: str) -> None:
        reason = os.strerror(errno) if errno else ""
        Error.__init__(self, f"{found} ({reason})" if reason else found, **fields)  # type: ignore[arg-type]
        self.errno = errno

    def __reduce__(self) -> tuple[object, ...]:
        # OSError forgets its number on the way to another process.
        return type(self), self.args, {**self.__dict__, "errno": self.errno}

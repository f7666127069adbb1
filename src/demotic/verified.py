"""Decides which model files to verify: small files always, large files once.

A file of less than 4 MB is verified whenever it is opened, which takes about a millisecond.  For a
larger one, an empty file in the user's cache folder records that exactly this file (path, device,
inode, size and time of change) was verified.  Without a writable cache, every file is verified
every time.

    vocabulary = open_verified(Vocabulary.open, path)
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeVar

__all__ = [
    "ALWAYS_BELOW",
    "Verification",
    "cache_folder",
    "open_verified",
    "policy",
    "remember",
    "should_verify",
]

_Value = TypeVar("_Value")

Verification = Literal["auto", "always", "never"]

ALWAYS_BELOW = 4 << 20  # bytes


def open_verified(
    opener: Callable[[str, bool], _Value],
    path: str | os.PathLike[str],
    verification: Verification = "auto",
) -> _Value:
    """The result of `opener(path, verify)`, verified if necessary."""
    verify = should_verify(path, verification)
    value = opener(os.fspath(path), verify)
    if verify:
        remember(path)
    return value


def policy(verify: bool) -> Verification:
    """For callers who only state whether they trust a file: trusted files are not verified."""
    return "auto" if verify else "never"


def should_verify(path: str | os.PathLike[str], verification: Verification = "auto") -> bool:
    """Whether to check the checksums of `path` before using it."""
    if verification != "auto":
        return verification == "always"
    try:
        status = os.stat(path)
        return status.st_size < ALWAYS_BELOW or not _marker(path, status).exists()
    except OSError:
        return True  # opening the file will raise the error


def remember(path: str | os.PathLike[str]) -> None:
    """Records that `path` in its present state was verified."""
    with suppress(OSError):
        status = os.stat(path)
        if status.st_size >= ALWAYS_BELOW:
            marker = _marker(path, status)
            marker.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            marker.touch()


def _marker(path: str | os.PathLike[str], status: os.stat_result) -> Path:
    identity = (
        os.path.realpath(path),
        status.st_dev,
        status.st_ino,
        status.st_size,
        status.st_mtime_ns,
    )
    digest = hashlib.blake2b(repr(identity).encode("utf-8", "backslashreplace"), digest_size=16)
    return cache_folder() / "demotic" / "verified" / digest.hexdigest()


def cache_folder() -> Path:
    """The user's, which may not exist."""
    variable = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
    value = os.environ.get(variable, "")
    # The XDG standard requires relative paths to be ignored.
    return Path(value) if os.path.isabs(value) else Path(os.path.expanduser("~"), ".cache")

"""Reads text files as clean lines: plain, gz, xz or zst, or standard input.

The native `LineParser` defines what ends a line and what happens to control characters and
malformed UTF-8; this file only opens, decompresses and feeds it.  A truncated compressed file is
refused rather than taken for the end of the text.
"""

from __future__ import annotations

import errno
import io
import lzma
import os
import re
import shutil
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO, Literal, Protocol

from demotic._core import EncodingErrors, LineNotices, LineParser, Lines
from demotic.errors import Error, FormatError, IoError
from demotic.outputs import absent_folders, remove_empty

__all__ = [
    "EncodingPolicy",
    "LineFile",
    "Lines",
    "PathLike",
    "clean_texts",
    "display_name",
    "open_plain_bytes",
    "read_lines",
    "split_words",
    "write_text",
]

EncodingPolicy = Literal["refuse", "replace", "skip"]
PathLike = str | os.PathLike[str]

CHUNK_BYTES = 1 << 18
_GZ_LEVEL = 4  # six times as fast as the highest level, for rule tables 10 % larger
PIECE_BYTES = 1 << 20  # maximum decompressed data at once: a few bytes may expand to a lot

# Control characters separate words like ASCII spaces (LineParser replaces them by spaces).  Other
# white space is part of a word, so plain `str.split()` finds other words than the core does.
_WORD = re.compile("[^\x00-\x20\x7f-\x9f]+")

_temporary_numbers = count()  # distinguish the writers of one process


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    @property
    def decompress(self) -> Callable[..., bytes]: ...


def _zstd() -> _Decompressor:
    try:
        import zstandard
    except ImportError:
        raise FormatError(
            "a zstd file, but the Python package zstandard is not installed",
            expected="plain text, gz or xz",
            advice="pip install 'demotic[zst]', or decompress the file",
        ) from None
    return zstandard.ZstdDecompressor().decompressobj()


_DECOMPRESSORS: dict[bytes, tuple[str, Callable[[], _Decompressor]]] = {
    b"\x1f\x8b": ("gzip", lambda: zlib.decompressobj(wbits=31)),
    b"\xfd7zXZ\x00": ("xz", lzma.LZMADecompressor),
    b"\x28\xb5\x2f\xfd": ("zstd", _zstd),
}
_SUFFIXES = {".gz": "gzip", ".xz": "xz", ".zst": "zstd"}


class LineFile:
    """A text file read in chunks; afterwards `notices` counts the repairs made to the input."""

    def __init__(
        self,
        path: PathLike,
        *,
        encoding_errors: EncodingPolicy = "refuse",
        keep_tabs: bool = False,
    ) -> None:
        self.path = path
        self.name = display_name(path)
        self._parser = LineParser(self.name, EncodingErrors[encoding_errors], keep_tabs)

    def chunks(self) -> Iterator[Lines]:
        """The lines in chunks of about 256 kB. Raises FormatError and IoError."""
        for data in open_plain_bytes(self.path):
            self._parser.feed(data)
            yield self._parser.take()
        self._parser.finish()
        yield self._parser.take()

    def __iter__(self) -> Iterator[str]:
        for chunk in self.chunks():
            yield from chunk.tolist()

    @property
    def notices(self) -> LineNotices:
        return self._parser.notices

    @property
    def lines_seen(self) -> int:
        return self._parser.lines_seen


def read_lines(path: PathLike, *, encoding_errors: EncodingPolicy = "refuse") -> Lines:
    """All lines of a text file."""
    lines = Lines()
    for chunk in LineFile(path, encoding_errors=encoding_errors).chunks():
        lines.extend(chunk)
    return lines


def split_words(line: str) -> list[str]:
    """The words of a tokenised line, split as the core and other toolkits do."""
    return _WORD.findall(line)


def display_name(path: PathLike) -> str:
    """The name of a file in messages."""
    name = "standard input" if os.fspath(path) == "-" else os.fspath(path)
    return name.encode("utf-8", "backslashreplace").decode()  # names need not be UTF-8


def open_plain_bytes(path: PathLike) -> Iterator[bytes]:
    """The bytes of a file or of standard input in chunks, decompressed if necessary."""
    name = display_name(path)
    with _open_binary(path, name) as file:
        yield from _plain_bytes(file, name)


def clean_texts(parser: LineParser, texts: Iterable[str]) -> Lines:
    """Cleans texts from other sources like lines; newlines in them become spaces.

    A byte that could not be decoded (U+DCxx, from `surrogateescape`) is handled as in a file.
    """
    joined = "".join([text.replace("\n", " ") + "\n" for text in texts])
    parser.feed(joined.encode("utf-8", "surrogateescape"))
    return parser.take()


@contextmanager
def _open_binary(path: PathLike, name: str) -> Iterator[IO[bytes]]:
    if os.fspath(path) == "-":
        yield sys.stdin.buffer
        return
    try:
        file = open(path, "rb")  # noqa: SIM115 - closed below; only opening is to be translated
    except OSError as error:
        raise IoError("the file cannot be opened", path=name, errno=error.errno or 0) from None
    with file:
        yield file


def _read(file: IO[bytes], name: str) -> bytes:
    try:
        # Return what is available: a line typed at a terminal must not wait for the next one.
        read1 = getattr(file, "read1", file.read)
        data: bytes = read1(CHUNK_BYTES)
        return data
    except OSError as error:
        raise IoError("the file cannot be read", path=name, errno=error.errno or 0) from None


def _plain_bytes(file: IO[bytes], name: str) -> Iterator[bytes]:
    """The bytes of `file`, decompressed if they start like a compressed file."""
    data = _read(file, name)
    for magic, (label, make) in _DECOMPRESSORS.items():
        if data.startswith(magic):
            yield from _decompressed(file, name, data, label, make)
            return
    suffix = os.path.splitext(name)[1]
    if suffix in _SUFFIXES:  # truncated before the magic number, or another kind of file
        raise FormatError(
            f"data that are not {_SUFFIXES[suffix]} in a file named {suffix}",
            path=name,
            expected="a complete compressed file",
            advice="copy or create it again; if it is plain text, rename it",
        )
    while data:
        yield data
        data = _read(file, name)


def _decompressed(
    file: IO[bytes], name: str, data: bytes, label: str, make: Callable[[], _Decompressor]
) -> Iterator[bytes]:
    """One or more concatenated compressed streams, as gzip, xz and zstd allow."""
    decompressor = make()
    while True:
        try:
            yield from _pieces(decompressor, data, bounded=label != "zstd")
        except (zlib.error, lzma.LZMAError, ValueError) as error:
            raise _broken(name, f"damaged {label} data ({error})") from None
        except Exception as error:
            if type(error).__name__ != "ZstdError":  # the class is in the optional package
                raise
            raise _broken(name, f"damaged {label} data ({error})") from None
        if not decompressor.eof:
            data = _read(file, name)
            if not data:
                raise _broken(name, f"{label} data that end early: the file is truncated")
        else:
            data = _after_padding(file, name, decompressor.unused_data)
            if not data:
                return
            decompressor = make()


def _pieces(decompressor: _Decompressor, data: bytes, *, bounded: bool) -> Iterator[bytes]:
    """Decompresses `data` in pieces of at most PIECE_BYTES; zstandard has no such limit."""
    if not bounded:
        yield decompressor.decompress(data)
        return
    more = True
    while more and not decompressor.eof:
        piece = decompressor.decompress(data, PIECE_BYTES)
        data = getattr(decompressor, "unconsumed_tail", b"")  # lzma keeps it internally
        more = bool(data) or len(piece) == PIECE_BYTES
        yield piece


def _after_padding(file: IO[bytes], name: str, data: bytes) -> bytes:
    """What follows the zero padding between streams (tape archives); empty at the end."""
    rest = data.lstrip(b"\0")
    while not rest:
        data = _read(file, name)
        if not data:
            return b""
        rest = data.lstrip(b"\0")
    return rest


def _broken(name: str, found: str) -> FormatError:
    return FormatError(
        found, path=name, expected="a complete compressed file", advice="copy or create it again"
    )


@contextmanager
def write_text(path: PathLike) -> Iterator[IO[str]]:
    """A UTF-8 text file (gz by suffix) that appears under its name only when it is complete."""
    import gzip

    target = Path(path)
    temporary = target.with_name(f"{target.name}.partial-{os.getpid()}-{next(_temporary_numbers)}")
    inside, done = False, False
    made = absent_folders(target.parent)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "wb") as raw:
            # No name or time in the gz header, so that the same text gives the same bytes.
            packed = target.suffix == ".gz"
            data = gzip.GzipFile("", "wb", _GZ_LEVEL, raw, mtime=0) if packed else raw
            with io.TextIOWrapper(data, encoding="utf-8", newline="\n") as file:
                inside = True
                yield file
                inside = False
        with open(temporary, "rb+") as written:
            os.fsync(written.fileno())
        os.replace(temporary, target)
        done = True
    except OSError as error:
        # An error from the caller's other files is not an error of this file.
        if isinstance(error, Error | BrokenPipeError) or (inside and error.filename is not None):
            raise
        found = "the file cannot be written"
        if error.errno == errno.ENOSPC:
            found += f": {shutil.disk_usage(target.parent).free} bytes free"
        # The parent is a file, so the directory cannot be created.
        code = errno.ENOTDIR if isinstance(error, FileExistsError) else error.errno or 0
        raise IoError(found, path=str(path), errno=code) from None
    finally:
        with suppress(OSError):  # never created, or no longer accessible
            temporary.unlink()
        if not done:
            remove_empty(made)

"""Container files made byte by byte, with valid checksums, as malicious input."""

from __future__ import annotations

import struct
from pathlib import Path

MAGIC = b"\x89DEM\r\n\x1a\n"


def crc32c(data: bytes) -> int:
    """From the definition, bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def header(kind: str, sections: int, table_offset: int, table: bytes) -> bytes:
    data = MAGIC + struct.pack(
        "<II16sIIQQI",
        *(0x0A0B0C0D, 1, kind.encode(), 1, sections),
        *(table_offset, table_offset + len(table), crc32c(table)),
    )
    return data + struct.pack("<I", crc32c(data))


def container(kind: str, sections: dict[str, tuple[bytes, int]]) -> bytes:
    """`sections`: name to (bytes, size of an element)."""
    body, table = b"", b""
    for name, (data, element) in sections.items():
        table += struct.pack(
            "<16sQQII", name.encode(), 64 + len(body), len(data), crc32c(data), element
        )
        body += data + bytes(-len(data) % 64)
    return header(kind, len(sections), 64 + len(body), table) + body + table


def endless_container(path: Path, kind: str, size: int) -> None:
    """A sparse file with one section of `size` zeros (a multiple of 64)."""
    table = struct.pack("<16sQQII", b"zeros", 64, size, 0, 1)
    with path.open("wb") as file:
        file.write(header(kind, 1, 64 + size, table))
        file.seek(64 + size)
        file.write(table)

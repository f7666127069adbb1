"""The options of a server: limits of requests, and how texts are treated."""

from __future__ import annotations

from dataclasses import dataclass

from demotic.constraints.xml_input import XmlInput
from demotic.options import Options, option
from demotic.search.options import Unknown

__all__ = ["ServeOptions"]


@dataclass(frozen=True, kw_only=True)
class ServeOptions(Options):
    """Where the server listens, the limits of requests, and how texts are treated."""

    host: str = option("127.0.0.1", "address to listen on")
    port: int = option(5000, "port to listen on; 0 for any free one", minimum=0, maximum=65535)
    max_head: int = option(
        65_536,
        "largest request line with headers, of which the address has at most 65,535",
        unit="bytes",
        minimum=1000,
    )
    max_body: int = option(1_000_000, "largest request body", unit="bytes", minimum=1000)
    max_document: int = option(
        16_000_000, "largest body of a streamed document", unit="bytes", minimum=1000
    )
    max_segments: int = option(
        50_000,
        "segments (paragraphs, messages, cells) of a document, and sentences in them; it may have "
        "ten times as many tags",
        minimum=1,
    )
    max_buffered: int = option(
        32_000_000,
        "memory for the bodies of all requests together, beyond 64 KiB of each",
        unit="bytes",
        minimum=1000,
    )
    max_characters: int = option(20_000, "characters translated per request", minimum=1)
    max_sentences: int = option(500, "sentences translated per request", minimum=1)
    max_alternatives: int = option(20, "alternative translations per request", minimum=0)
    max_seconds: float = option(
        30.0, "time for a request, including its time in the queue", unit="seconds", minimum=0.1
    )
    idle_seconds: float = option(
        10.0,
        "time for a client to send a complete request, or to read a part of the answer",
        unit="seconds",
        minimum=0.1,
    )
    queue: int = option(64, "requests that wait while all threads are busy", minimum=0)
    connections: int = option(
        500, "open connections; a further one ends the one that has waited longest", minimum=1
    )
    stop_seconds: float = option(
        30.0, "time for running requests when the server stops", unit="seconds", minimum=0
    )
    unknown: Unknown = option(
        "copy",
        "what becomes of words that the models do not know: copied, dropped (phrases), or copied "
        "in Latin letters if they are Cyrillic, Greek, kana or Hangul",
    )
    xml_input: XmlInput = option(
        "pass-through",
        "treatment of Moses' XML words in texts of the Moses dialect, as in demotic translate",
    )
    log_texts: bool = option(False, "write the texts of requests to the access log")

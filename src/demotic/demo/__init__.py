"""The bundled Chinese-English corpus, and the demo that builds a translator from it."""

from .corpus import REFERENCES, read_corpus, write_corpus

__all__ = ["REFERENCES", "read_corpus", "write_corpus"]

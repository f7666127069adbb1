"""Japanese tokenisation by MeCab, through fugashi with the small UniDic (extra `ja`)."""

from __future__ import annotations

from collections.abc import Sequence

from demotic.errors import Error
from demotic.text.languages import base_language
from demotic.text.tokenize.extras import keep_emoji_whole, load, package_version
from demotic.text.tokenize.spacing import Spacing

__all__ = ["FugashiTokenizer"]


class FugashiTokenizer:
    """The surface forms found by MeCab."""

    name = "fugashi"

    def __init__(self, language: str) -> None:
        package = load("fugashi", "ja")
        try:
            self._tagger = package.Tagger("-Owakati")
        except RuntimeError:
            raise Error(
                "the tokeniser 'fugashi' without a dictionary",
                expected="an installed UniDic",
                advice="pip install 'demotic[ja]', or choose the tokeniser builtin",
            ) from None
        dictionary = package_version("unidic-lite")
        self.version = f"{package_version('fugashi')} (unidic-lite {dictionary})"
        self._spacing = Spacing(base_language(language))

    def tokenize(self, line: str) -> list[str]:
        return keep_emoji_whole(self._cut, line)

    def _cut(self, line: str) -> list[str]:
        # MeCab stops at a NUL character.
        text: str = self._tagger.parse(line.replace("\0", " "))
        return text.split()

    def detokenize(self, tokens: Sequence[str]) -> str:
        return self._spacing.join(tokens)

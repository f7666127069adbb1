"""Language codes: which are accepted (BCP 47 with an ISO 639 language), and common mistakes.

Any language is accepted, even one without rules here; a code that is no language is refused, since
it would silently lose the rules of the language that was meant.
"""

from __future__ import annotations

import re
from functools import lru_cache

from demotic.errors import Error

__all__ = [
    "base_language",
    "checked_language",
    "language_of_name",
    "three_letter_code",
    "words",
]


def words(text: str) -> frozenset[str]:
    """A set written as words separated by spaces."""
    return frozenset(text.split())


_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8})*")

# All of ISO 639-1.
_TWO_LETTERS = words(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy
    da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu
    hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb
    lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om
    or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv
    sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """
)

# Country codes and obsolete codes that are often written for a language.
_MEANT = {"cn": "zh", "jp": "ja", "cz": "cs", "gr": "el", "dk": "da", "iw": "he", "in": "id"}

# Three-letter codes of the languages that have rules here.
_THREE_LETTERS = {
    "ara": "ar", "cat": "ca", "ces": "cs", "cmn": "zh", "dan": "da", "deu": "de", "ell": "el",
    "eng": "en", "est": "et", "fas": "fa", "fin": "fi", "fra": "fr", "heb": "he", "hin": "hi",
    "hrv": "hr", "hun": "hu", "isl": "is", "ita": "it", "jpn": "ja", "khm": "km", "kor": "ko",
    "lao": "lo", "lav": "lv", "lit": "lt", "ltz": "lb", "mya": "my", "nld": "nl", "nob": "nb",
    "nor": "no", "oci": "oc", "pol": "pl", "por": "pt", "ron": "ro", "rus": "ru", "slk": "sk",
    "slv": "sl", "spa": "es", "swe": "sv", "tha": "th", "tur": "tr", "ukr": "uk", "yue": "zh",
    "zho": "zh",
}  # fmt: skip


def checked_language(code: str) -> str:
    """The code unchanged if it names a language. Raises Error."""
    lowered = code.lower()
    first = re.split("[-_]", lowered, maxsplit=1)[0]
    if _CODE.fullmatch(code) and (first in _TWO_LETTERS or len(first) == 3):
        return code
    from demotic.text.language_names import code_of_name

    meant = _MEANT.get(first) or code_of_name(code)
    raise Error(
        f"the language {code!r}",
        expected="a language code such as en, de, zh or pt-BR",
        advice=f"write {meant} for this language" if meant else "see ISO 639",
    )


@lru_cache(maxsize=1024)
def base_language(code: str) -> str:
    """The language without script and country, as a two-letter code where one exists."""
    first = re.split("[-_]", checked_language(code).lower(), maxsplit=1)[0]
    return _THREE_LETTERS.get(first, first)


def language_of_name(path: str) -> str:
    """The language in the suffix of a file name (news.zh, news.zh.gz); empty if there is none."""
    name = re.split(r"[\\/]", path.lower())[-1]
    name = re.sub(r"\.(gz|bz2|xz|zst|zip)$", "", name)
    _, dot, last = name.rpartition(".")
    return last if dot and (last in _TWO_LETTERS or last in _THREE_LETTERS) else ""


def three_letter_code(code: str) -> str:
    """The language as an ISO 639-3 code where it is known here, else without script and country."""
    base = base_language(code)
    return {two: three for three, two in _THREE_LETTERS.items()}.get(base, base)

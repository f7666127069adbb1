"""Writes words of other scripts in Latin letters, by table: Cyrillic, Greek, kana and Hangul.

    romanized("Москва")          # Moskva
    romanized("Київ", "uk")      # Kyiv
    romanized("東京タワー")       # 東京tawa: Chinese characters have no single reading

Cyrillic follows the systems used for place names (BGN/PCGN without diacritics, and the national
ones for Ukrainian, Bulgarian, Serbian and Macedonian), Greek ELOT 743, kana Hepburn without long
vowels, Hangul the Revised Romanization without assimilation of consonants.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import partial

from demotic.text.languages import base_language

__all__ = ["can_romanize", "romanized"]


def _table(text: str) -> dict[str, str]:
    """Written as pairs such as бb; a letter alone is dropped."""
    return {pair[0]: pair[1:] for pair in text.split()}


_CYRILLIC = _table(
    "аa бb вv гg дd еe ёyo жzh зz иi йy кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щshch ъ "
    "ыy ь эe юyu яya іi їyi єye ґg ўw ђdj ѓgj ѕdz јj љlj њnj ћć ќkj џdž ѐe ѝi әa ғgh қq ңng өo "
    "ұu үu һh җzh ҙdh ҡq ҫth ӯu ӣi ҳh ҷj"
)
_CYRILLIC_OF = {
    "uk": _table("гh иy йi"),
    "be": _table("гh"),
    "bg": _table("щsht ъa хh"),
    "sr": _table("жž чč шš цc хh ђđ"),
    "bs": _table("жž чč шš цc хh ђđ"),
    "mk": _table("хh цc"),
}
# At the start of a Ukrainian word.
_UKRAINIAN_START = _table("єye їyi йy юyu яya")
_UKRAINIAN_LATER = _table("єie їi йi юiu яia")

_GREEK = _table("αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo")
_GREEK_PAIRS = (
    (re.compile("ου"), "ou"),
    (re.compile("γ(?=γ|ξ|χ)"), "n"),
    (re.compile(r"\bμπ|μπ\b"), "b"),
    (re.compile("(?<=[αεη])υ(?=[αεηιουωβγδζλμνρ])"), "v"),
    (re.compile("(?<=[αεη])υ"), "f"),
)

_KANA_ROWS = {
    "": "あいうえお", "k": "かきくけこ", "s": "さしすせそ", "t": "たちつてと", "n": "なにぬねの",
    "h": "はひふへほ", "m": "まみむめも", "r": "らりるれろ", "g": "がぎぐげご", "z": "ざじずぜぞ",
    "d": "だぢづでど", "b": "ばびぶべぼ", "p": "ぱぴぷぺぽ",
}  # fmt: skip
_KANA_OTHERS = _table(
    "しshi ちchi つtsu ふfu じji ぢji づzu やya ゆyu よyo わwa ゐi ゑe をo んn ゔvu"
)
_KANA = {
    kana: consonant + vowel
    for consonant, row in _KANA_ROWS.items()
    for kana, vowel in zip(row, "aiueo", strict=True)
} | _KANA_OTHERS
_SMALL_Y = _table("ゃa ゅu ょo")
_SMALL_VOWELS = _table("ぁa ぃi ぅu ぇe ぉo")
_VOWEL_STARTS = tuple("aiueoy")

_INITIALS = "g kk n d tt r m b pp s ss  j jj ch k t p h".split(" ")
_VOWELS = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i".split()
_FINALS = " k k k n n n t l k m l l l p l m p p t t ng t t k t p t".split(" ")
# A final consonant before a vowel belongs to the next syllable.
_LINKED = " g kk gs n nj nh d r lg lm lb ls lt lp lh m b bs s ss ng j ch k t p h".split(" ")

_CYRILLIC_RUN = re.compile("[\u0400-\u04ff]+")
_GREEK_RUN = re.compile("[\u0370-\u03ff\u1f00-\u1fff]+")
_KANA_SIGN = re.compile("[\u3041-\u3096\u30a1-\u30fa\u30fc]")
_HANGUL_SIGN = re.compile("[\uac00-\ud7a3]")
_ANY = re.compile(
    "|".join(one.pattern for one in (_CYRILLIC_RUN, _GREEK_RUN, _KANA_SIGN, _HANGUL_SIGN))
)


def can_romanize(word: str) -> bool:
    """Whether some of its letters are of a script with a table."""
    return _ANY.search(word) is not None


def romanized(word: str, language: str = "ru") -> str:
    """The word in Latin letters, as far as there are tables; `language` is that of the word."""
    text = unicodedata.normalize("NFC", word)
    base = base_language(language)
    text = _CYRILLIC_RUN.sub(lambda run: _cased(run[0], partial(_cyrillic, language=base)), text)
    text = _GREEK_RUN.sub(lambda run: _cased(run[0], _greek), text)
    if _KANA_SIGN.search(text):
        text = _kana(text)
    return _hangul(text) if _HANGUL_SIGN.search(text) else text


def _cased(text: str, romanize: Callable[[str], str]) -> str:
    """Capitals where the word has them: all of it, or its first letter."""
    found = romanize(text.lower())
    if text.isupper() and sum(map(str.isalpha, text)) > 1:
        return found.upper()
    return found[:1].upper() + found[1:] if text[:1].isupper() else found


def _cyrillic(text: str, language: str) -> str:
    table = _CYRILLIC | _CYRILLIC_OF.get(language, {})
    if language != "uk":
        return "".join(table.get(sign, sign) for sign in text)
    text = text.replace("зг", "zgh")
    later = table | _UKRAINIAN_LATER
    first = (table | _UKRAINIAN_START).get(text[0], text[0])
    return first + "".join(later.get(sign, sign) for sign in text[1:])


def _greek(text: str) -> str:
    # The accent of a first vowel, or a diaeresis, keeps two vowels apart: they are no pair then.
    marked = unicodedata.normalize("NFD", text)
    marked = re.sub("(?<=[αεηο])(\u0301|\u0300|\u0342)(?=υ)", "\u0308", marked)
    apart = re.sub("([αεηο])\u0308υ", "\\1|υ", marked)
    apart = re.sub("υ(\u0301?\u0308|\u0308\u0301)", "|υ", apart)
    plain = "".join(sign for sign in apart if not unicodedata.combining(sign))
    for pair, latin in _GREEK_PAIRS:
        plain = pair.sub(latin, plain)
    return "".join(_GREEK.get(sign, sign) for sign in plain).replace("|", "")


def _kana(text: str) -> str:
    found = before = ""
    doubled = False
    for sign in text:
        kana = chr(ord(sign) - 0x60) if "\u30a1" <= sign <= "\u30f6" else sign
        if kana in _SMALL_Y and found[-1:] == "i":
            glide = "" if found[-3:-1] in ("sh", "ch") or found[-2:-1] == "j" else "y"
            found = found[:-1] + glide + _SMALL_Y[kana]
        elif kana in _SMALL_VOWELS and found[-1:] in ("u", "i", "e", "o"):
            glide = "w" if before == "う" else ""
            found = found[:-1] + glide + _SMALL_VOWELS[kana]
        elif kana == "っ":
            doubled = True
            continue
        elif kana != "ー":
            latin = _KANA.get(kana) or _SMALL_VOWELS.get(kana, kana)
            if before == "ん" and latin[:1] in _VOWEL_STARTS:  # kin'en
                latin = f"'{latin}"
            found += _double(latin) if doubled else latin
        doubled, before = False, kana
    return found


def _double(latin: str) -> str:
    return f"t{latin}" if latin.startswith("ch") else latin[:1] + latin


def _hangul(text: str) -> str:
    found = ""
    for i, sign in enumerate(text):
        if not _HANGUL_SIGN.match(sign):
            found += sign
            continue
        initial, vowel, final = _letters(sign)
        before = _letters(text[i - 1])[2] if i and _HANGUL_SIGN.match(text[i - 1]) else 0
        onset = "l" if initial == 5 and before == 8 else _INITIALS[initial]
        follows = text[i + 1 : i + 2]
        vowel_next = bool(_HANGUL_SIGN.match(follows)) and _letters(follows)[0] == 11
        found += onset + _VOWELS[vowel] + (_LINKED if vowel_next else _FINALS)[final]
    return found


def _letters(syllable: str) -> tuple[int, int, int]:
    number = ord(syllable) - 0xAC00
    return number // 588, number % 588 // 28, number % 28

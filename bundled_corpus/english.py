"""English morphology: plurals, verb forms, comparison, articles, and how Moses splits clitics."""

from __future__ import annotations

import re
from functools import lru_cache

from .tables import rows

VOWEL = re.compile(r"[aeiou]", re.IGNORECASE)
CLITIC = re.compile(r"(?<=[A-Za-z])('[A-Za-z]*)$")
# Words whose first sound is not what their first letter suggests.
CONSONANT_SOUND = ("uni", "use", "one", "euro")
VOWEL_SOUND = ("hour", "honest")
# Verbs and adjectives that double the last consonant before a vowel.
DOUBLING = (
    "stop", "plan", "chat", "hug", "drop", "shop", "jog", "hit", "run", "swim", "sit", "get", "put",
    "shut", "win", "begin", "forget", "cut", "set", "let", "big", "hot", "thin", "fat", "sad",
    "wet", "red", "glad", "knit",
)  # fmt: skip


@lru_cache(maxsize=1)
def _irregular() -> dict[tuple[str, str], str]:
    return {(row["form"], row["base"]): row["irregular"] for row in rows("irregular.tsv")}


def split_clitics(word: str) -> list[str]:
    """`don't` as `don 't` and `Fang's` as `Fang 's`, as the Moses tokeniser splits them."""
    match = CLITIC.search(word)
    if match is None or match.start() == 0:
        return [word]
    return [word[: match.start()], match.group()]


def article(word: str, following: str) -> str:
    """The word itself, but `an` instead of `a` where a vowel sound follows."""
    return "an" if word == "a" and vowel_sound(following) else word


def vowel_sound(word: str) -> bool:
    lower = word.lower()
    if lower[:1].isdigit():
        return lower.startswith(("8", "11,", "18,")) or lower in ("11", "18")
    if lower.startswith(VOWEL_SOUND):
        return True
    return bool(VOWEL.match(lower)) and not lower.startswith(CONSONANT_SOUND)


def plural(noun: str) -> str:
    """The plural of a noun phrase without complements, inflected at its last word."""
    head, _, last = noun.rpartition(" ")
    return f"{head} {_plural(last)}".strip()


def _plural(word: str) -> str:
    if ("plural", word) in _irregular():
        return _irregular()["plural", word]
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and not VOWEL.match(word[-2]):
        return word[:-1] + "ies"
    return word + "s"


def third_person(verb: str) -> str:
    """`goes`, `studies`: the present with he, she or it."""
    return {"have": "has", "be": "is", "do": "does", "go": "goes"}.get(verb) or _plural_like(verb)


def _plural_like(verb: str) -> str:
    if verb.endswith(("s", "x", "ch", "sh", "z")):
        return verb + "es"
    if verb.endswith("y") and not VOWEL.match(verb[-2]):
        return verb[:-1] + "ies"
    return verb + "s"


def past(verb: str) -> str:
    return _irregular().get(("past", verb)) or _suffixed(verb, "ed")


def participle(verb: str) -> str:
    return _irregular().get(("participle", verb)) or past(verb)


def gerund(verb: str) -> str:
    if verb in ("lie", "die", "tie"):
        return verb[:-2] + "ying"
    if verb.endswith(("ee", "be")) and len(verb) < 4:
        return verb + "ing"
    return _suffixed(verb, "ing")


def _suffixed(word: str, suffix: str) -> str:
    """The word with a suffix that begins with a vowel."""
    if word in DOUBLING:
        return word + word[-1] + suffix
    if word.endswith("e") and not (suffix == "ing" and word.endswith(("ee", "oe"))):
        return word[:-1] + suffix
    if word.endswith("y") and not VOWEL.match(word[-2]) and suffix != "ing":
        return word[:-1] + "i" + suffix
    return word + suffix


def comparative(adjective: str) -> str:
    return _compared(adjective, "er", "more")


def superlative(adjective: str) -> str:
    return _compared(adjective, "est", "most")


def _compared(adjective: str, suffix: str, word: str) -> str:
    form = "comparative" if suffix == "er" else "superlative"
    if (form, adjective) in _irregular():
        return _irregular()[form, adjective]
    syllables = len(re.findall(r"[aeiouy]+", re.sub(r"e$", "", adjective)))
    if syllables == 1 or (syllables == 2 and adjective.endswith("y")):
        return _suffixed(adjective, suffix)
    return f"{word} {adjective}"


def ordinal(n: int) -> str:
    """1st, 2nd, 3rd, 11th ..."""
    if n % 100 in (11, 12, 13):
        return f"{n}th"
    return f"{n}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th') }"

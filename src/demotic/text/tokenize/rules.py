"""Language-specific rules of the built-in tokeniser: apostrophes, abbreviations, ordinals.

Words are given in lower case and compared ignoring case.  A word that can also end a sentence
("no", "art") is an abbreviation only before a number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from demotic.text.languages import words

__all__ = ["LanguageRules", "rules_for"]


@dataclass(frozen=True, kw_only=True)
class LanguageRules:
    clitics: frozenset[str] = frozenset()  # don 't, john 's: cut off with their apostrophe
    alone: frozenset[str] = frozenset()  # 's avonds: a separate word at the start of a token
    elisions: frozenset[str] = frozenset()  # l' homme: cut after the apostrophe
    abbreviations: frozenset[str] = frozenset()
    before_numbers: frozenset[str] = frozenset()
    ordinals: bool = False  # 3. Oktober
    compounds: bool = False  # Helm und -schuhe: the hyphen replaces a part that is not repeated


# Shared by most European languages.
_COMMON = words("dr prof vs cf vol fig tel")

_ROMANCE = "l d j m t s n c ç qu jusqu lorsqu puisqu quoiqu quelqu presqu entr"

_CLITICS = {
    "en": "s t re ve ll d m",
    "de": "s n ne nen nem ner",
    "lb": "s t n",
}
_ALONE = {"nl": "s t n k m", "af": "n s t"}
_ELISIONS = {
    "fr": _ROMANCE,
    "oc": _ROMANCE,
    "wa": _ROMANCE,
    "ca": "l d m t s n",
    "it": "l un d dell all nell sull dall coll pell quell quest c n m t s v gl anch com dov quand "
    "quant cos sant bell grand mezz tutt nient senz pover altr ciascun nessun qualcun ognun buon "
    "degl agl negl sugl dagl begl quegl fors",
    "co": "l d un n s t m c",
    "pt": "d",
    "ga": "d b m",
    "lb": "d",
}
_ABBREVIATIONS = {
    "en": "mr mrs ms messrs mme dr prof sr jr st ave blvd rd gen col maj capt cmdr lt sgt cpl pvt "
    "adm brig gov sen rep rev hon pres supt supts mt ft vs viz inc ltd corp bros cf al approx "
    "dept est ext fig figs vol ed eds ch sec univ assn jan feb aug sept oct nov dec ph.d m.sc b.sc",
    "de": "dr prof hr hrn fr frl dipl ing bzw ca evtl ggf inkl exkl usw vgl z.b d.h u.a z.t nr bd "
    "bspw etc jh jhd str tel st abs aufl ausg geb gest mio mrd mwst s.o s.u sog u.u usf jr sr "
    "jan feb okt nov dez min max zzgl abzgl einschl entspr allg bes gegr kath ev",
    "fr": "m mm mme mmes mlle mlles dr pr me mgr st ste etc cf av bd tél p.ex vol éd janv févr "
    "juill sept oct nov déc env apr",
    "es": "sr sra sres srta srtas dr dra d dª dña ud uds vd vds prof lic ing gral cap etc pág págs "
    "av avda núm tel fig vol ee.uu p.ej cía ltda hnos art ene feb abr ago sept oct nov dic",
    "it": "sig sigg dott dottssa prof ing avv geom on ecc es pag pagg vol art tel sr jr sec s.p.a "
    "gen feb mar apr mag giu lug ago set ott nov dic",
    "pt": "sr sra srs sras dr dra prof profa eng exmo exma v.exa av etc pág págs vol tel fig ltda "
    "cia jan fev abr ago out nov dez",
    "nl": "dhr mevr mw mej drs dr ir ing prof mr bijv blz bv bzw ca d.w.z e.d enz etc evt incl "
    "excl i.p.v jl nl nr o.a resp st t.a.v zgn min max",
    "sv": "dr prof bl.a d.v.s dvs e.d ev exkl f.d f.ö inkl jfr kl m.fl m.m mfl mm moms nr o.d "
    "o.s.v osv resp s.k sid st t.ex tex t.o.m tel ung vol",
    "da": "dr prof bl.a dvs evt f.eks fx hhv inkl ekskl jf kap kl kr mv m.fl m.m nr osv pga "
    "s.k tlf",
    "ru": "г гг руб коп тыс млн млрд им ул пр стр рис см др т.е т.д т.п т.к проф акад",
    "pl": "dr prof mgr inż np tzn itd itp ul al nr str tel godz min ok płk gen ks św wg tzw m.in",
    "cs": "dr prof mgr ing mudr judr např tj tzn atd apod ul nám č str tel tzv sv kr r mj resp",
}
_BEFORE_NUMBERS = {
    "en": "no nos art nr pp p",
    "de": "art s kap",
    "fr": "n no art p pp",
    "es": "no art p pp",
    "it": "n art p pp",
    "pt": "n art p pp",
}
_ORDINALS = words("de lb da nb nn no fi is fo et lv cs sk sl hr bs sr hu pl tr eu")

_COMPOUNDS = words("de lb nl af fy sv da nb nn no is fo")


@cache
def rules_for(language: str) -> LanguageRules:
    """The rules of a language (two letters); general rules if nothing specific is known."""

    def listed(table: dict[str, str]) -> frozenset[str]:
        return words(table.get(language, ""))

    return LanguageRules(
        clitics=listed(_CLITICS),
        alone=listed(_ALONE),
        elisions=listed(_ELISIONS),
        abbreviations=listed(_ABBREVIATIONS) | _COMMON,
        before_numbers=listed(_BEFORE_NUMBERS),
        ordinals=language in _ORDINALS,
        compounds=language in _COMPOUNDS,
    )

"""The schema of `preparation.toml` for pydantic, which reports all errors at once.

Separate from the reader because importing pydantic is slow and most runs do not need it.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict

from demotic.errors import Error
from demotic.options import declared
from demotic.text.languages import checked_language
from demotic.text.preparation import PrepareOptions

__all__ = ["PreparationFile"]

_STRICT = ConfigDict(extra="forbid", strict=True)


def _language(code: str) -> str:
    try:
        return checked_language(code)
    except Error as error:
        raise ValueError(str(error)) from None


def _options(values: dict[str, Any]) -> dict[str, Any]:
    known = {one.name: one for one in declared(PrepareOptions)}
    faults = [f"{name} is not an option" for name in values if name not in known]
    faults += [
        f"{name} is {value!r}, expected {known[name].expected}"
        for name, value in values.items()
        if name in known and not known[name].accepts(value)
    ]
    if faults:
        raise ValueError("; ".join(faults))
    return values


class SideTable(BaseModel):
    """[source] and [target]"""

    model_config = _STRICT
    language: Annotated[str, AfterValidator(_language)]
    tokenizer: str
    version: str


class PreparationFile(BaseModel):
    """The whole file."""

    model_config = _STRICT
    demotic: str
    work: str = ""
    options: Annotated[dict[str, Any], AfterValidator(_options)]
    source: SideTable
    target: SideTable | None = None
    counts: dict[str, int] = {}

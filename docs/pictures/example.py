"""The sentence that the pictures show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from demotic import Decoder, Model, SearchOptions, SearchResult
from demotic.pipeline.result import MakeResult

# Word by word: John likes I yesterday write (of) very important (of) e-mail.
SENTENCE = "约翰喜欢我昨天写的很重要的邮件。"
REFERENCE = "John likes the very important e-mail that I wrote yesterday."


@dataclass(frozen=True)
class Example:
    """A model, and the sentence that it translates."""

    model: Model
    sentence: str = SENTENCE
    reference: str = REFERENCE

    @classmethod
    def of(cls, made: Path, kind: str) -> Example | None:
        """The tuned model of this kind, made by `demotic make` or `demotic demo`."""
        stages = MakeResult.load(made).stages
        tuned = [one for one in stages if one.kind == kind and one.name.endswith("tuned")]
        return cls(Model.load(made / tuned[0].model)) if tuned else None

    @property
    def tokens(self) -> str:
        return self.model.raw_text.prepared(self.sentence)

    @property
    def reference_tokens(self) -> str:
        return self.model.raw_text.prepared_reference(self.reference)

    def decoder(self, **limits: Any) -> Decoder:
        """With other limits than the model's."""
        return self.model.decoder(replace(SearchOptions.for_model(self.model), **limits))

    def search(self, **limits: Any) -> SearchResult:
        """With everything that entered a bin."""
        return self.decoder(**limits).search([self.tokens], record="bins")[0]

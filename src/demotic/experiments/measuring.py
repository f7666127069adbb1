"""Measures one run: translates the test set and scores it, or decodes references by force."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from demotic.experiments.lists import list_figures, mixtures
from demotic.experiments.reachability import forced
from demotic.experiments.step_options import given_search, needs_trees
from demotic.lines import split_words
from demotic.metrics.named import create_metric
from demotic.search.options import SearchOptions

if TYPE_CHECKING:
    from demotic.experiments.expand import Run
    from demotic.experiments.learning import Learnt, Steps
    from demotic.experiments.settings import ExperimentSettings
    from demotic.learn.dev_set import DevSet
    from demotic.metrics.metric import Metric
    from demotic.metrics.references import References
    from demotic.model import Model
    from demotic.pipeline.progress import Advance

__all__ = ["Measurement", "measured", "test_metric"]

Curves = dict[str, list[list[float]]]


@dataclass(frozen=True)
class Measurement:
    """Figures and curves by name, and the translations of the test set, if it was translated."""

    figures: dict[str, float]
    curves: Curves
    output: list[str] | None
    signature: str = ""


def test_metric(name: str, references: References) -> Metric:
    return create_metric(name, references, {"tokenize": "none"})


def measured(
    run: Run, learnt: Learnt, steps: Steps, settings: ExperimentSettings, advance: Advance
) -> Measurement:
    record = learnt.record
    figures, curves = dict(record.get("figures", {})), dict(record.get("curves", {}))
    if run.settings.force is not None:
        found = _forced(run, learnt.model, steps, advance)
        return Measurement({**figures, **found["figures"]}, {**curves, **found["curves"]}, None)
    model = learnt.model
    trees = needs_trees(model)
    test = steps.text.dev_set(steps.home, "test", model, trees=trees)
    search = SearchOptions.for_model(model, given_search(run.settings, model.kind))
    decoder = model.decoder(search)
    output = decoder.translate(
        test.source,
        threads=steps.threads,
        progress=lambda done, total: advance(done / max(1, total), "translating"),
    ).text
    metric = test_metric(settings.metric, test.references)
    figures |= _scores(test, output, metric)
    # Learners may have skipped sentences or used another metric: the whole dev set is measured.
    dev = steps.text.dev_set(steps.home, "dev", model, trees=trees)
    chosen = dev.held_out or dev
    text = decoder.translate(chosen.source, threads=steps.threads).text
    figures["dev"] = test_metric(settings.metric, chosen.references).score(text)
    if "lists" in settings.measure:
        figures |= list_figures(decoder, test, metric, steps.threads)
    if "mixtures" in settings.measure:
        curves |= mixtures(decoder, test, metric, steps.threads)
    return Measurement(figures, curves, output, metric.signature)


def _scores(test: DevSet, output: list[str], metric: Metric) -> dict[str, float]:
    others = {
        name: test_metric(name, test.references).score(output) for name in ("bleu", "ter", "chrf")
    }
    words = sum(len(split_words(line)) for line in output)
    return {
        "test": metric.score(output),
        "ter": others["ter"],
        "chrf": others["chrf"],
        "combined": (others["ter"] - others["bleu"]) / 2,
        "length": words / max(1.0, test.references.mean_words * len(test)),
    }


def _forced(run: Run, model: Model, steps: Steps, advance: Advance) -> dict[str, Any]:
    step = run.settings.force
    assert step is not None
    if step.on == "train":
        bitext = steps.bitext(run.step.root, model, "train")
        pairs = list(bitext.source), [[one] for one in bitext.target]
    else:
        text = steps.text.dev_set(steps.home, step.on, model)
        first, texts = text.references.first, text.references.texts
        pairs = list(text.source), [texts[first[i] : first[i + 1]] for i in range(len(text))]
    return forced(
        model,
        pairs,
        step,
        steps.threads,
        lambda done, total: advance(done / max(1, total), "forced decoding"),
    )

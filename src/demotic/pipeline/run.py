"""From parallel text to a tuned, trained and evaluated translator: `demotic make` in Python.

    result = demotic.make("talks.zh", "talks.en", out="zh-en", source_language="zh",
                        target_language="en")
    print(result.best.scores["bleu"], result.model.translate(["他把书放在桌子上。"]))

All intermediate results are kept in `work/`, so that the same call resumes after an interruption
and returns at once when everything is done.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from demotic.counts import counted
from demotic.lines import PathLike, read_lines, split_words, write_text
from demotic.lock import locked
from demotic.model.file import MODEL_NAME
from demotic.pipeline.combine_stage import combine_stage
from demotic.pipeline.context import MakeContext
from demotic.pipeline.corpus_stages import check_stage, prepare_stage, split_stage
from demotic.pipeline.costs import planned
from demotic.pipeline.model_stages import bitext_of, build_stage, train_stage, tune_stage
from demotic.pipeline.options import MakeOptions
from demotic.pipeline.progress import Progress, Silent
from demotic.pipeline.request import FilePair, MakeRequest
from demotic.pipeline.result import RESULT_NAME, MakeResult, StageResult
from demotic.pipeline.scores import TestSet, translated
from demotic.pipeline.split import Split
from demotic.pipeline.ways import AGAIN, STORY, TITLES
from demotic.pipeline.work import Work
from demotic.search.options import SearchOptions
from demotic.versions import versions

if TYPE_CHECKING:
    from demotic.learn import DevSet
    from demotic.model import Model

__all__ = ["REPORT_NAME", "make", "run_request"]

REPORT_NAME = "report.html"


def make(
    *inputs: PathLike,
    out: PathLike,
    source_language: str,
    target_language: str,
    dev: Sequence[FilePair] = (),
    test: Sequence[FilePair] = (),
    glossaries: Sequence[PathLike] = (),
    threads: int = 1,
    force: bool = False,
    progress: Progress | None = None,
    **options: Any,
) -> MakeResult:
    """Makes the translator `out` from two text files, or from TSV, TMX, PO or XLIFF files.

    `dev` and `test` are pairs of files (source, reference) to use instead of parts of the corpus,
    `glossaries` files of terms that the translator obeys.
    Other keywords are fields of `MakeOptions`: `kind`, `preset`, `train`, `seed` and so on.
    """
    request = MakeRequest(
        inputs=inputs,
        source_language=source_language,
        target_language=target_language,
        out=Path(out),
        dev=dev,
        test=test,
        glossaries=glossaries,
        options=MakeOptions(**options),
        threads=threads,
    )
    return run_request(request, force=force, progress=progress)


def run_request(
    request: MakeRequest, *, force: bool = False, progress: Progress | None = None
) -> MakeResult:
    """Makes the translator, resuming what an earlier run of the same request has done."""
    work = Work(request.out)
    request.glossary()  # refuses a malformed one before the work begins
    with _tidy(request.out):
        work.claim(request.command(), force=force)
        work.remember_inputs(request.input_names())
        with locked(work.folder):
            if (request.out / MODEL_NAME).exists() and (request.out / RESULT_NAME).exists():
                return MakeResult.load(request.out)
            return _Run(MakeContext(request, work, progress or Silent())).run()


@contextmanager
def _tidy(home: Path) -> Iterator[None]:
    """Leaves nothing behind if it fails before the text is prepared."""
    was_there = home.exists()
    try:
        yield
    except BaseException:
        if not was_there and not (home / "work" / "prepared" / "preparation.toml").exists():
            shutil.rmtree(home, ignore_errors=True)
        raise


class _Run:
    """The stages in order."""

    def __init__(self, context: MakeContext) -> None:
        self.context, self.request, self.work = context, context.request, context.work
        self.stages: list[StageResult] = []
        self.models: list[Model] = []

    def run(self) -> MakeResult:
        self._plan(None)
        findings = check_stage(self.context)
        split = split_stage(self.context)
        self._plan(split)
        dropped = prepare_stage(self.context, split)
        for kind in self.request.kinds:
            model = build_stage(self.context, kind)
            if kind == self.request.kinds[0]:
                self._warn_of_unknown(model, split)
            self._tune(model, split)
        if self.request.trains:
            self._train(self.models[self._best()], split)
        if self.request.combines:
            self._combine(split)
        final = self._best()
        outputs, speed = self._test(split)
        with self.context.stage("report"):
            test = TestSet(split.test, self.request.target_language)
            stages, signatures = test.scored(self.stages, outputs, self.request.threads)
            first = next(i for i, one in enumerate(stages) if one.kind == stages[final].kind)
            good, bad = test.examples(outputs[first], outputs[final])
            model = self._write_model(self.models[final], stages[final])
            model = self._with_confidence(model, split)
            made = MakeResult(
                path=self.request.out,
                source_language=self.request.source_language,
                target_language=self.request.target_language,
                kind=model.kind,
                final=final,
                stages=tuple(stages),
                signatures=signatures,
                sentences=self._sentences(split),
                dropped=dropped,
                findings=findings,
                sizes=_sizes(model),
                speed=speed,
                good=tuple(good),
                bad=tuple(bad),
                settings=self._settings(),
                versions=versions(),
            )
        made = replace(made, times=tuple(self.work.times.items()))
        self._write_report(made)
        made.save()
        self.context.progress.done("scores, significance tests and report.html")
        return made

    def _plan(self, split: Split | None) -> None:
        self.context.progress.plan(planned(self.request, split))

    def _dev(self, model: Model, split: Split, name: str = "dev") -> DevSet:
        from demotic.learn import DevSet

        part = split.dev if name == "dev" else split.test
        source, *references = self.context.text_files(name, len(part.references))
        return DevSet.read(source, references, model.raw_text)

    def _warn_of_unknown(self, model: Model, split: Split) -> None:
        """Warns about user-given sets in another language, tokenisation or case."""
        from demotic.search.unknowns import unknown_words

        for name, part in (("dev", split.dev), ("test", split.test)):
            if not part.given:
                continue
            prepared = self._dev(model, split, name)
            for found in (
                unknown_words(model, prepared.source, "source", raw=True),
                unknown_words(model, prepared.references.texts, "target", raw=True),
            ):
                if found.should_warn:
                    self.context.progress.warn(f"{name} set: {found.text}")

    def _tune(self, model: Model, split: Split) -> None:
        """The built model and the tuned one."""
        better, result = tune_stage(self.context, model, self._dev(model, split))
        label = self.context.label("build", model.kind)
        start = replace(
            result,
            name="built",
            model=model.path.relative_to(self.work.home).as_posix(),
            seconds=self.work.times.get(label, 0.0),
            dev=result.curve[0],
            curve=(),
            kept=0,
            remark=f"{model.rules.size_text}, default weights",
        )
        self._add(start, model)
        if self.request.options.story and model.kind == self.request.kinds[0]:
            for way in STORY:
                other, shown = tune_stage(self.context, model, self._dev(model, split), way)
                self._add(shown, other)
        self._add(result, better)

    def _train(self, model: Model, split: Split) -> None:
        """The trained model, and that one tuned again."""
        dev = self._dev(model, split)
        better, result = train_stage(self.context, model, bitext_of(self.context), dev)
        self._add(result, better)
        best, result = tune_stage(self.context, better, dev, AGAIN)
        self._add(result, best)

    def _combine(self, split: Split) -> None:
        """The best model of each kind, the better one first."""
        learnt = [i for i, stage in enumerate(self.stages) if not stage.story]
        order = sorted(learnt, key=lambda i: (-self.stages[i].dev, i))
        best = {self.stages[i].kind: self.models[i] for i in reversed(order)}
        first = self.models[order[0]]
        (partner,) = (model for kind, model in best.items() if kind != first.kind)
        made, result = combine_stage(self.context, first, partner, self._dev(first, split))
        self._add(result, made)

    def _add(self, result: StageResult, model: Model) -> None:
        title = TITLES.get(result.name, "") if self.request.options.story else ""
        self.stages.append(replace(result, title=title))
        self.models.append(model)

    def _best(self) -> int:
        """The stage with the best dev score, without those for comparison; of equal ones the
        first."""
        own = [i for i, stage in enumerate(self.stages) if not stage.story]
        return max(own, key=lambda i: (self.stages[i].dev, -i))

    def _test(self, split: Split) -> tuple[list[list[str]], float]:
        """Every stage on the test set, and source words per second of the last."""
        import time

        source, seconds = list(split.test.source), 0.0
        outputs = []
        with self.context.stage("test") as advance:
            for i, (stage, model) in enumerate(zip(self.stages, self.models, strict=True)):

                def show_progress(
                    done: int, total: int, i: int = i, name: str = stage.name
                ) -> None:
                    advance((i + done / max(1, total)) / len(self.stages), name)

                started = time.monotonic()
                found = translated(
                    model, source, self._search(model), self.request.threads, show_progress
                )
                seconds = time.monotonic() - started
                outputs.append(found)
                self._write_output(stage, found)
        count = counted(len(self.stages), "model")
        self.context.progress.done(f"{count} on {len(source):,} sentences")
        words = sum(len(split_words(model.raw_text.prepared(line))) for line in source)
        return outputs, words / max(seconds, 1e-9)

    def _search(self, model: Model) -> SearchOptions:
        """The search settings of the finished model, used for every stage on the test set."""
        return SearchOptions.for_model(model, self.request.search(model.kind))

    def _write_output(self, stage: StageResult, lines: list[str]) -> None:
        name = f"test.{stage.kind}.{stage.name.replace(' ', '-')}.{self.request.target_language}"
        with write_text(self.work.path("output", name)) as file:
            file.writelines(f"{line}\n" for line in lines)

    def _write_model(self, model: Model, stage: StageResult) -> Model:
        bleu = stage.scores["bleu"]
        (self.request.out / MODEL_NAME).unlink(missing_ok=True)
        return model.derive(
            self.request.out,
            search=self.request.search(model.kind),
            origin={
                "final_stage": stage.name,
                "preset": self.request.options.preset,
                "test_bleu": round(bleu.value, 4),
                "test_bleu_low": round(bleu.low, 4),
                "test_bleu_high": round(bleu.high, 4),
            },
        )

    def _with_confidence(self, model: Model, split: Split) -> Model:
        from demotic.confidence import with_confidence

        dev = self._dev(model, split)
        return with_confidence(model, dev.source, dev.references, threads=self.request.threads)

    def _write_report(self, made: MakeResult) -> None:
        from demotic.pipeline.page import report_page

        report_page(made).write(self.request.out / REPORT_NAME)

    def _sentences(self, split: Split) -> dict[str, int]:
        return {
            "read": split.read,
            "train": sum(1 for _ in read_lines(self.context.corpus_files[0]).tolist()),
            "dev": len(split.dev),
            "test": len(split.test),
            "references": len(split.test.references),
        }

    def _settings(self) -> dict[str, str]:
        chosen = {name: str(value) for name, value in asdict(self.request.options).items()}
        kind = self.models[self._best()].kind
        searched = {
            "learning": self.request.preset.learning,
            "translating": self.request.search(kind),
        }
        return chosen | {
            f"{name} search": ", ".join(f"{key} {value}" for key, value in values.items())
            for name, values in searched.items()
        }


def _sizes(model: Model) -> dict[str, int]:
    files = model.info.files
    return {
        "rules": len(model.rules),
        "words": len(model.vocabulary),
        "features": 0 if model.sparse is None else len(model.sparse),
        "bytes": sum(one.bytes for one in files.values()),
    }

"""A result of `demotic make` as the bundled corpus gives it, for tests of what is drawn."""

from __future__ import annotations

from pathlib import Path

from demotic.pipeline.result import Example, MakeResult, Score, StageResult

__all__ = ["example_made"]

_GOOD = [
    ("她昨天在图书馆借了三本书。", "She borrowed three books from the library yesterday.",
     "She yesterday at the library borrowed three books .",
     "She borrowed three books from the library yesterday."),
    ("我们明天早上八点出发。", "We leave at eight tomorrow morning.",
     "We tomorrow morning eight o'clock leave.", "We leave at eight tomorrow morning."),
    ("他把钥匙放在桌子上了。", "He put the key on the table.",
     "He the key put on the table.", "He put the key on the table."),
    ("约翰喜欢我昨天写的很重要的邮件。", "John likes the very important email I wrote yesterday.",
     "John likes I yesterday wrote very important email.",
     "John likes the very important email I wrote yesterday."),
    ("这家饭馆的菜非常好吃。", "The food in this restaurant is very tasty.",
     "This restaurant's dishes very delicious.", "The food in this restaurant is very tasty."),
]  # fmt: skip
_BAD = [
    ("小刚告诉周杰，他昨天下午先去咖啡馆喝一杯茶，然后去动物园看了大象。",
     "Xiaogang told Zhou Jie that he had first gone to a café for a cup of tea yesterday "
     "afternoon and then to the zoo to see the elephants.",
     "Xiaogang told Zhou Jie, he yesterday afternoon first go to cafe drink a cup of tea, then go "
     "to zoo saw elephant.",
     "Xiaogang told Zhou Jie he went to the café for tea and then the zoo yesterday elephants."),
    ("如果不下雨，我们就去爬山。", "We will go hiking unless it rains.",
     "If not rain, we then go climb mountain.", "If it does not rain, we go climb."),
    ("老师让学生们把作业交上来。", "The teacher had the students hand in their homework.",
     "Teacher let students the homework hand over.", "The teacher let the homework students."),
    ("有三万五千人参加了比赛。", "Thirty-five thousand people took part in the race.",
     "There are three 万 five thousand people participated.",
     "There are three 万 five thousand people participated."),
    ("他跑得比我快得多。", "He runs much faster than I do.",
     "He runs than I fast much.", "He ran than I much."),
]  # fmt: skip


def example_made(path: str = "zh-en") -> MakeResult:
    return MakeResult(
        path=Path(path),
        source_language="zh",
        target_language="en",
        kind="phrase",
        final=2,
        stages=_stages(),
        signatures={
            "bleu": "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.4.3",
            "chrf": "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.4.3",
            "ter": "nrefs:1|case:mixed|tok:tercom|norm:no|punct:yes|asian:no|version:2.4.3",
        },
        sentences={"read": 38_214, "train": 35_120, "dev": 1000, "test": 1000, "references": 1},
        dropped={"duplicate": 812, "too long": 251, "ratio": 31},
        findings=(
            "Both files hold 38,214 lines of valid UTF-8.",
            "812 pairs stand in the corpus twice; one of each was kept.",
            "The longest source sentence has 87 words.",
        ),
        sizes={
            "rules": 712_113,
            "words": 31_077,
            "ngrams": 402_911,
            "features": 183_210,
            "bytes": 48_211_934,
        },
        speed=5_213.4,
        times=(
            ("check", 1.4),
            ("prepare", 4.2),
            ("align", 21.7),
            ("build", 14.8),
            ("tune", 96.3),
            ("train", 241.0),
            ("evaluate", 12.5),
        ),
        good=_examples(_GOOD, 41.0, 93.0),
        bad=_examples(_BAD, 24.0, 22.0),
        settings={"beam_size": "100", "max_phrase": "7", "case": "true", "learner": "mira"},
    )


def _stages() -> tuple[StageResult, ...]:
    return (
        StageResult(
            "built", "phrase", "built", 42.1, 24.4,
            {"bleu": Score(23.9, 22.7, 25.1), "chrf": Score(44.1, 43.2, 45.0),
             "ter": Score(61.2, 59.8, 62.5)},
        ),
        StageResult(
            "tuned", "phrase", "tuned", 96.3, 28.9,
            {"bleu": Score(27.8, 26.6, 29.1), "chrf": Score(47.9, 47.0, 48.8),
             "ter": Score(56.0, 54.7, 57.2)},
            compared_with="built", p_value=0.0002, remark="MIRA, 7 rounds",
            curve=(24.4, 26.9, 28.1, 28.6, 28.9, 28.8, 28.7, 28.8), kept=4,
        ),
        StageResult(
            "trained", "phrase", ".", 241.0, 29.6,
            {"bleu": Score(28.4, 27.2, 29.7), "chrf": Score(48.4, 47.5, 49.3),
             "ter": Score(55.1, 53.8, 56.4)},
            compared_with="tuned", p_value=0.031, remark="3 epochs",
            curve=(28.9, 29.2, 29.6, 29.4), kept=2,
        ),
    )  # fmt: skip


def _examples(
    rows: list[tuple[str, str, str, str]], before: float, after: float
) -> tuple[Example, ...]:
    return tuple(
        Example(source, (reference,), built, final, before + i, after + i)
        for i, (source, reference, built, final) in enumerate(rows)
    )

"""The history of a model: one clause per verb that was applied, kept in `model.toml`."""

from __future__ import annotations

from collections.abc import Mapping

from demotic.counts import counted

__all__ = ["full_history", "history_entry"]

Scalar = bool | int | float | str

_TOOLKITS = {"moses": "Moses", "joshua": "Joshua"}


def history_entry(origin: Mapping[str, Scalar]) -> str:
    """The clause of the verb that gave a model this origin."""
    if "final_stage" in origin:
        return f"make: kept the {origin['final_stage']} model, the best on the dev set"
    if "decided_by" in origin:
        return f"decide by {origin['decided_by']}: BLEU {float(origin['decision_score']):.2f}"
    if "combined_with" in origin:
        score = float(origin["combination_score"])
        return f"combine with a {origin['combined_with']} model: BLEU {score:.2f}"
    if "trained_by" in origin:
        return f"train by {origin['trained_by']}{_outcome(origin, 'training', _epochs(origin))}"
    if "tuned_by" in origin:
        return f"tune by {origin['tuned_by']}{_outcome(origin, 'tuning', _rounds(origin))}"
    if "toolkit" in origin:
        name = origin.get("configuration")
        toolkit = str(origin["toolkit"])
        known = _TOOLKITS.get(toolkit, toolkit)
        return f"import from {known}" + (f" ({name})" if name else "")
    made_by = str(origin.get("made_by", ""))
    return made_by.removeprefix("demotic ")


def full_history(history: tuple[str, ...], origin: Mapping[str, Scalar]) -> tuple[str, ...]:
    """The recorded history; for models without one, what their origin implies."""
    if history:
        return history
    families = (
        ("made_by", "toolkit", "configuration"),
        ("tun", "search_aware"),
        ("train",),
        ("deci",),
        ("combin",),
    )
    parts = [
        {key: value for key, value in origin.items() if key.startswith(names)} for names in families
    ]
    return tuple(clause for clause in map(history_entry, parts) if clause)


def _outcome(origin: Mapping[str, Scalar], prefix: str, work: str) -> str:
    value = origin.get(f"{prefix}_dev_score", origin.get(f"{prefix}_score"))
    metric = origin.get(f"{prefix}_metric", "BLEU")
    on_dev = prefix == "training" or "tuning_dev_score" in origin
    score = f"{'dev ' * on_dev}{metric} {float(value):.2f}" if value is not None else ""
    known = [part for part in (work, score) if part]
    return f": {', '.join(known)}" if known else ""


def _rounds(origin: Mapping[str, Scalar]) -> str:
    rounds = origin.get("tuning_rounds")
    if rounds is None:
        return ""
    kept = origin.get("tuning_kept_round")
    if kept is None:
        return counted(int(rounds), "round")
    chosen = "dev" if "tuning_dev_score" in origin else "tuning"
    how = "last" if origin["tuning_keep"] == "last" else f"best on the {chosen} set"
    return f"{_which('round', int(kept), int(rounds))} ({how})"


def _epochs(origin: Mapping[str, Scalar]) -> str:
    kept, of = origin.get("training_epoch"), origin.get("training_epochs")
    return "" if kept is None or of is None else _which("epoch", int(kept), int(of))


def _which(name: str, kept: int, of: int) -> str:
    """The weights that were kept: those of a round or epoch, or the initial ones."""
    return f"{name} {kept} of {of}" if kept else f"initial weights, after {counted(of, name)}"

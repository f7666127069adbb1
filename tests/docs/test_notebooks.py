"""The notebooks run from beginning to end, and are stored with small outputs and no errors."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
NOTEBOOKS = ("first_translator", "inside_the_search")  # the second uses the model of the first


def stored(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXAMPLES / f"{name}.ipynb").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_stored_outputs(name: str) -> None:
    assert (EXAMPLES / f"{name}.ipynb").stat().st_size < 60_000
    code = [cell for cell in stored(name)["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == [*range(1, len(code) + 1)]
    kinds = {output["output_type"] for cell in code for output in cell["outputs"]}
    assert "error" not in kinds
    assert not any(output.get("name") == "stderr" for cell in code for output in cell["outputs"])


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_links(name: str) -> None:
    text = "".join(line for cell in stored(name)["cells"] for line in cell["source"])
    links = re.findall(r"\]\(([^)#\s]+)", text)
    assert links
    assert [link for link in links if not (EXAMPLES / link).exists()] == []


@pytest.mark.filterwarnings("ignore")  # of the kernel's packages
def test_run(tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    for name in NOTEBOOKS:
        notebook = nbformat.read(EXAMPLES / f"{name}.ipynb", 4)
        place = {"metadata": {"path": str(tmp_path)}}
        ran = client.NotebookClient(notebook, timeout=900, resources=place).execute()
        for before, after in zip(stored(name)["cells"], ran["cells"], strict=True):
            assert len(before.get("outputs", [])) == len(after.get("outputs", []))

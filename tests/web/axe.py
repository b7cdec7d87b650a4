"""axe-core in a page: what keeps people with a screen reader, a keyboard or weak eyes from using it."""

import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

HERE = Path(__file__).parent
AXE = HERE / "node_modules" / "axe-core" / "axe.min.js"
NPM = ("install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--silent")


@cache
def axe_core() -> str:
    """The script, installed by npm as package.json says."""
    npm = shutil.which("npm")
    if not AXE.exists() and npm:
        subprocess.run([npm, *NPM], cwd=HERE, check=True, timeout=300)
    if not AXE.exists():
        pytest.skip("axe-core needs npm")
    return AXE.read_text()


def complaints(page: Page) -> list[str]:
    """Every rule of axe-core that the page breaks, with the element."""
    page.evaluate(axe_core())
    options: dict[str, Any] = {"rules": {"label-content-name-mismatch": {"enabled": True}}}
    found = page.evaluate(f"axe.run({json.dumps(options)})")["violations"]
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]

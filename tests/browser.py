"""Headless Chromium for tests of HTML pages."""

import html
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
)  # fmt: skip
MISSING = "no Chromium here: install it with `apt-get install chromium` or put a Chrome on the PATH"
SECONDS = 600
WATCH = """<script>
  window.wrong = [];
  addEventListener("error", (event) => wrong.push(String(event.message)));
  addEventListener("securitypolicyviolation", (event) => wrong.push(event.violatedDirective));
</script>"""
REPORT = """<script>
  (async () => {
    let result = null;
    try { result = await (async () => { %s })(); } catch (error) { wrong.push(String(error)); }
    const report = document.createElement("pre");
    report.id = "report";
    report.textContent = JSON.stringify({ wrong, result });
    document.body.append(report);
  })();
</script>"""


def chromium() -> str:
    """The path of the browser; without one the test is skipped, in CI it fails."""
    browser = next((path for path in map(shutil.which, NAMES) if path), None)
    if browser is None:
        if os.environ.get("CI"):
            pytest.fail(MISSING)
        pytest.skip(MISSING)
    return browser


def drive(page: str, script: str, folder: Path) -> Any:
    """Open a page, run a script in it and return its result; any error on the page fails the test."""
    file = folder / "driven.html"
    page = page.replace("<head>", f"<head>{WATCH}", 1)
    file.write_text(page.replace("</body>", f"{REPORT % script}</body>"), encoding="utf-8")
    command = [chromium(), *FLAGS, f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=20000"]
    ran = subprocess.run(
        [*command, "--dump-dom", file.as_uri()], capture_output=True, text=True, timeout=SECONDS, check=True
    )
    report = re.search(r'<pre id="report">(.*?)</pre>', ran.stdout, re.DOTALL)
    assert report, f"the page gave no report: {ran.stdout[-500:]} {ran.stderr[-500:]}"
    answer = json.loads(html.unescape(report[1]))
    assert answer["wrong"] == []
    return answer["result"]

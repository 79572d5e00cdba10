"""The site of the documents has every page, and no link on it leads nowhere."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PATIENCE = 300
LISTED = re.findall(r"^ +- .*: (\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.M)


def test_each_page_is_in_the_navigation_once() -> None:
    patterns = ("*.md", "docs/*.md", "tests/README.md", "tests/*/README.md")
    pages = [page.relative_to(ROOT).as_posix() for pattern in patterns for page in ROOT.glob(pattern)]
    assert sorted(LISTED) == sorted(pages)


def test_the_site_is_built() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "docs")]
    told = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert told.returncode == 0, told.stdout + told.stderr
    site = ROOT / "dist" / "site"
    assert "docs/http.html" in (site / "index.html").read_text("utf-8")
    assert (site / "docs" / "tools.html").is_file()

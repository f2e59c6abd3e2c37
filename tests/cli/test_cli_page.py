"""The page on the command line says what the parser says."""

from __future__ import annotations

import importlib.util
from pathlib import Path


def test_page_is_up_to_date() -> None:
    docs = Path(__file__).resolve().parents[2] / "docs"
    spec = importlib.util.spec_from_file_location("make_cli_page", docs / "make_cli_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    page = (docs / "cli.md").read_text(encoding="utf-8")
    assert page == module.make_page(), "run: python docs/make_cli_page.py"

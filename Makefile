# Every target makes what it needs: a machine with Python 3.11 or newer and make is enough.
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	if $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$name; break; fi; done)
VENV ?= .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
SETTINGS := pyproject.toml constraints.txt

.PHONY: demo test lint bench experiments experiments-smoke docs clean

demo: $(VENV)/.core  ## simulate a small screen, order it, show the truth beside it
	@$(BIN)/intersort demo --out demo-output --force

test: $(VENV)/.test  ## run every test
	$(BIN)/python -m pytest

lint: $(VENV)/.lint  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.test  ## speed and memory, ratios within one run, kept in benchmarks/results
	$(BIN)/python benchmarks/run_all.py

experiments: $(VENV)/.test  ## all that the paper reports, run again: days of one core; what is there is not run again
	$(BIN)/python -m experiments run all
	$(BIN)/python -m experiments report all

experiments-smoke: $(VENV)/.test  ## every experiment at toy size and its page, from scratch: minutes
	rm -rf experiments/smoke
	$(BIN)/python -m experiments run all --size smoke
	$(BIN)/python -m experiments report all --results experiments/smoke/results --out experiments/smoke/pages

docs: $(VENV)/.docs  ## HTML pages in docs/_build/html
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	@echo "docs: open docs/_build/html/index.html"

clean:
	rm -rf $(VENV) docs/_build demo-output experiments/smoke .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "make: no Python 3.11 or newer found; name one with PYTHON=/path/to/python" >&2; exit 2; }
	@echo "making a virtual environment in $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.core: $(SETTINGS) | $(VENV)/bin/python
	@echo "installing intersort and what it needs"
	@$(INSTALL) hatchling editables
	@$(INSTALL) --no-build-isolation --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.core
	@echo "installing what the tests need"
	@$(INSTALL) --no-build-isolation --editable ".[test]"
	@touch $@

$(VENV)/.lint: $(VENV)/.test
	@echo "installing ruff and mypy"
	@$(INSTALL) --no-build-isolation --editable ".[lint]"
	@touch $@

$(VENV)/.docs: $(VENV)/.test
	@echo "installing what the documentation needs"
	@$(INSTALL) --no-build-isolation --editable ".[docs]"
	@touch $@

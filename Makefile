# `make` alone lists what there is. Each target sets up .venv first where that is missing or out of date.
.DEFAULT_GOAL := help
.PHONY: help setup tournament test test-all check format bench clean

VENV := .venv
READY := $(VENV)/ready
RAILBIRD := $(VENV)/bin/railbird
RUFF := $(VENV)/bin/ruff
PYTEST := $(VENV)/bin/python -m pytest
MYPY := $(VENV)/bin/python -m mypy
WORKERS ?= 2
ARGS ?=

help:
	@echo 'make tournament   a zoo of agents plays Superfecta: leaderboard with intervals (ARGS="--seed 7")'
	@echo 'make test         the tests, under 5 minutes (ARGS="-k pools", WORKERS=2)'
	@echo 'make test-all     the slow statistical, training and crash tests as well'
	@echo 'make check        format, lint, types, import direction: what CI asks of a change'
	@echo 'make format       formats the code and mends what the linter can'
	@echo 'make bench        measures the speed on this machine'
	@echo 'make setup        only sets up (PYTHON=/path/to/python3 chooses the interpreter)'
	@echo 'make clean        removes caches and builds; rm -rf $(VENV) removes the set-up too'

$(READY): pyproject.toml constraints.txt
	@bash .ci/setup

setup: $(READY)
	@echo 'Set up in $(VENV).'

tournament: $(READY)
	@$(RAILBIRD) tournament superfecta $(ARGS)

test: $(READY)
	$(PYTEST) -n $(WORKERS) -m "not slow" $(ARGS)

test-all: $(READY)
	$(PYTEST) -n $(WORKERS) $(ARGS)

check: $(READY)
	$(RUFF) format --check .
	$(RUFF) check .
	$(MYPY)
	$(PYTEST) -q tests/test_imports.py

format: $(READY)
	$(RUFF) format .
	$(RUFF) check --fix .

bench: $(READY)
	@$(RAILBIRD) bench $(ARGS)

clean:
	rm -rf build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -path ./$(VENV) -prune -o -name __pycache__ -prune -exec rm -rf {} +
	rm -f $(READY)

# The two commands a newcomer needs: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: demo test check lint docs bench clean

demo: $(READY)
	$(BIN)/discreet demo --folder discreet-demo --force

test: $(READY)
	$(BIN)/pytest -n auto

check: lint test

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(READY)
	$(BIN)/python docs/make_reference.py

bench: $(READY)
	for script in bench/*.py; do $(BIN)/python -m bench.$$(basename $$script .py) || exit 1; done

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	$(BIN)/python -m discreet._kernels.warm
	touch $(READY)

clean:
	rm -rf $(VENV) discreet-demo .mypy_cache .ruff_cache .pytest_cache

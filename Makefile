# The two commands a newcomer needs: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: demo test browser fuzz audit mutants check lint docs bench clean

demo: $(READY)
	$(BIN)/discreet demo --folder discreet-demo --force
	@echo; echo "To do all of this in a browser, on this machine: $(BIN)/discreet serve discreet-demo"

test: $(READY)
	$(BIN)/pytest -n auto

# Chromium, for the tests of the desk, where this machine lets it be installed; elsewhere `make test` says what it skips.
browser:
	@if command -v chromium >/dev/null || command -v chromium-browser >/dev/null; then echo "Chromium is here."; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && { apt-get install -y --no-install-recommends chromium \
	  || { apt-get update && apt-get install -y --no-install-recommends chromium; }; } >/dev/null 2>&1; \
	then echo "Chromium was installed."; \
	else echo "Chromium cannot be installed here: the browser tests will be skipped."; fi

# Random examples, TIMES as many as usual, in all tests or in those named: make fuzz FUZZ=tests/reporting TIMES=50
FUZZ ?= tests
TIMES ?= 20
ifndef SEED
SEED := $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')
endif

fuzz: $(READY)
	DISCREET_FUZZ_TIMES=$(TIMES) $(BIN)/pytest -n auto --hypothesis-profile=fuzz --hypothesis-seed=$(SEED) $(FUZZ) \
	|| { echo "To repeat all of it: make fuzz SEED=$(SEED) TIMES=$(TIMES) FUZZ='$(FUZZ)'"; exit 1; }

# Kills, full disks, markers, damaged files, and all that a release says of itself recomputed without discreet.
MINUTES ?= 10

audit: $(READY)
	$(BIN)/python -m audit --minutes $(MINUTES)

# The desk in use for MINUTES (10 at most), on this machine alone: no error, and memory that stays flat.
.PHONY: soak
soak: $(READY)
	$(BIN)/python -m audit.desk_soak --minutes $(MINUTES)

# N random mutants of the package, or of what is named: make mutants N=100 SEED=7 ONLY=src/discreet/loss
N ?= 60
ONLY ?=

mutants: $(READY)
	$(BIN)/python -m tests.mutants --number $(N) --seed $(SEED) --only $(ONLY)

check: lint test

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(READY)
	$(BIN)/python -m docs.make_reference

# The pictures of the desk in docs/pictures, taken anew in a browser; look at them before you commit them.
.PHONY: pictures
pictures: $(READY)
	$(BIN)/python -m docs.make_pictures

bench: $(READY)
	for script in bench/*.py; do $(BIN)/python -m bench.$$(basename $$script .py) || exit 1; done

$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	$(BIN)/python -m discreet._kernels.warm
	touch $(READY)

clean:
	rm -rf $(VENV) discreet-demo .mypy_cache .ruff_cache .pytest_cache

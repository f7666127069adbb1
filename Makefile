# Each target makes what it needs (an environment, the build) and repeats nothing.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OUT ?= demo-out
CORE := $(shell find core bindings -name '*.cpp' -o -name '*.h' -o -name CMakeLists.txt)
CXX_FILES := $(filter %.cpp %.h,$(CORE))
# The build tools of the environment take precedence over the system's.
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: demo test test-long test-core test-core-long test-python lint types bench docs corpus stub format \
  clean

demo: $(VENV)/.built
	$(BIN)/demotic demo -o $(OUT)

# Types are checked by one process while the tests of the core are compiled.
test: $(VENV)/.dev $(VENV)/.built
	$(MAKE) --jobs=2 lint types test-core
	$(MAKE) test-python

test-core: $(VENV)/.dev
	cmake --workflow --preset asan

test-python: $(VENV)/.dev $(VENV)/.built
	$(BIN)/python -m pytest -m "not long" -n auto --dist loadfile --no-loadscope-reorder

# Without optimisation, where two definitions of one name show; then by comparing them.
test-core-long: test-core
	cmake --workflow --preset dev
	cmake --workflow --preset lto
	cmake --workflow --preset portable

test-long: test-core-long $(VENV)/.bench $(VENV)/.built
	HYPOTHESIS_PROFILE=default $(BIN)/python -m pytest

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@$(BIN)/clang-format --dry-run --Werror $(CXX_FILES)

types: $(VENV)/.dev $(VENV)/.built
	$(BIN)/mypy

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CXX_FILES)

stub: $(VENV)/.dev $(VENV)/.built
	$(BIN)/python -m nanobind.stubgen -m demotic._core -o src/demotic/_core.pyi

bench: $(VENV)/.bench $(VENV)/.built
	$(BIN)/python -m benchmarks

docs: $(VENV)/.docs $(VENV)/.built
	$(BIN)/python -m sphinx -W -b html docs docs/_build/html

corpus: $(VENV)/.built
	$(BIN)/python -m bundled_corpus

$(VENV)/.venv:
	@echo "Setting up a Python environment in $(VENV)"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	touch $@

$(VENV)/.build: $(VENV)/.venv pyproject.toml
	$(BIN)/python -m pip install --quiet --group build
	touch $@

# Without isolation the second build compiles only what changed: eight files at once, or with
# UNITY=OFF, which takes longer the first time, one by one. The compiler's own messages go to a file,
# of which the progress is shown every few seconds and the end if something fails.
$(VENV)/.built: $(VENV)/.build $(CORE) CMakeLists.txt
	@mkdir -p build
	@echo "Compiling the core: a few minutes the first time (messages in build/compile.log)"
	@$(BIN)/python -m pip install --verbose --no-build-isolation --editable . \
	  $(if $(UNITY),-Ccmake.define.DEMOTIC_UNITY=$(UNITY)) \
	  >build/compile.log 2>&1 & pid=$$!; seen=; \
	while kill -0 $$pid 2>/dev/null; do sleep 2; \
	  now=$$(grep -o '\[[0-9]*/[0-9]*\]' build/compile.log | tail -n 1); \
	  [ "$$now" = "$$seen" ] || echo "  compiled $$now"; seen=$$now; done; \
	wait $$pid || { tail -n 40 build/compile.log; exit 1; }
	touch $@

# Python compiles what the tests import, which is a small part of it.
$(VENV)/.dev: $(VENV)/.build
	$(BIN)/python -m pip install --quiet --no-compile --group dev
	touch $@

$(VENV)/.bench: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --group bench
	touch $@

$(VENV)/.docs: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --group docs
	touch $@

clean:
	rm -rf $(VENV) build docs/_build $(OUT)

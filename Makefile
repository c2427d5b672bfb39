.DEFAULT_GOAL := help
.PHONY: help demo check test bench docs lock sync clean

PYTHON ?= python3
export PYTHON
VENV := .venv/bin
# Tests wait as much as they compute: twice as many at a time as there are processors.
WORKERS ?= $(shell echo $$(($$(nproc) * 2)))
# What chance decides is tried a few times; with FULL=1 as often as we vouch for.
export CARREL_TEST_FULL := $(FULL)
# Without compiled modules every program under test compiles itself anew.
export PYTHONDONTWRITEBYTECODE :=

help: ## Show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

demo: ## Bring a desk up, have an agent fill in a form on it without any key, and leave a replay
	@scripts/setup.sh demo
	@$(VENV)/python scripts/demo

check: ## Lint, types, layers, generated code
	@scripts/setup.sh test
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy --num-workers $(shell nproc)
	$(VENV)/lint-imports --no-cache
	$(VENV)/python scripts/generate_sync.py --check
	$(VENV)/python scripts/generate_reference.py --check

test: check ## Everything: the checks above, the image, and the whole test suite (FULL=1: longer)
	$(VENV)/carrel image build desktop
	$(VENV)/python scripts/run_tests.py $(WORKERS)

bench: ## Figures as ratios against the physical limit, in one run
	@scripts/setup.sh test
	@$(VENV)/carrel image build desktop
	@$(VENV)/python -m benchmarks

docs: ## Write the reference pages from the code
	@scripts/setup.sh test
	$(VENV)/python scripts/generate_reference.py

lock: ## Pin the newest versions the floors allow (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --no-emit-index-url --generate-hashes \
		--no-header --group dev pyproject.toml -o requirements.lock

sync: ## Write carrel/sync.py from the async classes
	$(VENV)/python scripts/generate_sync.py

clean: ## Remove what the targets above made in this checkout
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache demo-replay.html

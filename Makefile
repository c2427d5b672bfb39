.DEFAULT_GOAL := help
.PHONY: help demo check test bench docs lock sync clean

PYTHON ?= python3
export PYTHON
VENV := .venv/bin
# Tests that share nothing and mind no company: two files at a time. The rest has the machine to itself.
ALONE := tests/models tests/policy tests/journal tests/stream tests/agent tests/testing_package \
	tests/perception tests/compat tests/runs tests/cli tests/test_docs.py

help: ## Show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 16

demo: ## Bring a desk up, fill in a form on it by mouse and keyboard, and leave a replay
	@scripts/setup.sh demo
	@$(VENV)/python scripts/demo

check: ## Lint, types, layers, generated code
	@scripts/setup.sh test
	$(VENV)/ruff check .
	$(VENV)/ruff format --check .
	$(VENV)/mypy
	$(VENV)/lint-imports
	$(VENV)/python scripts/generate_sync.py --check
	$(VENV)/python scripts/generate_reference.py --check

test: check ## Everything: the checks above, the image, and the whole test suite
	$(VENV)/carrel image build desktop
	$(VENV)/python -m pytest -n 2 --dist loadfile $(ALONE)
	$(VENV)/python -m pytest $(addprefix --ignore=,$(ALONE))

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
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache demo-replay

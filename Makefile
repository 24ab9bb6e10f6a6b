# make demo | test | check | docs | site | bench | kill | soak | format | clean
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed

.PHONY: demo test check docs site pytest bench kill soak accuracy compare replay mutations rewrites differential format clean help
.DEFAULT_GOAL := help

help:
	@echo "make demo      lint fixtures/guide and show what sycllint finds"
	@echo "make test      everything CI runs: check, then pytest"
	@echo "make check     ruff, mypy, import-linter"
	@echo "make docs      write what is made from other files: docs/rules, the table of rules, copies of pages"
	@echo "make site      build the documentation as a site in build/site"
	@echo "make bench     speed on a folder of SYCL sources: make bench CORPUS=DIR"
	@echo "make soak      damaged sources, settings and reports, and what crashes: make soak COUNT=20000 SECONDS=600 SEED=1"
	@echo "make kill      kills runs at random moments, and checks what the next ones say: make kill RUNS=50"
	@echo "make replay    defects that a history mended, before and after: make replay REPOSITORY=DIR"
	@echo "make mutations waits and barriers taken out, and how many are missed: make mutations CORPUS=DIR"
	@echo "make rewrites  programs in other words, and what is then said of them: make rewrites CORPUS=DIR"
	@echo "make differential  random programs that run, against what is said of them: make differential KIND=host SEEDS=0:20"
	@echo "make accuracy  found launches against recorded ones: make accuracy LAUNCHES=FILE CORPUS=DIR"
	@echo "make compare   all records against those of another commit: make compare BASE=COMMIT CORPUS=DIR"
	@echo "make format    let ruff rewrite what it can"
	@echo "make clean     remove .venv and caches"

# Once, and again when the dependencies change.
$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("sycllint needs Python 3.11 or newer; this is %d.%d (choose one: make PYTHON=python3.11)" % sys.version_info[:2])'
	@echo "Setting up .venv"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

# The findings are the point, so exit codes 0 and 1 both count as shown; a crash or a usage error does not.
demo: $(STAMP)
	@$(BIN)/sycllint check --target tgl fixtures/guide || test $$? -eq 1

test: check pytest

check: $(STAMP)
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet
	$(BIN)/mypy --no-error-summary
	$(BIN)/lint-imports --no-logo --no-cache

pytest: $(STAMP)
	$(BIN)/pytest

docs: $(STAMP)
	@$(BIN)/sycllint rules --table sycllint_rules
	@$(BIN)/sycllint rules --docs docs/rules
	@$(BIN)/python tools/pages.py

site: $(STAMP)
	@$(BIN)/zensical build --strict --clean --config-file mkdocs.yml

bench: $(STAMP)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]' || echo "without ast-grep"
	@$(BIN)/python benchmarks/bench.py $(CORPUS)

soak: $(STAMP)
	@$(BIN)/python benchmarks/soak.py $(COUNT) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED))

kill: $(STAMP)
	@$(BIN)/python benchmarks/kill.py $(RUNS)

accuracy: $(STAMP)
	@$(BIN)/python benchmarks/ground_truth.py $(LAUNCHES) $(CORPUS)

compare: $(STAMP)
	@$(BIN)/python benchmarks/records.py compare $(BASE) fixtures $(CORPUS)

replay: $(STAMP)
	@$(BIN)/python benchmarks/replay.py $(REPOSITORY)

mutations: $(STAMP)
	@$(BIN)/python benchmarks/mutations.py $(CORPUS)

rewrites: $(STAMP)
	@$(BIN)/python benchmarks/rewrites.py $(CORPUS)

differential: $(STAMP)
	@$(BIN)/python -m benchmarks.differential $(KIND) $(if $(SEEDS),--seeds $(SEEDS))

format: $(STAMP)
	$(BIN)/ruff check --fix --quiet
	$(BIN)/ruff format --quiet

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The commands of this repository. `make` alone lists them.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help deps demo test simulate fuzz release bench bench-peers format lint

# CI=true makes a warning in our own targets an error. On your machine a newer compiler's warnings stop nothing.
ifeq ($(CI),true)
export PLUGHOST_STRICT := 1
endif

# The index has to be written: SwiftPM finds the tests by it.
SWIFT_BUILD := Scripts/build --explicit-target-dependency-import-check error
DEBUG := .build/debug
SOURCES := Package.swift Sources Tests
FUZZ_SECONDS ?= 300
FUZZ_SEED ?=

# lld packs relocations (glibc 2.36 and later read them) and hides symbols: 8 MB less to read at each start.
LINK := -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs \
	-Xlinker --version-script=$(CURDIR)/Packaging/exports.map

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## install what the build needs (Debian, Ubuntu), without asking
	@Scripts/deps --yes

demo: ## see the main job done: a plug's records arrive in a PDA on this machine
	@Scripts/deps
	@if [[ -x "$(DEBUG)/plughost" ]]; then \
		echo "Building plughost: only what has changed." >&2; \
	else \
		echo "Building plughost: 4 to 9 minutes on two cores the first time, later only what has changed." >&2; \
	fi
	@$(SWIFT_BUILD) --product plughost
	@"$(DEBUG)/plughost" demo

test: lint ## everything a contributor can run: lint, build, tests, the bundled plugs, the README
	@echo "Building everything: 5 to 15 minutes on two cores the first time." >&2
	$(SWIFT_BUILD) --build-tests
	swift test --skip-build
	"$(DEBUG)/plughost" validate plug.yaml.example Plugs/*/
	"$(DEBUG)/plughost" test Plugs/*/
	PLUGHOST="$(DEBUG)/plughost" Scripts/check-readme README.md Documentation/*.md

# What a variable of the environment or of the command line says is kept.
simulate: export PLUGHOST_SIMULATION_SEEDS ?= 20000
simulate: export PLUGHOST_KILLS ?= 1000
simulate: ## for a night: PLUGHOST_SIMULATION_SEEDS seeds (20000), PLUGHOST_KILLS kills (1000)
	@Scripts/deps
	$(SWIFT_BUILD) --build-tests
	swift test --skip-build --filter 'DeliverySimulationTests|RealKillTests'

fuzz: ## made-up programs for the jq engine, debug and release: FUZZ_SECONDS each (300), FUZZ_SEED
	@Scripts/deps
	$(SWIFT_BUILD) --product jq-fuzz
	"$(DEBUG)/jq-fuzz" $(FUZZ_SECONDS) $(FUZZ_SEED)
	$(SWIFT_BUILD) -c release --product jq-fuzz
	.build/release/jq-fuzz $(FUZZ_SECONDS) $(FUZZ_SEED)

release: ## the binary to install: .build/release/plughost, with the Swift library inside
	@Scripts/deps
	Scripts/build -c release --product plughost --static-swift-stdlib $(LINK)

bench: release ## measure: CPU, memory and start of a release build
	@Benchmarks/run --plughost .build/release/plughost

bench-peers: release ## measure the same job with plughost, dlt, Singer and Airbyte, about 10 minutes
	@Benchmarks/peers/run --plughost .build/release/plughost

format: ## lay out the sources as lint wants them
	swift format format --in-place --recursive --parallel $(SOURCES)

lint: ## check the sources' layout
	@Scripts/deps
	swift format lint --strict --recursive --parallel $(SOURCES)

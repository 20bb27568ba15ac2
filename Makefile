# The commands of this repository. `make` alone lists them.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help deps demo test reference simulate fuzz release package bench bench-peers format lint

# CI=true turns warnings in our own targets into errors. On your machine, a newer compiler's warnings do not fail the build.
ifeq ($(CI),true)
export PLUGHOST_STRICT := 1
endif

# The index must be written: SwiftPM finds the tests with it.
SWIFT_BUILD := Scripts/build --explicit-target-dependency-import-check error
DEBUG := .build/debug
SOURCES := Package.swift Sources Tests Examples
FUZZ_SECONDS ?= 300
FUZZ_SEED ?=

# lld packs relocations (glibc 2.36 and later read them) and hides symbols: 8 MB less to read at each start.
LINK := -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs \
	-Xlinker --version-script=$(CURDIR)/Packaging/exports.map
# Makes generic types by direct calls. By default Swift finds them by name: smaller, but each first use searches the program's 10,000
# conformances, 2 ms of CPU at each start.
DIRECT := -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# Where it was built is nobody's business, and would make other bytes of the same sources: C's __FILE__ has it.
ANYWHERE := -Xcc -ffile-prefix-map=$(CURDIR)/=

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## install what the build needs (Debian, Ubuntu), without asking
	@Scripts/deps --yes

demo: ## run a plug end to end: its records arrive in a PDA on this machine
	@Scripts/deps
	@if [[ -x "$(DEBUG)/plughost" ]]; then \
		echo "Building plughost: only what has changed." >&2; \
	else \
		echo "Building plughost: 4 to 9 minutes on two cores the first time, later only what has changed." >&2; \
	fi
	@$(SWIFT_BUILD) --product plughost
	@"$(DEBUG)/plughost" demo

test: lint ## lint, build, all tests, the bundled plugs, the documentation's examples
	@echo "Building everything: 5 to 15 minutes on two cores the first time." >&2
	$(SWIFT_BUILD) --build-tests
	swift test --skip-build
	"$(DEBUG)/plughost" validate plug.yaml.example Plugs
	"$(DEBUG)/plughost" test --strict Plugs
	Scripts/check-docs
	Scripts/check-plugs --self-test
	Scripts/check-plugs Plugs
	PLUGHOST="$(DEBUG)/plughost" Scripts/check-schema
	PLUGHOST="$(DEBUG)/plughost" Scripts/check-api
	PLUGHOST="$(DEBUG)/plughost" Scripts/check-pages
	PLUGHOST="$(DEBUG)/plughost" Scripts/check-readme README.md Documentation/*.md

reference: ## write the reference pages in Documentation from the tables of keys
	$(SWIFT_BUILD) --product plughost
	"$(DEBUG)/plughost" schema --format markdown > Documentation/manifest-reference.md
	"$(DEBUG)/plughost" schema --config --format markdown > Documentation/host-reference.md

# Values from the environment or the command line take precedence.
simulate: export PLUGHOST_SIMULATION_SEEDS ?= 20000
simulate: export PLUGHOST_KILLS ?= 1000
simulate: ## long simulation: PLUGHOST_SIMULATION_SEEDS seeds (20000), PLUGHOST_KILLS kills (1000)
	@Scripts/deps
	$(SWIFT_BUILD) --build-tests
	swift test --skip-build --filter 'DeliverySimulationTests|RealKillTests'

fuzz: ## fuzz the jq engine, debug and release: FUZZ_SECONDS each (300), FUZZ_SEED
	@Scripts/deps
	$(SWIFT_BUILD) --product jq-fuzz
	"$(DEBUG)/jq-fuzz" $(FUZZ_SECONDS) $(FUZZ_SEED)
	$(SWIFT_BUILD) -c release --product jq-fuzz
	.build/release/jq-fuzz $(FUZZ_SECONDS) $(FUZZ_SEED)

release: ## build the binary to install: .build/release/plughost, with the Swift runtime linked statically
	@Scripts/deps
	data=$$(Scripts/icu-data .build/icu-data.o) && \
		Scripts/build -c release --product plughost --static-swift-stdlib $(ANYWHERE) $(LINK) $(DIRECT) $$data

package: ## make the packages of a release: .deb, .tar.gz, SPDX list of parts, in .build/packages
	@Scripts/deps --for package
	@if [[ -z "$$PLUGHOST" ]]; then $(MAKE) release; fi
	Scripts/package

bench: release ## measure a release build: CPU, memory, start time
	@Benchmarks/run --plughost .build/release/plughost

bench-peers: release ## measure the same job with plughost, dlt, Singer and Airbyte, about 10 minutes
	@Benchmarks/peers/run --plughost .build/release/plughost

format: ## format the sources
	swift format format --in-place --recursive --parallel $(SOURCES)

lint: ## check the sources' formatting
	@Scripts/deps
	swift format lint --strict --recursive --parallel $(SOURCES)

# make test            install what is missing, build, run every test, and those of the example package
# make demo            the package at work on a small library; STORE=path for a store of yours, MODEL=path for its model
# make bench           the benchmarks, in release, and what the build plugin costs a large target; WRITE=1 puts the
#                      tables into Documentation/Performance.md
# make test-asan       every test under the Address Sanitizer, with a tenth of the generated cases; FULL=1 for all of them
# make test-tsan       the same under the Thread Sanitizer
# make work-tsan       nine contexts at work for a minute under the Thread Sanitizer; SECONDS=n for another time
# make test-durability kills and failing disks at full size: 1,000 kills (KILLS=n), every operation of a save and a migration
# make examples        build and test the example packages, in debug and in release
# make lint            formatting and style
# make setup           only install what is missing (Debian, Ubuntu)

COREDATA_FIXTURES ?= ../shared/fixtures
export COREDATA_FIXTURES
SECONDS ?= 60
# Two packages share a build folder: each would take the other's plan for its own if it may keep one.
REPLAN = --disable-build-manifest-caching
JOURNAL = --package-path Examples/Journal --scratch-path .build $(REPLAN)

.PHONY: test test-durability test-asan test-tsan work-tsan demo bench examples lint setup clean

# The example package shares the build folder, so nothing is compiled twice. The package's own tests come last, so that the
# last lines are theirs.
test: setup
	swift build --build-tests $(REPLAN)
	@status=0; \
	swift test $(JOURNAL) || status=$$?; \
	swift test --skip-build || status=$$?; \
	if [ ! -d "$(COREDATA_FIXTURES)" ]; then \
	    echo "Skipped: the suites over real files, as there is no folder $(COREDATA_FIXTURES) (set COREDATA_FIXTURES)."; \
	fi; \
	exit $$status

test-asan: setup
	@Scripts/sanitize address

test-tsan: setup
	@Scripts/sanitize thread

# Of the one executable only: the work is the same as in the tests.
work-tsan: setup
	swift build --scratch-path .build-tsan --sanitize=thread -Xswiftc -DTHREAD_SANITIZER --product StoreWriter
	@folder=$$(mktemp -d); \
	TSAN_OPTIONS="halt_on_error=0 exitcode=66" \
	    .build-tsan/debug/StoreWriter work $$folder/Library.sqlite Examples/Library/Library.xcdatamodeld $(SECONDS) \
	    > $$folder/log 2>&1; \
	status=$$?; cat $$folder/log; if grep -q '^wrong:' $$folder/log; then status=1; fi; rm -rf $$folder; exit $$status

test-durability: setup
	swift build --build-tests $(REPLAN)
	COREDATA_TEST_KILLS=$(or $(KILLS),1000) COREDATA_FULL_TESTS=1 swift test --skip-build \
	    --filter 'KillTests|FailingDiskTests|FullDiskTests'

demo: setup
	swift build -c release --product tour
	@Scripts/demo $(if $(STORE),"$(STORE)") $(if $(MODEL),"$(MODEL)")

bench: setup
	swift run -c release coredata-bench $(if $(WRITE),--write)
	@Scripts/model-bench $(if $(WRITE),--write) 150 20 release

# Examples share the build folder, so nothing is compiled twice.
examples: setup
	swift test $(JOURNAL)
	swift test $(JOURNAL) -c release

lint:
	swift format lint --strict --recursive Package.swift Sources Plugins Tests Examples Benchmarks

setup:
	@Scripts/setup

clean:
	swift package clean

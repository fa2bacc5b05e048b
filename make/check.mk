# SPDX-License-Identifier: Apache-2.0
# The tests that a change must pass. Each part can be run alone.

.PHONY: check documents lint lint-c format-c check-mutants check-modules check-seeds test check-tsan check-manual check-documentation check-package check-snippets check-abi \
    check-install check-library check-conformance check-plugin check-plugin-swift check-others check-examples check-legacy check-build \
    check-machine check-real-time check-virtual-time check-drivers check-servers check-servers-13 check-desktop check-hostile \
    check-asan coverage soak list-source-checks list-user-checks update-abi

# The parts of the gate, in groups. The parts of a group run one behind the other. Groups of sources build in different folders.
# Groups of users, of one part each, use the library as it ships: those that take long are first, and check-plugin-swift last,
# because it uses what coverage builds. tools/gate adds the virtual machine and the packages.
TEXT_CHECKS := lint check-mutants check-modules
COVERAGE_CHECKS := check-manual coverage check-documentation check-package
# Those of other builds, each in a folder of its own.
BUILD_CHECKS := check-tsan check-fuzz check-asan check-static
USER_CHECKS := check-abi check-calls check-toolbox check-objc check-conformance check-faults check-library check-others check-gate \
    check-toolbox-headers check-snippets check-server-module check-desktop check-hostile check-plugin check-legacy check-examples check-install \
    check-plugin-swift

# Runs all at the same time, and prints a table of times and results and the log of a failed part last. The recipe does not
# name MAKE, because make -n would run it.
check: deps
	@MAKE='$(MAKE_COMMAND)' tools/gate

list-source-checks:
	@printf '%s\n' '$(TEXT_CHECKS)' '$(COVERAGE_CHECKS)' $(BUILD_CHECKS)

list-user-checks:
	@printf '%s\n' $(USER_CHECKS)

lint: lint-c
	$(SWIFT) format lint --strict -r $(SWIFT_SOURCES)
	tools/swift-headers --check

# Each mutation of Tests/Mutants still fits the sources: see make mutants.
check-mutants:
	tools/mutants --check

# Each module declares what it imports, and imports only from the rooms above its own.
check-modules:
	tools/check-modules

# Seeds fix the inputs of the tests: two processes draw the same. It takes some minutes, and is no part of make check.
check-seeds:
	$(SWIFT) build --build-tests
	tools/check-seeds .build/debug

# The format of C and Objective-C, and the licence line of each source file.
C_SOURCES = git ls-files -z '*.c' '*.h' '*.m'

lint-c:
	$(C_SOURCES) | xargs -0 clang-format --dry-run -Werror
	tools/spdx --check

format-c:
	$(C_SOURCES) | xargs -0 clang-format -i

# The documents with tables and pictures that are generated from the model.
DOCUMENTS := README.md docs/tables.md docs/monitor.svg $(wildcard docs/man/*.[57])

# The tool is built as the part coverage builds it.
BUILD_DOCUMENT_TABLES = $(SWIFT) build --product DocumentTables --enable-code-coverage $(TEST_FLAGS) --scratch-path .build/coverage
DOCUMENT_TABLES = LLVM_PROFILE_FILE=/dev/null .build/coverage/debug/DocumentTables

documents:
	$(BUILD_DOCUMENT_TABLES)
	$(DOCUMENT_TABLES) write $(DOCUMENTS)
	tools/function-table docs/audiotoolbox.md

check-manual:
	tools/check-manual
	$(BUILD_DOCUMENT_TABLES)
	$(DOCUMENT_TABLES) check $(DOCUMENTS)
	tools/function-table docs/audiotoolbox.md --check
	$(foreach c,$(BASH_COMPLETIONS),bash -n $(c)$(newline)	)

# The tests of decoders use the modules of this build.
test coverage coverage-of-programs: export AUDIOTOOLBOX_CODECS = $(CURDIR)/$(BUILD)/codecs
test coverage coverage-of-programs: codecs

test:
	$(SWIFT) test

# The headers of libAudioToolbox.
.PHONY: check-toolbox-headers
check-toolbox-headers:
	Tests/Programs/ToolboxHeaders/run.sh $(SWIFT_RESOURCES)

# The Swift package as a dependency of another one, and its documentation.
check-package:
	tools/check-package

check-documentation:
	tools/check-documentation

# Whole modules compile in two thirds of the time of single files. More than one thread: SwiftPM expects an object for each
# file. The driver compiles the interface of a module once more, to have it early: that is a quarter of the time of tests.
# The kernels in C are optimized: without that the tests of resampling take five times as long. The linker of the driver takes 20 s
# longer than lld.
TEST_FLAGS := $(DEBUG_INFO) -Xcc -O2 $(foreach f,-whole-module-optimization -disable-batch-mode -num-threads 2 \
    -no-emit-module-separately-wmo -use-ld=lld,-Xswiftc $f)
check-package check-documentation check-plugin-swift: export TEST_FLAGS := $(TEST_FLAGS)

# A sanitizer compiles all again: only the tests that it is meant for, and what they need.
.PHONY: build-tsan build-asan
TSAN_TESTS := CLinuxTests AudioSessionTests AudioStreamsTests AudioSessionServicesTests SimulatedHardwareTests AVFAudioTests
# What they test has one thread.
TSAN_WITHOUT := $(addprefix AVFAudioTests/,$(addsuffix Tests.swift, \
    AudioFile Buffer Converter Equalizer Format SessionValue SettingsFuzz ToolboxFunction ToolboxName ValueDetail)) \
    $(addprefix AudioStreamsTests/,$(addsuffix Tests.swift,Conversion DelayLockedLoop Gain Microphone PCMNames StreamOptions)) \
    $(addprefix CLinuxTests/,$(addsuffix Tests.swift,File Open)) SimulatedHardwareTests/DeviceTests.swift
TSAN_FLAGS := $(TEST_FLAGS) --sanitize=thread --package-path .build/tsan

build-tsan:
	tools/reduced-package .build/tsan $(TSAN_TESTS) --without $(TSAN_WITHOUT)
	$(SWIFT) build --build-tests $(TSAN_FLAGS)

# Few rounds: the sanitizer finds a race in the order of the accesses, whether they met or not.
check-tsan: export STORM_ROUNDS = 300
check-tsan: export RING_ROUNDS = 10000
# A request for more memory than there is fails, as without the sanitizer.
check-tsan: export TSAN_OPTIONS = allocator_may_return_null=1
check-tsan: build-tsan
	$(SWIFT) test --skip-build $(TSAN_FLAGS)

# The table that processes share: the models and the arbiter above it access no memory by address. Fuzzing has the sanitizer too.
ASAN_FLAGS := $(TEST_FLAGS) --sanitize=address --package-path .build/asan

build-asan:
	tools/reduced-package .build/asan SessionRegistryTests
	$(SWIFT) build --build-tests $(ASAN_FLAGS)

# The test runner of Swift leaks memory: the programs of Tests/Programs/Conformance check for leaks.
check-asan: export ASAN_OPTIONS = detect_leaks=0
check-asan: build-asan
	$(SWIFT) test --skip-build $(ASAN_FLAGS)

# All Swift tests, and how much of the sources they execute.
coverage coverage-of-programs: export TEST_FLAGS := $(TEST_FLAGS)
coverage:
	tools/coverage

# The same, with the lines that the programs in C execute.
.PHONY: coverage-of-programs
coverage-of-programs:
	$(MAKE) LINK=profiled stage
	PROGRAMS=.build/profiled tools/coverage

# The build for arm64, as far as an emulator can run it; and that the rules of the build are made, and compile what takes seconds.
.PHONY: check-arm64 check-cross
check-arm64:
	$(MAKE) --no-print-directory ARCH=arm64 check-emulated

check-cross:
	$(MAKE) --no-print-directory ARCH=arm64 first-objects

# One build, installed in a folder of its own. check-calls compares only the Embedded build: the static runtime adds calls.
check-build: check-library $(if $(filter embedded,$(LINK)),check-calls) check-conformance check-plugin

STAGE := $(CURDIR)/$(BUILD)/stage
STAGED := $(STAGE)/.complete

.PHONY: stage
stage: $(STAGED)

$(STAGED): $(LIBRARY) $(PLUGIN) $(TOOL) $(TOOLBOX) $(VOICE) $(CODECS) $(SERVERS) $(OBJC) $(OBJC_HEADERS:%=include/avfoundation/%) $(wildcard pkgconfig/* docs/man/* completions/* alsa/*) make/install.mk
	rm -rf $(STAGE)
	$(MAKE) --no-print-directory install PREFIX=$(STAGE) LIBDIR=$(STAGE)/lib DESTDIR= >/dev/null
	touch $@

check-library: $(STAGED)
	tools/check-product objects $(TOOLCHAIN_BIN) $(BUILD)/release $(GNU)
	tools/check-product library $(LINK) $(STAGE) $(SYMBOLS) $(PRIVATE_SYMBOLS)
	tools/check-product companion $(LINK) $(STAGE) $(TOOLBOX_SYMBOLS) abi/AudioToolbox.symbols
	tools/check-product version $(STAGE) $(VERSION) $(SONAME)
	tools/check-product portable $(STAGE)/lib/$(REALNAME) $(STAGE)/lib/$(TOOLBOX_REALNAME) $(STAGE)/lib/alsa-lib/$(PLUGIN_NAME) \
	    $(STAGE)/lib/audiotoolbox/voice/$(notdir $(VOICE)) $(CODECS_FOUND:%=$(STAGE)/lib/audiotoolbox/codecs/%.so) $(SERVERS_FOUND:%=$(STAGE)/lib/audiosession/servers/%.so) \
	    $(STAGE)/bin/audiosessionctl

# Ordinary Swift with its runtime in the library is the same library: that it builds, and what it exports, is enough here. What is in
# C and in Objective-C does not differ.
.PHONY: check-static
check-static:
	$(MAKE) --no-print-directory check-library LINK=static-stdlib STATIC_OPTIMIZATION=-Onone OBJC= CODECS_FOUND= SERVERS_FOUND=

.PHONY: check-calls update-calls
CHECK_CALLS = LLVM_BIN=$(TOOLCHAIN_BIN) tools/check-product calls $(LINK) $(LIBRARY) $(PLUGIN) $(BUILD)/release abi/AudioSession.calls

check-calls: $(STAGED)
	$(CHECK_CALLS)

update-calls: $(STAGED)
	$(CHECK_CALLS) --update

check-abi: $(STAGED)
	tools/check-product abi $(STAGE) abi/AudioSession.abi

update-abi: $(STAGED)
	tools/check-product abi $(STAGE) abi/AudioSession.abi --update

check-install: $(STAGED)
	MAKE="$(MAKE)" tools/check-product install

check-snippets: $(STAGED)
	tools/check-snippets $(STAGE)

check-conformance: $(STAGED)
	Tests/Programs/Conformance/run.sh $(STAGE)

# Programs that use libAudioToolbox.
.PHONY: check-toolbox
check-toolbox: $(STAGED)
	Tests/Programs/ToolboxConformance/run.sh $(STAGE)
	SOAK_SECONDS=10 Tests/Endurance/QueueSoak/run.sh $(STAGE)

# The Objective-C classes. Where they are not built, tools/deps installs what they need.
.PHONY: check-objc
check-objc: $(STAGED)
	tools/check-product objc $(STAGE) $(OBJC_SYMBOLS)
	Tests/Programs/ObjectiveC/run.sh $(STAGE)

check-examples: $(STAGED)
	Tests/Programs/Examples/run.sh $(STAGE)

check-legacy: $(STAGED)
	Tests/Programs/Legacy/run.sh $(STAGE)

# The kernel's sound drivers, in a virtual machine: in real time, and in virtual time, which passes with the instructions that
# are executed and shows other orders of events.
check-machine: check-real-time check-virtual-time

check-real-time check-virtual-time: check-%-time: $(STAGED)
	VM_CLOCK=$* Tests/Machine/run.sh $(STAGE)

# The gate runs the tests of the machine in virtual time: however busy this machine is, no sound is late. The programs in C run
# on this machine.
check-drivers: $(STAGED)
	VM_CLOCK=virtual Tests/Machine/run.sh $(STAGE) '!(conformance)'

# PulseAudio and PipeWire behind ALSA's default device.
check-servers: $(STAGED)
	tools/deps servers
	Tests/Machine/servers.sh $(STAGE)
	Tests/Machine/desktop.sh $(STAGE)

# The same with the servers of Debian 13, in a clean root: PipeWire 1.4, WirePlumber 0.5, PulseAudio 17.
check-servers-13: $(STAGED) roots
	packaging/check-servers $(ROOTS) trixie $(STAGE)

# The devices of both servers of this machine, without the tests that listen to sound: on a busy machine the server loses some.
check-desktop: $(STAGED)
	tools/deps servers
	Tests/Machine/desktop.sh $(STAGE) '@(arrival|default|volume|others|absent|restart|away)'

# The modules of sound servers, with servers and against a server that does what a test wants.
.PHONY: check-server-module
check-server-module: $(STAGED)
	tools/deps servers
	Tests/Programs/Servers/run.sh $(STAGE)

# Two sessions beside hostile processes. HOSTILE_SECONDS: how long each process runs.
check-hostile: $(STAGED)
	Tests/Endurance/Hostile/run.sh $(STAGE)

# Twenty programs make random calls, and at the same time twenty queues of one program get some. SOAK_SECONDS=600; SOAK_SEED
# repeats a run. Draws build/soak.svg.
soak: $(STAGED)
	@export SOAK_SECONDS='$(or $(SOAK_SECONDS),600)' SOAK_SEED='$(SOAK_SEED)'; \
	Tests/Endurance/QueueSoak/run.sh $(STAGE) & queues=$$!; \
	Tests/Endurance/Soak/run.sh $(STAGE) build; programs=$$?; wait $$queues && exit $$programs

# Installs what is missing, then builds.
run: deps
	$(MAKE) --no-print-directory stage
	PATH="$(STAGE)/bin:$$PATH" PKG_CONFIG_PATH="$(STAGE)/lib/pkgconfig" Examples/story.sh

check-plugin: $(STAGED)
	Tests/Programs/Plugin/run.sh $(STAGE)

# The plug-in in a Swift program. It comes late in its list, because it needs what coverage builds.
check-plugin-swift: $(STAGED)
	Tests/Programs/Plugin/avfaudio/run.sh $(STAGE)

# Other people's programs: through the plug-in, and with files that they and libAudioToolbox write.
check-others: $(STAGED)
	tools/deps others
	Tests/Programs/Plugin/others/run.sh $(STAGE)
	Tests/Programs/ToolboxConformance/crosscheck/run.sh $(STAGE)

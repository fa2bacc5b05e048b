# SPDX-License-Identifier: Apache-2.0
# Fuzzing of Embedded Swift, as it ships: there a trap ends the program without a message.
#
#   make fuzz         FUZZ_SECONDS=60 for each target; FUZZ=table for one
#   make check-fuzz   replays the corpora, then 4 seconds for each target. Not optimized and without line numbers: it builds in
#                     half of the time and traps in the same places

FUZZ_OPTIMIZATION ?= -Osize
FUZZ_BUILD := .build/fuzz$(FUZZ_OPTIMIZATION)
FUZZ ?= arguments command machine names options overrides table calls sounds units $(if $(CODECS_MISSING),,codecs)
FUZZ_SECONDS ?= 60
FUZZ_OBJECTS := $(FUZZ_BUILD)/.objects

$(FUZZ_OBJECTS): $(SOURCES) $(wildcard Fuzz/Targets/*) make/fuzz.mk
	$(SWIFT) build -c release --scratch-path $(FUZZ_BUILD) --target FuzzTargets --traits Embedded $(FUZZ_DEBUG) \
	    -Xswiftc -enable-testing -Xswiftc $(FUZZ_OPTIMIZATION) -Xswiftc -DFUZZING -Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=address,fuzzer-no-link
	touch $@

.PHONY: fuzz check-fuzz
fuzz: $(FUZZ_OBJECTS)
	SWIFT_RESOURCES=$(SWIFT_RESOURCES) SWIFT_TRIPLE=$(SWIFT_TRIPLE) tools/fuzz $(FUZZ_BUILD) $(FUZZ_SECONDS) $(FUZZ)

check-fuzz:
	$(MAKE) --no-print-directory fuzz FUZZ_OPTIMIZATION=-Onone FUZZ_SECONDS=4 FUZZ_DEBUG='-debug-info-format none'

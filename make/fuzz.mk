# SPDX-License-Identifier: Apache-2.0
# Fuzzing of Embedded Swift, as it ships: there a trap ends the program without a message.
#
#   make fuzz         FUZZ_SECONDS=60 for each target; FUZZ=table for one
#   make check-fuzz   replays the corpora, then 1 second for each target. Of ordinary Swift, not optimized and without line
#                     numbers: it builds in a quarter of the time and traps in the same places. The driver compiles the
#                     interface of each module once more when it does not optimize, unless it is told not to

FUZZ_SWIFT ?= embedded
FUZZ_BUILD := .build/fuzz-$(FUZZ_SWIFT)
FUZZ_FLAGS_embedded := --traits Embedded -Xswiftc -Osize
FUZZ_FLAGS_ordinary := --disable-default-traits $(DEBUG_INFO) -Xswiftc -Onone -Xswiftc -no-emit-module-separately-wmo
FUZZ_LIBRARIES_embedded = $(SWIFT_RESOURCES)/embedded/$(SWIFT_TRIPLE)/libswiftUnicodeDataTables.a
# The linker of C does not read which libraries the objects in Swift need, nor does it link the object that registers their types.
FUZZ_LIBRARIES_ordinary = $(SWIFT_RESOURCES)/linux/$(firstword $(subst -, ,$(SWIFT_TRIPLE)))/swiftrt.o -L$(SWIFT_RESOURCES)/linux \
    -Wl,-rpath,$(SWIFT_RESOURCES)/linux -lswiftCore -lswiftSwiftOnoneSupport -lswiftSynchronization
FUZZ ?= arguments command machine names options overrides table calls sounds units $(if $(CODECS_MISSING),,codecs)
FUZZ_SECONDS ?= 60
FUZZ_OBJECTS := $(FUZZ_BUILD)/.objects

$(FUZZ_OBJECTS): $(SOURCES) $(wildcard Fuzz/Targets/*) make/fuzz.mk
	$(SWIFT) build -c release --scratch-path $(FUZZ_BUILD) --target FuzzTargets $(FUZZ_FLAGS_$(FUZZ_SWIFT)) \
	    -Xswiftc -enable-testing -Xswiftc -DFUZZING -Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=address,fuzzer-no-link
	touch $@

.PHONY: fuzz check-fuzz
fuzz: $(FUZZ_OBJECTS)
	FUZZ_LIBRARIES='$(FUZZ_LIBRARIES_$(FUZZ_SWIFT))' FUZZ_CC=$(TOOLCHAIN_CC) tools/fuzz $(FUZZ_BUILD) $(FUZZ_SECONDS) $(FUZZ)

check-fuzz:
	$(MAKE) --no-print-directory fuzz FUZZ_SWIFT=ordinary FUZZ_SECONDS=1

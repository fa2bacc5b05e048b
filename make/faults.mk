# SPDX-License-Identifier: Apache-2.0
# The library and the plug-in, linked of the same objects as those that ship. The linker replaces the calls to the system that
# can fail on demand by those of Tests/Support/FaultPlan.

FAULT_BUILD := $(BUILD)/faults
FAULT_LIBRARY := $(FAULT_BUILD)/lib/libAudioSession.so.$(SOVERSION)
FAULT_PLUGIN := $(FAULT_BUILD)/lib/$(PLUGIN_NAME)
FAULT_CC = $(TOOLCHAIN_CC)
FAULT_SOURCES := $(addprefix Tests/Support/FaultPlan/,plan.c libc.c alsa.c)
FAULT_CALLS := $(FAULT_SOURCES:Tests/Support/FaultPlan/%.c=$(FAULT_BUILD)/%.o)

$(FAULT_CALLS): $(FAULT_BUILD)/%.o: Tests/Support/FaultPlan/%.c $(wildcard Tests/Support/FaultPlan/*.h Tests/Support/FaultPlan/include/*.h) make/faults.mk
	mkdir -p $(@D)
	$(FAULT_CC) -std=gnu17 -O2 -g -fPIC -DPIC -Wall -Wextra -Werror -c -o $@ $<

# As the linker made the product: its objects, and the calls that can fail. Each __wrap_NAME replaces NAME.
fault_link = $(FAULT_CC) -shared -fuse-ld=lld -o $(1) -Wl,-soname,$(notdir $(1)) -Wl,--version-script=$(2) \
    -Wl,-z,defs -Wl,-z,nodelete -Wl,-z,now -Wl,--gc-sections -Wl,--icf=all -Wl,--lto-O2 -Wl,--as-needed \
    -Wl,-rpath,$(SWIFT_RESOURCES)/linux $$(nm $(FAULT_CALLS) | sed -n 's/.* T __wrap_/-Wl,--wrap=/p') $(FAULT_CALLS) \
    @$(BUILD)/release/$(3).product/Objects.LinkFileList \
    $(SWIFT_RESOURCES)/embedded/$(SWIFT_TRIPLE)/libswiftUnicodeDataTables.a -lasound -lm

# The plug-in uses the plan of the library.
$(FAULT_LIBRARY): $(LIBRARY) $(FAULT_CALLS) $(SYMBOLS) $(PRIVATE_SYMBOLS) make/faults.mk
	mkdir -p $(@D)
	@{ echo '{ global: fault_*;'; sed 's/$$/;/' $(SYMBOLS) $(PRIVATE_SYMBOLS); echo 'local: *; };'; } >$(FAULT_BUILD)/AudioSession.map
	$(call fault_link,$@,$(FAULT_BUILD)/AudioSession.map,AudioSession)
	ln -sf $(@F) $(@D)/libAudioSession.so

$(FAULT_PLUGIN): $(FAULT_LIBRARY) $(PLUGIN_SOURCES) $(PLUGIN_VERSION_SCRIPT) $(FAULT_CALLS) make/faults.mk
	mkdir -p $(@D)
	$(plugin_compile) -o $@ $(PLUGIN_SOURCES) $$(nm $(FAULT_CALLS) | sed -n 's/.* T __wrap_/-Wl,--wrap=/p') \
	    $(FAULT_BUILD)/libc.o $(FAULT_BUILD)/alsa.o $(FAULT_LIBRARY) -lasound -Wl,-soname,$(PLUGIN_NAME) \
	    -Wl,--version-script=$(PLUGIN_VERSION_SCRIPT) -Wl,-z,defs -Wl,--gc-sections -Wl,-rpath,'$$ORIGIN'

# A stream makes many calls: each EVERY-th of them fails. 1: all.
EVERY ?= 3

.PHONY: faults check-faults
faults: $(FAULT_LIBRARY) $(FAULT_PLUGIN)

# STEP='SetActive(true)': only the steps whose name begins like this.
check-faults: faults
	FAULT_EVERY=$(EVERY) SWIFT_RESOURCES=$(SWIFT_RESOURCES) tools/check-faults $(FAULT_BUILD) '$(STEP)'

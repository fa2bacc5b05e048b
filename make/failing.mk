# What ships, of the same objects: the linker replaces the calls to the system that can fail on demand by those of
# Tests/FailingCalls.

FAILING_BUILD := $(BUILD)/failing
FAILING_LIBRARY := $(FAILING_BUILD)/lib/libAudioSession.so.$(SOVERSION)
FAILING_PLUGIN := $(FAILING_BUILD)/lib/$(PLUGIN_NAME)
FAILING_CC = $(dir $(SWIFT_RESOURCES))../bin/clang
FAILING_SOURCES := $(addprefix Tests/FailingCalls/,plan.c libc.c alsa.c)
FAILING_CALLS := $(FAILING_SOURCES:Tests/FailingCalls/%.c=$(FAILING_BUILD)/%.o)

$(FAILING_CALLS): $(FAILING_BUILD)/%.o: Tests/FailingCalls/%.c $(wildcard Tests/FailingCalls/*.h Tests/FailingCalls/include/*.h) make/failing.mk
	mkdir -p $(@D)
	$(FAILING_CC) -std=gnu17 -O2 -g -fPIC -DPIC -Wall -Wextra -Werror -c -o $@ $<

# As the linker made the product: its objects, and the calls that can fail. Each __wrap_NAME replaces NAME.
failing_link = $(FAILING_CC) -shared -fuse-ld=lld -o $(1) -Wl,-soname,$(notdir $(1)) -Wl,--version-script=$(2) \
    -Wl,-z,defs -Wl,-z,nodelete -Wl,-z,now -Wl,--gc-sections -Wl,--icf=all -Wl,--as-needed \
    -Wl,-rpath,$(SWIFT_RESOURCES)/linux $$(nm $(FAILING_CALLS) | sed -n 's/.* T __wrap_/-Wl,--wrap=/p') $(FAILING_CALLS) \
    @$(BUILD)/release/$(3).product/Objects.LinkFileList \
    $(SWIFT_RESOURCES)/embedded/$(SWIFT_TRIPLE)/libswiftUnicodeDataTables.a -lasound -lm

# The plug-in uses the plan of the library.
$(FAILING_LIBRARY): $(LIBRARY) $(FAILING_CALLS) $(SYMBOLS) $(PRIVATE_SYMBOLS) make/failing.mk
	mkdir -p $(@D)
	@{ echo '{ global: failing; failing_*;'; sed 's/$$/;/' $(SYMBOLS) $(PRIVATE_SYMBOLS); echo 'local: *; };'; } >$(FAILING_BUILD)/AudioSession.map
	$(call failing_link,$@,$(FAILING_BUILD)/AudioSession.map,AudioSession)
	ln -sf $(@F) $(@D)/libAudioSession.so

$(FAILING_PLUGIN): $(FAILING_LIBRARY) $(PLUGIN_SOURCES) $(PLUGIN_VERSION_SCRIPT) $(FAILING_CALLS) make/failing.mk
	mkdir -p $(@D)
	$(plugin_compile) -o $@ $(PLUGIN_SOURCES) $$(nm $(FAILING_CALLS) | sed -n 's/.* T __wrap_/-Wl,--wrap=/p') \
	    $(FAILING_BUILD)/libc.o $(FAILING_BUILD)/alsa.o $(FAILING_LIBRARY) -lasound -Wl,-soname,$(PLUGIN_NAME) \
	    -Wl,--version-script=$(PLUGIN_VERSION_SCRIPT) -Wl,-z,defs -Wl,--gc-sections -Wl,-rpath,'$$ORIGIN'

# A stream makes many calls: each EVERY-th of them fails. 1: all.
EVERY ?= 3

.PHONY: failing check-failing
failing: $(FAILING_LIBRARY) $(FAILING_PLUGIN)

# STEP='SetActive(true)': only the steps whose name begins like this.
check-failing: failing
	FAILING_EVERY=$(EVERY) SWIFT_RESOURCES=$(SWIFT_RESOURCES) tools/check-failing $(FAILING_BUILD) '$(STEP)'

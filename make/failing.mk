# What ships, of the same objects, but for the door to the system: that is compiled once more, so that it
# can be told to fail.

FAILING_BUILD := $(BUILD)/failing
FAILING_LIBRARY := $(FAILING_BUILD)/lib/libAudioSession.so.$(SOVERSION)
FAILING_PLUGIN := $(FAILING_BUILD)/lib/$(PLUGIN_NAME)
FAILING_CC = $(dir $(SWIFT_RESOURCES))../bin/clang
failing_objects = $(patsubst Sources/%.c,$(FAILING_BUILD)/%.o,$(wildcard $(1:%=Sources/%/*.c)))
FAILING_DOOR := $(call failing_objects,CLinux CALSA)
# The plug-in's C calls the system by itself: on its way no thread but the program's is to be waited for.
FAILING_PLUGIN_DOOR := $(FAILING_DOOR) $(call failing_objects,CAudioStreams CALSAPlugin)

$(FAILING_PLUGIN_DOOR): $(FAILING_BUILD)/%.o: Sources/%.c $(wildcard Sources/CLinux/*.h Sources/C*/include/*.h) make/failing.mk
	mkdir -p $(@D)
	$(FAILING_CC) -std=gnu17 -O2 -g -fPIC -DPIC -DFAILING $(patsubst %,-ISources/%/include,CLinux CALSA CAudioStreams CALSAPlugin) \
	    -c -o $@ $<

# What the linker was given for a product, but for the door.
failing_link = $(FAILING_CC) -shared -fuse-ld=lld -o $(1) -Wl,-soname,$(notdir $(1)) -Wl,--version-script=$(2) \
    -Wl,-z,defs -Wl,-z,nodelete -Wl,-z,now -Wl,--gc-sections -Wl,--icf=all -Wl,--as-needed \
    -Wl,-rpath,$(SWIFT_RESOURCES)/linux $(4) \
    $$(grep -vE '/(CLinux|CALSA|CAudioStreams|CALSAPlugin)\.build/' $(BUILD)/release/$(3).product/Objects.LinkFileList) \
    $(SWIFT_RESOURCES)/embedded/$(SWIFT_TRIPLE)/libswiftUnicodeDataTables.a -lasound -lm

$(FAILING_LIBRARY): $(LIBRARY) $(FAILING_DOOR) $(SYMBOLS) make/failing.mk
	mkdir -p $(@D)
	@{ echo '{ global: failing_*;'; sed 's/$$/;/' $(SYMBOLS); echo 'local: *; };'; } >$(FAILING_BUILD)/AudioSession.map
	$(call failing_link,$@,$(FAILING_BUILD)/AudioSession.map,AudioSession,$(FAILING_DOOR))
	ln -sf $(@F) $(@D)/libAudioSession.so

$(FAILING_PLUGIN): $(PLUGIN) $(FAILING_PLUGIN_DOOR) $(PLUGIN_SYMBOLS) make/failing.mk
	mkdir -p $(@D)
	@{ echo '{ global: failing_*;'; sed 's/$$/;/' $(PLUGIN_SYMBOLS); echo 'local: *; };'; } >$(FAILING_BUILD)/ALSAPlugin.map
	$(call failing_link,$@,$(FAILING_BUILD)/ALSAPlugin.map,ALSAPlugin,$(FAILING_PLUGIN_DOOR))

# Of the many calls of a stream's life, every which fails: 1, all of them.
EVERY ?= 3

.PHONY: failing check-failing
failing: $(FAILING_LIBRARY) $(FAILING_PLUGIN)

# STEP='SetActive(true)': only the steps whose name begins like this.
check-failing: failing
	FAILING_EVERY=$(EVERY) SWIFT_RESOURCES=$(SWIFT_RESOURCES) tools/check-failing $(FAILING_BUILD) '$(STEP)'

# What ships, of the same objects, but for the door to the system: that is compiled once more, so that it
# can be told to fail.

FAILING_BUILD := $(BUILD)/failing
FAILING_LIBRARY := $(FAILING_BUILD)/lib/libAudioSession.so.$(SOVERSION)
FAILING_CC = $(dir $(SWIFT_RESOURCES))../bin/clang
FAILING_DOOR := $(patsubst Sources/%.c,$(FAILING_BUILD)/%.o,$(wildcard Sources/CLinux/*.c Sources/CALSA/*.c))

$(FAILING_DOOR): $(FAILING_BUILD)/%.o: Sources/%.c $(wildcard Sources/CLinux/*.h Sources/C*/include/*.h) make/failing.mk
	mkdir -p $(@D)
	$(FAILING_CC) -std=gnu17 -O2 -g -fPIC -DFAILING -ISources/CLinux/include -ISources/CALSA/include -c -o $@ $<

# What the linker was given for a product, without the door.
failing_link = $(FAILING_CC) -shared -fuse-ld=lld -o $(1) -Wl,-soname,$(notdir $(1)) -Wl,--version-script=$(2) \
    -Wl,-z,defs -Wl,-z,nodelete -Wl,-z,now -Wl,--gc-sections -Wl,--icf=all -Wl,--as-needed \
    -Wl,-rpath,$(SWIFT_RESOURCES)/linux $(FAILING_DOOR) \
    $$(grep -vE '/(CLinux|CALSA)\.build/' $(BUILD)/release/$(3).product/Objects.LinkFileList) \
    $(SWIFT_RESOURCES)/embedded/$(SWIFT_TRIPLE)/libswiftUnicodeDataTables.a -lasound -lm

$(FAILING_LIBRARY): $(LIBRARY) $(FAILING_DOOR) $(SYMBOLS) make/failing.mk
	mkdir -p $(@D)
	@{ echo '{ global: failing_*;'; sed 's/$$/;/' $(SYMBOLS); echo 'local: *; };'; } >$(FAILING_BUILD)/AudioSession.map
	$(call failing_link,$@,$(FAILING_BUILD)/AudioSession.map,AudioSession)
	ln -sf $(@F) $(@D)/libAudioSession.so

.PHONY: check-failing
check-failing: $(FAILING_LIBRARY)
	tools/check-failing $(FAILING_BUILD)

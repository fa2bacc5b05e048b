# The library as it ships, but for the door to the system, which can be told to fail.

FAILING_BUILD := .build/failing
FAILING_LIBRARY := $(FAILING_BUILD)/lib/libAudioSession.so.$(SOVERSION)

$(FAILING_LIBRARY): $(SOURCES) make/build.mk make/failing.mk
	mkdir -p $(@D)
	@{ echo '{ global: failing_*;'; sed 's/$$/;/' $(SYMBOLS); echo 'local: *; };'; } > $(FAILING_BUILD)/AudioSession.map
	$(SWIFT) build -c release --scratch-path $(FAILING_BUILD) -Xswiftc -use-ld=lld --product AudioSession -Xcc -DFAILING \
	    $(EMBEDDED_FLAGS) $(call linker,-soname=$(@F) --version-script=$(CURDIR)/$(FAILING_BUILD)/AudioSession.map \
	    -z defs -z nodelete --gc-sections --as-needed -rpath $(SWIFT_RESOURCES)/linux -lm)
	cp $(FAILING_BUILD)/release/libAudioSession.so $@
	ln -sf $(@F) $(@D)/libAudioSession.so

.PHONY: check-failing
check-failing: $(FAILING_LIBRARY)
	tools/check-failing $(FAILING_BUILD)

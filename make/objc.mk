# SPDX-License-Identifier: Apache-2.0
# The Objective-C classes: a library of its own over libAudioSession and libAudioToolbox, which it loads when a program plays or
# records. It is built where a compiler for Objective-C and GNUstep's Foundation are installed. OBJC_CONFIG names the script that knows
# them, of another runtime for example.

OBJC_CONFIG ?= gnustep-config
OBJC_CC ?= gcc
OBJC_SONAME := libavfoundation-audio.so.$(SOVERSION)
OBJC_REALNAME := libavfoundation-audio.so.$(VERSION)
OBJC_SYMBOLS := abi/AVFoundation.symbols
OBJC_VERSION_SCRIPT := $(BUILD)/AVFoundation.map
OBJC_LIBRARY := $(BUILD)/$(OBJC_REALNAME)
OBJC_CLASS_SOURCES := $(sort $(wildcard Sources/API/ObjectiveC/*.m))
OBJC_C_SOURCES := $(sort $(wildcard Sources/API/ObjectiveC/*.c))
OBJC_INTERNAL_HEADERS := $(wildcard Sources/API/ObjectiveC/*.h Sources/Engine/C*/include/*.h)
OBJC_HEADERS := $(patsubst include/avfoundation/%,%,$(shell find include/avfoundation -name '*.h'))

# gcc compiles Objective-C only with the package gobjc, and for one processor. Debian's packages of GNUstep for another processor do
# not stand beside those of this machine: make deb builds the classes in a clean root file system of the processor.
OBJC_FOREIGN := $(if $(GNU),$(filter-out $(GNU),$(shell $(OBJC_CC) -dumpmachine 2>/dev/null || echo none)))
OBJC_FOUND := $(if $(OBJC_FOREIGN),,$(shell $(OBJC_CONFIG) --objc-flags >/dev/null 2>&1 \
    && echo 'int x;' | $(OBJC_CC) -x objective-c -fsyntax-only - 2>/dev/null && echo yes))
OBJC := $(if $(OBJC_FOUND),$(OBJC_LIBRARY))
OBJC_MISSING := $(if $(OBJC_FOREIGN),make deb builds them in a root file system of $(ARCH),not installed: gobjc gnustep-make libgnustep-base-dev)

# The headers of Foundation are those of the system: warnings concern ours.
OBJC_SYSTEM_FLAGS = $(patsubst -I/%,-isystem /%,$(filter-out -MMD -MP -I. -g -O2 -Wall -DGSWARN -DGSDIAGNOSE,$(shell $(OBJC_CONFIG) --objc-flags)))
OBJC_C_FLAGS = -std=gnu11 -O2 -g -fPIC -Wall -Wextra -Werror -ffile-prefix-map=$(CURDIR)/= \
    -DAUDIOSESSION_VERSION='"$(VERSION)\n"' -DAUDIOTOOLBOX_SONAME='"libAudioToolbox.so.$(SOVERSION)"' \
    -Iinclude/avfoundation -Iinclude/audiosession -Iinclude/audiotoolbox \
    $(patsubst %,-ISources/%/include,Engine/CEngineTable Engine/CAudioStreams Engine/CStatusPage System/CLinux)
# A list of symbols holds for GCC's runtime: others have other names of classes.
OBJC_IS_GCC = $(filter -DGNU_RUNTIME=1,$(OBJC_SYSTEM_FLAGS))
OBJC_LINKER_FLAGS = -shared -Wl,-soname,$(OBJC_SONAME) -Wl,-z,defs -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now -Wl,--build-id=sha1 \
    $(if $(OBJC_IS_GCC),-Wl$(comma)--version-script=$(OBJC_VERSION_SCRIPT) -Wl$(comma)--no-undefined-version) -Wl,-rpath,'$$ORIGIN' \
    -Wl,--no-as-needed $(LIBRARY) -Wl,--as-needed $(filter-out -rdynamic -L$(HOME)/GNUstep/%,$(shell $(OBJC_CONFIG) --base-libs))
# One object file has all classes: when a program starts, GCC's runtime searches all its classes again for each object file.
OBJC_CLASSES := $(BUILD)/objc/classes.m
OBJC_OBJECTS := $(OBJC_CLASSES).o $(patsubst Sources/API/ObjectiveC/%,$(BUILD)/objc/%.o,$(OBJC_C_SOURCES))

.PHONY: objc
objc: $(OBJC)
	@$(if $(OBJC),,echo 'Objective-C classes: left out, $(OBJC_MISSING)')

$(OBJC_VERSION_SCRIPT): $(OBJC_SYMBOLS) $(FLAGS)
	@{ echo 'AVFOUNDATION_AUDIO_$(SOVERSION) {'; echo 'global:'; sed 's/$$/;/' $<; echo 'local: *;'; echo '};'; } > $@

$(OBJC_OBJECTS): $(OBJC_INTERNAL_HEADERS) $(OBJC_HEADERS:%=include/avfoundation/%) $(shell find include -name '*.h') $(FLAGS) make/objc.mk VERSION

$(OBJC_CLASSES): $(OBJC_CLASS_SOURCES) make/objc.mk
	mkdir -p $(@D)
	printf '#import "%s"\n' $(OBJC_CLASS_SOURCES) > $@

$(OBJC_CLASSES).o: $(OBJC_CLASSES)
	$(OBJC_CC) $(OBJC_SYSTEM_FLAGS) $(OBJC_C_FLAGS) -iquote . -c -o $@ $<

$(BUILD)/objc/%.c.o: Sources/API/ObjectiveC/%.c
	mkdir -p $(@D)
	$(OBJC_CC) $(OBJC_C_FLAGS) -c -o $@ $<

$(OBJC_LIBRARY): $(OBJC_OBJECTS) $(LIBRARY) $(OBJC_VERSION_SCRIPT)
	$(OBJC_CC) -o $@.unstripped $(OBJC_OBJECTS) $(OBJC_LINKER_FLAGS)
	tools/strip $@.unstripped $@

# The library, the ALSA plug-in and the command line tool.

SWIFT_SOURCES := Package.swift Sources Tests Examples
SOURCES := Package.swift $(shell find Sources -type f) $(shell find include -type f)

# The version script is made from the list of symbols, the one place that says what is exported.
SYMBOLS := abi/AudioSession.symbols
VERSION_SCRIPT := $(BUILD)/AudioSession.map
PLUGIN_SYMBOLS := abi/ALSAPlugin.symbols
PLUGIN_VERSION_SCRIPT := $(BUILD)/ALSAPlugin.map

linker = $(foreach flag,$(1),-Xlinker $(flag))

# nodelete: our monitor thread must not lose its code to a dlclose. The runpath is where
# CoreFoundation is looked for when a program asks for a value that needs it.
SHARED_FLAGS = $(call linker,--no-undefined-version -z defs -z nodelete -z relro -z now --gc-sections --as-needed -lm)
LINKER_FLAGS = $(SHARED_FLAGS) $(call linker,-soname=$(SONAME) --version-script=$(CURDIR)/$(VERSION_SCRIPT) \
    -rpath $(SWIFT_RESOURCES)/linux)
PLUGIN_LINKER_FLAGS = $(SHARED_FLAGS) $(call linker,-soname=$(PLUGIN_NAME) \
    --version-script=$(CURDIR)/$(PLUGIN_VERSION_SCRIPT))

# Size before speed: what has to be fast here is a few loads, and every program that links pays the rest.
# Sections of their own let the linker drop the functions that each module has compiled once more.
EMBEDDED_FLAGS = --traits Embedded -Xswiftc -Osize -Xswiftc -Xfrontend -Xswiftc -function-sections $(call linker,--icf=all) \
    $(call linker,$(SWIFT_RESOURCES)/embedded/$(SWIFT_TRIPLE)/libswiftUnicodeDataTables.a)
# The runtime finds types through sections that nothing refers to but by their start and end.
# What registers them is left out by the driver for a library; without it, no type is found to be Hashable.
STATIC_FLAGS = -Xswiftc -static-stdlib $(call linker,-z nostart-stop-gc \
    $(SWIFT_RESOURCES)_static/linux/$(firstword $(subst -, ,$(SWIFT_TRIPLE)))/swiftrt.o)

ifeq ($(LINK),embedded)
MODE_FLAGS = $(EMBEDDED_FLAGS)
else ifeq ($(LINK),static-stdlib)
MODE_FLAGS = $(STATIC_FLAGS)
else
$(error LINK is "$(LINK)": expected embedded or static-stdlib)
endif

# lld: gold lets symbols of Swift's metadata through a version script.
SWIFT_BUILD = $(SWIFT) build -c release --scratch-path $(BUILD) -Xswiftc -use-ld=lld

build: $(LIBRARY) $(PLUGIN) $(TOOL)

# SwiftPM does not compile anew when only flags have changed. The first build looks what is missing.
FLAGS := $(BUILD)/.flags
$(FLAGS): make/build.mk
	tools/deps build
	rm -rf $(BUILD)
	mkdir -p $(BUILD)
	touch $@

$(VERSION_SCRIPT): $(SYMBOLS) $(FLAGS)
	@{ echo 'AUDIOSESSION_$(SOVERSION) {'; echo 'global:'; sed 's/$$/;/' $<; echo 'local: *;'; echo '};'; } > $@

$(LIBRARY): $(SOURCES) $(VERSION_SCRIPT) $(FLAGS) VERSION
	$(SWIFT_BUILD) --product AudioSession $(MODE_FLAGS) $(LINKER_FLAGS)
	$(STRIP) --strip-unneeded -o $@ $(BUILD)/release/libAudioSession.so

# libasound asks for its functions without a version.
$(PLUGIN_VERSION_SCRIPT): $(PLUGIN_SYMBOLS) $(FLAGS)
	@{ echo '{'; echo 'global:'; sed 's/$$/;/' $<; echo 'local: *;'; echo '};'; } > $@

$(PLUGIN): $(SOURCES) $(PLUGIN_VERSION_SCRIPT) $(FLAGS) VERSION
	$(SWIFT_BUILD) --product ALSAPlugin $(MODE_FLAGS) $(PLUGIN_LINKER_FLAGS)
	$(STRIP) --strip-unneeded -o $@ $(BUILD)/release/libALSAPlugin.so

$(TOOL): $(SOURCES) $(FLAGS)
	$(SWIFT_BUILD) --product audiosessionctl $(MODE_FLAGS) \
	    $(call linker,--gc-sections --as-needed -z relro -z now -rpath $(SWIFT_RESOURCES)/linux -lm)
	$(STRIP) -o $@ $(BUILD)/release/audiosessionctl

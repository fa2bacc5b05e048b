# The library, the ALSA plug-in and the command line tool.

SWIFT_SOURCES := Package.swift Sources Tests Examples Fuzz tools/DocumentTables
SOURCES := Package.swift $(shell find Sources -type f) $(shell find include -type f)

# The version script is made from the list of symbols, the one place that says what is exported.
SYMBOLS := abi/AudioSession.symbols
VERSION_SCRIPT := $(BUILD)/AudioSession.map
PLUGIN_SYMBOLS := abi/ALSAPlugin.symbols
PLUGIN_VERSION_SCRIPT := $(BUILD)/ALSAPlugin.map

linker = $(foreach flag,$(1),-Xlinker $(flag))

# Where CoreFoundation is looked for when a program asks for a value that needs it: beside the library.
# What lies there is a link to the toolchain, or the toolchain's runtime from a package. The tool looks
# there too, from its own place, in lib and in Debian's folder for the kind of machine.
RUNTIME := audiosession/swift/linux
DEBIAN_TRIPLE = $(subst -unknown-,-,$(SWIFT_TRIPLE))
LIBRARY_RUNPATH = -rpath \$$ORIGIN/$(RUNTIME)
TOOL_RUNPATH = -rpath \$$ORIGIN/../lib/$(RUNTIME) -rpath \$$ORIGIN/../lib/$(DEBIAN_TRIPLE)/$(RUNTIME)

# Made of the sources and the compiler. The linker would take in debugging symbols, which know in which
# folder the build was.
build_id = $(call linker,--build-id=0x$(shell \
    { echo $(1); $(SWIFT) --version; cat $(sort $(SOURCES)) make/build.mk; } 2>&1 | sha1sum | cut -c 1-40))

# nodelete: our monitor thread must not lose its code to a dlclose.
SHARED_FLAGS = $(call linker,--no-undefined-version -z defs -z nodelete -z relro -z now --gc-sections --as-needed -lm)
LINKER_FLAGS = $(SHARED_FLAGS) $(call linker,-soname=$(SONAME) --version-script=$(CURDIR)/$(VERSION_SCRIPT) \
    $(LIBRARY_RUNPATH))
PLUGIN_LINKER_FLAGS = $(SHARED_FLAGS) $(call linker,-soname=$(PLUGIN_NAME) \
    --version-script=$(CURDIR)/$(PLUGIN_VERSION_SCRIPT))

# Size before speed: what has to be fast here is a few loads, and every program that links pays the rest.
# Sections of their own let the linker drop the functions that each module has compiled once more.
# A function that takes a closure is not made once more for each closure that it is given. What is said
# everywhere is a call, not the 50 to 200 bytes that it otherwise is in each place: whatever has "append" in
# its name, for strings, their literals with values in them, and arrays (the optimizer takes one such part of
# a name, and heeds the last), and the functions that are named in full. No tables for unwinding: nothing
# can pass Swift's frames, which have none.
OPTIMIZER_FLAGS = -sil-disable-pass=closure-specialize -sil-inline-never-functions=append \
    $(foreach function,$(CALLED),'-sil-inline-never-function=$$e$(function)')
# String ==
CALLED = SS2eeoiySbSS_SStFZ
# That nobody writes while another reads is checked in debug builds; embedded, the checks are empty calls.
EMBEDDED_FLAGS = --traits Embedded -Xswiftc -Osize -Xswiftc -enforce-exclusivity=unchecked \
    -Xswiftc -Xfrontend -Xswiftc -function-sections \
    $(foreach flag,$(OPTIMIZER_FLAGS),-Xswiftc -Xllvm -Xswiftc $(flag)) -Xcc -fno-asynchronous-unwind-tables \
    $(call linker,--icf=all $(SWIFT_RESOURCES)/embedded/$(SWIFT_TRIPLE)/libswiftUnicodeDataTables.a)
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
# No runpath but ours: neither a folder of this machine nor the program's own; nor is it in messages.
SWIFT_BUILD = $(SWIFT) build -c release --scratch-path $(BUILD) --disable-local-rpath -Xswiftc -use-ld=lld \
    -Xswiftc -no-toolchain-stdlib-rpath -Xcc -fmacro-prefix-map=$(CURDIR)/=

build: $(LIBRARY) $(PLUGIN) $(TOOL)

# SwiftPM does not compile again when only flags have changed. The first build names what is missing.
FLAGS := $(BUILD)/.flags
$(FLAGS): make/build.mk
	tools/deps --check build
	rm -rf $(BUILD)
	mkdir -p $(BUILD)
	touch $@

$(VERSION_SCRIPT): $(SYMBOLS) $(FLAGS)
	@{ echo 'AUDIOSESSION_$(SOVERSION) {'; echo 'global:'; sed 's/$$/;/' $<; echo 'local: *;'; echo '};'; } > $@

$(LIBRARY): $(SOURCES) $(VERSION_SCRIPT) $(FLAGS) VERSION
	$(SWIFT_BUILD) --product AudioSession $(MODE_FLAGS) $(LINKER_FLAGS) $(call build_id,library)
	tools/strip $(BUILD)/release/libAudioSession.so $@

# libasound asks for its functions without a version.
$(PLUGIN_VERSION_SCRIPT): $(PLUGIN_SYMBOLS) $(FLAGS)
	@{ echo '{'; echo 'global:'; sed 's/$$/;/' $<; echo 'local: *;'; echo '};'; } > $@

$(PLUGIN): $(SOURCES) $(PLUGIN_VERSION_SCRIPT) $(FLAGS) VERSION
	$(SWIFT_BUILD) --product ALSAPlugin $(MODE_FLAGS) $(PLUGIN_LINKER_FLAGS) $(call build_id,plugin)
	tools/strip $(BUILD)/release/libALSAPlugin.so $@

$(TOOL): $(SOURCES) $(FLAGS) VERSION
	$(SWIFT_BUILD) --product audiosessionctl $(MODE_FLAGS) \
	    $(call linker,--gc-sections --as-needed -z relro -z now $(TOOL_RUNPATH) -lm) $(call build_id,tool)
	tools/strip $(BUILD)/release/audiosessionctl $@

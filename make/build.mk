# SPDX-License-Identifier: Apache-2.0
# The library, the ALSA plug-in and the command line tool.

SWIFT_SOURCES := Package.swift Sources Tests Examples Fuzz tools/DocumentTables
# The Objective-C classes are compiled by make/objc.mk, not by SwiftPM.
SOURCES := Package.swift $(shell find Sources include -path Sources/API/ObjectiveC -prune -o -path include/avfoundation -prune -o -type f -print)

# The version script is made of the list of exported symbols.
SYMBOLS := abi/AudioSession.symbols
PRIVATE_SYMBOLS := abi/AudioSession.private-symbols
VERSION_SCRIPT := $(BUILD)/AudioSession.map
# The functions of the companion library. AudioToolbox.symbols lists all functions of its headers.
TOOLBOX_SYMBOLS := abi/AudioToolbox.exported
TOOLBOX_VERSION_SCRIPT := $(BUILD)/AudioToolbox.map
PLUGIN_SYMBOLS := abi/ALSAPlugin.symbols
PLUGIN_VERSION_SCRIPT := $(BUILD)/ALSAPlugin.map

comma := ,
linker = $(foreach flag,$(1),-Xlinker $(flag))

# The library loads CoreFoundation from this folder beside it when a program asks for a value that needs it. The folder is
# a link to the toolchain, or belongs to a package. The tool looks there as well, in lib and in Debian's multiarch folder. The
# library has no runpath: a program that starts with it would search the folder for libm and libasound.
RUNTIME := audiosession/swift/linux
HOST_TRIPLE = $(subst -unknown-,-,$(SWIFT_TRIPLE))
DEBIAN_TRIPLE = $(or $(GNU),$(HOST_TRIPLE))
TOOL_RUNPATH = -rpath \$$ORIGIN/../lib/$(RUNTIME) -rpath \$$ORIGIN/../lib/$(DEBIAN_TRIPLE)/$(RUNTIME)

# A hash of the sources and the compiler. The linker's own hash depends on the build folder, by the debugging symbols.
build_id = $(call linker,--build-id=0x$(shell \
    { echo $(1); $(SWIFT) --version; cat $(sort $(SOURCES)) make/build.mk; } 2>&1 | sha1sum | cut -c 1-40))

# nodelete: dlclose must not remove the code of the monitor thread.
SHARED_FLAGS = $(call linker,--no-undefined-version -z defs -z nodelete -z relro -z now --gc-sections --as-needed -lm)
# Most of the library runs a few times a second: sequences of instructions that occur often become functions, a twentieth of its size.
LINKER_FLAGS = $(SHARED_FLAGS) $(call linker,-soname=$(SONAME) --version-script=$(CURDIR)/$(VERSION_SCRIPT)) \
    $(if $(filter embedded,$(LINK)),$(call linker,-mllvm -enable-machine-outliner=always))
# The companion needs the library also where it does not call it itself: its reference is weak.
TOOLBOX_LINKER_FLAGS = $(SHARED_FLAGS) $(call linker,-soname=$(TOOLBOX_SONAME) \
    --version-script=$(CURDIR)/$(TOOLBOX_VERSION_SCRIPT) -rpath \$$ORIGIN \
    --no-as-needed $(CURDIR)/$(LIBRARY) --as-needed)
PLUGIN_LINKER_FLAGS = -Wl,-soname,$(PLUGIN_NAME) -Wl,--version-script=$(PLUGIN_VERSION_SCRIPT) -Wl,-z,defs -Wl,-z,relro \
    -Wl,-z,now -Wl,--no-undefined-version -Wl,--gc-sections -Wl,--as-needed -Wl,--build-id=sha1 \
    $(if $(PLUGIN_TO_LIBRARY),-Wl$(comma)-rpath$(comma)'$$ORIGIN/$(PLUGIN_TO_LIBRARY)')

# Small code: every program that links the library pays for its size, and few of its functions must be fast. Each
# function has a section of its own, so that the linker removes the copies that modules have of the same function.
# There are no tables for unwinding: no exception passes the frames of Swift, which have none.
# The access checks of debug builds are empty calls in Embedded Swift. Two passes of the optimizer trade size for speed and are
# restricted: a function that takes a closure is not compiled again for each closure, and append is not inlined.
# Objects in Swift are bitcode, and the linker compiles them together: each module has its copies of constants and of the metadata
# of classes, which only the linker's compiler can place in sections of their own and drop.
OPTIMIZER_FLAGS = -sil-disable-pass=closure-specialize -sil-inline-never-functions=append
EMBEDDED_FLAGS = --traits Embedded -Xswiftc -Osize -Xswiftc -enforce-exclusivity=unchecked \
    -Xswiftc -Xfrontend -Xswiftc -function-sections $(foreach flag,$(OPTIMIZER_FLAGS),-Xswiftc -Xllvm -Xswiftc $(flag)) \
    -Xcc -fno-asynchronous-unwind-tables \
    $(foreach flag,-emit-bc -lto=llvm-full,-Xswiftc -Xfrontend -Xswiftc $(flag)) \
    $(call linker,--icf=all --lto-O2 $(SWIFT_RESOURCES)/embedded/$(SWIFT_TRIPLE)/libswiftUnicodeDataTables.a)
# The runtime finds types by the start and the end of sections that nothing else refers to. The driver does not link the
# object that registers these sections into libraries; without it the runtime finds no conformance to Hashable.
# STATIC_OPTIMIZATION=-Onone builds faster what is not shipped. Without optimization the driver compiles the interface of a module
# once more, to have it early.
STATIC_FLAGS = $(STATIC_OPTIMIZATION:%=-Xswiftc % -Xswiftc -no-emit-module-separately-wmo) -Xswiftc -static-stdlib $(call linker,-z nostart-stop-gc \
    $(SWIFT_RESOURCES)_static/linux/$(firstword $(subst -, ,$(SWIFT_TRIPLE)))/swiftrt.o)

ifeq ($(LINK),embedded)
MODE_FLAGS = $(EMBEDDED_FLAGS)
else ifeq ($(LINK),static-stdlib)
MODE_FLAGS = $(STATIC_FLAGS)
else ifeq ($(LINK),profiled)
STATIC_OPTIMIZATION := -Onone
MODE_FLAGS = $(STATIC_FLAGS) -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping
else
$(error LINK is "$(LINK)": expected embedded, static-stdlib or profiled)
endif

# lld: gold exports symbols of Swift's metadata in spite of the version script. The result has no runpath but ours, and no
# name of a folder of this machine.
# Tests compile a quarter longer with information for debuggers. What is installed is stripped: "make clean build DEBUG_INFO=" has it
# in $(BUILD)/release. With it, sanitizers name lines in their reports.
DEBUG_INFO := -debug-info-format none
SWIFT_BUILD = $(SWIFT) build -c release $(DEBUG_INFO) --scratch-path $(BUILD) --disable-local-rpath -Xswiftc -use-ld=lld \
    -Xswiftc -no-toolchain-stdlib-rpath -Xcc -fmacro-prefix-map=$(CURDIR)/=

# A product, the flags of its linker, and the name of its build id.
ifeq ($(ARCH),)
link_product = $(SWIFT_BUILD) --product $(1) $(MODE_FLAGS) $(2) $(call build_id,$(3))
endif

# Codec modules: one for each library of somebody else, in C, because its interface is structures, macros and unions of C that
# only the installed headers know. A module whose development package is missing is left out.
CODEC_NAMES := mpg123 sndfile ffmpeg
CODEC_PACKAGES_mpg123 := libmpg123
CODEC_PACKAGES_sndfile := sndfile
CODEC_PACKAGES_ffmpeg := libavcodec libavutil
CODEC_DEBIAN_mpg123 := libmpg123-dev
CODEC_DEBIAN_sndfile := libsndfile1-dev
CODEC_DEBIAN_ffmpeg := libavcodec-dev
CODECS_FOUND := $(foreach c,$(CODEC_NAMES),$(shell $(PKG_CONFIG) --exists $(CODEC_PACKAGES_$(c)) 2>/dev/null && echo $(c)))
CODECS_MISSING := $(filter-out $(CODECS_FOUND),$(CODEC_NAMES))
CODECS := $(CODECS_FOUND:%=$(BUILD)/codecs/%.so)

# Server modules: one for each client library of sound servers, in the same way.
SERVER_NAMES := pulse
SERVER_PACKAGES_pulse := libpulse
SERVER_DEBIAN_pulse := libpulse-dev
SERVER_SOURCES_pulse := $(wildcard Sources/Plugins/Servers/*.c) Sources/Hardware/CServerModules/port_facts.c
SERVERS_FOUND := $(foreach s,$(SERVER_NAMES),$(shell $(PKG_CONFIG) --exists $(SERVER_PACKAGES_$(s)) 2>/dev/null && echo $(s)))
SERVERS_MISSING := $(filter-out $(SERVERS_FOUND),$(SERVER_NAMES))
SERVERS := $(SERVERS_FOUND:%=$(BUILD)/servers/%.so)

# The module of the voice processing: most programs have no VoiceProcessingIO and do not load libspeexdsp.
VOICE := $(BUILD)/voice/speexdsp.so

.PHONY: library
library: $(LIBRARY)

build: $(LIBRARY) $(PLUGIN) $(TOOL) $(TOOLBOX) $(VOICE) codecs servers objc

codecs: $(CODECS)
	@$(foreach c,$(CODECS_MISSING),echo 'codec module $(c): left out, not installed: $(CODEC_DEBIAN_$(c))';)

.PHONY: codecs servers
servers: $(SERVERS)
	@$(foreach s,$(SERVERS_MISSING),echo 'server module $(s): left out, not installed: $(SERVER_DEBIAN_$(s))';)

# SwiftPM does not compile again when only flags have changed. The first build names what is missing.
FLAGS := $(BUILD)/.flags
$(FLAGS): make/build.mk $(if $(ARCH),make/cross.mk make/arch.mk)
	ARCH='$(ARCH)' SYSROOT='$(SYSROOT)' tools/deps --check build
	rm -rf $(BUILD)
	mkdir -p $(BUILD)
	touch $@

# The second node is for the libraries that use the engine. They have the same version as the library.
$(VERSION_SCRIPT): $(SYMBOLS) $(PRIVATE_SYMBOLS) $(FLAGS)
	@{ echo 'AUDIOSESSION_$(SOVERSION) {'; echo 'global:'; sed 's/$$/;/' $(SYMBOLS); echo 'local: *;'; echo '};'; \
	   echo 'AUDIOSESSION_PRIVATE_$(SOVERSION) {'; echo 'global:'; sed 's/$$/;/' $(PRIVATE_SYMBOLS); echo '};'; } > $@

$(LIBRARY): $(SOURCES) $(VERSION_SCRIPT) $(FLAGS) VERSION
	$(call link_product,AudioSession,$(LINKER_FLAGS),library)
	tools/strip $(BUILD)/release/libAudioSession.so $@

$(TOOLBOX_VERSION_SCRIPT): $(TOOLBOX_SYMBOLS) $(FLAGS)
	@{ echo 'AUDIOTOOLBOX_$(SOVERSION) {'; echo 'global:'; sed 's/$$/;/' $<; echo 'local: *;'; echo '};'; } > $@

$(TOOLBOX): $(SOURCES) $(LIBRARY) $(TOOLBOX_VERSION_SCRIPT) $(FLAGS) VERSION
	$(call link_product,AudioToolboxLibrary,$(TOOLBOX_LINKER_FLAGS),toolbox)
	tools/strip $(BUILD)/release/libAudioToolboxLibrary.so $@

# libasound looks up its functions without a version.
$(PLUGIN_VERSION_SCRIPT): $(PLUGIN_SYMBOLS) $(FLAGS)
	@{ echo '{'; echo 'global:'; sed 's/$$/;/' $<; echo 'local: *;'; echo '};'; } > $@

# C alone: the engine is in the library.
PLUGIN_SOURCES := Sources/Plugins/ALSA/plugin.c Sources/System/CLinux/words.c $(addprefix Sources/Engine/,CAudioStreams/ring.c CEngineTable/version.c)
TOOLCHAIN_BIN = $(dir $(SWIFT_RESOURCES))../bin
TOOLCHAIN_CC = $(TOOLCHAIN_BIN)/clang
TARGET_CC = $(or $(CROSS_CC),$(TOOLCHAIN_CC))
plugin_compile = $(TARGET_CC) -std=gnu17 -Os -ffunction-sections -fno-asynchronous-unwind-tables -g -fPIC -DPIC -Wall -Wextra -Werror \
    -ffile-prefix-map=$(CURDIR)/= $(patsubst %,-ISources/%/include,Engine/CEngineTable Engine/CAudioStreams Engine/CStatusPage System/CLinux) -shared -fuse-ld=lld

$(PLUGIN): $(LIBRARY) $(PLUGIN_SOURCES) $(wildcard Sources/Engine/C*/include/*.h Sources/System/CLinux/include/*.h) $(PLUGIN_VERSION_SCRIPT) VERSION
	mkdir -p $(@D)
	$(plugin_compile) -o $@.unstripped $(PLUGIN_SOURCES) $(LIBRARY) -lasound $(PLUGIN_LINKER_FLAGS)
	tools/strip $@.unstripped $@

# A module of these sources, the folder of its interface, and these packages.
module_compile = $(TARGET_CC) -std=gnu17 -O2 -g -fPIC -Wall -Wextra -Werror -fvisibility=hidden -ffile-prefix-map=$(CURDIR)/= \
    -I$(2) $$($(PKG_CONFIG) --cflags $(3)) -shared -fuse-ld=lld -o $@.unstripped $(1) $$($(PKG_CONFIG) --libs $(3)) \
    -Wl,-z,defs -Wl,-z,relro -Wl,-z,now -Wl,--gc-sections -Wl,--as-needed -Wl,--build-id=sha1

$(CODECS): $(BUILD)/codecs/%.so: Sources/Plugins/Codecs/%.c $(wildcard Sources/Plugins/Codecs/*.h) Sources/Media/CCodecModules/include/codec_module.h make/build.mk
	mkdir -p $(@D)
	$(call module_compile,$<,Sources/Media/CCodecModules/include,$(CODEC_PACKAGES_$*))
	tools/strip $@.unstripped $@

$(SERVERS): $(BUILD)/servers/%.so: $(wildcard Sources/Plugins/Servers/*.[ch] Sources/Hardware/CServerModules/port_facts.c Sources/Hardware/CServerModules/include/*.h) make/build.mk
	mkdir -p $(@D)
	$(call module_compile,$(SERVER_SOURCES_$*),Sources/Hardware/CServerModules/include,$(SERVER_PACKAGES_$*))
	tools/strip $@.unstripped $@

$(VOICE): Sources/Toolbox/CVoiceModules/speexdsp.c Sources/Toolbox/CVoiceModules/include/voice_module.h make/build.mk
	mkdir -p $(@D)
	$(call module_compile,-DCONTAINS_VOICE_MODULE $<,Sources/Toolbox/CVoiceModules/include,speexdsp)
	tools/strip $@.unstripped $@

$(TOOL): $(SOURCES) $(FLAGS) VERSION
	$(call link_product,audiosessionctl,$(call linker,--gc-sections --as-needed -z relro -z now $(TOOL_RUNPATH) -lm),tool)
	tools/strip $(BUILD)/release/audiosessionctl $@

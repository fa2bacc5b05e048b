# SPDX-License-Identifier: Apache-2.0
# The build for the processor ARCH: clang and lld of the toolchain, and the headers and libraries of Debian's packages for that
# processor. tools/module-rules writes a rule for each module. The flags are those of the build with SwiftPM.

OBJECTS := $(BUILD)/release
MODULES := $(BUILD)/modules
RULES := $(BUILD)/rules.mk
ALL_HEADERS := $(filter %.h %.modulemap,$(SOURCES))

# SYSROOT: a root file system of the processor, where its packages are not installed beside those of this machine.
SYSROOT ?=
CLANG_HEADERS = $(SWIFT_RESOURCES)/clang/include
# For a target of Linux the compiler knows them.
SYSTEM_HEADERS = $(if $(findstring linux,$(SWIFT_TARGET)),$(SYSROOT:%=--sysroot=%),$(FOREIGN_HEADERS))
FOREIGN_HEADERS = -nostdinc -isystem $(CLANG_HEADERS) -isystem $(SYSROOT)/usr/include/$(GNU) -isystem $(SYSROOT)/usr/include
# Bare metal is not Linux for clang, and the modules in Swift import headers of Linux.
AS_LINUX = $(if $(findstring linux,$(SWIFT_TARGET)),,$(LINUX_MACROS))
LINUX_MACROS := -D__linux__=1 -D__gnu_linux__=1 -D__linux=1 -D__unix__=1 -D_GNU_SOURCE=1
C_OBJECTS := -fno-asynchronous-unwind-tables -fmacro-prefix-map=$(CURDIR)/=

# VERBOSE=yes prints the commands.
quietly = $(if $(VERBOSE),,@echo '$(1)' && )
compile_swift = @mkdir -p $(@D) $(MODULES)
compile_swift += $(newline)	$(call quietly,compiling $(1))$(TOOLCHAIN_BIN)/swiftc -target $(SWIFT_TARGET) -wmo -module-name $(1) -package-name audiosession -swift-version 6 \
    -Osize -g -enforce-exclusivity=unchecked -module-cache-path $(BUILD)/cache -I $(MODULES) $(2) \
    -Xfrontend -function-sections $(OPTIMIZER_FLAGS:%=-Xllvm %) \
    $(addprefix -Xcc ,$(SYSTEM_HEADERS) $(AS_LINUX) $(C_OBJECTS) -std=gnu17 -fPIC $(3)) \
    -emit-module -emit-module-path $(MODULES)/$(1).swiftmodule -emit-bc -lto=llvm-full -o $@ $(filter %.swift,$^)

CROSS_CC = $(TOOLCHAIN_BIN)/clang -target $(GNU) $(SYSROOT:%=--sysroot=%)
compile_c = @mkdir -p $(@D)
compile_c += $(newline)	$(call quietly,compiling $<)$(CROSS_CC) -std=gnu17 -O2 -g -fPIC -Wall -Wextra -Werror -ffunction-sections -fdata-sections $(C_OBJECTS) $(1) -c -o $@ $<

# A product, the flags of the linker and the name of its build id. Modules in Swift are bitcode.
UNICODE = $(SWIFT_RESOURCES)/embedded/$(UNICODE_TABLES)/libswiftUnicodeDataTables.a
link_product = @mkdir -p $(OBJECTS)
link_product += $(newline)	$(call quietly,linking $(1))$(CROSS_CC) -flto=full -fuse-ld=lld $(if $(filter audiosessionctl,$(1)),-pie -o $(OBJECTS)/$(1),-shared -o $(OBJECTS)/lib$(1).so) \
    $(OBJECTS_$(1)) $(UNICODE) $(call linker,--icf=all --lto-O2) $(2) $(LIBRARIES_$(1)) $(call build_id,$(3) $(ARCH))

$(RULES): Package.swift tools/module-rules $(FLAGS)
	@[ -e '$(UNICODE)' ] || { echo 'the toolchain at $(TOOLCHAIN_BIN) has no Embedded Swift for $(UNICODE_TABLES): use the one that the Swift project publishes' >&2; exit 1; }
	mkdir -p $(BUILD)
	tools/module-rules $(BUILD)

# The first time there is an old empty file, so that make does not name a missing one beside what tools/deps says.
ifeq ($(filter clean deps format,$(MAKECMDGOALS)),)
$(if $(wildcard $(RULES)),,$(shell mkdir -p $(BUILD) && touch -d @0 $(RULES)))
include $(RULES)
endif

$(LIBRARY): $(OBJECTS_AudioSession)
$(TOOLBOX): $(OBJECTS_AudioToolboxLibrary)
$(TOOL): $(OBJECTS_audiosessionctl)

# What compiles in seconds: all that is in C, with the kernels, and the first modules in Swift.
FIRST_MODULES := LinuxSystem
.PHONY: first-objects
first-objects: $(foreach o,$(sort $(OBJECTS_AudioSession) $(OBJECTS_AudioToolboxLibrary) $(OBJECTS_audiosessionctl)),$(if $(findstring .c/,$(o)),$(o))) \
    $(FIRST_MODULES:%=$(OBJECTS)/%.o)

# ---- checks, by emulation ----

# In this folder, compilers and readers of objects are those for the processor.
FOREIGN := $(CURDIR)/$(BUILD)/tools
WIPE_ON_FORK := $(FOREIGN)/wipe_on_fork.o

$(WIPE_ON_FORK): Tests/Programs/Emulated/wipe_on_fork.c tools/foreign-tools
	mkdir -p $(@D)
	$(CROSS_CC) -std=gnu17 -O1 -fPIC -Wall -Wextra -Werror -c -o $@ $<
	tools/foreign-tools $(FOREIGN) $(GNU) $(TOOLCHAIN_BIN)/clang $@

check-library check-emulated: export PATH := $(FOREIGN):$(PATH)
check-library check-emulated: $(WIPE_ON_FORK)

# The tests of the build for this machine that an emulator can run: docs/arm64.md.
# The emulator comes first: the build takes minutes.
.PHONY: emulator check-emulated
emulator:
	tools/emulation $(ARCHITECTURE)

check-emulated: emulator $(STAGED)
	$(MAKE) --no-print-directory check-library
	Tests/Programs/Emulated/run.sh $(STAGE) $(SWIFT_RESOURCES)

# SPDX-License-Identifier: Apache-2.0
# Debian packages, and archives that unpack into any folder. Each packs one installation. Their content does not depend on
# the time and the folder of the build: file times are those of the last commit.

.PHONY: deb packing-tools dist roots check-packages check-dist check-objc-13 check-corefoundation check-reproducible

SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y VERSION)
MAINTAINER ?= libAudioSession maintainers <maintainers@libaudiosession.invalid>
ARCHITECTURE = $(firstword $(subst -, ,$(or $(GNU),$(SWIFT_TRIPLE))))
PACKAGES := $(BUILD)/packages
# How much xz compresses, from 0 to 9. The gate, which publishes nothing, compresses little.
PACKING_LEVEL ?= 6
packaging = PACKING_LEVEL='$(PACKING_LEVEL)' SOURCE_DATE_EPOCH='$(SOURCE_DATE_EPOCH)' SWIFT_RESOURCES='$(SWIFT_RESOURCES)' VERSION='$(VERSION)' \
    MAKE='$(MAKE) --no-print-directory' OBJC_SUITE='$(OBJC_SUITE)' ROOTS='$(ROOTS)' STAGE='$(STAGE)'
# The release of Debian for which packages are made: the package libswiftlang of Debian 13 has CoreFoundation. That of the
# toolchain is for the processor of this machine.
RELEASE ?= $(HOST_RELEASE)
ifneq ($(and $(filter command,$(origin RELEASE)),$(filter-out 12 13,$(RELEASE))),)
$(error RELEASE is "$(RELEASE)": expected 12 or 13)
endif
COREFOUNDATION_FOR_12 = $(if $(filter $(DEBIAN_TRIPLE),$(HOST_TRIPLE)),toolchain,none)
COREFOUNDATION_FROM = $(if $(filter 13,$(RELEASE)),libswiftlang,$(COREFOUNDATION_FOR_12))
# Objective-C programs load GNUstep by a name that has its version: for another release than that of this machine, and for another
# processor, the classes are built in a clean root.
HOST_RELEASE := $(shell sed -n 's/^VERSION_ID="\{0,1\}\([0-9]*\).*/\1/p' /etc/os-release)
SUITE_12 := bookworm
SUITE_13 := trixie
OBJC_SUITE = $(if $(OBJC_FOREIGN)$(and $(OBJC),$(filter-out $(HOST_RELEASE),$(RELEASE))),$(SUITE_$(RELEASE)))
DEBS := $(PACKAGES)/deb$(if $(filter 13,$(RELEASE)),-13)

# The packages, checked with lintian. What packs them is looked for first: the build takes minutes.
packing-tools:
	@ARCH='$(ARCH)' SYSROOT='$(SYSROOT)' tools/deps --check deb

deb: packing-tools build $(if $(OBJC_SUITE),$(STAGED))
	$(if $(and $(OBJC_FOREIGN),$(wildcard $(ROOTS)/$(OBJC_SUITE))),tools/emulation $(ARCHITECTURE))
	$(packaging) MAINTAINER='$(MAINTAINER)' ARCHITECTURE='$(or $(DEBIAN_ARCH),$(shell dpkg --print-architecture))' \
	    packaging/make-deb $(DEBS) $(DEBIAN_TRIPLE) $(COREFOUNDATION_FROM)

dist: build
	$(packaging) packaging/make-dist $(PACKAGES) $(ARCHITECTURE) $(COREFOUNDATION_FOR_12)

# Tests of the packages in clean root file systems. They need root.
ROOTS := .build/roots$(DEBIAN_ARCH:%=-%)

roots:
	ARCH='$(ARCH)' tools/deps --check roots
	$(if $(ARCH),tools/emulation $(ARCHITECTURE))
	packaging/make-roots $(ROOTS) $(DEBIAN_ARCH)

# The roots come first: the classes in Objective-C for another release are built in one.
check-packages: roots
	$(MAKE) --no-print-directory deb
	packaging/check-packages $(DEBS) $(ROOTS) $(VERSION) $(RELEASE)

check-dist: roots dist
	packaging/check-dist $(PACKAGES) $(ROOTS) $(VERSION)

# The classes in Objective-C, built and tested with the GNUstep of Debian 13.
check-objc-13: $(STAGED) roots
	CHECK=yes packaging/make-objc $(ROOTS) trixie $(STAGE) $(BUILD)/objc-13

# The conformance programs that read values of CoreFoundation, with that of Debian 13.
check-corefoundation: roots $(STAGED) $(WIPE_ON_FORK)
	packaging/check-corefoundation $(ROOTS) $(STAGE) $(SWIFT_RESOURCES) $(WIPE_ON_FORK)

# Builds the last commit again in another folder and compares: the same files, byte for byte.
check-reproducible: deb dist
	packaging/check-reproducible $(PACKAGES) $(SOURCE_DATE_EPOCH)

# SPDX-License-Identifier: Apache-2.0
# Debian packages, and archives that unpack into any folder. Each packs one installation. Their content does not depend on
# the time and the folder of the build: file times are those of the last commit.

.PHONY: deb dist roots check-packages check-dist check-reproducible

SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y VERSION)
MAINTAINER ?= libAudioSession maintainers <maintainers@libaudiosession.invalid>
ARCHITECTURE = $(firstword $(subst -, ,$(SWIFT_TRIPLE)))
PACKAGES := $(BUILD)/packages
packaging = SOURCE_DATE_EPOCH='$(SOURCE_DATE_EPOCH)' SWIFT_RESOURCES='$(SWIFT_RESOURCES)' VERSION='$(VERSION)' \
    MAKE='$(MAKE) --no-print-directory'

# The packages, checked with lintian.
deb: build
	tools/deps --check deb
	$(packaging) MAINTAINER='$(MAINTAINER)' packaging/make-deb $(PACKAGES) $(DEBIAN_TRIPLE)

dist: build
	$(packaging) packaging/make-dist $(PACKAGES) $(ARCHITECTURE)

# Tests of the packages in clean root file systems. They need root.
ROOTS := .build/roots

roots:
	tools/deps --check roots
	packaging/make-roots $(ROOTS)

check-packages: deb roots
	packaging/check-packages $(PACKAGES) $(ROOTS) $(VERSION)

check-dist: dist roots
	packaging/check-dist $(PACKAGES) $(ROOTS) $(VERSION)

# Builds the last commit again in another folder and compares: the same files, byte for byte.
check-reproducible: deb dist
	packaging/check-reproducible $(PACKAGES) $(SOURCE_DATE_EPOCH)

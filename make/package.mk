# Debian packages, and archives that unpack anywhere. Both pack one installation each; nothing in them
# depends on when or where they were made: times are those of the last commit.

.PHONY: deb dist roots check-packages check-dist check-reproducible

SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y VERSION)
MAINTAINER ?= libAudioSession maintainers <maintainers@libaudiosession.invalid>
ARCHITECTURE = $(firstword $(subst -, ,$(SWIFT_TRIPLE)))
PACKAGES := $(BUILD)/packages
packaging = SOURCE_DATE_EPOCH='$(SOURCE_DATE_EPOCH)' SWIFT_RESOURCES='$(SWIFT_RESOURCES)' VERSION='$(VERSION)' \
    MAKE='$(MAKE) --no-print-directory'

# The packages, and what lintian says of them.
deb: build
	tools/deps --check deb
	$(packaging) MAINTAINER='$(MAINTAINER)' packaging/make-deb $(PACKAGES) $(DEBIAN_TRIPLE)

dist: build
	$(packaging) packaging/make-dist $(PACKAGES) $(ARCHITECTURE)

# In clean roots, each with what it has to do without. As root only: they are entered with chroot.
ROOTS := .build/roots

roots:
	tools/deps --check roots
	packaging/make-roots $(ROOTS)

check-packages: deb roots
	packaging/check-packages $(PACKAGES) $(ROOTS) $(VERSION)

check-dist: dist roots
	packaging/check-dist $(PACKAGES) $(ROOTS) $(VERSION)

# Built once more from the last commit, in another folder: the same files, byte for byte.
check-reproducible: deb dist
	packaging/check-reproducible $(PACKAGES) $(SOURCE_DATE_EPOCH)

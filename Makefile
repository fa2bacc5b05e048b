# The front door. SwiftPM builds Swift; make does what SwiftPM does not know: the library's name and
# symbols, headers, pkg-config, manual, installation, and the checks of all these.
#
#   make            build the library, the ALSA plug-in and audiosessionctl
#   make run        build, and play the story in Examples on simulated hardware
#   make check      everything that must hold before a change is taken in
#   make check-machine    the same on the kernel's sound drivers, in a virtual machine
#   make install    PREFIX=/usr/local, DESTDIR=, LIBDIR=$(PREFIX)/lib; make uninstall takes it away
#   make documents  write the tables of README, docs and manual anew
#   make deb        Debian packages; make dist: archives that unpack anywhere; see docs/packages.md
#   make bench      how fast it is, beside its peers: docs/performance.md is made of it
#   make deps       install what is missing on this machine; make run and make check do that as well
#
# LINK=embedded (as shipped: Embedded Swift, no runtime) or LINK=static-stdlib (ordinary Swift with
# its runtime inside, for where Embedded Swift does not go).

VERSION := $(shell cat VERSION)
SOVERSION := 0
LINK ?= embedded

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
BINDIR ?= $(PREFIX)/bin
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
PKGCONFIGDIR ?= $(LIBDIR)/pkgconfig
# Where libasound looks for plug-ins by itself, when LIBDIR is that of the system; and for configuration.
ALSA_PLUGIN_DIR ?= $(LIBDIR)/alsa-lib
ALSA_CONFIG_DIR ?= $(if $(filter /usr /usr/local,$(PREFIX)),/etc/alsa/conf.d,$(DATADIR)/alsa/alsa.conf.d)

SWIFT ?= swift
export STRIP ?= strip
BUILD := .build/$(LINK)
SONAME := libAudioSession.so.$(SOVERSION)
REALNAME := libAudioSession.so.$(VERSION)
LIBRARY := $(BUILD)/$(REALNAME)
PLUGIN_NAME := libasound_module_pcm_audiosession.so
PLUGIN := $(BUILD)/$(PLUGIN_NAME)
TOOL := $(BUILD)/audiosessionctl
STAGE := $(CURDIR)/$(BUILD)/stage

.DEFAULT_GOAL := build
.DELETE_ON_ERROR:
.PHONY: build install uninstall run deps format clean

# Where the toolchain keeps things: the toolchain is asked, in the recipes that need it.
target_info = $(shell $(SWIFT) -print-target-info | sed -n 's/.*"$(1)": "\([^"]*\)".*/\1/p' | head -n 1)
SWIFT_RESOURCES = $(call target_info,runtimeResourcePath)
SWIFT_TRIPLE = $(call target_info,unversionedTriple)

include make/build.mk
include make/install.mk
include make/failing.mk
include make/fuzz.mk
include make/check.mk
include make/gate.mk
include make/package.mk
include make/bench.mk

deps:
	tools/deps

format:
	$(SWIFT) format -i -r $(SWIFT_SOURCES)

clean:
	rm -rf .build

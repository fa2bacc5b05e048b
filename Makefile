# SPDX-License-Identifier: Apache-2.0
# SwiftPM compiles. make does the rest: the name and the symbols of the library, headers, pkg-config, manual pages,
# installation, packages, and the checks of all these.
#
#   make            build the libraries, the ALSA plug-in and audiosessionctl
#   make run        build, and run the story in Examples on simulated hardware
#   make check      all tests that a change must pass
#   make check-machine    tests on the kernel's sound drivers, in a virtual machine
#   make install    PREFIX=/usr/local, DESTDIR=, LIBDIR=$(PREFIX)/lib; make uninstall removes it
#   make documents  write the generated tables of README, docs and manual pages
#   make deb        Debian packages; make dist: archives; see docs/packages.md
#   make bench      measurements against other libraries; writes docs/performance.md
#   make mutants    small bugs made on purpose, which the tests must notice
#   make mutation-score    what part of a sample of generated bugs the tests notice; see docs/testing.md
#   make deps       install what is missing on this machine; make run and make check do that as well
#
# ARCH=arm64 or x86_64 builds for that processor, from any machine: docs/arm64.md. Without it, for this machine.
# LINK=embedded, the default: Embedded Swift without a runtime. LINK=static-stdlib: ordinary Swift with its runtime inside,
# for targets that Embedded Swift does not support. LINK=profiled: the same, and it counts the lines that a program executes.

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
# The folders in which libasound looks for plug-ins and for configuration, when LIBDIR is that of the system.
ALSA_PLUGIN_DIR ?= $(LIBDIR)/alsa-lib
ALSA_CONFIG_DIR ?= $(if $(filter /usr /usr/local,$(PREFIX)),/etc/alsa/conf.d,$(DATADIR)/alsa/alsa.conf.d)

SWIFT ?= swift
# Numbers, the order of files and times are written the same way on each machine.
export LC_ALL := C.UTF-8
export TZ := UTC
BUILD := .build/$(LINK)
include make/arch.mk
export STRIP ?= $(GNU:%=%-)strip
# The files for pkg-config of the processor.
PKG_CONFIG ?= $(if $(ARCH),PKG_CONFIG_LIBDIR=$(SYSROOT)/usr/lib/$(GNU)/pkgconfig:$(SYSROOT)/usr/share/pkgconfig     $(SYSROOT:%=PKG_CONFIG_SYSROOT_DIR=%) )pkg-config
SONAME := libAudioSession.so.$(SOVERSION)
REALNAME := libAudioSession.so.$(VERSION)
LIBRARY := $(BUILD)/$(REALNAME)
# The companion library: units, queues, converters and files.
TOOLBOX_SONAME := libAudioToolbox.so.$(SOVERSION)
TOOLBOX_REALNAME := libAudioToolbox.so.$(VERSION)
TOOLBOX := $(BUILD)/$(TOOLBOX_REALNAME)
PLUGIN_NAME := libasound_module_pcm_audiosession.so
# The plug-in finds the library by its runpath: the way from its folder to that of the library, in every layout. In the folders
# of the system (FIXED=yes) the loader finds it.
PLUGIN_TO_LIBRARY := $(if $(FIXED),,$(shell realpath -m --relative-to='$(ALSA_PLUGIN_DIR)' '$(LIBDIR)'))
PLUGIN := $(BUILD)/plugin/$(if $(FIXED),system,to-$(subst /,+,$(PLUGIN_TO_LIBRARY)))/$(PLUGIN_NAME)
TOOL := $(BUILD)/audiosessionctl
STAGE := $(CURDIR)/$(BUILD)/stage

.DEFAULT_GOAL := build
.DELETE_ON_ERROR:
.PHONY: build install uninstall run deps format clean

# Folders of the toolchain, asked for only in recipes that need them. Where there is no Swift, tools/deps says so.
target_info = $(shell $(SWIFT) -print-target-info 2>/dev/null | sed -n 's/.*"$(1)": "\([^"]*\)".*/\1/p' | head -n 1)
SWIFT_RESOURCES = $(call target_info,runtimeResourcePath)
ifneq ($(ARCH),)
SWIFT_RESOURCES := $(SWIFT_RESOURCES)
endif
SWIFT_TRIPLE = $(call target_info,unversionedTriple)

include make/build.mk
include make/objc.mk
ifneq ($(ARCH),)
include make/cross.mk
endif
include make/install.mk
include make/faults.mk
include make/fuzz.mk
include make/check.mk
include make/gate.mk
include make/package.mk
include make/bench.mk

deps:
	ARCH='$(ARCH)' tools/deps

format:
	$(SWIFT) format -i -r $(SWIFT_SOURCES)

clean:
	rm -rf .build

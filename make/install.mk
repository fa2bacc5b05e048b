# SPDX-License-Identifier: Apache-2.0
# The files of an installation, in one list for install and uninstall. Each word is FILE:TARGET.

MANUALS := $(wildcard docs/man/*.[1-8])
BASH_COMPLETIONS := $(wildcard completions/*.bash)
ZSH_COMPLETIONS := $(wildcard completions/*.zsh)
FISH_COMPLETIONS := $(wildcard completions/*.fish)
HEADERS := $(patsubst include/audiosession/%,%,$(shell find include/audiosession -name '*.h' -o -name module.modulemap))

TOOLBOX_HEADERS := $(patsubst include/audiotoolbox/%,%,$(shell find include/audiotoolbox -name '*.h'))

PROGRAM_FILES := $(TOOL):$(BINDIR)/audiosessionctl
PLAIN_FILES := \
    $(LIBRARY):$(LIBDIR)/$(REALNAME) \
    $(TOOLBOX):$(LIBDIR)/$(TOOLBOX_REALNAME) \
    $(PLUGIN):$(ALSA_PLUGIN_DIR)/$(PLUGIN_NAME) \
    $(VOICE):$(LIBDIR)/audiotoolbox/voice/$(notdir $(VOICE)) \
    $(foreach c,$(CODECS),$(c):$(LIBDIR)/audiotoolbox/codecs/$(notdir $(c))) \
    $(foreach s,$(SERVERS),$(s):$(LIBDIR)/audiosession/servers/$(notdir $(s))) \
    pkgconfig/corefoundation.ld:$(LIBDIR)/audiosession/libAudioSessionCoreFoundation.so \
    pkgconfig/without-corefoundation.ld:$(LIBDIR)/audiosession/without/libFoundation.so \
    $(foreach h,$(HEADERS),include/audiosession/$(h):$(INCLUDEDIR)/$(h)) \
    $(foreach h,$(TOOLBOX_HEADERS),include/audiotoolbox/$(h):$(INCLUDEDIR)/$(h)) \
    $(if $(OBJC),$(OBJC):$(LIBDIR)/$(OBJC_REALNAME) $(foreach h,$(OBJC_HEADERS),include/avfoundation/$(h):$(INCLUDEDIR)/$(h))) \
    $(foreach m,$(MANUALS),$(m):$(MANDIR)/man$(subst .,,$(suffix $(m)))/$(notdir $(m))) \
    $(foreach c,$(BASH_COMPLETIONS),$(c):$(DATADIR)/bash-completion/completions/$(basename $(notdir $(c)))) \
    $(foreach c,$(ZSH_COMPLETIONS),$(c):$(DATADIR)/zsh/site-functions/_$(basename $(notdir $(c)))) \
    $(foreach c,$(FISH_COMPLETIONS),$(c):$(DATADIR)/fish/vendor_completions.d/$(notdir $(c)))
MADE_FILES := $(LIBDIR)/$(SONAME) $(LIBDIR)/libAudioSession.so $(PKGCONFIGDIR)/audiosession.pc \
    $(LIBDIR)/$(TOOLBOX_SONAME) $(LIBDIR)/libAudioToolbox.so $(PKGCONFIGDIR)/audiotoolbox.pc \
    $(if $(OBJC),$(LIBDIR)/$(OBJC_SONAME) $(LIBDIR)/libavfoundation-audio.so $(PKGCONFIGDIR)/avfoundation.pc) \
    $(ALSA_CONFIG_DIR)/60-audiosession.conf $(DATADIR)/audiosession/run.conf $(DATADIR)/audiosession/default.conf \
    $(LIBDIR)/audiosession/swift

# CoreFoundation is that of the toolchain: the library, and programs that link it, find it by this link. COREFOUNDATION=
# makes none; a package may install the folder instead. The toolchain has none for another processor.
COREFOUNDATION ?= $(if $(ARCH),$(if $(filter $(DEBIAN_TRIPLE),$(HOST_TRIPLE)),$(SWIFT_RESOURCES)),$(SWIFT_RESOURCES))

from = $(firstword $(subst :, ,$(1)))
to = $(DESTDIR)$(lastword $(subst :, ,$(1)))

define newline


endef

# The .pc refers to the rest relative to its own folder, so that an installed tree can be moved. FIXED=yes is for the folders
# of the system, which are not moved and where the loader looks by default.
FIXED ?=
relative = $(shell realpath -m --relative-to='$(PKGCONFIGDIR)' '$(1)')
place = $(if $(FIXED),$(1),$${pcfiledir}/$(call relative,$(1)))
RUNPATH = $(if $(FIXED),,-Wl,-rpath,$${libdir} )

# A file for pkg-config.
configure_package = sed -e 's|@VERSION@|$(VERSION)|g' \
	    -e 's|@PREFIX@|$(call place,$(PREFIX))|g' \
	    -e 's|@LIBDIR@|$(call place,$(LIBDIR))|g' \
	    -e 's|@INCLUDEDIR@|$(call place,$(INCLUDEDIR))|g' \
	    -e 's|@RUNPATH@|$(RUNPATH)|g' \
	    pkgconfig/$(1).pc.in > '$(DESTDIR)$(PKGCONFIGDIR)/$(1).pc'

configure = mkdir -p '$(dir $(DESTDIR)$(2))' && sed -e 's|@PLUGIN@|$(if $(FIXED),,$(ALSA_PLUGIN_DIR)/)$(PLUGIN_NAME)|g' \
    -e 's|@DATADIR@|$(DATADIR)|g' $(1) > '$(DESTDIR)$(2)'

install: build
	$(foreach f,$(PROGRAM_FILES),install -D -m 755 $(call from,$(f)) '$(call to,$(f))'$(newline)	)
	$(foreach f,$(PLAIN_FILES),install -D -m 644 $(call from,$(f)) '$(call to,$(f))'$(newline)	)
	ln -sf $(REALNAME) '$(DESTDIR)$(LIBDIR)/$(SONAME)'
	ln -sf $(SONAME) '$(DESTDIR)$(LIBDIR)/libAudioSession.so'
	ln -sf $(TOOLBOX_REALNAME) '$(DESTDIR)$(LIBDIR)/$(TOOLBOX_SONAME)'
	ln -sf $(TOOLBOX_SONAME) '$(DESTDIR)$(LIBDIR)/libAudioToolbox.so'
	$(if $(COREFOUNDATION),ln -sfn '$(COREFOUNDATION)' '$(DESTDIR)$(LIBDIR)/audiosession/swift')
	mkdir -p '$(DESTDIR)$(PKGCONFIGDIR)'
	$(call configure_package,audiosession)
	$(call configure_package,audiotoolbox)
	$(if $(OBJC),ln -sf $(OBJC_REALNAME) '$(DESTDIR)$(LIBDIR)/$(OBJC_SONAME)')
	$(if $(OBJC),ln -sf $(OBJC_SONAME) '$(DESTDIR)$(LIBDIR)/libavfoundation-audio.so')
	$(if $(OBJC),$(call configure_package,avfoundation))
	$(call configure,alsa/60-audiosession.conf.in,$(ALSA_CONFIG_DIR)/60-audiosession.conf)
	$(call configure,alsa/run.conf.in,$(DATADIR)/audiosession/run.conf)
	$(call configure,alsa/default.conf.in,$(DATADIR)/audiosession/default.conf)
	$(if $(DESTDIR)$(FIXED),,@tools/after-install '$(PREFIX)' '$(PKGCONFIGDIR)' '$(BINDIR)' '$(ALSA_CONFIG_DIR)/60-audiosession.conf')

uninstall:
	rm -f $(foreach f,$(PROGRAM_FILES) $(PLAIN_FILES),'$(call to,$(f))') $(foreach f,$(MADE_FILES),'$(DESTDIR)$(f)')
	-rmdir --ignore-fail-on-non-empty '$(DESTDIR)$(INCLUDEDIR)/CoreFoundation' \
	    $(foreach d,$(filter-out ./,$(sort $(dir $(TOOLBOX_HEADERS) $(OBJC_HEADERS)))),'$(DESTDIR)$(INCLUDEDIR)/$(d)') \
	    '$(DESTDIR)$(LIBDIR)/audiotoolbox/codecs' '$(DESTDIR)$(LIBDIR)/audiotoolbox/voice' '$(DESTDIR)$(LIBDIR)/audiotoolbox' \
	    '$(DESTDIR)$(LIBDIR)/audiosession/without' '$(DESTDIR)$(LIBDIR)/audiosession/servers' \
	    '$(DESTDIR)$(LIBDIR)/audiosession' '$(DESTDIR)$(DATADIR)/audiosession' '$(DESTDIR)$(ALSA_PLUGIN_DIR)'

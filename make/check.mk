# What must hold before a change is taken in. Each part can be run alone.

.PHONY: check lint test check-tsan check-manual check-abi check-install check-library check-conformance check-build \
    check-package check-documentation update-abi

check: deps lint check-manual test check-documentation check-package check-tsan check-abi check-install check-build
	$(MAKE) --no-print-directory check-build LINK=static-stdlib

lint:
	$(SWIFT) format lint --strict -r $(SWIFT_SOURCES)

check-manual:
	$(if $(MANUALS),mandoc -T lint -W warning $(MANUALS))
	$(foreach c,$(BASH_COMPLETIONS),bash -n $(c)$(newline)	)

test:
	$(SWIFT) test

# As a Swift package that others depend on, and its pages.
check-package:
	tools/check-package

check-documentation:
	tools/check-documentation

check-tsan:
	$(SWIFT) test --sanitize=thread --scratch-path .build/tsan \
	    --filter 'AudioSessionTests|AudioToolboxTests|SimulatedHardwareTests|AVFAudioTests'

# One build, installed in a place of its own and looked at from outside.
check-build: check-library check-conformance

STAGE := $(CURDIR)/$(BUILD)/stage
STAGED := $(STAGE)/.complete

$(STAGED): $(LIBRARY) $(PLUGIN) $(TOOL) $(wildcard pkgconfig/* docs/man/* completions/* alsa/*) make/install.mk
	rm -rf $(STAGE)
	$(MAKE) --no-print-directory install PREFIX=$(STAGE) LIBDIR=$(STAGE)/lib DESTDIR= >/dev/null
	touch $@

check-library: $(STAGED)
	tools/check-objects $(BUILD)/release
	tools/check-library $(LINK) $(STAGE) $(SYMBOLS)

check-abi: $(STAGED)
	tools/check-abi $(STAGE) abi/AudioSession.abi

update-abi: $(STAGED)
	tools/check-abi $(STAGE) abi/AudioSession.abi --update

check-install: $(STAGED)
	MAKE="$(MAKE)" tools/check-install

check-conformance: $(STAGED)
	Tests/Conformance/run.sh $(STAGE)

run: $(STAGED)
	PATH="$(STAGE)/bin:$$PATH" PKG_CONFIG_PATH="$(STAGE)/lib/pkgconfig" Examples/story.sh

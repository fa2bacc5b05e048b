# SPDX-License-Identifier: Apache-2.0
# Tests of the tests: mutations, repetitions, and the tools of the gate.

.PHONY: mutants mutation-score

# Small bugs made on purpose, one at a time; the tests must notice each. MUTANTS='registry ring-*' chooses by the
# name of the list or of the mutation. An interrupted run continues where it stopped.
mutants: export AUDIOTOOLBOX_CODECS = $(CURDIR)/$(BUILD)/codecs
mutants: deps codecs
	tools/mutants $(foreach m,$(MUTANTS),'$(m)')

# What part of the mutations that operators make the tests notice: docs/testing.md. N mutations, drawn with SEED, of MODULES (all);
# BACKGROUND=yes. It has low priority, and continues where it stopped.
N ?= 150
SEED ?= 1
mutation-score: export AUDIOTOOLBOX_CODECS = $(CURDIR)/$(BUILD)/codecs
mutation-score: deps codecs
	tools/mutation-score --count $(N) --seed $(SEED) $(if $(MODULES),--modules $(MODULES)) $(if $(BACKGROUND),--background)

# How the gate reports what goes wrong, and how the runner of mutations judges.
.PHONY: check-gate
check-gate:
	Tests/Gate/run.sh

# The parts that start threads, processes or a virtual machine, ten times, half of them beside a compilation.
# STABLE='check-faults test' chooses parts; STABLE_ROUNDS=10. An interrupted run continues where it stopped.
.PHONY: check-stable
check-stable: deps
	@MAKE='$(MAKE_COMMAND)' STABLE_ROUNDS='$(STABLE_ROUNDS)' tools/check-stable $(STABLE)

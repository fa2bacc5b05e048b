# SPDX-License-Identifier: Apache-2.0
# Measures this library and its peers in one run, and makes docs/performance.md and .svg of it.
# BENCH_ROUNDS=5; PARTS="activate interrupt" for some of it. The command prints what to install for peers that are
# missing, and leaves their rows out.

.PHONY: bench bench-servers

bench: $(STAGED)
	-tools/deps --check bench
	Benchmarks/run $(STAGE) $(PARTS)

# This library behind PulseAudio and PipeWire: processor time, gaps, times of events, wake-ups. Writes a table to standard output.
# PARTS="gap idle" for some of it. The table of docs/desktop.md is from it.
bench-servers: $(STAGED)
	tools/deps servers
	Benchmarks/behind-servers $(STAGE) $(PARTS)

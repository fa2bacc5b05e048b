# SPDX-License-Identifier: Apache-2.0
# Measures this library and its peers in one run, and makes docs/performance.md and .svg of it.
# BENCH_ROUNDS=5; PARTS="activate interrupt" for some of it. The command prints what to install for peers that are
# missing, and leaves their rows out.

.PHONY: bench

bench: $(STAGED)
	-tools/deps --check bench
	Benchmarks/run $(STAGE) $(PARTS)

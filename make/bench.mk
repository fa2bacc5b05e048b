# Measures this library and its peers in one run, and makes docs/performance.md and .svg of it.
# BENCH_ROUNDS=5; PARTS="activate interrupt" for some of it. What is missing of the peers is installed
# where that needs no question; else what to type is said, and their rows are left out.

.PHONY: bench

bench: $(STAGED)
	-tools/deps bench
	Benchmarks/run $(STAGE) $(PARTS)

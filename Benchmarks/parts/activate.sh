# SPDX-License-Identifier: Apache-2.0
# Activation, and a call of the session bus.
build activate activate.c -- $(flags audiosession)
start_bus

run_activate() {
    for turn in $(seq 4); do
        simulated "$out/activate" 500
        [ -z "$bus" ] || on_bus 75 calls
    done
}

#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX [FOLDER]: twenty programs act at random for SOAK_SECONDS (600). SOAK_SEED repeats a run. Their resources are
# drawn into FOLDER/soak.svg.
set -u
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
folder=$(mkdir -p "${2:-.}" && cd "${2:-.}" && pwd)
seconds=${SOAK_SECONDS:-600} seed=${SOAK_SEED:-$$}
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig PATH=$prefix/bin:$PATH AUDIOSESSION_HARDWARE=simulated
unset LD_LIBRARY_PATH LD_PRELOAD AUDIOSESSION_DEBUG AUDIOSESSION_SIMULATION

scratch=$(mktemp -d /tmp/soak.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
mkdir -m 700 "$scratch/run"
export AUDIOSESSION_RUNTIME_DIR=$scratch/run

# shellcheck disable=SC2046
cc -std=gnu11 -Wall -Wextra -Werror -g -O1 -o "$scratch/soak" "$here"/*.c $(pkg-config --cflags --libs audiosession) || exit 1
"$scratch/soak" "$seconds" "$seed" "$folder/soak.tsv"
result=$?
awk -f "$here/plot.awk" "$folder/soak.tsv" >"$folder/soak.svg"
echo "soak: seed $seed, plot: $folder/soak.svg"
[ $result = 0 ] || echo "again: make soak SOAK_SEED=$seed SOAK_SECONDS=$seconds"
exit $result

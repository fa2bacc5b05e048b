#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX [FOLDER]: twenty programs act at random for SOAK_SECONDS (600). SOAK_SEED repeats a run. Their resources are
# drawn into FOLDER/soak.svg.
set -u
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mkdir -p "${2:-.}" && cd "${2:-.}" && pwd)
seconds=${SOAK_SECONDS:-600} seed=${SOAK_SEED:-$$}
# shellcheck source=Tests/Support/programs.sh
. "$here/../../Support/programs.sh"
open_runner "$1" '*' soak
mkdir -m 700 "$scratch/run"
export PATH=$prefix/bin:$PATH AUDIOSESSION_HARDWARE=simulated AUDIOSESSION_RUNTIME_DIR=$scratch/run
build_all soak || exit 1
"$scratch/soak" "$seconds" "$seed" "$folder/soak.tsv"
result=$?
awk -f "$here/plot.awk" "$folder/soak.tsv" >"$folder/soak.svg"
echo "soak: seed $seed, plot: $folder/soak.svg"
[ $result = 0 ] || echo "again: make soak SOAK_SEED=$seed SOAK_SECONDS=$seconds"
exit $result

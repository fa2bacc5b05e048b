#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX: twenty queues get random calls for SOAK_SECONDS (15), while devices come and go. SOAK_SEED repeats a run.
set -u
here=$(cd "$(dirname "$0")" && pwd)
seconds=${SOAK_SECONDS:-15} seed=${SOAK_SEED:-$$}
# shellcheck source=Tests/Support/programs.sh
. "$here/../../Support/programs.sh"
open_runner "$1" '*' queue-soak
mkdir -m 700 "$scratch/run"
export AUDIOSESSION_HARDWARE=simulated AUDIOSESSION_RUNTIME_DIR=$scratch/run packages=audiotoolbox
build_all soak 'clang -fsanitize=address -fuse-ld=lld' || exit 1
"$scratch/soak" "$seconds" "$seed" && exit 0
echo "again: SOAK_SEED=$seed SOAK_SECONDS=$seconds $0 $1"
exit 1

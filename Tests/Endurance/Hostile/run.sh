#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX [ADVERSARY...]: two ordinary sessions interrupt each other beside hostile processes.
# HOSTILE_SECONDS: the time that each hostile process runs.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=Tests/Support/programs.sh
. "$here/../../Support/programs.sh"
open_runner "$1" '*' hostile-build
shift
build_all hostile || exit 1

[ $# -gt 0 ] || mapfile -t all < <("$scratch/hostile" --list) && set -- "${@:-${all[@]}}"
failed=0
for adversary; do
    "$scratch/hostile" "$adversary" "${HOSTILE_SECONDS:-2}" 2>&1 || failed=$((failed + 1))
done
echo "hostile processes: $(($# - failed)) without effect, $failed with effect"
[ "$failed" = 0 ]

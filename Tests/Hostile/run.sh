#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX [ADVERSARY...]: two ordinary sessions interrupt each other beside hostile processes.
# HOSTILE_SECONDS: the time that each hostile process runs.
set -u
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
shift
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
unset LD_LIBRARY_PATH LD_PRELOAD AUDIOSESSION_DEBUG AUDIOSESSION_SIMULATION AUDIOSESSION_RUNTIME_DIR

scratch=$(mktemp -d /tmp/hostile-build.XXXXXX)
trap 'rm -rf "$scratch"' EXIT

# shellcheck disable=SC2046
cc -std=gnu11 -Wall -Wextra -Werror -g -O1 -o "$scratch/hostile" "$here"/*.c $(pkg-config --cflags --libs audiosession) || exit 1

[ $# -gt 0 ] || mapfile -t all < <("$scratch/hostile" --list) && set -- "${@:-${all[@]}}"
failed=0
for adversary; do
    "$scratch/hostile" "$adversary" "${HOSTILE_SECONDS:-2}" 2>&1 || failed=$((failed + 1))
done
echo "hostile processes: $(($# - failed)) without effect, $failed with effect"
[ "$failed" = 0 ]

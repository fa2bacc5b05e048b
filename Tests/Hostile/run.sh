#!/bin/bash
# run.sh PREFIX [NEIGHBOUR...]: what two ordinary sessions hear of each other beside hostile neighbours.
# HOSTILE_SECONDS: how long each is at it.
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
for neighbour; do
    "$scratch/hostile" "$neighbour" "${HOSTILE_SECONDS:-2}" 2>&1 || failed=$((failed + 1))
done
echo "hostile neighbours: $(($# - failed)) endured, $failed not"
[ "$failed" = 0 ]

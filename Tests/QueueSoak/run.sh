#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX: twenty queues get random calls for SOAK_SECONDS (15), while devices come and go. SOAK_SEED repeats a run.
set -u
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
seconds=${SOAK_SECONDS:-15} seed=${SOAK_SEED:-$$}
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig AUDIOSESSION_HARDWARE=simulated
unset LD_LIBRARY_PATH LD_PRELOAD AUDIOSESSION_DEBUG AUDIOSESSION_SIMULATION

scratch=$(mktemp -d /tmp/queue-soak.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
mkdir -m 700 "$scratch/run"
export AUDIOSESSION_RUNTIME_DIR=$scratch/run

# shellcheck disable=SC2046
clang -std=gnu11 -Wall -Wextra -Werror -g -O1 -fsanitize=address -fuse-ld=lld -o "$scratch/soak" "$here/soak.c" \
    $(pkg-config --cflags --libs audiotoolbox) -lpthread || exit 1
"$scratch/soak" "$seconds" "$seed" && exit 0
echo "again: SOAK_SEED=$seed SOAK_SECONDS=$seconds $0 $1"
exit 1

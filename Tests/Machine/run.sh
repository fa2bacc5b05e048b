#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX [PATTERN]: the installed library on real sound drivers, in a virtual machine, and in virtual time also the
# programs of Tests/Programs/Conformance: these run in real time on this machine. PATTERN chooses tests, as in bash's [[ == ]].
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
pattern=${2:-*}
clock=${VM_CLOCK:-real}
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig

# In real time the tests of servers run too, with the programs of this machine. Beside pipewire-alsa tools/deps unpacks PulseAudio.
"$here/../../tools/deps" machine $([ "$clock" = virtual ] || echo servers)
PATH=$PATH:$(realpath "$here/../../.build")/servers/bin
cache=$here/../../.build/machine
mkdir -p "$cache"
out=$(mktemp -d "$(realpath "$cache")/run.XXXXXX")
trap 'rm -rf "$out"' EXIT
# shellcheck disable=SC2046
gcc -Wall -Wextra -Werror -g -O1 -o "$out/listen" "$here/listen.c" $(pkg-config --cflags --libs audiosession)
gcc -Wall -Wextra -Werror -g -O1 -o "$out/element" "$here/element.c" -lasound
gcc -Wall -Wextra -Werror -g -O1 -o "$out/tone_level" "$here/tone_level.c" -lm
gcc -Wall -Wextra -Werror -g -O1 -o "$out/order" "$here/order.c"
gcc -Wall -Wextra -Werror -g -O1 -o "$out/hear" "$here/hear.c" -lasound
# shellcheck disable=SC2046
gcc -Wall -Wextra -Werror -g -O1 -I"$here/../../Sources/Engine/CEngineTable/include" -I"$here/../../Sources/Engine/CAudioStreams/include" \
    -I"$here/../../Sources/Engine/CStatusPage/include" \
    -o "$out/pull" "$here/pull.c" $(pkg-config --cflags --libs audiosession)
# shellcheck disable=SC2046
gcc -Wall -Wextra -Werror -g -O1 -o "$out/sound" "$here/sound.c" $(pkg-config --cflags --libs audiotoolbox) -lm
gcc -Wall -Wextra -Werror -g -O1 -o "$out/server" "$here/server.c"
gcc -Wall -Wextra -Werror -g -O1 -fPIC -DPIC -shared -o "$out/libasound_module_ctl_pulse.so" "$here/ctl_pulse.c" -lasound
gcc -Wall -Wextra -Werror -g -O1 -fPIC -shared -o "$out/slow.so" "$here/slow.c" -ldl
# shellcheck disable=SC2053
if [ "$clock" = virtual ] && [[ conformance == $pattern ]]; then "$here/../Programs/Conformance/build.sh" "$prefix" "$out/conformance"; fi
mkdir "$out/sounds"
"$here/sounds.py" "$out/sounds"
echo "$prefix" >"$out/prefix"
cp -r "$prefix/bin/audiosessionctl" "$here"/{guest,listening,conformance,sleep}.sh "$here"/tests/*.sh "$here/ucm2" "$here/without-dmix.conf" "$here/../../docs/alsa-configuration.md" "$out/"
"$here/vm.sh" -o "$out" -t "${VM_LIMIT:-1200}" -- bash "$out/guest.sh" "$pattern" "$clock" || { tail -n 20 "$out/console.log" >&2; exit 1; }
# shellcheck disable=SC2053
if [[ sleep == $pattern ]]; then
    outcome=$(sed -n 's/.*sleep: //p' "$out/console.log" | tr -d '\r')
    echo "${outcome:-not ok: the machine did not wake} - waking from sleep is a route change of its own"
    [ "$outcome" = ok ]
fi

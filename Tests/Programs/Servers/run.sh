#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PREFIX [PATTERN]: programs that load the installed module of sound servers, as the library loads it, and let it talk to
# PulseAudio, to PipeWire and to a server whose answers a test chooses. PATTERN selects programs. WAYS: some of gcc asan.
# asan: the module is built again, with AddressSanitizer.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
# shellcheck source=Tests/Support/programs.sh
. "$here/../../Support/programs.sh"
open_runner "$1" "${2:-*}" servers
export SERVER_TESTS=$here
# The module reads the clock of the program.
includes="-I$root/Sources/Hardware/CServerModules/include -rdynamic"

# No setting of this machine for the servers and their library.
unset PULSE_SERVER PULSE_SINK PULSE_SOURCE PULSE_LOG PULSE_RUNTIME_PATH PULSE_CLIENTCONFIG PULSE_COOKIE PIPEWIRE_REMOTE \
    PIPEWIRE_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS DISPLAY
# Beside pipewire-alsa tools/deps unpacks PulseAudio into a folder.
export HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home/config PATH=$PATH:$root/.build/servers/bin
# shellcheck source=Tests/Support/session-manager.sh
. "$here/../../Support/session-manager.sh"

# The module is built again for what the installed one cannot show: with AddressSanitizer, and with calls that fail.
sources="$root/Sources/Plugins/Servers/*.c $root/Sources/Hardware/CServerModules/port_facts.c"
# shellcheck disable=SC2046,SC2086
build_module() { # name, flags...
    clang -std=gnu17 -O1 -g -fPIC -shared -fuse-ld=lld -Wall -Wextra -Werror -fvisibility=hidden $includes -o "$scratch/$1.so" \
        "${@:2}" $sources $(pkg-config --cflags --libs libpulse)
}
asan='-fsanitize=address,undefined -fno-sanitize-recover=undefined'
failures="$here/failures/failures.c $(sed -n 's/^REPLACE([^,]*, \([a-z0-9_]*\),.*/-Wl,--wrap=\1/p' "$here/failures/failures.c")"
# shellcheck disable=SC2086
build_module asan $asan && build_module failing $failures && build_module failing-asan $asan $failures || exit 1

start() { # program, way, label
    case $2 in
    asan) SERVER_MODULE=$scratch/asan.so FAILING_MODULE=$scratch/failing-asan.so "$scratch/$1.$2" "$3" ;;
    *) SERVER_MODULE=$prefix/lib/audiosession/servers/pulse.so FAILING_MODULE=$scratch/failing.so "$scratch/$1.$2" "$3" ;;
    esac
}

for program in $(programs); do
    for way in ${WAYS:-gcc asan}; do echo "run $program $way"; done
done >"$scratch/list"
run_list "$(nproc)"

# audiosessionctl contains the library, and loads the module beside the installed one. Without a server it says what the module says.
check_tool() {
    local home=$scratch/tool
    mkdir -p "$home"
    echo 'pcm.!default { type pulse } ctl.!default { type pulse }' >"$home/.asoundrc"
    echo 'autospawn = no' >"$home/client.conf"
    env -u ALSA_CONFIG_PATH HOME="$home" XDG_RUNTIME_DIR="$home" PULSE_CLIENTCONFIG="$home/client.conf" \
        "$prefix/bin/audiosessionctl" doctor >"$home/doctor" 2>&1
    if grep -q 'no server answers' "$home/doctor"; then
        echo 'ok - audiosessionctl finds the module beside the installed library'
    else
        echo 'not ok - audiosessionctl finds the module beside the installed library'
        sed 's/^/#   /' "$home/doctor"
    fi >"$scratch/tool.results"
}
[[ tool != ${2:-*} ]] || check_tool
report servers

# SPDX-License-Identifier: Apache-2.0
# Activation, and a call and a signal of the session bus.
build activate activate.c -- $(flags audiosession)
if has dbus-1 && command -v dbus-run-session >/dev/null; then
    build bus bus.c -- $(flags dbus-1)
else
    note_missing activate D-Bus 'dbus libdbus-1-dev'
fi

run_activate() {
    simulated "$out/activate" 2000
    [ ! -e "$out/bus" ] || dbus-run-session -- "$out/bus" 300 2>"$out/bus.log"
}

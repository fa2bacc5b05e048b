# SPDX-License-Identifier: Apache-2.0
# The settings of WirePlumber in $XDG_CONFIG_HOME for tests: no cards, cameras and headsets, because these need the system bus. 0.4
# reads scripts in Lua, and 0.5 reads files of its own.
mkdir -p "$XDG_CONFIG_HOME"/wireplumber/{main.lua.d,bluetooth.lua.d,wireplumber.conf.d}
printf '%s.enabled = false\n' alsa_monitor v4l2_monitor libcamera_monitor >"$XDG_CONFIG_HOME/wireplumber/main.lua.d/80-off.lua"
printf 'bluez_monitor.enabled = false\nbluez_monitor.properties["with-logind"] = false\n' \
    >"$XDG_CONFIG_HOME/wireplumber/bluetooth.lua.d/80-off.lua"
{
    echo 'wireplumber.profiles = { main = {'
    printf '%s = disabled\n' monitor.{alsa,alsa-midi,v4l2,libcamera,bluez,bluez-midi}
    echo '} }'
} >"$XDG_CONFIG_HOME/wireplumber/wireplumber.conf.d/80-off.conf"

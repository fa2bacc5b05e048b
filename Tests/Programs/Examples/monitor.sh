# SPDX-License-Identifier: Apache-2.0
# shows a screen of any size on a terminal, and restores the terminal at its end
export TERM=xterm LC_ALL=C.UTF-8
unset NO_COLOR
start screen "$scratch/monitor" 120 30 audiosessionctl monitor
await screen 'Audio sessions +0 sessions, 0 active .*no call'
await screen '▶ Speaker .*▶ MicrophoneBuiltIn'
await screen 'no events yet'
await screen '^30 +q quits'

start player "$scratch/player"
await player plays
await screen '1 session, 1 active'
await screen '● .*MediaPlayback.* 1.00 .*active'
audiosessionctl interrupt begin --detach --name 'Call from Ada'
await screen 'Call from Ada ringing'
await screen '‖ .*interrupted by Call from Ada'
await screen '[0-9:.]{12}  Call from Ada begins'
audiosessionctl interrupt end
await player plays
await screen '● .* active'
audiosessionctl simulate plug headphones
await screen '▶ Headphones .*0.50'
audiosessionctl simulate volume 0.25
await screen '▶ Headphones .*0.25'

send screen 'size 40 9'
await screen 'Audio sessions +no call|Audio sessions'
await screen '● .*active$'
await screen '▶ Headphones'
send screen 'size 120 30'
await screen 'CATEGORY'

# Control-Z and SIGCONT: the screen has the events of the time between.
send screen 'keys ^Z'
await screen 'stopped .*: the terminal is as it was, in colours'
audiosessionctl silent on
send screen 'signal 18'
await screen 'silent switch on'
audiosessionctl silent off
await screen 'the silent switch is off'

send screen 'keys q'
await screen 'ended 0: the terminal is as it was'
ends screen

# Control-C, and SIGTERM; without colours.
start plain env NO_COLOR=1 LC_ALL=C "$scratch/monitor" 80 24 audiosessionctl monitor
await plain 'Audio sessions'
await plain '\* .*MediaPlayback'
send plain 'keys ^C'
await plain 'ended 0: the terminal is as it was, in one colour'
start ended "$scratch/monitor" 80 24 audiosessionctl monitor
await ended 'q quits'
send ended 'signal 15'
await ended 'ended 0: the terminal is as it was'

# A terminal without cursor control, and the option --lines.
start dumb env TERM=dumb "$scratch/monitor" 80 24 audiosessionctl monitor
start lines "$scratch/monitor" 80 24 audiosessionctl monitor --lines
for name in dumb lines; do
    await $name watching
    not_printed $name 'Audio sessions'
done
audiosessionctl simulate plug usb
for name in dumb lines; do
    await $name '\[ +[0-9.]+\].* sound goes to USBOutput, comes from USBInput'
    send $name 'keys ^C'
    await $name 'ended 0: the terminal is as it was'
done

# on a terminal it is a screen: what there is and what happens, in any size; the terminal is left as it was
export TERM=xterm LC_ALL=C.UTF-8
unset NO_COLOR
start screen "$scratch/monitor" 120 30 audiosessionctl monitor
hear screen 'Audio sessions +0 here, 0 active .*no call'
hear screen '▶ Speaker .*▶ MicrophoneBuiltIn'
hear screen 'nothing has happened yet'
hear screen '^30 +q quits'

start player "$scratch/player"
hear player plays
hear screen '1 here, 1 active'
hear screen '● .*MediaPlayback.* 1.00 .*active'
audiosessionctl interrupt begin --detach --name 'Call from Ada'
hear screen 'Call from Ada ringing'
hear screen '‖ .*interrupted by Call from Ada'
hear screen '[0-9:.]{12}  Call from Ada begins'
audiosessionctl interrupt end
hear player plays
hear screen '● .* active'
audiosessionctl simulate plug headphones
hear screen '▶ Headphones .*0.50'
audiosessionctl simulate volume 0.25
hear screen '▶ Headphones .*0.25'

tell screen 'size 40 9'
hear screen 'Audio sessions +no call|Audio sessions'
hear screen '● .*active$'
hear screen '▶ Headphones'
tell screen 'size 120 30'
hear screen 'CATEGORY'

# Control-Z, and back; what happened meanwhile is on the screen.
tell screen 'keys ^Z'
hear screen 'stopped .*: the terminal is as it was, in colours'
audiosessionctl silent on
tell screen 'signal 18'
hear screen 'silent switch on'
audiosessionctl silent off
hear screen 'the silent switch is off'

tell screen 'keys q'
hear screen 'ended 0: the terminal is as it was'
ends screen

# Control-C, and SIGTERM; without colours.
start plain env NO_COLOR=1 LC_ALL=C "$scratch/monitor" 80 24 audiosessionctl monitor
hear plain 'Audio sessions'
hear plain '\* .*MediaPlayback'
tell plain 'keys ^C'
hear plain 'ended 0: the terminal is as it was, in one colour'
start ended "$scratch/monitor" 80 24 audiosessionctl monitor
hear ended 'q quits'
tell ended 'signal 15'
hear ended 'ended 0: the terminal is as it was'

# A terminal that knows nothing but lines, and who wants lines.
start dumb env TERM=dumb "$scratch/monitor" 80 24 audiosessionctl monitor
start lines "$scratch/monitor" 80 24 audiosessionctl monitor --lines
for name in dumb lines; do
    hear $name watching
    not_said $name 'Audio sessions'
done
audiosessionctl simulate plug usb
for name in dumb lines; do
    hear $name '\[ +[0-9.]+\].* sound goes to USBOutput, comes from USBInput'
    tell $name 'keys ^C'
    hear $name 'ended 0: the terminal is as it was'
done

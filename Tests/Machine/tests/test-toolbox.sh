# SPDX-License-Identifier: Apache-2.0
# Units and queues of a program play into a loopback card, whose other end is recorded, and record what is played there.

# Runs a program, and keeps its report and its errors.
run_sound() { sound "$@" >/tmp/report 2>>"$errors"; }
show_report() { sed 's/^/#   /' /tmp/report; }

play_unbroken() { # unit|queue
    start_recording /tmp/recorded.raw
    run_sound "$1" 4 || exit 1
    stop_recording
    show_report
    check_recording 4
    within 'frames of silence in between' "$silence" 0 0
}
test_unit() { with_and_without_mixer play_unbroken unit; }
promise unit 'a unit plays every frame in order and without a gap, with a mixer and without'
test_queue() { with_and_without_mixer play_unbroken queue; }
promise queue 'a queue plays thousands of small buffers in order and without a gap, with a mixer and without'

# Starts again with the next slice: the frames that were written and not heard are lost. The position of the card moves by 4 ms,
# which are 192 frames: the position at the stop and that at the start are each that much too old.
play_interrupted() { # unit|queue, frames that fade in
    use_only Loopback
    start_recording /tmp/recorded.raw
    call_during run_sound "$1" 6
    show_report
    local recorded leaps silence
    read -r recorded leaps silence _ < <(order /tmp/recorded.raw "$2" 2>/tmp/course)
    sed 's/^/#   /' /tmp/course
    within 'leaps in their order' "$leaps" 1 1
    within 'frames that are lost' $((6 * 48000 - recorded)) 1 $((2 * (1024 + 192)))
    within 'milliseconds of digital silence in between' $((silence / 48)) 900 8000
}
test_unit_call() { play_interrupted unit 0; }
promise unit_call 'an interrupted unit is digital silence, and continues with its next slice, after at most two'
test_queue_call() { play_interrupted queue 240; }
promise queue_call 'an interrupted queue is digital silence, and continues with its next frame, after at most two slices'

test_unit_following() { follow_the_route run_sound unit 8; }
promise unit_following 'a unit continues to play while its device is plugged in and unplugged'
test_queue_following() { follow_the_route run_sound queue 8; }
promise queue_following 'a queue continues to play while its device is plugged in and unplugged'

test_pauses() {
    use_only Loopback
    start_recording /tmp/recorded.raw
    run_sound pauses 5 || exit 1
    stop_recording
    show_report
    # Without a run of silence, each pause is a fall and a rise of the tone.
    local full low
    full=$(usual_level /tmp/recorded.raw 1000 -8 0)
    low=$(usual_level /tmp/recorded.raw 1000 -22 -17)
    within 'the volume of a quarter in dB' "$(sum "$low - $full")" -12.2 -11.9
    local down
    down=$(sum "$(crossings /tmp/recorded.raw 1000 "$(sum "$low + 0.5")" | awk '$1 == "down" { print $2 }' | tail -n 1) - \
        $(crossings /tmp/recorded.raw 1000 "$(sum "$full - 0.5")" | awk '$1 == "down" { print $2 }' | tail -n 1)")
    within 'the ramp of the volume in ms' "$down" 430 470
    within 'windows with a click above -60 dB' "$(tone_level /tmp/recorded.raw 48000 9000 | awk '$2 > -60' | wc -l)" 0 4
}
promise pauses 'a queue pauses, resumes and ramps its volume without a click'

# Plays numbered frames into the other end, and records them with a unit or a queue.
record_numbers() { # unit|queue
    use_only Loopback
    echo 'defaults.audiosession.cards.Loopback { output none input microphone }' >>"$HOME/.asoundrc"
    run_sound "record-$1" 6 /tmp/recorded.raw &
    local recorder=$!
    until grep -q RUNNING /proc/asound/Loopback/pcm0c/sub0/status; do kill -0 $recorder || exit 1; done
    # The card loses the last frames before the end of a program. A WAV file has 44 bytes before its frames.
    { tail -c +45 $files/sounds/numbered-2.wav && head -c 96000 /dev/zero; } |
        aplay -q -D plughw:Loopback,1 -t raw -f S16_LE -c 2 -r 48000 2>>"$errors" || exit 1
    wait $recorder || exit 1
    show_report
    check_recording 2
    within 'frames of silence in between' "$silence" 0 0
}
test_record_unit() { record_numbers unit; }
promise record_unit 'a unit records every frame of the card in order'
test_record_queue() { record_numbers queue; }
promise record_queue 'a queue records every frame of the card in order'

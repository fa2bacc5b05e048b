# SPDX-License-Identifier: Apache-2.0
# The sound itself: programs play through the ALSA plug-in into a loopback card, whose other end is recorded.

# Records the other end of the loopback card. The buffer allows the recorder to be seconds late.
start_recording() { # file
    recording=$1
    arecord -q -D hw:Loopback,1 -t raw -f S16_LE -c 2 -r 48000 --buffer-time=2500000 --period-time=50000 "$recording" &
    recorder=$!
    await 'the first frame of the recording' has_recorded 1
}
has_recorded() { [ "$(frames_recorded)" -ge "$1" ]; }
holds_bytes() { [ "$(stat -c %s "$1")" -ge "$2" ]; }
# Waits until another second is recorded, or one of $calls parts of it.
record_a_second() { await 'a second of the recording' has_recorded $(($(frames_recorded) + 48000 / ${calls:-1})); }

# The frames that the recorder has got.
frames_recorded() { awk '$1 == "hw_ptr" { frames = $3 } END { print frames + 0 }' /proc/asound/Loopback/pcm1c/sub0/status; }

# Stops the recorder when its file has all frames up to now.
stop_recording() {
    local end
    end=$(frames_recorded)
    await 'the whole recording in its file' holds_bytes "$recording" $((end * 4))
    kill -INT $recorder
    wait $recorder
}

# Errors of the program count, but in real time for the underruns of aplay itself: an emulated machine can be late.
plays() {
    local log status
    log=$(mktemp)
    "$prefix/bin/audiosessionctl" run "$@" 2>"$log"
    status=$?
    if [ "$clock" = real ]; then grep -v '^underrun!!!' "$log"; else cat "$log"; fi >>"$errors"
    rm "$log"
    return $status
}

# Ends the test when the player has ended too early.
still_plays() { kill -0 "$1" 2>/dev/null || { echo '#   the player has ended before its session was active'; exit 1; }; }
music_is_active() { audiosessionctl status | grep -q '^[0-9]* *music .*active' || { still_plays "$1" && false; }; }
await_music() { show='audiosessionctl status' await 'an active session named music' music_is_active "$1"; }

# The times at which the level of a tone crosses a border: "up 120" or "down 480", in milliseconds.
crossings() { # file, frequency, border
    tone_level "$1" 48000 "$2" | awk -v border="$3" '
        { above = $2 > border; if (NR > 1 && above != before) print (above ? "up" : "down"), $1; before = above }'
}

sum() { awk "BEGIN { print ($*) }"; }
within() { # name, value, least, most
    [ -n "$2" ] && [ "$(sum "$2 >= $3 && $2 <= $4")" = 1 ] || { echo "#   $1 is $2, not $3 to $4"; exit 1; }
    echo "#   $1: $2"
}

# The median of all levels within the limits.
usual_level() { # file, frequency, least, most
    tone_level "$1" 48000 "$2" | awk -v least="$3" -v most="$4" '$2 > least && $2 < most { print $2 }' | sort -n |
        awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'
}

# In real time an emulated machine can stand still while a mixer mixes: what is mixed too late is not heard. A recording
# with more silences than the test makes ($silences, 1 by default), or without the first frames, shows that, and the attempt is
# repeated. In virtual time it is not. $count_silences: the function that counts them, by default in numbered frames.
numbered_silences() {
    local gaps
    read -r _ _ _ gaps < <(order /tmp/recorded.raw 2>/dev/null)
    echo "${gaps:-0}"
}
in_time() { # attempt
    local attempt
    for attempt in 1 2 3 4 5; do
        (
            trap tidy EXIT
            "$@"
        ) && return
        [ "$clock" = real ] && [ "$("${count_silences:-numbered_silences}")" -gt "${silences:-1}" ] || exit 1
        echo "#   the machine was late in attempt $attempt"
    done
    exit 1
}

# Writes a tone of 1 kHz, without a file header, until it is killed.
write_endless_tone() { # file
    # Half a second: whole periods.
    tail -c 96000 $files/sounds/tone-1000-4.wav >/tmp/tone.raw
    while cat /tmp/tone.raw; do :; done >"$1" 2>/dev/null
}

# The music ends after the voice, however slow the machine is.
duck() {
    use_only Loopback
    rm -f /tmp/endless && mkfifo /tmp/endless || exit 1
    start_recording /tmp/recorded.raw
    write_endless_tone /tmp/endless &
    local source=$!
    plays --category playback --mix --name music -- aplay -q -t raw -f S16_LE -c 2 -r 48000 /tmp/endless &
    local music=$!
    await_music $music
    record_a_second
    plays --category playback --duck --name voice -- aplay -q $files/sounds/tone-3000-1.wav || exit 1
    record_a_second
    kill $source
    wait $music || exit 1
    stop_recording
    local full low
    full=$(usual_level /tmp/recorded.raw 1000 -10 0)
    low=$(usual_level /tmp/recorded.raw 1000 -26 -16)
    within 'the depth of ducking in dB' "$(sum "$low - $full")" -14.5 -13.5
    # In a ramp of 40 ms the level has fallen by half a decibel after 2.6 ms, and is within half a decibel of its
    # end 0.7 ms before the end.
    local down up
    down=$(sum "$(crossings /tmp/recorded.raw 1000 "$(sum "$low + 0.5")" | awk '$1 == "down" { print $2; exit }') - \
        $(crossings /tmp/recorded.raw 1000 "$(sum "$full - 0.5")" | awk '$1 == "down" { print $2; exit }')")
    within 'the ramp down in ms' "$down" 30 45
    local clicks
    clicks=$(tone_level /tmp/recorded.raw 48000 9000 | awk '$2 > -60' | wc -l)
    # Only at the start and at the end of a program.
    within 'windows with a click above -60 dB' "$clicks" 0 6
}
# The level falls when the voice begins and when the music ends. Each further fall is a moment without sound.
tone_falls() {
    crossings /tmp/recorded.raw 1000 "$(sum "$(usual_level /tmp/recorded.raw 1000 -10 0) - 0.5")" | grep -c down
}
test_ducking() { silences=2 count_silences=tone_falls in_time duck; }
promise ducking 'a ducked program is 14 dB lower, after a ramp of 40 ms without a click'

# A slow host makes programs late in real time, and in virtual time never.
most_in_real_time() { [ "$clock" = real ] && echo "$1" || echo 0; }

# Checks that the recording has every frame in order, and sets $silence to the longest silence. $fade: frames that fade in after it.
# At an underrun a card without a mixer plays former frames again, once or more often, and goes on: two frames are out of order.
check_recording() { # seconds, underruns
    local recorded leaps gaps
    read -r recorded leaps silence gaps < <(order /tmp/recorded.raw "${fade:-0}" 2>/tmp/course)
    sed 's/^/#   /' /tmp/course
    within "frames of $(($1 * 48000)) that were recorded" "$recorded" $(($1 * 48000)) $(($1 * 48000))
    within 'leaps in their order' "$leaps" 0 $((2 * ${2:-0}))
}

# Runs a program that plays, with interruptions in the middle ($calls, 1 by default), and ends the recording.
call_during() { # command
    local call
    "$@" &
    local music=$!
    await_music $music
    for ((call = ${calls:-1}; call > 0; call--)); do
        record_a_second
        still_plays $music
        audiosessionctl interrupt begin --detach
        record_a_second
        audiosessionctl interrupt end
    done
    wait $music || exit 1
    stop_recording
}

# Plays numbered frames through an interruption, and checks the recording.
play_through_a_call() { # seconds, how
    call_during "${@:2}"
    check_recording "$1"
    # A slow machine adds silences, and never loses frames.
    within 'milliseconds of digital silence in between' $((silence / 48)) $((900 / ${calls:-1})) 8000
}

play_alone() {
    use_only Loopback
    start_recording /tmp/recorded.raw
    play_through_a_call 6 plays --name music -- aplay -q $files/sounds/numbered-6.wav
}
# Many calls: the card moves on while a stream takes back what a mixer has mixed.
test_call() { calls=8 silences=8 in_time play_alone; }
promise call 'an interrupted program is digital silence, and continues with the next frame'

play_in_company() {
    use_only Loopback
    start_recording /tmp/recorded.raw
    aplay -q -D "plug:'dmix:CARD=Loopback,DEV=0'" -t raw -f S16_LE -c 2 -r 48000 /dev/zero 2>/tmp/other.log &
    local other=$!
    until grep -q RUNNING /proc/asound/Loopback/pcm0p/sub0/status; do
        kill -0 $other || { sed 's/^/#   /' /tmp/other.log; exit 1; }
    done
    play_through_a_call 6 plays --name music -- aplay -q $files/sounds/numbered-6.wav
    kill $other
}
test_company() { calls=8 silences=8 in_time play_in_company; }
promise company 'the same while another program plays on the same device'

# Plays on HDA, on the USB card while it is plugged in, and on HDA again.
follow_the_route() { # command that plays
    use_only HDA
    rm -f "$HOME/.asoundrc"
    for card in Dummy Loopback; do echo "defaults.audiosession.cards.$card { output none input none }"; done >"$HOME/.asoundrc"
    amixer -q -c HDA sset Master 74 unmute
    amixer -q -c HDA sset PCM 100% unmute 2>/dev/null
    "$@" &
    local music=$!
    await_music $music
    until grep -q RUNNING /proc/asound/HDA/pcm0p/sub*/status; do still_plays $music; done
    plug_usb
    until grep -q RUNNING /proc/asound/card*/pcm0p/sub0/status 2>/dev/null && grep -q 'state: RUNNING' "/proc/asound/card$(usb_card)/pcm0p/sub0/status" 2>/dev/null; do
        kill -0 $music || { echo '#   the player has ended before its stream has moved'; exit 1; }
    done
    unplug_usb
    until grep -q RUNNING /proc/asound/HDA/pcm0p/sub*/status; do
        kill -0 $music || { echo '#   the player has ended before its stream has moved back'; exit 1; }
    done
    wait $music || { echo '#   the player has failed'; exit 1; }
}
test_following() { follow_the_route plays --name music -- aplay -q $files/sounds/tone-1000-8.wav; }
promise following 'a program continues to play while its device is plugged in and unplugged'

# Streams open the card itself.
without_dmix() { cat $files/without-dmix.conf >>"$HOME/.asoundrc"; }
with_and_without_mixer() { # command that plays on the loopback card
    use_only Loopback
    "$@"
    without_dmix
    "$@"
}

# A slow machine adds silence. No frame is lost or doubled.
pull_in_order() {
    start_recording /tmp/recorded.raw
    local report
    report=$(pull 3 2>>"$errors") || { echo "#   pull: $report"; exit 1; }
    stop_recording
    echo "#   $report"
    local underruns
    underruns=$(sed -n 's/.* underruns \([0-9]*\) .*/\1/p' <<<"$report")
    within 'the underruns' "$underruns" 0 "$(most_in_real_time 20)"
    check_recording 3 "$underruns"
    check "$report" 'cycles * slice 480'
    # The device plays at its own rate, within the error of the clocks of a virtual machine.
    within 'the measured rate' "$(sed -n 's/.* rate \([0-9.]*\).*/\1/p' <<<"$report")" 0.95 1.05
}
test_pulled() {
    use_only Loopback
    pull_in_order
}
promise pulled 'a pulled stream plays every frame in order at the rate of the device'
test_pulled_alone() {
    use_only Loopback
    without_dmix
    pull_in_order
}
promise pulled_alone 'the same on a card without a mixer'

# Compares the times that the stream states with those at which the other end of the loopback card captures the frames. Prints the
# median of the differences, and the largest distance from it, in milliseconds, without the blocks that have the largest distances.
differences() { # stated times, heard times, number of blocks to leave out
    awk 'NR == FNR { time[$1] = $2; next }
        { first = int($1 / 480) * 480; if (first in time) print ($2 - time[first] - ($1 - first) / 48000 * 1e9) / 1e6 }' "$1" "$2" |
        sort -n | awk -v left="$3" '{ all[NR] = $1 } END {
            middle = all[int((NR + 1) / 2)]; first = 1; last = NR
            for (; left > 0; left--) if (middle - all[first] > all[last] - middle) first++; else last--
            low = middle - all[first]; high = all[last] - middle
            print NR, middle, (low > high ? low : high) }'
}
play_on_time() {
    hear hw:Loopback,1 6 >/tmp/heard 2>>"$errors" &
    local hearer=$! report compared middle spread
    report=$(pull 3 times /tmp/stated 2>>"$errors") || { echo "#   pull: $report"; exit 1; }
    wait $hearer || exit 1
    local underruns
    underruns=$(sed -n 's/.* underruns \([0-9]*\) .*/\1/p' <<<"$report")
    echo "#   $report"
    within 'the underruns' "$underruns" 0 "$(most_in_real_time 20)"
    # The card moves frames at the ticks of the kernel, each 4 ms. In real time a machine that stands still makes the slices late that
    # are in the queue, whose times have been stated: each underrun leaves out as many blocks as four slices have. A shorter stop,
    # without an underrun, makes the capture late: one block of 32 is left out.
    read -r compared middle spread < <(differences /tmp/stated /tmp/heard $((underruns * 8 + $(most_in_real_time 20))))
    within 'blocks with a time' "$compared" 500 700
    within 'the difference in ms' "$middle" -4 2
    # Where the phase of the ticks drifts against the slices, the deviation reaches a tick.
    within 'its largest deviation in ms' "$spread" 0 4
}
test_on_time() { with_and_without_mixer play_on_time; }
promise on_time 'a frame is heard at the time that its stream states, with a mixer and without'

# Numbers would go back where a card plays its memory again. A mixer would hide it.
# A machine that stands still for 15 ms, the silence behind the frames, notices the end too late: the attempt is repeated. While the
# program starts, a thread that is due waits for up to 12 ms.
test_late() {
    use_only Loopback
    without_dmix
    local report stall attempt
    for attempt in 1 2 3 4 5; do
        start_recording /tmp/recorded.raw
        report=$(pull 3 late 2>>"$errors") || { echo "#   pull: $report"; exit 1; }
        stop_recording
        echo "#   ${report//$'\n'/ }"
        stall=$(sed -n 's/^stall //p' <<<"$report")
        [ "$(sum "$stall > 15")" = 1 ] || break
        echo "#   the machine stood still for $stall ms in attempt $attempt"
    done
    check_recording 3
    within 'the underruns' "$(sed -n 's/.* underruns \([0-9]*\).*/\1/p' <<<"$report")" 10 38
}
promise late 'a program that is late plays silence, and then the next frame'

# The emulated HDA card captures nothing. Other tests leave jacks on the card Dummy: its ports are those of the configuration.
test_duplex() {
    use_only Dummy
    echo 'defaults.audiosession.cards.Dummy { output speaker input microphone }' >>"$HOME/.asoundrc"
    local report
    report=$(pull 2 duplex 2>>"$errors") || { echo "#   pull: $report"; exit 1; }
    sed 's/^/#   /' <<<"$report"
    check "$report" '*clock 1*'
    # Three seconds are played. A slow machine loses input while its output starts again.
    within 'the frames that were captured' "$(sed -n 's/^input \([0-9]*\).*/\1/p' <<<"$report")" 72000 160000
}
promise duplex 'a pulled stream captures and plays in one cycle on one card'

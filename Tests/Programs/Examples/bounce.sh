# SPDX-License-Identifier: Apache-2.0
# mixes three voices into a file, faster than they sound
start bounce "$scratch/bounce" 30 "$folder/chord.wav"
await bounce '1323000 frames'
ends bounce
expect 'the file is a WAV file' test "$(head -c 16 "$folder/chord.wav" | tail -c 8)" = 'WAVEfmt '
expect 'it has all frames' test "$(stat -c %s "$folder/chord.wav")" -ge $((4 * 1323000 + 44))
# C is on the left, and E in the middle: the left side has no more than both.
crossings=$(tail -c +45 "$folder/chord.wav" | head -c $((4 * 44100)) | od -An -v -w4 -t d2 |
    awk '{ sign = $1 > 0 ? 1 : $1 < 0 ? -1 : sign } sign != before { count++; before = sign } END { print count + 0 }')
expect "the left side crosses zero as a third does: $crossings times a second" eval "[ $crossings -ge 520 ] && [ $crossings -le 661 ]"

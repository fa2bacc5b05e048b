# SPDX-License-Identifier: Apache-2.0
# records for half a second at the rate of the hardware
start memo "$scratch/memo" 0.5 "$folder/memo.wav"
await memo 'recording at 44100 Hz'
await memo '22050 frames'
ends memo
expect 'the file is a WAV file' test "$(head -c 16 "$folder/memo.wav" | tail -c 8)" = 'WAVEfmt '
expect 'it has all frames' test "$(stat -c %s "$folder/memo.wav")" -ge 44144

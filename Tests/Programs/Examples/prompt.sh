# SPDX-License-Identifier: Apache-2.0
# ducks the music while it plays; a call interrupts it
start player "$scratch/player"
await player plays
start prompt "$scratch/prompt"
send prompt 'turn left'
await monitor 'Music .* is ducked'
await monitor 'Music .* is at full level'
await prompt 'plays "turn left"'
await prompt 'has finished'
not_printed player interrupted

# The prompt may finish before the call begins: then try again.
for attempt in {1..20}; do
    send prompt 'at the roundabout take the second exit then keep to the right for two miles'
    await prompt plays
    audiosessionctl interrupt begin --detach
    await prompt 'prompt: (is interrupted|has finished)'
    audiosessionctl interrupt end
    case $line in *'is interrupted'*) break ;; esac
done
expect 'a call interrupts it' test "$line" = 'prompt: is interrupted'

send prompt 'keep left'
close_input prompt
await prompt 'has finished'
ends prompt

# ducks the music for as long as it speaks, and no longer; a call cuts it short
start player "$scratch/player"
hear player plays
start prompt "$scratch/prompt"
tell prompt 'turn left'
hear monitor 'Music .* is ducked'
hear monitor 'Music .* is at full level'
hear prompt 'says "turn left"'
hear prompt 'silent again'
not_said player interrupted

# On a slow machine it may have finished before the call comes: then once more.
for attempt in {1..20}; do
    tell prompt 'at the roundabout take the second exit then keep to the right for two miles'
    hear prompt says
    audiosessionctl interrupt begin --detach
    hear prompt 'prompt: is '
    audiosessionctl interrupt end
    case $heard in *'cut short'*) break ;; esac
done
expect 'a call cuts it short' test "$heard" = 'prompt: is cut short'

tell prompt 'keep left'
stop_telling prompt
hear prompt 'silent again'
ends prompt

set -l commands status monitor interrupt silent lock simulate run play record convert info routes trace doctor help version
set -l ports receiver speaker microphone headphones headset line-out line-in hdmi usb bluetooth-hfp bluetooth-a2dp airplay
complete -c audiosessionctl -f
complete -c audiosessionctl -n "not __fish_seen_subcommand_from $commands" -a "$commands"
complete -c audiosessionctl -n '__fish_seen_subcommand_from status monitor routes info' -l json
complete -c audiosessionctl -n '__fish_seen_subcommand_from monitor' -l lines
complete -c audiosessionctl -n '__fish_seen_subcommand_from silent lock' -a 'on off'
complete -c audiosessionctl -n '__fish_seen_subcommand_from interrupt; and not __fish_seen_subcommand_from begin end confirm' -a 'begin end confirm'
complete -c audiosessionctl -n '__fish_seen_subcommand_from begin' -l name -l detach
complete -c audiosessionctl -n '__fish_seen_subcommand_from end' -l should-not-resume
complete -c audiosessionctl -n '__fish_seen_subcommand_from simulate; and not __fish_seen_subcommand_from plug unplug volume server wake silent lock interrupt' -a 'plug unplug volume server wake silent lock interrupt'
complete -c audiosessionctl -n '__fish_seen_subcommand_from plug unplug' -a "$ports"
complete -c audiosessionctl -n '__fish_seen_subcommand_from server' -a 'die restart'
complete -c audiosessionctl -n '__fish_seen_subcommand_from trace' -F -l svg
complete -c audiosessionctl -n '__fish_seen_subcommand_from run' -l mix -l duck -l name -xa '(__fish_complete_subcommand --fcs-skip=2)'
complete -c audiosessionctl -n '__fish_seen_subcommand_from run' -l category -xa 'AmbientSound SoloAmbientSound MediaPlayback RecordAudio PlayAndRecord AudioProcessing MultiRoute'
complete -c audiosessionctl -n '__fish_seen_subcommand_from run' -l mode -xa 'Default VoiceChat GameChat VideoRecording Measurement MoviePlayback VideoChat SpokenAudio VoicePrompt'
complete -c audiosessionctl -n '__fish_seen_subcommand_from run' -l on-interrupt -xa 'hold xrun silence'
complete -c audiosessionctl -n '__fish_seen_subcommand_from play record convert info' -F
complete -c audiosessionctl -n '__fish_seen_subcommand_from record convert' -l format -xa 'int8 int16 int24 int32 float32 float64 ulaw alaw ima4 aac alac'
complete -c audiosessionctl -n '__fish_seen_subcommand_from record convert' -l rate -l channels -x
complete -c audiosessionctl -n '__fish_seen_subcommand_from record convert' -l force
complete -c audiosessionctl -n '__fish_seen_subcommand_from record' -l seconds -x

// SPDX-License-Identifier: Apache-2.0
import AudioHardware

/// A command of the tool: its syntax, its help and its parser.
struct Usage {
    let name: String
    /// The line of the list of all commands.
    let summary: String
    /// The syntax without the name of the tool. A line that begins with a space continues the previous line.
    let synopsis: [String]
    let text: String
    /// The options and fixed words that the command knows, for suggestions.
    var words: [String] = []
    /// The words after the options belong to a program that the command executes.
    var takesProgram = false
    let parse: (inout Arguments) throws(UsageError) -> Command

    static let general = """
        usage: audiosessionctl COMMAND [ARGUMENTS]
               audiosessionctl help [COMMAND]
        """

    var usageLines: String {
        var text = ""
        for line in synopsis {
            let continues = line.utf8.first == 0x20
            text += (text.isEmpty ? "usage: " : "\n       ") + (continues ? "                " : "audiosessionctl ") + line
        }
        return text
    }

    /// The help for a command; nil: the list of all commands.
    static func help(_ name: String?) -> String {
        guard let name, let usage = all.first(where: { $0.name == name }) else { return list }
        return usage.usageLines + "\n\n" + usage.text + "\n"
    }

    private static var list: String {
        var text = general + "\n\n"
        for usage in all {
            text += "  \(usage.name)" + String(repeating: " ", count: max(1, 11 - usage.name.utf8.count)) + "\(usage.summary)\n"
        }
        return text + "\nExit status: 0 success, 1 failure, 2 usage error.\n"
    }

    /// The words of simulated changes.
    static let changeWords: [String] =
        [
            "plug", "unplug", "volume", "server", "die", "restart", "wake", "silent", "lock", "on", "off",
            "interrupt", "begin", "end", "confirm", "--name", "--should-not-resume",
        ] + SimulatedDevice.allCases.map { "\($0.word)" }

    nonisolated(unsafe) static let all: [Usage] = [
        Usage(
            name: "status", summary: "the routes, and every session, unit and queue of all programs",
            synopsis: ["status [--json]"],
            text: """
                Prints the route, the states of the user, every session with its process, category,
                mode, gain and state, and every audio unit and queue with format, load and underruns.
                """, words: ["--json"], parse: { (arguments) throws(UsageError) in .status(json: arguments.accept("--json")) }),
        Usage(
            name: "monitor", summary: "the same on the whole terminal, or events as lines",
            synopsis: ["monitor [--lines | --json]"],
            text: """
                Shows the sessions, the audio units and queues, the ports and the recent events on the
                whole terminal; q quits.
                With an option, or where standard output is not a terminal, prints one line per event
                with the seconds since the start.
                """, words: ["--lines", "--json"], parse: Command.parseMonitor),
        Usage(
            name: "interrupt", summary: "begins or ends a phone call",
            synopsis: ["interrupt begin [--name TEXT] [--detach]", "interrupt end [--should-not-resume]", "interrupt confirm"],
            text: """
                Begins or ends a system interruption, for example a phone call. begin holds the call
                until another process ends it or this process exits; with --detach the call lasts
                until another process ends it. confirm: the user accepts the call.
                """, words: ["begin", "end", "confirm", "--name", "--detach", "--should-not-resume"],
            parse: Command.parseInterrupt),
        Usage(
            name: "silent", summary: "sets the silent switch", synopsis: ["silent on | off"],
            text: "Sets the silent switch of the user, for all sessions.",
            words: ["on", "off"],
            parse: { (arguments) throws(UsageError) in .change(try Command.parseChange("silent", &arguments)) }),
        Usage(
            name: "lock", summary: "sets the screen lock", synopsis: ["lock on | off"],
            text: """
                Sets the screen lock of the user, for all sessions. A screen locker can run it:
                xss-lock -- sh -c 'audiosessionctl lock on; i3lock -n; audiosessionctl lock off'
                """, words: ["on", "off"],
            parse: { (arguments) throws(UsageError) in .change(try Command.parseChange("lock", &arguments)) }),
        Usage(
            name: "simulate", summary: "changes the simulated machine",
            synopsis: [
                "simulate plug PORT | unplug PORT | volume LEVEL | server die | server restart | wake",
                "simulate silent on | off", "simulate lock on | off",
                "simulate interrupt begin [--name TEXT] | end [--should-not-resume] | confirm",
            ],
            text: """
                Changes the simulated machine of programs with AUDIOSESSION_HARDWARE=simulated.
                PORT: receiver speaker microphone headphones headset line-out line-in hdmi usb
                bluetooth-hfp bluetooth-a2dp airplay. LEVEL: 0 to 1.
                silent, lock and interrupt are the commands of the same name; the call of
                interrupt begin lasts until interrupt end.
                """, words: changeWords,
            parse: { (arguments) throws(UsageError) in .change(try Command.parseChange(nil, &arguments)) }),
        Usage(
            name: "run", summary: "executes a program whose sound belongs to a session",
            synopsis: [
                "run [--category C] [--mode M] [--mix] [--duck] [--name TEXT]",
                "    [--on-interrupt hold|xrun|silence] [--] COMMAND [ARGUMENTS]",
            ],
            text: """
                Executes a program whose sound on ALSA's default PCM belongs to a session. The session
                is interrupted, ducked and rerouted like any other; the program needs no change.
                    --category  AmbientSound, SoloAmbientSound, MediaPlayback, PlayAndRecord, ...
                    --mode      Default, VoiceChat, MoviePlayback, SpokenAudio, ...
                    --mix       mixes with other sessions
                    --duck      mixes with other sessions and ducks them
                    --name      the name of the session; the default is the name of the program
                    --on-interrupt  during an interruption the stream waits (hold), fails with an error
                                (xrun), or runs without sound (silence)
                    --          ends the options
                See audiosession-alsa(5).
                """,
            words: RunOptions.words, takesProgram: true,
            parse: { (arguments) throws(UsageError) in .run(try RunOptions(&arguments)) }),
        Usage(
            name: "play", summary: "plays sound files", synopsis: ["play [--] FILE..."],
            text: """
                Plays sound files, each to its end or until Ctrl-C. An interruption stops the sound, which
                continues afterwards. A terminal shows time, levels and route. Needs libaudiotoolbox0.
                The file - is standard input: it is read to its end first.
                """, words: ["--"], parse: { (arguments) throws(UsageError) in .play(try arguments.files()) }),
        Usage(
            name: "record", summary: "records the input into a file",
            synopsis: ["record [--seconds N] [--format F] [--rate HZ] [--channels N] [--force] [--] FILE"],
            text: """
                Records the input of the route into FILE until Ctrl-C, or for --seconds. The end of the name
                is the type of the file: .wav .aif .aiff .aifc .caf .au .snd .m4a. Needs libaudiotoolbox0.
                    --format    int8 int16 int24 int32 float32 float64 ulaw alaw ima4 aac alac;
                                the default is int16, for .m4a aac
                    --rate      4000 to 192000; the default is the rate of the hardware
                    --channels  1 to 8; the default is that of the hardware, at most 2
                    --force     replaces a file that exists
                    --          ends the options
                """, words: OutputOptions.recordWords + TargetEncoding.words, parse: Command.parseRecord),
        Usage(
            name: "convert", summary: "writes a sound file in another format",
            synopsis: ["convert [--format F] [--rate HZ] [--channels N] [--force] [--] IN OUT"],
            text: """
                Writes the sound of IN into OUT. The options are those of record; without them OUT has the
                rate, the channels and, where its type can hold it, the format of IN. The file - as IN is
                standard input. Needs libaudiotoolbox0.
                    --format    int8 int16 int24 int32 float32 float64 ulaw alaw ima4 aac alac
                    --rate, --channels, --force, --
                """, words: OutputOptions.words + TargetEncoding.words, parse: Command.parseConvert),
        Usage(
            name: "info", summary: "describes sound files", synopsis: ["info [--json] [--] FILE..."],
            text: """
                Prints type, format and duration of sound files, and the package that a decoder is missing
                from; with --json one object per line. The file - is standard input. Needs libaudiotoolbox0.
                """, words: ["--json", "--"], parse: Command.parseInfo),
        Usage(
            name: "routes", summary: "the route of each category on this machine", synopsis: ["routes [--json]"],
            text: "Prints the route of each category on this machine.",
            words: ["--json"], parse: { (arguments) throws(UsageError) in .routes(json: arguments.accept("--json")) }),
        Usage(
            name: "trace", summary: "records events into a file", synopsis: ["trace [--svg FILE] [--] FILE"],
            text: """
                Records events until Ctrl-C, then writes them in the Trace Event Format, and a picture
                with --svg. A file name that begins with "-" follows "--".
                """, words: ["--svg"], parse: Command.parseTrace),
        Usage(
            name: "doctor", summary: "checks the installation, and prints remedies", synopsis: ["doctor"],
            text: """
                Checks the runtime directory, the machine, the ALSA device, CoreFoundation,
                libAudioToolbox and its codecs, and prints remedies.
                """,
            parse: { (arguments) throws(UsageError) in .doctor }),
        Usage(
            name: "help", summary: "this list, or the help on one command", synopsis: ["help [COMMAND]"],
            text: "Prints the commands, or the help on one.", parse: Command.parseHelp
        ),
        Usage(
            name: "version", summary: "the version of this tool", synopsis: ["version"], text: "Prints the version of this tool.",
            parse: { (arguments) throws(UsageError) in .version }),
    ]
}

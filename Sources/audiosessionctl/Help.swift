enum Help {
    static let usage = """
        usage: audiosessionctl COMMAND [ARGUMENTS]
               audiosessionctl help [COMMAND]
        """

    static func text(_ command: String?) -> String? {
        guard let command else { return overview }
        for (name, text) in commands where name == command { return text + "\n" }
        return nil
    }

    private static var overview: String {
        var text = usage + "\n\n"
        for (_, help) in commands {
            var isFirst = true
            for line in help.utf8.split(separator: 0x0A) where isFirst {
                text += "  " + String(decoding: line, as: UTF8.self) + "\n"
                isFirst = false
            }
        }
        return text + "\nExit status: 0 done, 1 it could not be done, 2 it was not understood.\n"
    }

    private static let commands: [(name: String, text: String)] = [
        ("status", "status [--json]\n    All sessions, what they do and what is done to them; the machine and its route."),
        (
            "monitor",
            """
            monitor [--lines | --json]
                How things are and what happens, on the whole terminal; q ends it. With an option, or where
                there is no terminal, one line for each event, with seconds since the beginning.
            """
        ),
        (
            "interrupt",
            """
            interrupt begin [--name TEXT] [--detach] | end [--should-not-resume] | confirm
                A phone call, or whatever else stands above every session. begin holds it until it is
                ended or this program dies; with --detach it stays until somebody ends it. confirm: the
                user takes the call.
            """
        ),
        ("silent", "silent on|off\n    The user's silent switch, for all sessions."),
        (
            "lock",
            """
            lock on|off
                The user's screen lock, for all sessions. To tie it to a screen locker, have the locker run
                these: xss-lock -- sh -c 'audiosessionctl lock on; i3lock -n; audiosessionctl lock off'
            """
        ),
        (
            "simulate",
            """
            simulate plug PORT | unplug PORT | volume LEVEL | server die|restart | wake
                Does something to the simulated machine of AUDIOSESSION_HARDWARE=simulated programs.
                PORT: receiver speaker microphone headphones headset line-out line-in hdmi usb
                bluetooth-hfp bluetooth-a2dp airplay. LEVEL: 0 to 1.
            """
        ),
        (
            "run",
            """
            run [--category C] [--mode M] [--mix] [--duck] [--name TEXT] [--on-interrupt hold|xrun|silence]
                [--] COMMAND [ARGUMENTS]
                Runs a program whose sound by ALSA's default PCM belongs to a session: it is interrupted,
                ducked and moved to other devices as any other, without knowing it.
                --category  what the sound is for: MediaPlayback, AmbientSound, PlayAndRecord, ...
                --mode      what it is for more closely: Default, VoiceChat, MoviePlayback, ...
                --mix       plays beside others, and does not interrupt them
                --duck      the same, and turns others down meanwhile
                --name      what the session is called; else as the program
                --on-interrupt  what the program meets meanwhile: it waits (hold), its sound ends with an
                            error (xrun), or it goes on unheard (silence)
                --          ends the options
                More is in audiosession-alsa(5).
            """
        ),
        ("routes", "routes [--json]\n    What each category's sound would use on this machine."),
        (
            "trace",
            "trace FILE [--svg FILE]\n    Records until Ctrl-C: trace events for a trace viewer, and a picture if asked for."
        ),
        ("doctor", "doctor\n    Looks at the folder that sessions meet in, and at the machine; says what is wrong."),
        ("version", "version\n    The version of this tool."),
    ]
}

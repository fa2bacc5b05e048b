// The history as trace events, for the trace viewers of browsers and Perfetto.
extension History {
    public var trace: String {
        var events: [JSON] = [metadata("process_name", process: 0, thread: 0, name: "audio sessions")]
        for (index, track) in tracks.enumerated() {
            events.append(metadata("thread_name", process: 0, thread: index + 1, name: "\(track.who.name) (\(track.who.pid))"))
            for span in track.spans where span.state != .inactive {
                events.append(
                    .object([
                        ("name", .string(span.state.word)), ("ph", .string("X")), ("pid", .integer(0)),
                        ("tid", .integer(index + 1)),
                        ("ts", .integer(microseconds(span.start))),
                        ("dur", .integer(microseconds(span.end) - microseconds(span.start))),
                        ("args", .object([("gain", .number(span.gain))])),
                    ]))
            }
        }
        for note in notes {
            let track = tracks.firstIndex { $0.who.serial == note.happening.session?.serial }.map { $0 + 1 } ?? 0
            events.append(
                .object([
                    ("name", .string(note.happening.text)), ("ph", .string("i")), ("s", .string(track == 0 ? "g" : "t")),
                    ("pid", .integer(0)), ("tid", .integer(track)), ("ts", .integer(microseconds(note.time))),
                ]))
        }
        return JSON.object([("traceEvents", .array(events)), ("displayTimeUnit", .string("ms"))]).text + "\n"
    }

    private func metadata(_ event: String, process: Int, thread: Int, name: String) -> JSON {
        .object([
            ("name", .string(event)), ("ph", .string("M")), ("pid", .integer(process)), ("tid", .integer(thread)),
            ("args", .object([("name", .string(name))])),
        ])
    }

    private func microseconds(_ time: UInt64) -> Int { Int(clamping: (time &- start) / 1000) }
}

extension History.Span.State {
    var word: String {
        switch self {
        case .inactive: "inactive"
        case .active: "active"
        case .ducked: "ducked"
        case .silenced: "silenced"
        case .interrupted: "interrupted"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// The history in the Trace Event Format, for Perfetto and the trace viewers of browsers.
extension History {
    public var trace: String {
        var items: [JSON] = [metadata("process_name", process: 0, thread: 0, name: "audio sessions")]
        for (index, track) in tracks.enumerated() {
            items.append(
                metadata("thread_name", process: 0, thread: index + 1, name: "\(track.session.name) (\(track.session.pid))"))
            for span in track.spans where span.state != .inactive {
                items.append(
                    .object([
                        ("name", .string(span.state.name)), ("ph", .string("X")), ("pid", .integer(0)),
                        ("tid", .integer(index + 1)),
                        ("ts", .integer(microseconds(span.start))),
                        ("dur", .integer(microseconds(span.end) - microseconds(span.start))),
                        ("args", .object([("gain", .number(span.gain))])),
                    ]))
            }
        }
        for timed in events {
            let track = tracks.firstIndex { $0.session.serial == timed.event.session?.serial }.map { $0 + 1 } ?? 0
            items.append(
                .object([
                    ("name", .string(timed.event.text)), ("ph", .string("i")), ("s", .string(track == 0 ? "g" : "t")),
                    ("pid", .integer(0)), ("tid", .integer(track)), ("ts", .integer(microseconds(timed.time))),
                ]))
        }
        return JSON.object([("traceEvents", .array(items)), ("displayTimeUnit", .string("ms"))]).text + "\n"
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
    var name: String {
        switch self {
        case .inactive: "inactive"
        case .active: "active"
        case .ducked: "ducked"
        case .silenced: "silenced"
        case .interrupted: "interrupted"
        }
    }
}

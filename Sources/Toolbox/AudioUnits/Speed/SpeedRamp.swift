// SPDX-License-Identifier: Apache-2.0
import MediaFormats

/// The speed and the pitch of a unit on the rendering thread, for the parts of a slice.
final class SpeedRamp {
    private let controls: SpeedControls
    private var rate: ParameterValue
    private var pitch: ParameterValue
    private var frames = 0
    private var done = 0
    /// The events of the slice that were applied.
    private var applied = 0

    /// The frames for which a value is kept while it changes: at 44,100 Hz a ramp has 1,378 steps in a second.
    private static let part = 32

    init(_ controls: SpeedControls) {
        self.controls = controls
        rate = ParameterValue(controls.rate)
        pitch = ParameterValue(controls.pitch)
    }

    func begin(_ frames: Int) {
        (self.frames, done, applied) = (frames, 0, 0)
        controls.events.beginSlice()
        rate.begin(controls.rate, controls.events)
        pitch.begin(controls.pitch, controls.events)
        applyEvents()
        rate.hasBegun(frames)
        pitch.hasBegun(frames)
    }

    func end() {
        // A source that has failed leaves frames.
        while done < frames { advance(part(frames &- done)) }
        controls.events.endSlice(frames)
    }

    /// The number of frames, at most `wanted`, that have the present values.
    func part(_ wanted: Int) -> Int {
        let limit = applied < controls.events.count ? max(controls.events[applied].offset &- done, 1) : wanted
        let isSteady = rate.isSteady && pitch.isSteady
        return min(wanted, limit, isSteady ? wanted : SpeedRamp.part)
    }

    /// The speed of the source.
    var speed: Double { Double(rate.now) }
    /// The factor by which the pitch is raised.
    var pitchFactor: Double { pitch.now == 0 ? 1 : Double(cents: Double(pitch.now)) }

    func advance(_ frames: Int) {
        done &+= frames
        rate.skip(frames)
        pitch.skip(frames)
        applyEvents()
    }

    private func applyEvents() {
        while applied < controls.events.count {
            let event = controls.events[applied]
            guard event.offset <= done, event.offset < frames else { return }
            if event.changes(controls.rate) {
                rate.apply(event, frames)
            } else if event.changes(controls.pitch) {
                pitch.apply(event, frames)
            }
            applied &+= 1
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
/// The parameters of one element of a mixer, as the rendering thread applies them.
final class LevelRamp {
    private let controls: MixerControls.Element
    private var volume: ParameterValue
    private var enable: ParameterValue
    private var pan: ParameterValue
    /// Events change the parameters after the first frame of the slice.
    private var hasEvents = false
    /// One of them changes `enable`.
    private var isSwitched = false

    init(_ controls: MixerControls.Element) {
        self.controls = controls
        volume = ParameterValue(controls.volume)
        enable = ParameterValue(controls.enable)
        pan = ParameterValue(controls.pan)
    }

    /// Called at the beginning of a slice. Applies the events before its first frame.
    func begin(_ events: ParameterEvents, _ frames: Int) {
        (hasEvents, isSwitched) = (false, false)
        volume.begin(controls.volume, events)
        enable.begin(controls.enable, events)
        pan.begin(controls.pan, events)
        for index in 0..<events.count {
            let event = events[index]
            guard event.offset < frames else { break }
            guard event.offset > 0 else {
                apply(event, frames)
                continue
            }
            let changesEnable = event.changes(controls.enable)
            if changesEnable { isSwitched = true }
            if changesEnable || event.changes(controls.volume) || event.changes(controls.pan) { hasEvents = true }
        }
        volume.hasBegun(frames)
        enable.hasBegun(frames)
        pan.hasBegun(frames)
    }

    private func apply(_ event: ParameterEvent, _ frames: Int) {
        if event.changes(controls.volume) {
            volume.apply(event, frames)
        } else if event.changes(controls.enable) {
            enable.apply(event, frames)
        } else if event.changes(controls.pan) {
            pan.apply(event, frames)
        }
    }

    var isSteady: Bool { !hasEvents && volume.isSteady && enable.isSteady && pan.isSteady }
    /// The element is off for the whole slice.
    var isOff: Bool { !isSwitched && enable.isSteady && enable.now == 0 }
    /// The product of volume and enable.
    var factor: Float { volume.now * enable.now }

    /// 0 for the left channel, 1 for the right channel, 2 for any other channel, to which the pan does not apply.
    static func side(of channel: Int, of channels: Int) -> Int { channels == 1 ? 2 : min(channel, 2) }

    /// The gain of a channel while no parameter changes.
    func gain(of channel: Int, of channels: Int) -> Float {
        switch LevelRamp.side(of: channel, of: channels) {
        case 0: factor * min(1 - pan.now, 1)
        case 1: factor * min(1 + pan.now, 1)
        default: factor
        }
    }

    /// Writes the gains of the frames of each side, one side after another.
    func fill(_ gains: UnsafeMutablePointer<Float>, _ frames: Int, _ events: ParameterEvents) {
        events.forEachPart(of: frames) { event in
            apply(event, frames)
        } body: { part in
            for frame in part {
                let gain = volume.next() * enable.next()
                let pan = pan.next()
                gains[frame] = gain * min(1 - pan, 1)
                gains[frames &+ frame] = gain * min(1 + pan, 1)
                gains[2 &* frames &+ frame] = gain
            }
        }
    }

    /// Advances by frames that are not rendered.
    func skip(_ frames: Int, _ events: ParameterEvents) {
        events.forEachPart(of: frames) { event in
            apply(event, frames)
        } body: { part in
            volume.skip(part.count)
            enable.skip(part.count)
            pan.skip(part.count)
        }
    }
}

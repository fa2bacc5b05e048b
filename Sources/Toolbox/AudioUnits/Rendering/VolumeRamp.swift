// SPDX-License-Identifier: Apache-2.0

/// The volume of an output as the stream's thread applies it.
struct VolumeRamp {
    /// Nil before the first slice.
    private var value: ParameterValue?
    /// Events change the value after the first frame of the slice.
    private var hasEvents = false

    /// Called at the beginning of a slice. Applies the events before its first frame. The first value applies at once; a ramp leads
    /// to each later one.
    mutating func begin(_ volume: OutputVolume, frames: Int) {
        hasEvents = false
        var value = self.value ?? ParameterValue(volume.parameter)
        value.begin(volume.parameter, volume.events)
        for index in 0..<volume.events.count {
            let event = volume.events[index]
            guard event.offset < frames else { break }
            if event.offset > 0 { hasEvents = true } else { value.apply(event, frames) }
        }
        value.hasBegun(frames)
        self.value = value
    }

    /// The gain is 1 in the whole slice.
    var isUnity: Bool { isSteady && value?.now == 1 }
    private var isSteady: Bool { !hasEvents && value?.isSteady == true }

    /// Multiplies interleaved frames.
    mutating func apply(_ volume: OutputVolume, _ samples: UnsafeMutablePointer<Float>, channels: Int, frames: Int) {
        guard !isUnity, var value else { return }
        volume.events.forEachPart(of: frames) { event in
            value.apply(event, frames)
        } body: { part in
            multiply(samples + part.lowerBound &* channels, part.count &* channels, channels, &value)
        }
        self.value = value
    }
}

@_optimize(speed)
private func multiply(_ samples: UnsafeMutablePointer<Float>, _ count: Int, _ channels: Int, _ value: inout ParameterValue) {
    var index = 0
    while index < count {
        let gain = value.next()
        for _ in 0..<channels {
            samples[index] *= gain
            index &+= 1
        }
    }
}

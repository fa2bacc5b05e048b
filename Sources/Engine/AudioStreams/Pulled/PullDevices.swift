// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import CAudioStreams
import LinuxSystem

/// A device that plays, with the layout that it has granted.
struct OpenedOutput {
    let device: any PlaybackDevice
    let layout: SampleLayout
}

/// A device that records, with the layout that it has granted.
struct OpenedInput {
    let device: any CaptureDevice
    let layout: SampleLayout
}

/// Opens the devices of one pulled stream, each at its own rate. Only the stream's thread uses it. Tests open their own
/// devices.
protocol PullDevices: AnyObject {
    /// An interruption has stopped the stream.
    var isInterrupted: Bool { get set }
    func openOutput(_ target: DeviceTarget, _ slice: SliceLength) throws(SystemError) -> OpenedOutput
    func openInput(_ target: DeviceTarget, _ slice: SliceLength) throws(SystemError) -> OpenedInput
}

/// Opens ALSA's devices, and clocks in place of simulated ones.
final class SystemPullDevices: PullDevices {
    private let clock: any DeviceClock
    /// The stream continues in the same file when a device of the same layout opens again.
    private var waveFiles: [(layout: SampleLayout, file: WaveFile)] = []
    var isInterrupted = false { didSet { for (_, file) in waveFiles { file.isInterrupted = isInterrupted } } }

    init(by clock: any DeviceClock) { self.clock = clock }

    func openOutput(_ target: DeviceTarget, _ slice: SliceLength) throws(SystemError) -> OpenedOutput {
        if let names = target.names {
            let device = try ALSAPlayback.open(names, near: target, slice)
            return OpenedOutput(device: device, layout: device.layout)
        }
        let layout = try target.clockLayout
        let file = target.choice == .simulated ? waveFile(layout) : nil
        return OpenedOutput(device: ClockPlayback(layout.shape(slice), into: file, by: clock), layout: layout)
    }

    func openInput(_ target: DeviceTarget, _ slice: SliceLength) throws(SystemError) -> OpenedInput {
        if let names = target.names {
            let device = try ALSACapture.open(names, near: target, slice)
            return OpenedInput(device: device, layout: device.layout)
        }
        let layout = try target.clockLayout
        let file = target.choice == .simulated ? MicrophoneFile.open(layout) : nil
        return OpenedInput(device: ClockCapture(layout.shape(slice), from: file, by: clock), layout: layout)
    }

    private func waveFile(_ layout: SampleLayout) -> WaveFile? {
        if let known = waveFiles.first(where: { $0.layout == layout }) { return known.file }
        guard let file = WaveFile.make(layout) else { return nil }
        waveFiles.append((layout, file))
        return file
    }
}

extension DeviceTarget {
    /// The names of an ALSA device; nil for a clock.
    var names: [String]? {
        switch choice {
        case .alsa(let names), .server(let names): names
        case .simulated, .silence: nil
        }
    }

    /// The period that is requested of the device, in seconds. The position of a card is exact enough for two slices if it is
    /// counted in shorter periods. All streams of a server run at the shortest period of any of them, so it is a slice, up to a
    /// tenth of a second.
    func period(of slice: SliceLength) -> Double {
        if case .server = choice { min(slice.seconds, 0.1) } else { min(slice.seconds / 2, 0.01) }
    }

    /// The layout of a clock that replaces the device: it has the samples of the program.
    var clockLayout: SampleLayout {
        get throws(SystemError) {
            let sample = Int32(STREAM_FLOAT.rawValue)
            let channels = min(max(channels, 1), 8)
            guard let layout = SampleLayout(sample: sample, channels: channels, rate: rate) else { throw .invalid }
            return layout
        }
    }
}

extension SampleLayout {
    /// The shape of a clock that moves slices.
    func shape(_ slice: SliceLength) -> StreamShape {
        let frames = slice.frames(at: rate)
        return StreamShape(layout: self, period: frames, buffer: frames * 2)
    }
}

// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// Opens the devices of one stream. Only the stream's thread uses it. Tests open their own devices.
protocol DeviceOpener: AnyObject {
    /// The session of the stream is not active.
    var isInterrupted: Bool { get set }
    func openPlayback(_ choice: DeviceChoice, _ shape: StreamShape) throws(SystemError) -> any PlaybackDevice
    func openCapture(_ choice: DeviceChoice, _ shape: StreamShape) throws(SystemError) -> any CaptureDevice
}

/// Opens ALSA's devices, and clocks in place of simulated ones.
final class SystemDeviceOpener: DeviceOpener {
    /// The stream continues in the same file when its device opens again.
    private var waveFile: WaveFile?
    var isInterrupted = false { didSet { waveFile?.isInterrupted = isInterrupted } }

    func openPlayback(_ choice: DeviceChoice, _ shape: StreamShape) throws(SystemError) -> any PlaybackDevice {
        switch choice {
        case .alsa(let names): return try ALSAPlayback.open(names, shape, period: shape.usualPeriod)
        case .server(let names): return try ALSAPlayback.open(names, shape, period: shape.serverPeriod)
        case .silence: return ClockPlayback(shape, into: nil)
        case .simulated:
            if waveFile == nil { waveFile = WaveFile.make(shape.layout) }
            return ClockPlayback(shape, into: waveFile)
        }
    }

    func openCapture(_ choice: DeviceChoice, _ shape: StreamShape) throws(SystemError) -> any CaptureDevice {
        switch choice {
        case .alsa(let names): return try ALSACapture.open(names, shape, period: shape.usualPeriod)
        case .server(let names): return try ALSACapture.open(names, shape, period: shape.serverPeriod)
        case .silence: return ClockCapture(shape)
        case .simulated: return ClockCapture(shape, from: MicrophoneFile.open(shape.layout))
        }
    }
}

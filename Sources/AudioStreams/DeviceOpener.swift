/// Opens devices for one stream. The stream's thread owns it. A test puts devices of its own in its place.
protocol DeviceOpener: AnyObject {
    func openOutlet(_ choice: DeviceChoice, _ shape: StreamShape) throws(StreamError) -> any Outlet
    func openInlet(_ choice: DeviceChoice, _ shape: StreamShape) throws(StreamError) -> any Inlet
}

/// Opens ALSA's devices, and the clock in place of a simulated machine's.
final class SystemDeviceOpener: DeviceOpener {
    /// The stream goes on in the same file when its device is opened again.
    private var waveFile: WaveFile?

    func openOutlet(_ choice: DeviceChoice, _ shape: StreamShape) throws(StreamError) -> any Outlet {
        switch choice {
        case .alsa(let names): return try ALSAOutlet.open(names, shape)
        case .silence: return ClockOutlet(shape, into: nil)
        case .simulated:
            let file = waveFile ?? WaveFile(shape.layout)
            waveFile = file
            return ClockOutlet(shape, into: file)
        }
    }

    func openInlet(_ choice: DeviceChoice, _ shape: StreamShape) throws(StreamError) -> any Inlet {
        switch choice {
        case .alsa(let names): return try ALSAInlet.open(names, shape)
        case .simulated, .silence: return ClockInlet(shape)
        }
    }
}

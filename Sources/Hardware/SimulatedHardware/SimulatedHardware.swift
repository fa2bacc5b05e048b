// SPDX-License-Identifier: Apache-2.0
public import AudioHardware
import CLinux
import LinuxSystem
public import SessionModel

/// A machine that is described by a text file. Several processes share the file, and a person can edit it. For build servers, for
/// tests, and for programs that need a phone call.
public final class SimulatedHardware: AudioHardware, @unchecked Sendable {
    private let file: SimulationFile?
    public let clock: any DeviceClock
    /// Held from the read of the file until the result is applied, so that an older result does not replace a newer one.
    private let changeLock = Lock()
    private let lock = Lock()
    // Guarded by the lock:
    private var machine = SimulatedMachine()
    private var arrivals = DeviceArrivals()
    /// The reason why the file cannot be read; the last valid state is used.
    private var mistake: String?

    /// `path` is nil for a machine of this process only. A test passes a clock that it steps.
    public init(file path: String?, clock: any DeviceClock = MonotonicClock.shared) {
        self.clock = clock
        file = path.map(SimulationFile.init)
        arrivals.update(machine.devices)
        _ = changeLock.withLock { readFile() }
    }

    // MARK: State

    public var descriptor: Int32 { file?.descriptor ?? -1 }

    public func processEvents() -> Bool {
        guard let file, file.hasChanged() else { return false }
        return changeLock.withLock { readFile() }
    }

    /// Applies the content of the file. True when the machine has changed.
    private func readFile() -> Bool {
        guard let file else { return false }
        do throws(SimulationFile.Unreadable) {
            let read = try file.read()
            return lock.withLock {
                mistake = nil
                guard read != machine else { return false }
                apply(read)
                return true
            }
        } catch {
            report(error)
            return false
        }
    }

    /// Prints each mistake once. A refusal of the system is only logged.
    private func report(_ error: SimulationFile.Unreadable) {
        guard isNew(error) else { return }
        let line = "\(error.text); the last valid state of the simulated machine is used"
        if error.isMistake { Log.error(line) } else { Log.debug(line) }
    }

    private func isNew(_ error: SimulationFile.Unreadable) -> Bool {
        lock.withLock {
            defer { mistake = error.text }
            return mistake != error.text
        }
    }

    public func snapshot() -> HardwareSnapshot {
        lock.withLock {
            var ports: [Port] = []
            for device in machine.devices { ports += machine.ports(of: device, arrival: arrivals.number(of: device)) }
            return HardwareSnapshot(ports: ports, serverIsAlive: machine.serverIsAlive, wakes: machine.wakes)
        }
    }

    public func format(of port: Port, sampleRate: Double, bufferDuration: Float) -> StreamFormat? {
        grantedFormat(of: port, sampleRate: sampleRate, bufferDuration: bufferDuration)
    }

    /// Reads the file without applying it, so that the monitor notices the change.
    public func gain(of port: Port) -> Float? {
        var present = lock.withLock { machine }
        if let file { do throws(SimulationFile.Unreadable) { present = try file.read() } catch {} }
        guard let device = device(of: port) else { return nil }
        return present.ports(of: device, arrival: port.device).first { $0.kind == port.kind }?.gain
    }

    /// Nil for a port of an earlier arrival of the device.
    private func device(of port: Port) -> SimulatedDevice? {
        lock.withLock { machine.devices.first { arrivals.number(of: $0) == port.device } }
    }

    /// Always false: a simulated machine has no programs other than the sessions.
    public func isOtherProcessPlaying(on outputs: [Port]) -> Bool { false }

    /// The reason why a simulation file cannot be read, with the line of a mistake; nil for a correct file.
    public static func mistake(in path: String) -> String? {
        do throws(SimulationFile.Unreadable) {
            _ = try SimulationFile(path).read()
            return nil
        } catch { return error.text }
    }

    // MARK: Changes

    public func perform(_ request: HardwareRequest, on port: Port) throws(ResultCode) {
        guard let device = device(of: port) else { throw .noHardware }
        try change { machine in
            switch request {
            case .inputGain(let level): machine.setGain(of: device, to: level)
            case .inputSource(let id): machine.source = UInt32(clamping: id)
            case .outputDestination(let id): machine.destination = UInt32(clamping: id)
            case .headsetProfile: break
            }
        }
    }

    public func simulate(_ change: SimulatedChange) throws(ResultCode) {
        try self.change { $0.apply(change) }
    }

    private func change(_ body: (inout SimulatedMachine) -> Void) throws(ResultCode) {
        guard let file else {
            lock.withLock {
                var changed = machine
                body(&changed)
                apply(changed)
            }
            return
        }
        do throws(SimulationFile.Unreadable) {
            try changeLock.withLock { () throws(SimulationFile.Unreadable) in
                let changed = try file.change(body)
                lock.withLock {
                    mistake = nil
                    apply(changed)
                }
            }
        } catch {
            let line = "\(error.text); the simulated machine is not changed"
            if error.isMistake, !isNew(error) { Log.debug(line) } else { Log.error(line) }
            throw .unspecified
        }
    }

    private func apply(_ new: SimulatedMachine) {
        machine = new
        arrivals.update(new.devices)
    }
}

/// The numbers of the devices in their order of arrival. A device that was unplugged and plugged in again gets a new
/// number, also if only its position in the file shows that. Built-in devices keep their position.
private struct DeviceArrivals {
    private var numbers: [(device: SimulatedDevice, number: UInt32)] = []
    private var last: UInt32 = 0

    mutating func update(_ devices: [SimulatedDevice]) {
        var updated: [(device: SimulatedDevice, number: UInt32)] = []
        var lastPlugged: UInt32 = 0
        for device in devices {
            let isBuiltIn = SimulatedMachine.isBuiltIn(device)
            var number = numbers.first { $0.device == device }?.number ?? 0
            if number == 0 || (!isBuiltIn && number < lastPlugged) {
                last &+= 1
                number = last
            }
            if !isBuiltIn { lastPlugged = number }
            updated.append((device, number))
        }
        numbers = updated
    }

    func number(of device: SimulatedDevice) -> UInt32 { numbers.first { $0.device == device }?.number ?? 0 }
}

public import AudioHardware
import CLinux
import LinuxSystem
public import SessionModel

/// A machine that exists in a text file, so that several processes share it and a person can edit
/// it: for build servers, tests, and anyone without a phone to call.
public final class SimulatedHardware: AudioHardware, @unchecked Sendable {
    private let file: SimulationFile?
    /// Held from reading the file to taking in what was read: an older reading must not overtake a newer.
    private let turn = Lock()
    private let lock = Lock()
    private var machine = SimulatedMachine()
    private var arrivals = Arrivals()

    /// Nil: a machine that only this process sees.
    public init(file path: String?) {
        file = path.map(SimulationFile.init)
        lock.withLock {
            if let read = file?.read() { machine = read }
            arrivals.follow(machine.devices)
        }
    }

    // MARK: What there is

    public var descriptor: Int32 { file?.descriptor ?? -1 }

    public func heed() -> Bool {
        guard let file, file.hasChanged() else { return false }
        return turn.withLock {
            guard let read = file.read() else { return false }
            return lock.withLock {
                guard read != machine else { return false }
                take(read)
                return true
            }
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

    /// Nothing runs on a simulated machine but what the sessions say.
    public func isOtherProcessPlaying() -> Bool { false }

    // MARK: What is done to it

    public func perform(_ request: HardwareRequest, on port: Port) throws(ResultCode) {
        let device = lock.withLock { machine.devices.first { arrivals.number(of: $0) == port.device } }
        guard let device else { throw .noHardware }
        try change { machine in
            switch request {
            case .inputGain(let level): machine.setGain(of: device, to: level)
            case .inputSource(let id): machine.source = UInt32(clamping: id)
            case .outputDestination(let id): machine.destination = UInt32(clamping: id)
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
                take(changed)
            }
            return
        }
        do throws(SystemError) {
            try turn.withLock { () throws(SystemError) in
                let last = lock.withLock { machine }
                let changed = try file.change(from: last, body)
                lock.withLock { take(changed) }
            }
        } catch {
            Log.line("\(file.path): \(error.text)")
            throw .unspecified
        }
    }

    private func take(_ new: SimulatedMachine) {
        machine = new
        arrivals.follow(new.devices)
    }
}

/// Numbers for devices in their order of arrival. One that was pulled and plugged again has arrived
/// anew, also when that is seen only by its place; what is built in has its place whenever it came.
private struct Arrivals {
    private var numbers: [(device: SimulatedDevice, number: UInt32)] = []
    private var last: UInt32 = 0

    mutating func follow(_ devices: [SimulatedDevice]) {
        var following: [(device: SimulatedDevice, number: UInt32)] = []
        var lastPlugged: UInt32 = 0
        for device in devices {
            let isBuiltIn = SimulatedMachine.isBuiltIn(device)
            var number = numbers.first { $0.device == device }?.number ?? 0
            if number == 0 || (!isBuiltIn && number < lastPlugged) {
                last &+= 1
                number = last
            }
            if !isBuiltIn { lastPlugged = number }
            following.append((device, number))
        }
        numbers = following
    }

    func number(of device: SimulatedDevice) -> UInt32 { numbers.first { $0.device == device }?.number ?? 0 }
}

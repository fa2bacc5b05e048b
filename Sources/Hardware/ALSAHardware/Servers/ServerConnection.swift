// SPDX-License-Identifier: Apache-2.0
import CLinux
import CServerModules
import LinuxSystem

/// The connection of a module to a sound server.
final class ServerConnection {
    private let functions: server_module
    private let handle: UnsafeMutableRawPointer
    let descriptor: Int32

    enum Change { case none, state, closed }

    /// The module for servers that speak PulseAudio's protocol: PulseAudio's own, and PipeWire's.
    private static let module: StaticString = "pulse"

    /// Begins to connect. Nil without the module, with the reason in the log.
    static func open() -> ServerConnection? {
        var reason: UnsafePointer<CChar>?
        let found = module.withUTF8Buffer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { server_module_load($0.baseAddress, &reason) }
        }
        guard let functions = found?.pointee, let handle = functions.open(linux_program_name()) else {
            Log.debug(
                "the devices of the sound server are not known: \(reason.map { String(cString: $0) } ?? "no memory is left")")
            return nil
        }
        return ServerConnection(functions, handle)
    }

    init(_ functions: server_module, _ handle: UnsafeMutableRawPointer) {
        self.functions = functions
        self.handle = handle
        descriptor = functions.descriptor(handle)
    }

    deinit { functions.close(handle) }

    /// Applies the messages of the server.
    func processEvents() -> Change {
        switch functions.dispatch(handle) {
        case Int32(SERVER_CLOSED.rawValue): .closed
        case Int32(SERVER_CHANGED.rawValue): .state
        default: .none
        }
    }

    /// Waits for the first state, at most until the deadline.
    func awaitState(until deadline: UInt64) -> Change {
        while true {
            let change = processEvents()
            let now = linux_monotonic_nanoseconds()
            guard change == .none, now < deadline else { return change }
            // Rounded up: with 0 milliseconds the loop would not sleep.
            _ = linux_poll(descriptor, UInt32(LINUX_READABLE), Int32(clamping: (deadline &- now) / 1_000_000 &+ 1))
        }
    }

    /// The ports that are present.
    var ports: [ServerPort] {
        guard let state = functions.state(handle)?.pointee, let first = state.ports else { return [] }
        return UnsafeBufferPointer(start: first, count: Int(state.count)).compactMap { ServerPort($0) }
    }

    /// The name and the version of the server; the reason of the end of the connection.
    var software: String { functions.state(handle)?.pointee.software.map { String(cString: $0) } ?? "" }
    var reason: String { functions.reason(handle).map { String(cString: $0) } ?? "" }

    /// False if the server has no such port.
    func setVolume(of uid: String, to volume: Float) -> Bool { uid.withCString { functions.set_volume(handle, $0, volume) >= 0 } }
    func reach(_ uid: String) -> Bool { uid.withCString { functions.reach(handle, $0) >= 0 } }
    func leave(_ uid: String) { uid.withCString { _ = functions.leave(handle, $0) } }
}

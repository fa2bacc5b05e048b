// SPDX-License-Identifier: Apache-2.0
import CLinux
import CServerModules

@testable import ALSAHardware

/// A module of a sound server whose answers a test chooses.
final class FakeModule {
    /// The results of the next calls of dispatch.
    private var results: [Int32] = []
    private let event = linux_eventfd()
    private let state = UnsafeMutablePointer<server_state>.allocate(capacity: 1)
    private var texts: [UnsafeMutablePointer<CChar>] = []
    private var ports: UnsafeMutableBufferPointer<server_port>?
    private var hasState = false

    private(set) var requests: [String] = []
    private(set) var isClosed = false
    var refuses = false
    /// Called by the request for a profile, and by that for the former one.
    var onReach: (() -> Void)?
    var onLeave: (() -> Void)?

    init() { state.initialize(to: server_state()) }

    deinit {
        free()
        state.deallocate()
        _ = linux_close(event)
    }

    private func free() {
        for text in texts { text.deallocate() }
        texts = []
        ports?.deallocate()
        ports = nil
    }

    private func text(_ text: String) -> UnsafePointer<CChar> {
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
        for (index, byte) in text.utf8.enumerated() { copy[index] = CChar(bitPattern: byte) }
        copy[text.utf8.count] = 0
        texts.append(copy)
        return UnsafePointer(copy)
    }

    /// The server tells these ports.
    func tell(_ told: [ServerPort]) {
        free()
        let ports = UnsafeMutableBufferPointer<server_port>.allocate(capacity: told.count)
        for (index, port) in told.enumerated() {
            var described = server_port()
            described.kind = UInt32(port.kind.rawValue)
            described.channels = port.channels
            described.volume = port.volume ?? -1
            described.others = port.others
            described.is_default = port.isDefault ? 1 : 0
            described.is_on_default = port.isOnDefault ? 1 : 0
            described.is_headset = port.isHeadset ? 1 : 0
            (described.uid, described.device) = (text(port.uid), text(port.device))
            (described.name, described.node) = (text(port.name), text(port.node))
            ports.initializeElement(at: index, to: described)
        }
        self.ports = ports
        state.pointee.count = UInt32(told.count)
        state.pointee.ports = UnsafePointer(ports.baseAddress)
        state.pointee.software = text("a server 1.0")
        hasState = true
        push(SERVER_CHANGED)
    }

    func end() { push(SERVER_CLOSED) }

    private func push(_ result: server_result) {
        results.append(Int32(result.rawValue))
        _ = linux_eventfd_signal(event)
    }

    /// A connection to this server, which keeps the module.
    var connection: ServerConnection { ServerConnection(functions, Unmanaged.passRetained(self).toOpaque()) }

    private static func from(_ handle: UnsafeMutableRawPointer?) -> FakeModule? {
        handle.map { Unmanaged<FakeModule>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func note(_ handle: UnsafeMutableRawPointer?, _ request: String, _ uid: UnsafePointer<CChar>?) -> Int32 {
        guard let module = from(handle), let uid, !module.refuses else { return -1 }
        module.requests.append("\(request) \(String(cString: uid))")
        return 0
    }

    private var functions: server_module {
        var functions = server_module()
        functions.version = UInt32(SERVER_INTERFACE_VERSION)
        functions.descriptor = { FakeModule.from($0)?.event ?? -1 }
        functions.dispatch = { handle in
            guard let module = FakeModule.from(handle), !module.results.isEmpty else { return 0 }
            if module.results.count == 1 { _ = linux_eventfd_clear(module.event) }
            return module.results.removeFirst()
        }
        functions.state = { handle in
            FakeModule.from(handle).flatMap { $0.hasState ? UnsafePointer($0.state) : nil }
        }
        functions.reason = { _ in UnsafePointer(reasonOfTheEnd) }
        functions.set_volume = { handle, uid, volume in FakeModule.note(handle, "volume \(volume)", uid) }
        functions.reach = { handle, uid in
            let result = FakeModule.note(handle, "reach", uid)
            if result == 0 { FakeModule.from(handle)?.onReach?() }
            return result
        }
        functions.leave = { handle, uid in
            let result = FakeModule.note(handle, "leave", uid)
            if result == 0 { FakeModule.from(handle)?.onLeave?() }
            return result
        }
        functions.close = { handle in
            if let handle { Unmanaged<FakeModule>.fromOpaque(handle).takeRetainedValue().isClosed = true }
        }
        return functions
    }
}

/// "the server is gone", for the life of the process.
nonisolated(unsafe) private let reasonOfTheEnd: UnsafeMutablePointer<CChar> = {
    let bytes = Array("the server is gone".utf8CString)
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    text.initialize(from: bytes, count: bytes.count)
    return text
}()

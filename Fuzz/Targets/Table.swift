// SPDX-License-Identifier: Apache-2.0
#if FUZZING
    import CLinux
    import LinuxSystem
    import SessionArbiter
    import SessionModel
    @testable import SessionRegistry
    import SimulatedHardware

    /// The runtime directory of this fuzzer, named by the environment.
    enum Folder {
        static func empty() -> RuntimeDirectory? {
            guard let path = Environment.value("AUDIOSESSION_RUNTIME_DIR"), let folder = try? RuntimeDirectory(path) else {
                return nil
            }
            _ = linux_unlink(folder.table)
            _ = linux_unlink(folder.replacing)
            _ = linux_unlink(folder.simulation)
            for endpoint in folder.endpoints() { ProcessEndpoint.remove(endpoint, from: folder) }
            return folder
        }
    }

    // A process that writes any bytes into the table and the wake-up FIFO, between the steps of a correct one.

    private func request(_ input: inout Input, _ slot: TableSlot) -> Request {
        let kind = input.byte()
        let parameter = input.byte()
        switch kind % 10 {
        case 0: return .activate(slot)
        case 1: return .deactivate(slot, notifyingOthers: parameter & 1 != 0)
        case 2:
            let categories = Category.allCases
            return .change(
                slot,
                SessionSettings(
                    category: categories[Int(parameter) % categories.count], mode: .standard, mixes: parameter & 32 != 0,
                    ducks: parameter & 64 != 0, interruptsSpokenAudio: parameter & 128 != 0))
        case 3: return .rename(slot, SessionName("name \(parameter)"))
        case 4: return .beginCall(SessionName("call"), holder: parameter & 1 == 0 ? nil : slot)
        case 5: return .endCall(shouldResume: parameter & 1 != 0)
        case 6: return .confirmCall
        case 7: return .silent(parameter & 1 != 0)
        case 8: return .lock(parameter & 1 != 0)
        default: return .reset(slot)
        }
    }

    /// Changes some bytes, and corrects the checksums that would reveal it, as a program that knows the format can.
    private func scribble(_ input: inout Input, in folder: RuntimeDirectory) {
        guard let file = try? FileDescriptor(opening: folder.table, how: LINUX_READ_WRITE | LINUX_CREATE) else { return }
        let kind = input.byte()
        let place = input.number()
        let bytes = input.bytes(upTo: Int(input.byte() & 63))
        // Most of the file is unused: the offset is chosen in the used parts.
        let offset: UInt64 =
            switch kind & 3 {
            case 0: UInt64(place % UInt32(TableHeader.frontSize))
            case 1: TableHeader.entriesOffset + UInt64(place % UInt32(8 * TableRecord.size))
            case 2: TableHeader.redoOffset + UInt64(place % 4096)
            default: UInt64(place) % TableHeader.fileSize
            }
        do throws(TableFailure) {
            try TableFile.write(bytes, at: offset, of: file.number)
            guard kind & 4 != 0 else { return }
            try seal(TableHeader.size, at: 0, of: file.number)
            for slot in 0..<8 {
                try seal(TableRecord.size, at: TableHeader.entriesOffset + UInt64(slot * TableRecord.size), of: file.number)
            }
            let head = try TableFile.read(RedoRecord.headBytes, at: TableHeader.redoOffset, of: file.number)
            let count: UInt64 = head.number(at: 8)
            if count <= 8 { try sealRedoRecord(of: Int(count), in: file.number) }
        } catch {}
    }

    private func seal(_ size: Int, at offset: UInt64, of file: Int32) throws(TableFailure) {
        var buffer = try TableFile.read(size, at: offset, of: file)
        guard !buffer.isZero else { return }
        buffer.seal()
        try TableFile.write(buffer.bytes, at: offset, of: file)
    }

    private func sealRedoRecord(of count: Int, in file: Int32) throws(TableFailure) {
        var buffer = try TableFile.read(RedoRecord.size(of: count), at: TableHeader.redoOffset, of: file)
        buffer.seal(RedoRecord.headBytes..<(RedoRecord.headBytes + TableHeader.size))
        for index in 0..<count {
            let offset = RedoRecord.offset(of: index)
            buffer.seal(offset..<(offset + TableRecord.size))
        }
        RedoRecord.seal(&buffer, count: count)
        try TableFile.write(buffer.bytes, at: TableHeader.redoOffset, of: file)
    }

    private func wake(with bytes: [UInt8], in folder: RuntimeDirectory) {
        for endpoint in folder.endpoints() {
            guard let wakeUp = try? FileDescriptor(opening: folder.wakeUp(of: endpoint), how: LINUX_WRITE | LINUX_NONBLOCK) else {
                continue
            }
            _ = bytes.withUnsafeBytes { linux_write(wakeUp.number, $0.baseAddress, $0.count) }
        }
    }

    @c(fuzz_table) public func fuzzTable(_ bytes: UnsafeRawPointer?, _ count: Int) -> Bool {
        guard let folder = Folder.empty() else { return false }
        var input = Input(bytes, count)
        // A correct process registers first.
        guard let other = try? FileRegistry(in: folder) else { return false }
        guard let otherSlot = try? other.enter(name: SessionName("other"), settings: SessionSettings()) else {
            return false
        }
        try? other.submit(.activate(otherSlot))
        for _ in 0..<(input.byte() & 3) { scribble(&input, in: folder) }
        // A table of another version leads to the private fallback.
        guard let registry = try? FileRegistry(in: folder) else { return true }
        guard let slot = try? registry.enter(name: SessionName("session"), settings: SessionSettings()) else {
            return true
        }
        var steps = 0
        while !input.isEmpty, steps < 40 {
            steps += 1
            switch input.byte() % 8 {
            case 0, 1: scribble(&input, in: folder)
            case 2: wake(with: input.bytes(upTo: Int(input.byte())), in: folder)
            case 3: _ = linux_unlink(folder.table)
            case 4: _ = registry.view(of: slot)
            case 5: _ = other.table()
            case 6: try? other.submit(request(&input, otherSlot))
            default: try? registry.submit(request(&input, slot))
            }
            registry.processEvents()
            other.processEvents()
        }
        // The sessions are still registered, and an activation succeeds except during a call.
        do throws(ResultCode) {
            let view = try registry.submit(.activate(slot), viewing: slot)
            if !view.isActive { return false }
        } catch {
            if error != .notActive, error != .unspecified { return false }
        }
        _ = registry.othersArePlaying()
        other.leave(otherSlot)
        registry.leave(slot)
        return true
    }
#endif

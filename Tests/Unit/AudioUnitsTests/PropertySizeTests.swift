// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import Testing

/// The properties of a unit that can be read, with their sizes.
private func readable(_ program: Program) -> [(property: UnitProperty, scope: Scope, element: UInt32, size: Int)] {
    UnitProperty.allCases.flatMap { property in
        [Scope.global, .input, .output].flatMap { scope in
            [UInt32(0), 1, 14].compactMap { element in
                var size: UInt32 = 0
                guard status({ try program.unit.get(property.rawValue, scope.rawValue, element, nil, &size) }) == 0 else {
                    return nil
                }
                return (property, scope, element, Int(size))
            }
        }
    }
}

@Suite("The size of a property")
struct PropertySizeTests {
    @Test("is what the program asks for, if it asks for less than the value has", arguments: UnitKind.allCases)
    func prefixes(kind: UnitKind) throws {
        let program = try Program(kind)
        if kind.isIO { try program.enableInput() }
        for _ in 0..<2 {
            let rows = readable(program)
            #expect(rows.count > 20)
            for row in rows {
                var whole = [UInt8](repeating: 0, count: row.size)
                var size = UInt32(row.size)
                try program.unit.get(row.property.rawValue, row.scope.rawValue, row.element, &whole, &size)
                #expect(Int(size) == row.size)
                for room in 0...(row.size + 1) {
                    var memory = [UInt8](repeating: 0xA5, count: row.size + 8)
                    size = UInt32(room)
                    try program.unit.get(row.property.rawValue, row.scope.rawValue, row.element, &memory, &size)
                    let written = min(room, row.size)
                    #expect(Int(size) == written, "\(row.property)")
                    #expect(Array(memory[..<written]) == Array(whole[..<written]), "\(row.property)")
                    #expect(memory[written...].allSatisfy { $0 == 0xA5 }, "\(row.property)")
                }
            }
            try program.unit.initialize()
        }
    }

    @Test("of one byte is enough for IsRunning, as programs with a Boolean read it")
    func booleans() throws {
        let program = try Program()
        try program.setRenderCallback()
        try program.unit.initialize()
        for isRunning in [false, true, false, true] {
            if isRunning { #expect(program.unit.start() == 0) } else { try program.unit.stop() }
            #expect(try program.get(.isRunning, .global, 0, as: Bool.self) == isRunning)
        }
    }

    @Test("leaves an error that was read in part")
    func partOfError() throws {
        let program = try Program()
        try program.setRenderCallback()
        program.onRender = { _, _, _ in 0x1234 }
        try program.unit.initialize()
        #expect(program.unit.start() == 0)
        program.engine.stream?.turn()
        #expect(try program.get(.lastRenderError, .global, 0, as: UInt16.self) == 0x1234)
        #expect(try program.get(.lastRenderError, .global, 0, as: Int32.self) == 0x1234)
        #expect(try program.get(.lastRenderError, .global, 0, as: Int32.self) == 0)
    }

    @Test("has its limits: 64 values of an array, 4,096 bytes and 64 descriptions of a layout, and 65,536 frames of a slice")
    func limits() throws {
        let program = try Program()
        func set(_ property: UnitProperty, _ scope: Scope, _ count: Int, descriptions: UInt32 = 0) -> Int32 {
            var data = [UInt8](repeating: 0, count: count)
            if descriptions > 0 {
                data.withUnsafeMutableBytes { $0.storeBytes(of: descriptions, toByteOffset: 8, as: UInt32.self) }
            }
            return status { try program.unit.set(property.rawValue, scope.rawValue, 0, data, UInt32(count)) }
        }
        for _ in 0..<2 {
            #expect(set(.channelMap, .output, 64 * 4) == 0)
            #expect(set(.channelMap, .output, 65 * 4) == -10851)
            for count in [12, 4_096] { #expect(set(.audioChannelLayout, .input, count) == 0) }
            for count in [11, 4_097] { #expect(set(.audioChannelLayout, .input, count) == -10851) }
            #expect(set(.audioChannelLayout, .input, 12 + 64 * 20, descriptions: 64) == 0)
            #expect(set(.audioChannelLayout, .input, 11 + 64 * 20, descriptions: 64) == -10851)
            #expect(set(.audioChannelLayout, .input, 12 + 65 * 20, descriptions: 65) == -10851)
            for (frames, expected) in [(0, -10851), (65_537, -10851), (65_536, 0), (1, 0), (4_096, 0)] as [(UInt32, Int32)] {
                #expect(status { try program.set(.maximumFramesPerSlice, .global, 0, frames) } == expected)
            }
            try program.unit.initialize()
            program.unit.uninitialize()
        }
    }

    @Test("may be larger for a set of a structure, and a format needs no mReserved")
    func largerStructures() throws {
        let program = try Program()
        var format = [UInt8](repeating: 0, count: 64)
        format.withUnsafeMutableBytes {
            $0.storeBytes(of: Program.int16(22_050, channels: 1), as: AudioStreamBasicDescription.self)
        }
        let callback = [UInt8](repeating: 0, count: 48)
        for _ in 0..<2 {
            for (size, result) in [(0, -10851), (35, -10851), (36, 0), (39, 0), (40, 0), (41, 0), (64, 0)] as [(UInt32, Int32)] {
                try program.setFormat(.input, 0, Program.float(44_100, channels: 2))
                #expect(status { try program.unit.set(8, 1, 0, format, size) } == result, "\(size)")
                let rate = try program.get(.sampleRate, .input, 0, as: Double.self)
                #expect(rate == (result == 0 ? 22_050 : 44_100))
            }
            for id in [UnitProperty.setRenderCallback, .setInputCallback, .makeConnection] {
                for (size, result) in [(15, -10851), (16, 0), (17, 0), (48, 0)] as [(UInt32, Int32)] {
                    #expect(status { try program.unit.set(id.rawValue, 1, 0, callback, size) } == result, "\(id) \(size)")
                }
            }
            for (size, result) in [(39, -10851), (40, 0), (48, 0)] as [(UInt32, Int32)] {
                #expect(status { try program.unit.set(27, 0, 0, callback, size) } == result)
            }
            try program.unit.initialize()
        }
    }

    @Test("is exact for a set of a number")
    func numbers() throws {
        let program = try Program()
        let four = [UInt8](bytesOf: UInt32(1)) + [0, 0, 0, 0]
        let eight = [UInt8](bytesOf: 48_000.0) + [0, 0, 0, 0, 0, 0, 0, 0]
        for (id, scope, element) in [(51, 0, 0), (2003, 1, 1), (14, 0, 0), (29, 0, 0), (2007, 0, 0)] as [(UInt32, UInt32, UInt32)]
        {
            for size in [0, 1, 3, 5, 8] as [UInt32] {
                #expect(status { try program.unit.set(id, scope, element, four, size) } == -10851)
            }
            #expect(status { try program.unit.set(id, scope, element, four, 4) } == 0)
        }
        for size in [0, 4, 7, 9, 16] as [UInt32] { #expect(status { try program.unit.set(2, 1, 0, eight, size) } == -10851) }
        #expect(status { try program.unit.set(2, 1, 0, eight, 8) } == 0)
    }

    @Test("of packets and frames may be 0 in a format: it is completed", arguments: UnitKind.allCases.filter { !$0.isPlayer })
    func zeros(kind: UnitKind) throws {
        let program = try Program(kind)
        let zeros: [(inout AudioStreamBasicDescription) -> Void] = [
            { $0.mBytesPerFrame = 0 }, { $0.mBytesPerPacket = 0 }, { $0.mFramesPerPacket = 0 },
            {
                $0.mBytesPerFrame = 0
                $0.mBytesPerPacket = 0
                $0.mFramesPerPacket = 0
            },
        ]
        for whole in [
            Program.int16(16_000, channels: 2), Program.int16(16_000, channels: 2, isInterleaved: false),
            Program.float(16_000, channels: 1),
        ] {
            for zero in zeros {
                for scope in kind.isIO ? [Scope.input] : [.input, .output] {
                    var format = whole
                    zero(&format)
                    try program.setFormat(scope, 0, format)
                    let read = try program.get(.streamFormat, scope, 0, as: AudioStreamBasicDescription.self)
                    #expect(read.mBytesPerFrame == whole.mBytesPerFrame && read.mBytesPerPacket == whole.mBytesPerPacket)
                    #expect(read.mFramesPerPacket == 1)
                }
            }
        }
        // 24 bits in 32: the packet states the container.
        var wide = Program.int16(16_000, channels: 2)
        (wide.mBitsPerChannel, wide.mFormatFlags, wide.mBytesPerPacket, wide.mBytesPerFrame) = (24, 4, 8, 0)
        try program.setFormat(.input, 0, wide)
        #expect(try program.get(.streamFormat, .input, 0, as: AudioStreamBasicDescription.self).mBytesPerFrame == 8)
        // Nothing completes a format without channels or bits.
        for empty in [{ $0.mChannelsPerFrame = 0 }, { $0.mBitsPerChannel = 0 }] as [(inout AudioStreamBasicDescription) -> Void] {
            var format = Program.int16(16_000, channels: 2)
            zeros[3](&format)
            empty(&format)
            #expect(status { try program.setFormat(.input, 0, format) } == -10868)
        }
    }

    @Test("of the callbacks that can be read: the callback that was set last")
    func callbacks() throws {
        func isOurs(_ structure: AURenderCallbackStruct, _ program: Program) -> Bool {
            structure.inputProc != nil && structure.inputProcRefCon == program.reference
        }
        let program = try Program()
        for property in [UnitProperty.setRenderCallback, .setInputCallback] {
            #expect(try program.get(property, .global, 0, as: AURenderCallbackStruct.self).inputProc == nil)
        }
        for _ in 0..<2 {
            try program.setRenderCallback()
            #expect(isOurs(try program.get(.setRenderCallback, .input, 0, as: AURenderCallbackStruct.self), program))
            try program.setInputCallback()
            #expect(isOurs(try program.get(.setInputCallback, .global, 1, as: AURenderCallbackStruct.self), program))
            for property in [UnitProperty.setRenderCallback, .setInputCallback] {
                try program.set(property, .global, 0, AURenderCallbackStruct(inputProc: nil, inputProcRefCon: nil))
                let none = try program.get(property, .global, 0, as: AURenderCallbackStruct.self)
                #expect(none.inputProc == nil && none.inputProcRefCon == nil)
            }
            try program.unit.initialize()
        }
        let mixer = try Program(.mixer)
        try mixer.setRenderCallback(.input, 3)
        #expect(isOurs(try mixer.get(.setRenderCallback, .input, 3, as: AURenderCallbackStruct.self), mixer))
        #expect(try mixer.get(.setRenderCallback, .input, 2, as: AURenderCallbackStruct.self).inputProc == nil)
        // A connection is no callback.
        let converter = try Program(.converter, on: program.engine, in: mixer.context)
        try mixer.set(
            .makeConnection, .input, 3,
            AudioUnitConnection(sourceAudioUnit: converter.unit.handle, sourceOutputNumber: 0, destInputNumber: 3))
        #expect(try mixer.get(.setRenderCallback, .input, 3, as: AURenderCallbackStruct.self).inputProc == nil)
    }
}

extension [UInt8] {
    fileprivate init<Value>(bytesOf value: Value) { self = Swift.withUnsafeBytes(of: value) { Array($0) } }
}

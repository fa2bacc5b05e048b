// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import TestSupport
import Testing

/// The properties of RemoteIO that documents name: property, scope, element, size, whether it can be set before
/// initialization, and while the unit is initialized.
private let ofRemoteIO: [(id: UInt32, scope: UInt32, element: UInt32, size: UInt32, before: Bool, after: Bool)] = [
    (8, 1, 0, 40, true, true), (8, 2, 1, 40, true, true), (8, 2, 0, 40, false, false), (8, 1, 1, 40, false, false),
    (2003, 1, 1, 4, true, false), (2003, 2, 0, 4, true, false), (14, 0, 0, 4, true, false), (23, 1, 0, 16, true, true),
    (2005, 0, 0, 16, true, true), (2005, 0, 1, 16, true, true), (2005, 1, 0, 16, true, true), (2001, 0, 0, 4, false, false),
    (6, 0, 0, 4, false, false), (12, 0, 0, 8, false, false), (11, 1, 0, 4, false, false), (22, 0, 0, 4, false, false),
    (51, 2, 1, 4, true, true), (2, 1, 0, 8, true, true), (2, 2, 0, 8, false, false), (2006, 1, 1, 4, false, false),
    (101, 0, 0, 4, false, false), (13, 0, 0, 4, false, false), (20, 0, 0, 8, false, false), (29, 0, 0, 4, true, true),
    (1, 1, 0, 16, true, true), (2004, 0, 0, 72, true, true), (2007, 0, 0, 4, true, true), (27, 0, 0, 40, true, true),
    (40, 0, 0, 8, true, true), (19, 1, 0, 32, true, true), (2002, 2, 0, 8, true, true), (3, 0, 0, 4, false, false),
    (4, 0, 14, 104, false, false),
]

@Suite("Properties of units")
struct PropertyTests {
    @Test("have the size and the access that programs expect")
    func table() throws {
        let program = try Program()
        try program.enableInput()
        for isInitialized in [false, true] {
            if isInitialized { try program.unit.initialize() }
            for row in ofRemoteIO {
                let info = try program.unit.info(row.id, row.scope, row.element)
                #expect(info.size == row.size, "size of \(row.id)")
                #expect(info.isWritable == (isInitialized ? row.after : row.before), "access of \(row.id)")
            }
        }
    }

    @Test("that do not exist are errors, checked in the order property, scope, element, access, state, size")
    func errors() throws {
        let program = try Program()
        let unit = program.unit
        var size: UInt32 = 40
        var memory = [UInt8](repeating: 0, count: 200)
        #expect(status { try unit.get(9_999, 7, 7, &memory, &size) } == -10879)
        #expect(status { try unit.get(3014, 0, 0, &memory, &size) } == -10879)
        #expect(status { try unit.get(8, 7, 7, &memory, &size) } == -10866)
        #expect(status { try unit.get(8, 0, 0, &memory, &size) } == -10866)
        #expect(status { try unit.get(8, 1, 2, &memory, &size) } == -10877)
        #expect(status { try unit.get(2003, 0, 1, &memory, &size) } == -10866)
        #expect(status { try unit.get(2003, 1, 0, &memory, &size) } == -10877)
        #expect(status { try unit.get(1, 1, 0, &memory, &size) } == -10879)
        #expect(memory == [UInt8](repeating: 0, count: 200))
        try unit.get(8, 1, 0, nil, &size)
        #expect(size == 40)
        #expect(status { try unit.set(8, 2, 0, memory, 40) } == -10865)
        #expect(status { try unit.set(8, 1, 1, memory, 7) } == -10865)
        #expect(status { try unit.set(2001, 0, 0, memory, 4) } == -10865)
        #expect(status { try unit.set(23, 1, 0, nil, 0) } == -10851)
        #expect(status { try unit.set(23, 1, 0, memory, 15) } == -10851)
        #expect(status { try unit.set(23, 1, 0, nil, 16) } == -10851)
        #expect(status { try unit.set(14, 0, 0, memory, 4) } == -10851)
        try unit.initialize()
        #expect(status { try unit.set(14, 0, 0, memory, 3) } == -10849)
        #expect(status { try unit.set(2003, 1, 1, memory, 4) } == -10849)
    }

    /// Formats that cannot be done, and what is wrong with each.
    static let contradictions: [(change: @Sendable (inout AudioStreamBasicDescription) -> Void, why: String)] = [
        ({ $0.mSampleRate = 3_999 }, "rate"), ({ $0.mSampleRate = 192_001 }, "rate"), ({ $0.mSampleRate = .nan }, "rate"),
        ({ $0.mSampleRate = -1 }, "rate"), ({ $0.mFormatID = 0x6161_6320 }, "codec"), ({ $0.mChannelsPerFrame = 0 }, "channels"),
        ({ $0.mChannelsPerFrame = 9 }, "channels"), ({ $0.mBytesPerFrame = 3 }, "frame"), ({ $0.mBytesPerPacket = 1 }, "packet"),
        ({ $0.mFramesPerPacket = 2 }, "packet"), ({ $0.mBitsPerChannel = 24 }, "bits"),
        ({ $0.mFormatFlags = 1 << 12 | 9 }, "fraction"),
        ({ $0.mFormatFlags = 0xD }, "float of 16 bits"),
    ]

    @Test("refuse formats that contradict themselves, and keep the old one", arguments: contradictions.indices)
    func badFormats(index: Int) throws {
        let program = try Program()
        try program.setFormat(.input, 0, Program.int16(48_000, channels: 2))
        for _ in 0..<2 {
            var format = Program.int16(48_000, channels: 2)
            PropertyTests.contradictions[index].change(&format)
            #expect(status { try program.setFormat(.input, 0, format) } == -10868)
            let kept = try program.get(.streamFormat, .input, 0, as: AudioStreamBasicDescription.self)
            #expect(kept.mSampleRate == 48_000 && kept.mBytesPerFrame == 4)
            try program.unit.initialize()
        }
    }

    @Test("take the hardware's rate for 0")
    func rateZero() throws {
        let program = try Program { $0.hardware.output_rate = 32_000 }
        program.engine.hardware.input_rate = 16_000
        try program.setFormat(.input, 0, Program.int16(0, channels: 2))
        try program.setFormat(.output, 1, Program.int16(0, channels: 1))
        #expect(try program.get(.streamFormat, .input, 0, as: AudioStreamBasicDescription.self).mSampleRate == 32_000)
        #expect(try program.get(.streamFormat, .output, 1, as: AudioStreamBasicDescription.self).mSampleRate == 16_000)
        #expect(try program.get(.sampleRate, .output, 1, as: Double.self) == 16_000)
        // Without hardware the rate stays what it was.
        program.engine.hardware.output_rate = 0
        try program.setFormat(.input, 0, Program.int16(0, channels: 1))
        #expect(try program.get(.sampleRate, .input, 0, as: Double.self) == 32_000)
        try program.set(.sampleRate, .input, 0, 22_050.0)
        #expect(try program.get(.streamFormat, .input, 0, as: AudioStreamBasicDescription.self).mSampleRate == 22_050)
        // 0 stands for the rate of the hardware, as in a format.
        try program.set(.sampleRate, .input, 0, 0.0)
        #expect(try program.get(.sampleRate, .input, 0, as: Double.self) == 22_050)
        program.engine.hardware.output_rate = 48_000
        try program.set(.sampleRate, .input, 0, 0.0)
        #expect(try program.get(.sampleRate, .input, 0, as: Double.self) == 48_000)
        for rate in [-1, 3_999, 192_001, Double.nan, .infinity] {
            #expect(status { try program.set(.sampleRate, .input, 0, rate) } == -10851)
        }
    }

    @Test("are reset in scopes and elements that exist")
    func reset() throws {
        let mixer = try Program(.mixer)
        for (kind, elements) in [(UnitKind.remoteIO, [2, 2, 2]), (.converter, [1, 1, 1]), (.mixer, [1, 8, 1])] {
            let program = kind == .mixer ? mixer : try Program(kind)
            for scope in UInt32(0)..<3 {
                let count = UInt32(elements[Int(scope)])
                for element in 0..<count { #expect(status { try program.unit.reset(scope, element) } == 0) }
                #expect(status { try program.unit.reset(scope, count) } == -10877)
            }
            #expect(status { try program.unit.reset(3, 0) } == -10866)
        }
    }

    @Test("store each number and each layout that is set")
    func values() throws {
        let program = try Program()
        for property in [UnitProperty.inPlaceProcessing, .shouldAllocateBuffer, .startTimestampsAtZero] {
            #expect(try program.get(property, .global, 0, as: UInt32.self) == 1)
            try program.set(property, .global, 0, UInt32(0))
            #expect(try program.get(property, .global, 0, as: UInt32.self) == 0)
        }
        #expect(try program.get(.maximumFramesPerSlice, .global, 0, as: UInt32.self) == 4096)
        try program.set(.maximumFramesPerSlice, .global, 0, UInt32(512))
        #expect(try program.get(.maximumFramesPerSlice, .global, 0, as: UInt32.self) == 512)
        #expect(try program.get(.elementCount, .input, 0, as: UInt32.self) == 2)
        #expect(try program.get(.elementCount, .global, 0, as: UInt32.self) == 1)
        #expect(try program.get(.cpuLoad, .global, 0, as: Float.self) == 0)
        var layout = AudioChannelLayout()
        #expect(try program.get(.audioChannelLayout, .input, 0, as: AudioChannelLayout.self).mChannelLayoutTag == 101 << 16 | 2)
        layout.mChannelLayoutTag = 100 << 16 | 1
        try program.set(.audioChannelLayout, .input, 0, layout)
        #expect(try program.get(.audioChannelLayout, .input, 0, as: AudioChannelLayout.self).mChannelLayoutTag == 100 << 16 | 1)
        layout.mNumberChannelDescriptions = 2
        #expect(status { try program.set(.audioChannelLayout, .input, 0, layout) } == -10851)
        let converter = try Program(.converter)
        #expect(try converter.get(.maximumFramesPerSlice, .global, 0, as: UInt32.self) == 1024)
        #expect(try converter.get(.renderQuality, .global, 0, as: UInt32.self) == 64)
        try converter.set(.renderQuality, .global, 0, UInt32(127))
        #expect(status { try converter.set(.renderQuality, .global, 0, UInt32(128)) } == -10851)
        #expect(status { try converter.set(.sampleRateConverterComplexity, .global, 0, UInt32(1)) } == -10851)
        #expect(status { try converter.set(.enableIO, .input, 1, UInt32(1)) } == -10879)
        #expect(try program.get(.hasIO, .input, 1, as: UInt32.self) == 1)
        program.engine.hardware.input_rate = 0
        #expect(try program.get(.hasIO, .input, 1, as: UInt32.self) == 0)
    }

    @Test(
        "of quality choose the filter that changes the rate: a better one is longer",
        arguments: UnitKind.allCases.filter { !$0.isPlayer })
    func quality(of kind: UnitKind) throws {
        func latency(_ quality: UInt32, complexity: UInt32? = nil) throws -> Double {
            let program = try Program(kind)
            try program.setFormat(.input, 0, Program.float(44_100, channels: 1))
            if !kind.isIO { try program.setFormat(.output, 0, Program.float(48_000, channels: 1)) }
            try program.set(.renderQuality, .global, 0, quality)
            if let complexity { try program.set(.sampleRateConverterComplexity, .global, 0, complexity) }
            try program.unit.initialize()
            if kind.isIO { #expect(program.unit.start() == 0) }
            return try program.get(.latency, .global, 0, as: Double.self)
        }
        let latencies = try [0, 0x20, 0x40, 0x60, 0x7F].map { try latency($0) }
        #expect(latencies == latencies.sorted() && Set(latencies).count == 5 && latencies[0] > 0)
        #expect(latencies[2] == 48.0 / 44_100)
        guard !kind.isIO else { return }
        #expect(try latency(0, complexity: 0x6261_7473) == latencies[4])
        #expect(try latency(127, complexity: 0x6C69_6E65) < latencies[0])
    }

    @Test("accept callbacks at every place where programs set them")
    func callbackPlaces() throws {
        for (scope, element) in [(Scope.input, UInt32(0)), (.global, 0), (.global, 1), (.output, 1), (.output, 0), (.input, 1)] {
            let program = try Program()
            try program.enableInput()
            try program.setRenderCallback(scope, element)
            try program.setInputCallback(scope, element)
            try program.unit.initialize()
            #expect(program.unit.start() == 0)
            program.engine.stream?.turn([Float](repeating: 0, count: 1115))
            #expect(program.renders.count == 1 && program.inputs.count == 1)
        }
    }

    @Test("survive random ids, places, sizes and bytes")
    func random() throws {
        var generator = SeededGenerator(4)
        let programs = try UnitKind.allCases.map { try Program($0) }
        var memory = [UInt8](repeating: 0, count: 256)
        let ids = UnitProperty.allCases.map { $0.rawValue } + [0, 5, 7, 9, 2000, UInt32.max]
        for _ in 0..<30_000 {
            let program = programs[Int.random(in: programs.indices, using: &generator)]
            let id = ids[Int.random(in: ids.indices, using: &generator)]
            let scope = UInt32.random(in: 0...4, using: &generator)
            let element =
                UInt32.random(in: 0...3, using: &generator) == 3
                ? UInt32.random(in: 0...UInt32.max, using: &generator) : UInt32.random(in: 0...2, using: &generator)
            // Pointers among random bytes would be called.
            let hasPointers = [1, 23, 27, 2005, 3300, 3310, 3311].contains(id)
            for index in memory.indices { memory[index] = hasPointers ? 0 : UInt8.random(in: 0...255, using: &generator) }
            var size = ([0, 1, 4, 8, 16, 32, 40, 72, 104, 200] as [UInt32]).randomElement(using: &generator) ?? 4
            switch Int.random(in: 0..<9, using: &generator) {
            case 0: _ = status { _ = try program.unit.info(id, scope, element) }
            case 1...3:
                let before = memory
                let room = size
                _ = status { try program.unit.get(id, scope, element, &memory, &size) }
                #expect(memory[Int(room)...] == before[Int(room)...])
            case 4...6: _ = status { try program.unit.set(id, scope, element, memory, size) }
            case 7: _ = status { try program.unit.initialize() }
            default: program.unit.uninitialize()
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import AudioUnits
import CAudioToolbox
import TestSupport
import Testing

extension Program {
    /// Sets an array.
    fileprivate func setArray<Element: BitwiseCopyable>(
        _ property: UnitProperty, _ scope: Scope, _ element: UInt32, _ values: [Element]
    ) throws {
        try values.withUnsafeBytes { try unit.set(property.rawValue, scope.rawValue, element, $0.baseAddress, UInt32($0.count)) }
    }

    fileprivate func getArray<Element: BitwiseCopyable>(
        _ property: UnitProperty, _ scope: Scope, _ element: UInt32, of zero: Element
    ) throws
        -> [Element]
    {
        var values = [Element](repeating: zero, count: 64)
        var size = UInt32(64 * MemoryLayout<Element>.stride)
        try unit.get(property.rawValue, scope.rawValue, element, &values, &size)
        return Array(values[..<(Int(size) / MemoryLayout<Element>.stride)])
    }

    /// Channel n of the source has the value n + 1.
    fileprivate func playChannelNumbers() {
        onRender = { _, _, list in
            let channels = Int(list.pointee.mBuffers.mNumberChannels)
            for index in samples(list, as: Float.self).indices {
                samples(list, as: Float.self)[index] = Float(index % channels + 1)
            }
            return 0
        }
    }

    /// The last rendered frame.
    fileprivate func lastFrame(_ frames: Int, channels: Int, time: Double = 0) throws -> [Float] {
        var list = AudioBufferList(mNumberBuffers: 1, mBuffers: AudioBuffer())
        #expect(render(0, frames, &list, time: time) == 0)
        return Array(samples(&list, as: Float.self).suffix(channels))
    }
}

@Suite("Channels of units")
struct ChannelTests {
    @Test(
        "of a converter follow its map, also when the rate changes", arguments: [UnitKind.converter, .genericOutput],
        [44_100.0, 22_050])
    func map(kind: UnitKind, rate: Double) throws {
        let program = try Program(kind)
        try program.setFormat(.input, 0, Program.float(44_100, channels: 3))
        try program.setFormat(.output, 0, Program.float(rate, channels: 4))
        try program.setRenderCallback()
        program.playChannelNumbers()
        #expect(try program.getArray(.channelMap, .output, 0, of: Int32(0)) == [0, 1, 2, -1])
        #expect(try program.unit.info(2002, 2, 0).isWritable)
        for _ in 0..<2 {
            try program.unit.initialize()
            for (map, expected) in [
                ([2, -1, 0, 0], [3, 0, 1, 1]), ([1], [2, 0, 0, 0]), ([0, 1, 2, -1], [1, 2, 3, 0]),
                ([7, 1, -3, 0], [0, 2, 0, 1]),
            ]
                as [([Int32], [Float])]
            {
                try program.setArray(.channelMap, .output, 0, map)
                #expect(try program.getArray(.channelMap, .input, 0, of: Int32(0)) == map)
                let frame = try program.lastFrame(512, channels: 4)
                #expect(zip(frame, expected).allSatisfy { abs($0 - $1) < 0.01 }, "\(map)")
            }
            program.unit.uninitialize()
        }
        #expect(status { try program.setArray(.channelMap, .output, 0, [Int32]()) } == -10851)
        #expect(status { try program.setArray(.channelMap, .global, 0, [Int32(0)]) } == -10866)
        #expect(status { try Program(.mixer).setArray(.channelMap, .output, 0, [Int32(0)]) } == -10879)
    }

    @Test(
        "of a converter without a map go to the same channels, and mono to the first two",
        arguments: [UnitKind.converter, .genericOutput], [1, 2, 3] as [UInt32])
    func defaultMap(kind: UnitKind, channels: UInt32) throws {
        for target in 1...5 as ClosedRange<UInt32> {
            let program = try Program(kind)
            try program.setFormat(.input, 0, Program.float(44_100, channels: channels))
            try program.setFormat(.output, 0, Program.float(44_100, channels: target))
            try program.setRenderCallback()
            program.playChannelNumbers()
            let map = (0..<Int32(target)).map { channels == 1 && $0 < 2 ? 0 : $0 < channels ? $0 : -1 }
            #expect(try program.getArray(.channelMap, .output, 0, of: Int32(0)) == map, "\(channels) to \(target)")
            try program.unit.initialize()
            // A single channel is the mean of two.
            let frame = channels == 2 && target == 1 ? [1.5] : map.map { Float($0 + 1) }
            #expect(try program.lastFrame(512, channels: Int(target)) == frame, "\(channels) to \(target)")
        }
    }

    @Test(
        "of a converter's source have sample times from 0, or those of the caller",
        arguments: [UnitKind.converter, .genericOutput])
    func times(kind: UnitKind) throws {
        for (rate, ratio) in [(44_100.0, 1.0), (22_050, 2)] {
            let program = try Program(kind)
            try program.setFormat(.input, 0, Program.float(44_100, channels: 1))
            try program.setFormat(.output, 0, Program.float(rate, channels: 1))
            try program.setRenderCallback()
            #expect(try program.get(.startTimestampsAtZero, .global, 0, as: UInt32.self) == 1)
            for _ in 0..<2 {
                try program.unit.initialize()
                let first = program.renders.count
                for time in [5_000.0, 5_100] { _ = try program.lastFrame(100, channels: 1, time: time) }
                #expect(program.renders[first].time.mSampleTime == 0)
                #expect(program.renders[first + 1].time.mSampleTime == Double(program.renders[first].frames))
                try program.set(.startTimestampsAtZero, .global, 0, UInt32(0))
                let second = program.renders.count
                for time in [5_000.0, 6_000] { _ = try program.lastFrame(100, channels: 1, time: time) }
                #expect(program.renders[second...].map { $0.time.mSampleTime } == [5_000 * ratio, 6_000 * ratio])
                try program.set(.startTimestampsAtZero, .global, 0, UInt32(1))
                try program.unit.reset(0, 0)
                let third = program.renders.count
                _ = try program.lastFrame(100, channels: 1, time: 9_000)
                #expect(program.renders[third].time.mSampleTime == 0)
                program.unit.uninitialize()
            }
        }
        #expect(status { try Program(.mixer).set(.startTimestampsAtZero, .global, 0, UInt32(0)) } == -10879)
    }

    @Test("of a mixer's input have levels for each channel of the output")
    func levels() throws {
        let program = try Program(.mixer)
        try program.setFormat(.input, 2, Program.float(44_100, channels: 2))
        try program.setFormat(.output, 0, Program.float(44_100, channels: 3))
        try program.setRenderCallback(.input, 2)
        program.playChannelNumbers()
        #expect(try program.getArray(.matrixLevels, .input, 2, of: Float(0)) == [1, 0, 0, 0, 1, 0])
        #expect(try program.unit.info(3006, 1, 2).size == 24)
        for _ in 0..<2 {
            try program.unit.initialize()
            #expect(try program.lastFrame(8, channels: 3) == [1, 2, 0])
            try program.setArray(.matrixLevels, .input, 2, [0.5, 0, -1, 2, 1, 0.25] as [Float])
            #expect(try program.getArray(.matrixLevels, .input, 2, of: Float(0)) == [0.5, 0, -1, 2, 1, 0.25])
            #expect(try program.lastFrame(8, channels: 3) == [4.5, 2, -0.5])
            // Volume and pan apply to the channels of the output.
            try program.unit.setParameter(0, 1, 2, 0.5)
            try program.unit.setParameter(2, 1, 2, 0.5)
            _ = try program.lastFrame(8, channels: 3)
            #expect(try program.lastFrame(8, channels: 3) == [1.125, 1, -0.25])
            try program.unit.setParameter(0, 1, 2, 1)
            try program.unit.setParameter(2, 1, 2, 0)
            let moving = try program.lastFrame(8, channels: 3)
            #expect(moving[0] > 1.125 && moving[0] < 4.5)
            _ = try program.lastFrame(8, channels: 3)
            try program.setArray(.matrixLevels, .input, 2, [1, 0, 0, 0, 1, 0] as [Float])
            program.unit.uninitialize()
        }
        // Another number of channels has its own levels.
        try program.setArray(.matrixLevels, .input, 2, [0.5, 0, -1, 2, 1, 0.25] as [Float])
        try program.setFormat(.output, 0, Program.float(44_100, channels: 1))
        #expect(try program.getArray(.matrixLevels, .input, 2, of: Float(0)) == [0.5, 0.5])
        try program.unit.initialize()
        #expect(try program.lastFrame(8, channels: 1) == [1.5])
        try program.setArray(.matrixLevels, .input, 2, [1, 1] as [Float])
        #expect(try program.lastFrame(8, channels: 1) == [3])
        try program.setFormat(.input, 2, Program.float(44_100, channels: 1))
        #expect(try program.getArray(.matrixLevels, .input, 2, of: Float(0)) == [1])
        for bad in [[], [1, 1], [Float.nan], [.infinity]] as [[Float]] {
            #expect(status { try program.setArray(.matrixLevels, .input, 2, bad) } == -10851)
        }
        #expect(status { try program.setArray(.matrixLevels, .input, 8, [Float(1)]) } == -10877)
        #expect(status { try program.setArray(.matrixLevels, .output, 0, [Float(1)]) } == -10866)
        #expect(status { try program.setArray(.matrixLevels, .global, 0, [Float(1)]) } == -10866)
        #expect(status { try Program(.converter).setArray(.matrixLevels, .input, 0, [Float(1)]) } == -10879)
    }
}

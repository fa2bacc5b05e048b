// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

extension OfflineEngine {
    /// A new file with `level(frame)` in both channels. The caller removes it.
    fileprivate func file(_ frames: Int, _ level: (Int) -> Float) throws -> AVAudioFile {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("engine-\(UUID().uuidString).wav")
        let file = try AVAudioFile(forWriting: url, settings: format.settings)
        try file.write(from: buffer(frames, level))
        file.close()
        return try AVAudioFile(forReading: url)
    }
}

@Suite("A player node")
struct EngineFileTests {
    @Test("plays files and segments between buffers, whatever the size of the slices", arguments: [100, 1_024])
    func files(slice: Int) throws {
        let offline = try OfflineEngine()
        let file = try offline.file(70_000) { Float($0) / 131_072 }
        defer { try? FileManager.default.removeItem(at: file.url) }
        let player = offline.player()
        let reports = Reports<Int>()
        player.scheduleSegment(file, startingFrame: 60_000, frameCount: 500, at: nil) { reports.add(0) }
        try player.scheduleBuffer(offline.buffer(10) { _ in 0.5 }) { reports.add(1) }
        player.scheduleFile(file, at: nil) { reports.add(2) }
        try offline.engine.start()
        player.play()
        let sound = try offline.render(70_600, in: slice)[0]
        func ramp(_ frames: Range<Int>) -> [Float] { frames.map { Float($0) / 131_072 } }
        var wanted = ramp(60_000..<60_500)
        wanted += repeatElement(0.5, count: 10)
        wanted += ramp(0..<70_000)
        wanted += repeatElement(0, count: 90)
        let difference = zip(sound, wanted).enumerated().first { $0.element.0 != $0.element.1 }
        let isEqual = sound == wanted
        #expect(isEqual, "the first difference: \(String(describing: difference))")
        #expect(reports.await(3) == [0, 1, 2])
        #expect(file.framePosition == 0)
    }

    @Test("plays each of many files that are scheduled before the first one", arguments: [64, 65, 300])
    func manyFiles(count: Int) throws {
        let offline = try OfflineEngine()
        let file = try offline.file(10) { Float($0 + 1) / 16 }
        defer { try? FileManager.default.removeItem(at: file.url) }
        let (player, reports) = (offline.player(), Reports<Int>())
        for index in 0..<count { player.scheduleFile(file, at: nil) { reports.add(index) } }
        try offline.engine.start()
        player.play()
        let once = (1...10).map { Float($0) / 16 }
        // A further slice: the reader notices the end of a file behind its last frame.
        let sound = try offline.render(10 * count) + offline.render(100)
        let isEqual = sound[0] == Array(repeating: once, count: count).flatMap { $0 }
        #expect(isEqual)
        #expect(reports.await(count) == Array(0..<count))
    }

    @Test("plays the files behind a segment that is refused, and calls no handler for it", arguments: [-1, Int64.min])
    func refusedSegment(start: AVAudioFramePosition) throws {
        let offline = try OfflineEngine()
        let file = try offline.file(10) { Float($0 + 1) / 16 }
        defer { try? FileManager.default.removeItem(at: file.url) }
        let (player, reports) = (offline.player(), Reports<Int>())
        try offline.engine.start()
        for life in 0..<2 {
            for index in [2 * life, 2 * life + 1] {
                player.scheduleSegment(file, startingFrame: start, frameCount: 5, at: nil) { reports.add(-1) }
                player.scheduleFile(file, at: nil) { reports.add(index) }
            }
            player.play()
            let once = (1...10).map { Float($0) / 16 }
            // A further slice: the reader notices the end of a file behind its last frame.
            let sound = try offline.render(20) + offline.render(100)
            // Handlers that are never called would be awaited for a minute.
            try #require(sound[0] == once + once)
            #expect(reports.await(2 * life + 2) == Array(0..<(2 * life + 2)))
            player.stop()
        }
    }

    @Test("waits for the end of what it plays in an asynchronous program, in the order of the calls")
    func asynchronous() async throws {
        let offline = try OfflineEngine()
        let player = offline.player()
        let order = Reports<Int>()
        let buffer = try offline.buffer(100) { _ in 0.5 }
        async let first: Void = {
            await player.scheduleBuffer(buffer)
            order.add(1)
        }()
        try offline.engine.start()
        player.play()
        // Until the task has scheduled the buffer.
        while try offline.render(64)[0].allSatisfy({ $0 == 0 }) { await Task.yield() }
        _ = try offline.render(200)
        await first
        #expect(order.all == [1])
        // A buffer that is refused returns at once.
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1))
        await player.scheduleBuffer(try #require(AVAudioPCMBuffer(pcmFormat: mono, frameCapacity: 10)))
    }

    @Test("plays each asynchronous form once, with the type of its completion, and a refused one at once")
    func asynchronousForms() async throws {
        let offline = try OfflineEngine()
        let file = try offline.file(300) { _ in 0.25 }
        defer { try? FileManager.default.removeItem(at: file.url) }
        let buffer = try offline.buffer(100) { _ in 0.5 }
        let player = offline.player()
        let forms:
            [(
                frames: Int, type: AVAudioPlayerNodeCompletionCallbackType,
                call: () async -> AVAudioPlayerNodeCompletionCallbackType
            )] = [
                (100, .dataRendered, { await player.scheduleBuffer(buffer, completionCallbackType: .dataRendered) }),
                (100, .dataPlayedBack, { await player.scheduleBuffer(buffer, at: nil, completionCallbackType: .dataPlayedBack) }),
                (
                    100, .dataConsumed,
                    {
                        await player.scheduleBuffer(buffer, at: nil, options: [])
                        return .dataConsumed
                    }
                ),
                (
                    300, .dataConsumed,
                    {
                        await player.scheduleFile(file, at: nil)
                        return .dataConsumed
                    }
                ),
                (300, .dataRendered, { await player.scheduleFile(file, at: nil, completionCallbackType: .dataRendered) }),
                (
                    70, .dataConsumed,
                    {
                        await player.scheduleSegment(file, startingFrame: 230, frameCount: 100, at: nil)
                        return .dataConsumed
                    }
                ),
                // Nothing is left of the file.
                (
                    0, .dataConsumed,
                    {
                        await player.scheduleSegment(file, startingFrame: 300, frameCount: 10, at: nil)
                        return .dataConsumed
                    }
                ),
                (
                    50, .dataPlayedBack,
                    {
                        await player.scheduleSegment(
                            file, startingFrame: 50, frameCount: 50, at: nil, completionCallbackType: .dataPlayedBack)
                    }
                ),
            ]
        try offline.engine.start()
        player.play()
        for form in forms {
            nonisolated(unsafe) let call = form.call
            let ended = Reports<AVAudioPlayerNodeCompletionCallbackType>()
            let task = Task { ended.add(await call()) }
            var heard = 0
            while ended.all.isEmpty {
                heard += try offline.render(64)[0].count { $0 != 0 }
                await Task.yield()
            }
            await task.value
            heard += try offline.render(512)[0].count { $0 != 0 }
            #expect(heard == form.frames)
            #expect(ended.all == [form.type])
        }
    }
}

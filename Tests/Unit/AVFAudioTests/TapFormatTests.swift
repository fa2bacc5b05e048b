// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

@Suite("The format of a tap")
struct TapFormatTests {
    private func stereo(_ rate: Double) throws -> AVAudioFormat {
        try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2))
    }

    @Test("is that of a connected bus: another one is refused, and leaves the bus as it is")
    func connectedBus() throws {
        let offline = try OfflineEngine()
        let (player, reports) = (offline.player(), Reports<Double>())
        try offline.engine.start()
        for life in 1...2 {
            player.installTap(onBus: 0, bufferSize: 100, format: try stereo(22_050)) { _, _ in reports.add(0) }
            #expect(player.outputFormat(forBus: 0) == offline.format)
            player.installTap(onBus: 0, bufferSize: 100, format: offline.format) { buffer, _ in
                reports.add(buffer.format.sampleRate)
            }
            player.play()
            _ = try offline.render(100, in: 100)
            #expect(reports.await(life) == Array(repeating: 44_100, count: life))
            player.removeTap(onBus: 0)
        }
    }

    @Test("of a free bus stays while there is a tap, and follows the engine again behind it")
    func freeBus() throws {
        let (engine, mixer) = (AVAudioEngine(), AVAudioMixerNode())
        engine.attach(mixer)
        func setRate(_ rate: Double) throws {
            engine.disableManualRenderingMode()
            try engine.enableManualRenderingMode(.offline, format: try stereo(rate), maximumFrameCount: 512)
        }
        for rate in [32_000.0, 48_000] {
            try setRate(rate)
            mixer.installTap(onBus: 0, bufferSize: 64, format: nil) { _, _ in }
            try setRate(22_050)
            #expect(mixer.outputFormat(forBus: 0).sampleRate == rate)
            mixer.removeTap(onBus: 0)
            #expect(mixer.outputFormat(forBus: 0).sampleRate == 22_050)
        }
        // A format of the program is no format of the tap.
        for rate in [16_000.0, 24_000] {
            mixer.installTap(onBus: 0, bufferSize: 64, format: try stereo(rate)) { _, _ in }
            mixer.removeTap(onBus: 0)
            #expect(mixer.outputFormat(forBus: 0).sampleRate == rate)
        }
    }
    @Test("of a bus that was connected meanwhile stays that of the connection")
    func connectedMeanwhile() throws {
        let offline = try OfflineEngine()
        let (engine, mixer) = (offline.engine, AVAudioMixerNode())
        engine.attach(mixer)
        for rate in [16_000.0, 32_000] {
            mixer.installTap(onBus: 0, bufferSize: 64, format: nil) { _, _ in }
            engine.connect(mixer, to: engine.mainMixerNode, format: try stereo(rate))
            mixer.removeTap(onBus: 0)
            #expect(mixer.outputFormat(forBus: 0).sampleRate == rate)
            engine.disconnectNodeOutput(mixer)
        }
    }
}

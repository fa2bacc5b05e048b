// SPDX-License-Identifier: Apache-2.0
// bounce SOURCE TARGET: plays a file through an equalizer into another file, as fast as the processor can.
import AVFAudio

guard CommandLine.arguments.count == 3 else {
    print("usage: bounce SOURCE TARGET")
    exit(2)
}
let source = try AVAudioFile(forReading: URL(fileURLWithPath: CommandLine.arguments[1]))
let format = source.processingFormat
let engine = AVAudioEngine()
let player = AVAudioPlayerNode()
let equalizer = AVAudioUnitEQ(numberOfBands: 1)
equalizer.bands[0].filterType = .lowShelf
equalizer.bands[0].frequency = 120
equalizer.bands[0].gain = 6
equalizer.bands[0].bypass = false
engine.attach(player)
engine.attach(equalizer)
engine.connect(player, to: equalizer, format: format)
engine.connect(equalizer, to: engine.mainMixerNode, format: format)
player.scheduleFile(source, at: nil)

try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4096)
try engine.start()
player.play()
guard
    let buffer = AVAudioPCMBuffer(
        pcmFormat: engine.manualRenderingFormat, frameCapacity: engine.manualRenderingMaximumFrameCount)
else { exit(1) }
let target = try AVAudioFile(forWriting: URL(fileURLWithPath: CommandLine.arguments[2]), settings: source.fileFormat.settings)
while engine.manualRenderingSampleTime < source.length {
    let left = source.length - engine.manualRenderingSampleTime
    switch try engine.renderOffline(min(AVAudioFrameCount(left), buffer.frameCapacity), to: buffer) {
    case .success: try target.write(from: buffer)
    case .insufficientDataFromInputNode, .cannotDoInCurrentContext: continue
    case .error: exit(1)
    @unknown default: exit(1)
    }
}
player.stop()
engine.stop()
target.close()
print("wrote \(source.length) frames")

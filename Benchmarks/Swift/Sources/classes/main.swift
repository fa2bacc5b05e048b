// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioToolbox

// classes TURNS FOLDER: the classes of AVFAudio, and the C functions behind them, in turn: an engine that renders eight players
// offline beside the same units, a file by AVAudioFile beside ExtAudioFile, and a change of the rate by AVAudioConverter beside
// AudioConverter. Processor time of the thread.

let turns = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8
let folder = CommandLine.arguments.dropFirst(2).first ?? NSTemporaryDirectory()
let rate = 44_100.0
let players = 8
let slice: AVAudioFrameCount = 512

/// Ends the program when a call fails without which the figures mean nothing.
func require<Value>(_ value: Value?, _ what: String) -> Value {
    guard let value else {
        FileHandle.standardError.write(Data("classes: \(what)\n".utf8))
        exit(1)
    }
    return value
}

func require(_ status: OSStatus, _ what: String) { if status != 0 { _ = require(nil as Int?, "\(what): \(status)") } }

/// A sample is a line: table, subject, round, unit, value, as measure.h has it.
func sample(_ table: String, _ subject: String, _ milliseconds: Double) {
    let round = ProcessInfo.processInfo.environment["BENCH_ROUND"] ?? "1"
    print("\(table)\t\(subject)\t\(round)\tms\t\(milliseconds)")
}

func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// Measures two ways of the same work in turn. The first turn of each is not counted.
func compare(_ table: String, _ first: (String, () throws -> Void), _ second: (String, () throws -> Void)) throws {
    for turn in 0...turns {
        for way in [first, second] {
            let begin = processorTime()
            try way.1()
            if turn > 0 { sample(table, way.0, processorTime() - begin) }
        }
    }
}

let format = require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2), "the format")
let seconds = 10
let frames = AVAudioFrameCount(rate) * AVAudioFrameCount(seconds)

let sound = require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames), "a buffer")
sound.frameLength = frames
for channel in 0..<2 {
    let samples = require(sound.floatChannelData, "samples")[channel]
    for frame in 0..<Int(frames) { samples[frame] = Float((frame * 3 + channel) % 400 - 200) / 4_000 }
}

// MARK: Eight players and a mixer

let target = require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: slice), "a buffer")

func renderEngine() throws {
    let engine = AVAudioEngine()
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: slice)
    let nodes = (0..<players).map { _ in AVAudioPlayerNode() }
    for node in nodes {
        engine.attach(node)
        engine.connect(node, to: engine.mainMixerNode, format: format)
        node.scheduleBuffer(sound)
    }
    try engine.start()
    for node in nodes { node.play() }
    for _ in 0..<(frames / slice) { _ = try engine.renderOffline(slice, to: target) }
}

func unit(_ type: UInt32, _ subtype: UInt32) -> AudioUnit {
    var description = AudioComponentDescription(
        componentType: type, componentSubType: subtype, componentManufacturer: UInt32(kAudioUnitManufacturer_Apple),
        componentFlags: 0, componentFlagsMask: 0)
    var made: AudioComponentInstance?
    require(AudioComponentInstanceNew(require(AudioComponentFindNext(nil, &description), "a component"), &made), "a unit")
    return require(made, "a unit")
}

func set<Value>(_ unit: AudioUnit, _ property: UInt32, _ scope: UInt32, _ element: UInt32, _ value: Value) {
    withUnsafeBytes(of: value) {
        require(AudioUnitSetProperty(unit, property, scope, element, $0.baseAddress, UInt32($0.count)), "property \(property)")
    }
}

/// The units that a program in C makes for the same sound.
func renderUnits() {
    let mixer = unit(UInt32(kAudioUnitType_Mixer), UInt32(kAudioUnitSubType_MultiChannelMixer))
    let description = format.streamDescription.pointee
    set(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, UInt32(players))
    set(mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, description)
    var sources: [AudioUnit] = []
    let slices = UnsafeMutablePointer<ScheduledAudioSlice>.allocate(capacity: players)
    for index in 0..<players {
        let source = unit(UInt32(kAudioUnitType_Generator), UInt32(kAudioUnitSubType_ScheduledSoundPlayer))
        set(source, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, description)
        let connection = AudioUnitConnection(sourceAudioUnit: source, sourceOutputNumber: 0, destInputNumber: UInt32(index))
        set(mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, UInt32(index), description)
        set(mixer, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, UInt32(index), connection)
        require(AudioUnitInitialize(source), "AudioUnitInitialize")
        var scheduled = ScheduledAudioSlice()
        scheduled.mTimeStamp.mFlags = .sampleTimeValid
        scheduled.mNumberFrames = frames
        scheduled.mBufferList = sound.mutableAudioBufferList
        (slices + index).initialize(to: scheduled)
        require(
            AudioUnitSetProperty(
                source, kAudioUnitProperty_ScheduleAudioSlice, kAudioUnitScope_Global, 0, slices + index,
                UInt32(MemoryLayout<ScheduledAudioSlice>.size)), "ScheduleAudioSlice")
        var start = AudioTimeStamp()
        start.mSampleTime = -1
        start.mFlags = .sampleTimeValid
        set(source, kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0, start)
        sources.append(source)
    }
    let output = unit(UInt32(kAudioUnitType_Output), UInt32(kAudioUnitSubType_GenericOutput))
    set(output, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, description)
    set(output, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, description)
    let connection = AudioUnitConnection(sourceAudioUnit: mixer, sourceOutputNumber: 0, destInputNumber: 0)
    set(output, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, connection)
    for unit in [mixer, output] { require(AudioUnitInitialize(unit), "AudioUnitInitialize") }
    var time = AudioTimeStamp()
    time.mFlags = .sampleTimeValid
    target.frameLength = slice
    for _ in 0..<(frames / slice) {
        var flags = AudioUnitRenderActionFlags(rawValue: 0)
        require(AudioUnitRender(output, &flags, &time, 0, slice, target.mutableAudioBufferList), "AudioUnitRender")
        time.mSampleTime += Double(slice)
    }
    for unit in [output, mixer] + sources { require(AudioComponentInstanceDispose(unit), "AudioComponentInstanceDispose") }
    slices.deallocate()
}

try compare("swift-graph", ("AVAudioEngine", renderEngine), ("the units by C functions", renderUnits))

// MARK: A file

let url = URL(fileURLWithPath: folder).appendingPathComponent("classes.wav")
var settings = format.settings
settings[AVLinearPCMBitDepthKey] = 16
settings[AVLinearPCMIsFloatKey] = false
do {
    let file = try AVAudioFile(forWriting: url, settings: settings)
    try file.write(from: sound)
    file.close()
}

let block = require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4_096), "a buffer")

func readByClass() throws {
    let file = try AVAudioFile(forReading: url)
    repeat { try file.read(into: block) } while block.frameLength > 0
}

func readByFunctions() {
    var opened: ExtAudioFileRef?
    require(ExtAudioFileOpenURL(url as NSURL, &opened), "ExtAudioFileOpenURL")
    let file = require(opened, "a file")
    set(file, format.streamDescription.pointee)
    while true {
        var count = block.frameCapacity
        block.frameLength = count
        require(ExtAudioFileRead(file, &count, block.mutableAudioBufferList), "ExtAudioFileRead")
        if count == 0 { break }
    }
    require(ExtAudioFileDispose(file), "ExtAudioFileDispose")
}

func set(_ file: ExtAudioFileRef, _ client: AudioStreamBasicDescription) {
    withUnsafeBytes(of: client) { bytes in
        if let address = bytes.baseAddress {
            require(
                ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, UInt32(bytes.count), address), "the format")
        }
    }
}

try compare("swift-file", ("AVAudioFile", readByClass), ("ExtAudioFile", readByFunctions))

// MARK: Another rate

let wanted = require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2), "the format")
let converted = require(AVAudioPCMBuffer(pcmFormat: wanted, frameCapacity: 4_096), "a buffer")

func convertByClass() throws {
    let converter = require(AVAudioConverter(from: format, to: wanted), "a converter")
    nonisolated(unsafe) var isGiven = false
    while true {
        var error: NSError?
        let status = converter.convert(to: converted, error: &error) { _, status in
            status.pointee = isGiven ? .endOfStream : .haveData
            defer { isGiven = true }
            return isGiven ? nil : sound
        }
        if status != .haveData { break }
    }
}

func convertByFunctions() {
    var made: AudioConverterRef?
    require(AudioConverterNew(format.streamDescription, wanted.streamDescription, &made), "AudioConverterNew")
    let converter = require(made, "a converter")
    var isGiven = false
    let supply: AudioConverterComplexInputDataProc = { _, packets, list, _, reference in
        guard let reference, let isGiven = Optional(reference.assumingMemoryBound(to: Bool.self)), !isGiven.pointee else {
            packets.pointee = 0
            return 0
        }
        isGiven.pointee = true
        packets.pointee = sound.frameLength
        let from = UnsafeMutableAudioBufferListPointer(sound.mutableAudioBufferList)
        let to = UnsafeMutableAudioBufferListPointer(list)
        for index in 0..<to.count { to[index] = from[index] }
        return 0
    }
    while true {
        var count = converted.frameCapacity
        converted.frameLength = count
        require(
            AudioConverterFillComplexBuffer(converter, supply, &isGiven, &count, converted.mutableAudioBufferList, nil),
            "AudioConverterFillComplexBuffer")
        if count == 0 { break }
    }
    require(AudioConverterDispose(converter), "AudioConverterDispose")
}

try compare("swift-converter", ("AVAudioConverter", convertByClass), ("AudioConverter", convertByFunctions))

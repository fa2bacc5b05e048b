// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

@Suite struct PortTests {
    @Test("A port has a kind, a name, an identity and channels")
    func port() throws {
        let session = try singleProgram().session
        let speaker = try #require(session.currentRoute.outputs.first)
        #expect(speaker.portType == .builtInSpeaker)
        #expect(speaker.portName == "Speaker")
        #expect(speaker.uid == "simulated:speaker:output")
        #expect(speaker.channels?.map { $0.channelNumber } == [1, 2])
        #expect(speaker.channels?.map { $0.channelLabel } == [1, 2])
        #expect(speaker.channels?.map { $0.owningPortUID } == [speaker.uid, speaker.uid])
        #expect(speaker.dataSources == nil)
        #expect(!speaker.hasHardwareVoiceCallProcessing)
        #expect(session.currentRoute == session.currentRoute)
        #expect(Set([session.currentRoute, session.currentRoute]).count == 1)
    }

    @Test(
        "Each kind of device has its port types",
        arguments: [
            ("headset", [AVAudioSession.Port.headsetMic], [AVAudioSession.Port.headphones]),
            ("line-in", [.lineIn], [.builtInReceiver]), ("line-out", [.builtInMic], [.lineOut]),
            ("hdmi", [.builtInMic], [.HDMI]), ("usb", [.usbAudio], [.usbAudio]),
            ("bluetooth-hfp", [.bluetoothHFP], [.bluetoothHFP]), ("bluetooth-a2dp", [.builtInMic], [.bluetoothA2DP]),
            ("airplay", [.builtInMic], [.airPlay]),
        ])
    func types(device: String, inputs: [AVAudioSession.Port], outputs: [AVAudioSession.Port]) throws {
        let program = try singleProgram()
        try program.session.setCategory(.playAndRecord, options: [.allowBluetooth, .allowBluetoothA2DP, .allowAirPlay])
        try program.simulate("plug \(device)")
        #expect(program.inputs == inputs)
        #expect(program.outputs == outputs)
    }
}

@Suite struct InputTests {
    @Test("The inputs that the category can use are available; without input there is no list")
    func available() throws {
        let program = try singleProgram()
        #expect(program.session.availableInputs == nil)
        try program.simulate("plug headset")
        try program.simulate("plug bluetooth-hfp")
        try program.session.setCategory(.record)
        #expect(program.session.availableInputs?.map { $0.portType } == [.builtInMic, .headsetMic])
        try program.session.setCategory(.record, options: .allowBluetooth)
        #expect(program.session.availableInputs?.map { $0.portType } == [.builtInMic, .headsetMic, .bluetoothHFP])
    }

    @Test("The preferred input is in the route while it is present; nil removes the preference")
    func preferred() throws {
        let program = try singleProgram()
        let session = program.session
        try session.setCategory(.playAndRecord)
        try program.simulate("plug headset")
        #expect(program.inputs == [.headsetMic])
        #expect(session.preferredInput == nil)
        try session.setPreferredInput(session.availableInputs?.first { $0.portType == .builtInMic })
        #expect(session.preferredInput?.portType == .builtInMic)
        #expect(program.inputs == [.builtInMic])
        #expect(program.outputs == [.headphones])
        try session.setPreferredInput(nil)
        #expect(session.preferredInput == nil)
        #expect(program.inputs == [.headsetMic])
        try session.setPreferredInput(session.availableInputs?.first { $0.portType == .headsetMic })
        try program.simulate("unplug headset")
        #expect(session.preferredInput == nil)
        #expect(program.inputs == [.builtInMic])
    }

    @Test("With a hands-free input the output is hands-free as well")
    func handsFree() throws {
        let program = try singleProgram()
        try program.session.setCategory(.playAndRecord, options: .allowBluetooth)
        try program.simulate("plug bluetooth-hfp")
        try program.simulate("plug headset")
        #expect(program.inputs == [.headsetMic] && program.outputs == [.headphones])
        let handsFree = try #require(program.session.availableInputs?.first { $0.portType == .bluetoothHFP })
        try program.session.setPreferredInput(handsFree)
        #expect(program.inputs == [.bluetoothHFP] && program.outputs == [.bluetoothHFP])
        try program.session.setPreferredInput(program.session.availableInputs?.first { $0.portType == .builtInMic })
        #expect(program.inputs == [.builtInMic] && program.outputs == [.headphones])
    }

    @Test("A port that is not available cannot be preferred")
    func notAvailable() throws {
        let program = try singleProgram()
        let session = program.session
        try session.setCategory(.playAndRecord)
        try program.simulate("plug headset")
        let headset = try #require(session.availableInputs?.last)
        try session.setPreferredInput(session.availableInputs?.first)
        try program.simulate("unplug headset")
        #expect(code { try session.setPreferredInput(headset) } == .badParam)
        #expect(code { try session.setPreferredInput(session.currentRoute.outputs.first) } == .badParam)
        #expect(session.preferredInput?.portType == .builtInMic)
    }
}

@Suite struct DataSourceTests {
    @Test("Without a device that has sources there are no data sources")
    func none() throws {
        let session = try singleProgram().session
        #expect(session.inputDataSources == nil && session.inputDataSource == nil)
        #expect(session.outputDataSources == nil && session.outputDataSource == nil)
        try session.setInputDataSource(nil)
    }

    @Test("The source and the destination of a USB device can be selected")
    func usb() throws {
        let program = try singleProgram()
        let session = program.session
        try session.setCategory(.playAndRecord)
        try program.simulate("plug usb")
        #expect(session.inputDataSources?.map { $0.dataSourceName } == ["Microphone", "Line"])
        #expect(session.inputDataSource?.dataSourceID == 1)
        try session.setInputDataSource(session.inputDataSources?.last)
        #expect(session.inputDataSource?.dataSourceName == "Line")
        #expect(session.outputDataSources?.map { $0.orientation } == [.front, .back])
        try session.setOutputDataSource(session.outputDataSources?.last)
        #expect(session.outputDataSource?.dataSourceName == "Rear")
        #expect(session.currentRoute.outputs.first?.selectedDataSource?.dataSourceName == "Rear")
    }

    @Test("The data source of a port outside the route can be selected")
    func elsewhere() throws {
        let program = try singleProgram()
        let session = program.session
        try session.setCategory(.playAndRecord)
        try program.simulate("plug usb")
        let usb = try #require(session.availableInputs?.first { $0.portType == .usbAudio })
        try program.simulate("plug headset")
        #expect(program.inputs == [.headsetMic])
        #expect(usb.preferredDataSource == nil)
        try usb.setPreferredDataSource(usb.dataSources?.last)
        #expect(usb.preferredDataSource?.dataSourceName == "Line")
        try program.simulate("unplug headset")
        #expect(session.inputDataSource?.dataSourceName == "Line")
        try usb.setPreferredDataSource(nil)
        #expect(usb.preferredDataSource == nil)
    }

    @Test("A data source of another port or of an absent device is refused")
    func wrong() throws {
        let program = try singleProgram()
        let session = program.session
        try session.setCategory(.playAndRecord)
        try program.simulate("plug usb")
        let source = try #require(session.inputDataSources?.last)
        #expect(code { try session.setOutputDataSource(source) } == .badParam)
        #expect(session.outputDataSource?.dataSourceName == "Front")
        try program.simulate("unplug usb")
        #expect(code { try session.setInputDataSource(source) } == .resourceNotAvailable)
    }

    @Test("A refused data source is not the preferred data source")
    func refusedPreference() throws {
        let program = try singleProgram()
        let session = program.session
        try session.setCategory(.playAndRecord)
        try program.simulate("plug usb")
        let input = try #require(session.currentRoute.inputs.first)
        let output = try #require(session.currentRoute.outputs.first)
        #expect(code { try input.setPreferredDataSource(output.dataSources?.last) } == .badParam)
        #expect(input.preferredDataSource == nil)
        try program.simulate("unplug usb")
        #expect(code { try input.setPreferredDataSource(input.dataSources?.last) } == .resourceNotAvailable)
        #expect(input.preferredDataSource == nil)
    }

    @Test("Location and polar patterns are nil: ALSA does not report them")
    func unsaid() throws {
        let program = try singleProgram()
        try program.session.setCategory(.playAndRecord)
        try program.simulate("plug usb")
        let source = try #require(program.session.inputDataSources?.first)
        #expect(source.location == nil && source.orientation == nil)
        #expect(source.supportedPolarPatterns == nil && source.selectedPolarPattern == nil)
        try source.setPreferredPolarPattern(nil)
        #expect(code { try source.setPreferredPolarPattern(.cardioid) } == .badParam)
    }
}

/// A delegate of 2009.
private final class Delegate: AVAudioSessionDelegate, Sendable {
    private let (notes, noting) = AsyncStream<String>.makeStream()

    private func note(_ line: String) { noting.yield(line + (isOnMainQueue ? "" : " elsewhere")) }

    func beginInterruption() { note("begin") }
    func endInterruption() { note("end") }
    func inputIsAvailableChanged(_ isInputAvailable: Bool) { note("input \(isInputAvailable)") }
    func currentHardwareSampleRateChanged(_ sampleRate: Double) { note("rate \(sampleRate)") }
    func currentHardwareInputNumberOfChannelsChanged(_ numberOfChannels: Int) { note("inputs \(numberOfChannels)") }
    func currentHardwareOutputNumberOfChannelsChanged(_ numberOfChannels: Int) { note("outputs \(numberOfChannels)") }

    /// Waits for the next `count` calls.
    func next(_ count: Int) async -> [String] {
        var lines: [String] = []
        for await line in notes.prefix(count) { lines.append(line) }
        return lines
    }
}

private final class ResumingDelegate: AVAudioSessionDelegate, Sendable {
    let (ends, ending) = AsyncStream<Int>.makeStream()
    func endInterruption() { ending.yield(-1) }
    func endInterruption(withFlags flags: Int) { ending.yield(flags) }
}

@Suite(.limitedTime) struct DelegateTests {
    @Test(
        "The delegate receives interruptions, inputs, channels and the sample rate, on the main thread")
    func everything() async throws {
        let program = try singleProgram()
        let delegate = Delegate()
        program.session.delegate = delegate
        try program.session.setActive(true)
        // One step after the other: events that are pending at the same time may merge.
        try program.simulate("interrupt begin")
        #expect(await delegate.next(1) == ["begin"])
        try program.simulate("interrupt end")
        #expect(await delegate.next(1) == ["end"])
        try program.session.setCategory(.playAndRecord)
        #expect(await delegate.next(2) == ["inputs 1", "outputs 1"])
        try program.simulate("plug usb")
        #expect(await delegate.next(3) == ["inputs 2", "outputs 2", "rate 48000.0"])
        try program.session.setPreferredSampleRate(96_000)
        #expect(await delegate.next(1) == ["rate 96000.0"])
        try program.simulate("unplug usb")
        #expect(await delegate.next(3) == ["inputs 1", "outputs 1", "rate 48000.0"])
        try program.simulate("unplug microphone")
        #expect(await delegate.next(2) == ["inputs 0", "input false"])
    }

    @Test("A delegate with endInterruption(withFlags:) receives the flags")
    func flags() async throws {
        let program = try singleProgram()
        let delegate = ResumingDelegate()
        program.session.delegate = delegate
        try program.session.setActive(true)
        try program.simulate("interrupt begin")
        try program.simulate("interrupt end")
        var ends = delegate.ends.makeAsyncIterator()
        #expect(await ends.next() == AVAudioSessionInterruptionFlags_ShouldResume)
        withExtendedLifetime(delegate) {}
    }

    @Test("The session does not keep its delegate alive")
    func weak() throws {
        let session = try singleProgram().session
        do {
            let delegate = Delegate()
            session.delegate = delegate
            #expect(session.delegate === delegate)
        }
        #expect(session.delegate == nil)
    }
}

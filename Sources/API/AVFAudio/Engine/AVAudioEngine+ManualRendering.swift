// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox
internal import Foundation
internal import Synchronization

/// How a program pulls an engine.
public enum AVAudioEngineManualRenderingMode: Int, Sendable {
    /// From any thread. A render waits for files.
    case offline = 0
    /// From a real-time thread, by the block of the engine. Frames of a file that are not read yet are silent.
    case realtime = 1
}

public enum AVAudioEngineManualRenderingStatus: Int, Sendable {
    /// An error: the buffer is undefined.
    case error = -1
    case success = 0
    /// The input block had no frames; the buffer is rendered.
    case insufficientDataFromInputNode = 1
    /// The present context does not allow the render: try again.
    case cannotDoInCurrentContext = 2
}

/// The codes of the errors of manual rendering.
public enum AVAudioEngineManualRenderingError: Int, Sendable {
    /// The engine does not render manually, or in another mode.
    case invalidMode = -80800
    /// The engine runs.
    case initialized = -80801
    /// The engine does not run.
    case notRunning = -80802

    func error(_ text: String) -> NSError {
        NSError(domain: AudioCallError.domain, code: rawValue, userInfo: [NSLocalizedDescriptionKey: text])
    }
}

/// Renders frames into the buffers of a list. With a pointer, writes the error of a render that fails.
public typealias AVAudioEngineManualRenderingBlock = (
    _ numberOfFrames: AVAudioFrameCount, _ outBuffer: UnsafeMutablePointer<AudioBufferList>,
    _ outError: UnsafeMutablePointer<OSStatus>?
) -> AVAudioEngineManualRenderingStatus

extension AVAudioEngine {
    public final var isInManualRenderingMode: Bool { locked { io.manual != nil } }
    public final var manualRenderingMode: AVAudioEngineManualRenderingMode { locked { io.manual?.mode ?? .offline } }
    /// The format of the frames that a render returns; that of the output without manual rendering.
    public final var manualRenderingFormat: AVAudioFormat { locked { io.manual?.format } ?? outputNode.outputFormat(forBus: 0) }
    public final var manualRenderingMaximumFrameCount: AVAudioFrameCount { locked { io.manual?.maximumFrames ?? 0 } }
    /// The frames that were rendered since the start.
    public final var manualRenderingSampleTime: AVAudioFramePosition { locked { io.manual?.sampleTime ?? 0 } }

    /// The program pulls the engine instead of the hardware, in `pcmFormat`. The engine does not run.
    public final func enableManualRenderingMode(
        _ mode: AVAudioEngineManualRenderingMode, format pcmFormat: AVAudioFormat, maximumFrameCount: AVAudioFrameCount
    ) throws {
        try locked {
            guard !isRunning else {
                throw AVAudioEngineManualRenderingError.initialized.error("The engine runs: stop it before.")
            }
            guard maximumFrameCount > 0, let scratch = SliceList(pcmFormat, capacity: 1) else {
                throw AudioCallError.unit(OSStatus(kAudioUnitErr_FormatNotSupported), "enableManualRenderingMode")
            }
            if io.manual == nil { io.stop() }
            try changeMode(ManualOutput(mode, pcmFormat, maximumFrameCount))
            manualScratch = scratch
        }
    }

    /// The engine plays on the hardware again. It stops.
    public final func disableManualRenderingMode() {
        locked {
            guard io.manual != nil else { return }
            stop()
            do { try changeMode(nil) } catch {
                AudioCallError.refuse("disableManualRenderingMode: \(error.localizedDescription)")
            }
        }
    }

    final func setManualInput(_ format: AVAudioFormat, _ block: @escaping AVAudioIONodeInputBlock) -> Bool {
        locked {
            guard io.manual != nil, !isRunning else { return false }
            do {
                let manual = try ManualInput(format, block)
                let wanted = inputNode.outputFormats[0] ?? format
                try manual.unit.setFormat(wanted, kAudioUnitScope_Output, 0)
                io.input.manual = manual
                return true
            } catch {
                AudioCallError.refuse("setManualRenderingInputPCMFormat: \(error.localizedDescription)")
                return false
            }
        }
    }

    /// Renders frames into a buffer of the rendering format.
    public final func renderOffline(
        _ numberOfFrames: AVAudioFrameCount, to buffer: AVAudioPCMBuffer
    ) throws -> AVAudioEngineManualRenderingStatus {
        let (manual, scratch) = locked { (io.manual, manualScratch) }
        guard let manual, let scratch, manual.mode == .offline else {
            throw AVAudioEngineManualRenderingError.invalidMode.error("The engine does not render offline.")
        }
        guard manual.isRunning.load(ordering: .relaxed) else {
            throw AVAudioEngineManualRenderingError.notRunning.error("The engine does not run: start it before.")
        }
        guard buffer.format == manual.format, numberOfFrames <= min(buffer.frameCapacity, manual.maximumFrames) else {
            throw AudioCallError.unit(
                OSStatus(kAudioUnitErr_TooManyFramesToProcess),
                "renderOffline: the format or the size of the buffer does not fit; it")
        }
        buffer.frameLength = numberOfFrames
        var status: OSStatus = 0
        let result = AVAudioEngine.render(manual, io.input, scratch, numberOfFrames, buffer.mutableAudioBufferList, &status)
        if status != 0 {
            buffer.frameLength = 0
            throw AudioCallError.unit(status, "renderOffline")
        }
        return result
    }

    /// The block that renders in both modes, without a lock. It is for one thread at a time.
    public final var manualRenderingBlock: AVAudioEngineManualRenderingBlock {
        let (manual, scratch, input) = locked { (io.manual, manualScratch, io.input) }
        return { frames, list, error in
            guard let manual, let scratch, manual.isRunning.load(ordering: .relaxed), frames <= manual.maximumFrames else {
                error?.pointee = OSStatus(AVAudioEngineManualRenderingError.notRunning.rawValue)
                return .error
            }
            var status: OSStatus = 0
            let result = AVAudioEngine.render(manual, input, scratch, frames, list, &status)
            error?.pointee = status
            return result
        }
    }

    private static func render(
        _ manual: ManualOutput, _ input: InputOutput, _ scratch: SliceList, _ frames: AVAudioFrameCount,
        _ list: UnsafeMutablePointer<AudioBufferList>, _ status: inout OSStatus
    ) -> AVAudioEngineManualRenderingStatus {
        let supply = input.manual
        supply?.isShort.store(false, ordering: .relaxed)
        status = manual.render(Int(frames), list, scratch)
        if status == OSStatus(kAudioUnitErr_CannotDoInCurrentContext) {
            status = 0
            return .cannotDoInCurrentContext
        }
        guard status == 0 else { return .error }
        return supply?.isShort.load(ordering: .relaxed) == true ? .insufficientDataFromInputNode : .success
    }
}

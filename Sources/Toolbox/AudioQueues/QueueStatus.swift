// SPDX-License-Identifier: Apache-2.0
import LinuxSystem

/// A result code of a queue: the values of `kAudioQueueErr_…`.
public struct QueueStatus: Error, Equatable, Sendable {
    public let code: Int32
    public init(_ code: Int32) { self.code = code }

    public static let invalidBuffer = QueueStatus(-66_687)
    public static let disposalPending = QueueStatus(-66_685)
    public static let invalidProperty = QueueStatus(-66_684)
    public static let invalidPropertySize = QueueStatus(-66_683)
    public static let invalidParameter = QueueStatus(-66_682)
    public static let cannotStart = QueueStatus(-66_681)
    public static let invalidDevice = QueueStatus(-66_680)
    public static let bufferInQueue = QueueStatus(-66_679)
    public static let invalidRunState = QueueStatus(-66_678)
    public static let invalidQueueType = QueueStatus(-66_677)
    public static let invalidPropertyValue = QueueStatus(-66_675)
    public static let codecNotFound = QueueStatus(-66_673)
    public static let queueInvalidated = QueueStatus(-66_671)
    public static let bufferEnqueuedTwice = QueueStatus(-66_666)
    public static let enqueueDuringReset = QueueStatus(-66_632)
    /// 'stop': the queue has stopped and has no time.
    public static let stopped = QueueStatus(FourCC.status("stop"))
    /// `kAudio_ParamError`
    public static let parameter = QueueStatus(-50)
    /// `kAudio_MemFullError`
    public static let outOfMemory = QueueStatus(-108)
    /// `kAudioFormatUnsupportedDataFormatError`, 'fmt?'
    public static let unsupportedFormat = QueueStatus(FourCC.status("fmt?"))
}

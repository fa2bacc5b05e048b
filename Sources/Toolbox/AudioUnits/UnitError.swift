// SPDX-License-Identifier: Apache-2.0
/// The result codes of units: the values of `kAudioUnitErr_…` and the general ones.
public enum UnitError: Int32, Error, CaseIterable, Sendable {
    case invalidProperty = -10879
    case invalidParameter = -10878
    case invalidElement = -10877
    case noConnection = -10876
    case failedInitialization = -10875
    case tooManyFrames = -10874
    case invalidFile = -10871
    case fileNotSpecified = -10869
    case formatNotSupported = -10868
    case uninitialized = -10867
    case invalidScope = -10866
    case propertyNotWritable = -10865
    case cannotDoInCurrentContext = -10863
    case invalidPropertyValue = -10851
    case initialized = -10849
    case tooManyInstances = -66750
    case memoryFull = -108
    case parameter = -50
    case unimplemented = -4
}

/// The result of a render that failed: an error of units, or the result of a callback.
struct RenderFailure: Error {
    let status: Int32
}

// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioFiles
import AudioUnits
import CAudioToolbox

/// An error that has a result code of the C interface.
protocol StatusError: Error {
    var status: OSStatus { get }
}

extension ConverterError: StatusError {}
extension FormatError: StatusError {}
extension AudioFileError: StatusError {}
extension ExtendedFileError: StatusError {}
extension UnitError: StatusError {
    var status: OSStatus { rawValue }
}

/// Runs a call of a program, and returns its result code.
@inline(__always)
func answer<Failure: StatusError>(_ body: () throws(Failure) -> Void) -> OSStatus {
    do throws(Failure) {
        try body()
        return 0
    } catch { return error.status }
}

// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import CAudioToolbox
import SoundFiles

/// A file whose bytes the procedures of a program read and write.
final class CallbackStorage: ByteSource, ByteSink {
    private let clientData: UnsafeMutableRawPointer?
    private let readProcedure: AudioFile_ReadProc
    private let writeProcedure: AudioFile_WriteProc?
    private let sizeProcedure: AudioFile_GetSizeProc
    private let setSizeProcedure: AudioFile_SetSizeProc?

    init(
        _ clientData: UnsafeMutableRawPointer?, read: @escaping AudioFile_ReadProc, write: AudioFile_WriteProc?,
        size: @escaping AudioFile_GetSizeProc, setSize: AudioFile_SetSizeProc?
    ) {
        self.clientData = clientData
        readProcedure = read
        writeProcedure = write
        sizeProcedure = size
        setSizeProcedure = setSize
    }

    /// False: a procedure may store the bytes in memory without gaps.
    var allowsGaps: Bool { false }

    var size: UInt64 { UInt64(max(sizeProcedure(clientData), 0)) }

    func read(at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(SoundFileError) -> Int {
        var done = 0
        while done < buffer.count, let base = buffer.baseAddress {
            let request = UInt32(clamping: buffer.count - done)
            var actual: UInt32 = 0
            let status = readProcedure(clientData, Int64(clamping: offset) + Int64(done), request, base + done, &actual)
            // A procedure may report the end as an error.
            guard status == 0 || status == OSStatus(kAudioFileEndOfFileError) else { throw .read(code: status) }
            if actual == 0 || status != 0 { return done + Int(min(actual, request)) }
            done += Int(min(actual, request))
        }
        return done
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SoundFileError) {
        guard let writeProcedure else { throw .write(code: 1) }
        var done = 0
        while done < bytes.count, let base = bytes.baseAddress {
            let request = UInt32(clamping: bytes.count - done)
            var actual: UInt32 = 0
            let status = writeProcedure(clientData, Int64(clamping: offset) + Int64(done), request, base + done, &actual)
            guard status == 0 else { throw .write(code: status) }
            guard actual > 0 else { throw .write(code: 28) }
            done += Int(min(actual, request))
        }
    }

    func setSize(_ size: UInt64) throws(SoundFileError) {
        guard let setSizeProcedure else { throw .write(code: 1) }
        let status = setSizeProcedure(clientData, Int64(clamping: size))
        guard status == 0 else { throw .write(code: status) }
    }
}

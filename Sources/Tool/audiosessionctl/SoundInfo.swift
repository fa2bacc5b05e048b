// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CLIOutput
import CToolboxFunctions
import LinuxSystem
import MediaFormats

/// Prints the contents of the files. After a file that cannot be read, the next file is described.
func printInfo(_ files: [String], json: Bool) -> Int32 {
    withToolbox { (toolbox) throws(SoundError) in
        var isGood = true
        for file in files {
            do throws(SoundError) {
                let report = try SoundFileReport(of: SoundInput(file), toolbox)
                guard Output.print(json ? report.json.text + "\n" : report.text) else { return false }
            } catch {
                Output.error(error.text)
                isGood = false
            }
        }
        return isGood
    }
}

extension SoundFileReport {
    fileprivate init(of input: SoundInput, _ toolbox: Toolbox) throws(SoundError) {
        try input.checkReadable()
        var file: AudioFileID?
        let status = toolbox.open(input, &file)
        guard status == 0, let file else { throw SoundError(input.name, OpenSoundFile.reason(status, toolbox)) }
        defer { _ = toolbox.AudioFileClose(file) }
        let properties = FileProperties(file: file, toolbox: toolbox)
        var format = AudioStreamBasicDescription()
        properties.read(kAudioFilePropertyDataFormat, &format)
        let packets: UInt64 = properties.number(kAudioFilePropertyAudioDataPacketCount)
        var table = AudioFilePacketTableInfo()
        let hasTable = properties.read(kAudioFilePropertyPacketTableInfo, &table)
        let decoder = SoundFileReport.decoder(of: input, toolbox)
        let frames =
            decoder.frames ?? (hasTable ? table.mNumberValidFrames : Int64(clamping: packets) &* Int64(format.mFramesPerPacket))
        self.init(
            name: input.name, type: properties.number(kAudioFilePropertyFileFormat), format: SoundObject.Format(format),
            frames: frames,
            packets: packets, bytes: properties.number(kAudioFilePropertyAudioDataByteCount),
            bitRate: properties.number(kAudioFilePropertyBitRate), isDecodable: decoder.isThere,
            isRefused: !decoder.isThere && toolbox.decodedFormats.contains(format.mFormatID),
            missingPackages: decoder.isThere ? [] : CodecSource.packages(decoding: format.mFormatID).map { "\($0)" })
    }

    /// Whether the file can be decoded, and its number of frames.
    private static func decoder(of input: SoundInput, _ toolbox: Toolbox) -> (isThere: Bool, frames: Int64?) {
        do throws(SoundError) {
            let file = try OpenSoundFile(reading: input, toolbox)
            try file.setClient(clientFormat(rate: file.format.mSampleRate, channels: file.format.mChannelsPerFrame))
            return (true, file.frames)
        } catch { return (false, nil) }
    }
}

private struct FileProperties {
    let file: AudioFileID
    let toolbox: Toolbox

    @discardableResult
    func read<Value: BitwiseCopyable>(_ id: Int, _ value: inout Value) -> Bool {
        var size = UInt32(MemoryLayout<Value>.size)
        return toolbox.AudioFileGetProperty(file, UInt32(id), &size, &value) == 0
    }

    func number<Value: FixedWidthInteger & BitwiseCopyable>(_ id: Int) -> Value {
        var value: Value = 0
        read(id, &value)
        return value
    }
}

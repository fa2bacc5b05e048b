// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import MediaFormats

extension StreamDescription {
    init(_ description: AudioStreamBasicDescription) {
        self = withUnsafeBytes(of: description) { bytes in
            bytes.baseAddress.map { StreamDescription(at: $0) } ?? StreamDescription(sampleRate: 0, formatID: 0)
        }
    }
}

enum ChannelLayoutBytes {
    /// The size of a layout with at most 64 descriptions.
    static func size(_ layout: UnsafePointer<AudioChannelLayout>) -> Int {
        let header = MemoryLayout<AudioChannelLayout>.size - MemoryLayout<AudioChannelDescription>.size
        return header + Int(min(layout.pointee.mNumberChannelDescriptions, 64)) * MemoryLayout<AudioChannelDescription>.size
    }
}

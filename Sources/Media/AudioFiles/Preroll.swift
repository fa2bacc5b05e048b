// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import MediaFormats
import SoundFiles

// The packets before a frame that a decoder needs after a seek.

extension AudioFile {
    /// The number of packets before the wanted one that a decoder needs after a seek.
    private var packetsOfPreroll: Int64 {
        switch file.format.formatID {
        // Packets of MPEG layer 3 borrow bits from up to 511 bytes before them, or 255 in MPEG 2, and overlap the packet before. The
        // shortest ones have 60 bytes of sound, and 11 in MPEG 2.
        case FourCC.code(".mp3"): file.format.framesPerPacket == 576 ? 25 : 10
        // Layers 1 and 2, and AC-3, overlap the packet before.
        case FourCC.code(".mp1"), FourCC.code(".mp2"), FourCC.code("ac-3"): 1
        // AAC overlaps the packet before as well; its extensions reach further.
        case FourCC.code("aac "): 1
        case FourCC.code("aach"), FourCC.code("aacp"): 4
        // GSM, whose packets have 40 ms, predicts from the frames before and converges: a second.
        case GSMPacket.formatID: 25
        default: 0
        }
    }

    /// The packet that a decoder begins with, so that it makes the right frames of a packet.
    func firstPacketOfPreroll(before packet: Int64) -> Int64 {
        guard file.format.formatID == CodecFormat.opus, let start = firstFrame(ofPacket: packet) else {
            return max(packet - packetsOfPreroll, 0)
        }
        // Opus, whose packets have 2.5 ms and more, converges: after the 80 ms of its specification the samples differ by up to 6 %
        // of full scale, after a second in most files not at all.
        let frames = Int64(file.format.sampleRate.rounded(.up))
        return self.packet(ofFrame: max(start - frames, 0))?.packet ?? 0
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import AudioToolbox
internal import Synchronization

/// The output of a player: silence while it does not play. Its unit counts only the frames that it plays.
final class PlayerOutput: UnitOutput, @unchecked Sendable {
    private let plays = Atomic<Bool>(false)
    private let beginsAgain = Atomic<Bool>(true)
    /// The frames of the output that the player did not render since its start.
    private let heldFrames = Atomic<UInt64>(0)
    // The rendering thread:
    private var expected = 0.0
    private var held = 0.0

    var isPlaying: Bool { plays.load(ordering: .relaxed) }
    /// The difference between the time of the output and that of the unit.
    var heldTime: Double { Double(bitPattern: heldFrames.load(ordering: .relaxed)) }

    func setPlaying(_ on: Bool) { plays.store(on, ordering: .releasing) }

    /// The next render begins with a new start time.
    func beginAgain() {
        beginsAgain.store(true, ordering: .releasing)
        heldFrames.store(0, ordering: .relaxed)
    }

    override func produce(
        _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
        _ list: UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus {
        guard plays.load(ordering: .acquiring) else {
            BufferCopy.silence(list)
            flags.pointee.insert(.unitRenderAction_OutputIsSilence)
            return 0
        }
        let now = time.pointee.mSampleTime
        if beginsAgain.exchange(false, ordering: .acquiring) { (held, expected) = (0, now) }
        // The player was paused, or the output has begun again.
        if now != expected {
            held += now - expected
            heldFrames.store(held.bitPattern, ordering: .relaxed)
        }
        expected = now + Double(frames)
        var own = time.pointee
        own.mSampleTime -= held
        return AudioUnitRender(source.unit, flags, &own, bus, frames, list)
    }
}

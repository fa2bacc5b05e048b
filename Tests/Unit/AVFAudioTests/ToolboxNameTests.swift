// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Testing

@Suite("Names of CoreFoundation and the host clock") struct ToolboxNameTests {
    @Test("Run loops and their modes reach the functions that deliver on them")
    func runLoops() {
        var format = AudioStreamBasicDescription()
        var queue: AudioQueueRef?
        let mode = CFRunLoopMode.commonModes.rawValue
        #expect(AudioQueueNewOutput(&format, { _, _, _ in }, nil, CFRunLoopGetMain(), mode, 0, &queue) != noErr)
        #expect(queue == nil)
        var listener: AUParameterListenerRef?
        #expect(AUListenerCreate({ _, _, _, _ in }, nil, CFRunLoopGetCurrent(), mode, 0.1, &listener) == noErr)
        #expect(AUListenerDispose(listener) == noErr)
        var events: AUEventListenerRef?
        #expect(AUEventListenerCreate({ _, _, _, _, _ in }, nil, nil, nil, 0.1, 0.1, &events) == noErr)
        #expect(AUListenerDispose(events) == noErr)
        #expect(kCFRunLoopCommonModes != .defaultMode && CFRunLoopMode(rawValue: mode) == kCFRunLoopCommonModes)
        #expect(CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, false) != .stopped)
    }

    @Test("A component has a name, which the caller releases")
    func componentName() throws {
        var description = AudioComponentDescription()
        description.componentType = kAudioUnitType_FormatConverter
        let component = try #require(AudioComponentFindNext(nil, &description))
        var name: Unmanaged<CFString>?
        #expect(AudioComponentCopyName(component, &name) == noErr)
        #expect((name?.takeRetainedValue()).map { $0 as String }?.isEmpty == false)
    }

    @Test("Host time is in nanoseconds")
    func hostTime() {
        let before = mach_absolute_time()
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let after = mach_absolute_time()
        let monotonic = UInt64(time.tv_sec) * NSEC_PER_SEC + UInt64(time.tv_nsec)
        #expect(before <= monotonic && monotonic <= after)
        #expect(AudioGetCurrentHostTime() >= before && AudioGetHostClockFrequency() == 1e9)
        #expect(AudioGetHostClockMinimumTimeDelta() == 1 && AudioConvertHostTimeToNanos(5) == 5)
        #expect(AudioConvertNanosToHostTime(6) == 6 && NSEC_PER_SEC == 1_000_000_000)
    }

    @Test("Memory is moved and cleared behind optional pointers, and nothing without one")
    func memory() {
        var bytes: [UInt8] = [1, 2, 3, 4]
        bytes.withUnsafeMutableBytes { bytes in
            let (first, second): (UnsafeMutableRawPointer?, UnsafeRawPointer?) = (
                bytes.baseAddress, UnsafeRawPointer(bytes.baseAddress).map { $0 + 1 }
            )
            memmove(first, second, 3)
            let none: UnsafeMutableRawPointer? = nil
            memmove(none, second, 3)
            bzero(none, 3)
            bzero(first, 1)
        }
        #expect(bytes == [0, 3, 4, 4])
        #expect(DarwinBoolean(true) != false && DarwinBoolean(true).description == "true")
        var samples: [Float] = [1, 2]
        samples.withUnsafeMutableBufferPointer { samples in
            let buffer = AudioBuffer(samples, numberOfChannels: 1)
            #expect(UnsafeRawBufferPointer(buffer).count == 8 && UnsafeMutableRawBufferPointer(buffer).count == 8)
        }
        #expect(AudioChannelLayout.sizeInBytes(maximumDescriptions: 2) == 52)
    }

    @Test("System sounds are loaded by URL")
    func systemSounds() {
        var sound = SystemSoundID(0)
        #expect(AudioServicesCreateSystemSoundID(URL(fileURLWithPath: "/missing.wav") as CFURL, &sound) != noErr)
    }
}

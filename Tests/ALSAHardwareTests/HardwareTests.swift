import AudioHardware
import SessionModel
import Testing

@testable import ALSAHardware

// One after the other with those that put cards into the machine.
extension MachineTests {
    @Suite struct HardwareTests {
        /// A machine without cards, as the one that tests usually run on, or with any.
        @Test func hardwareComesAndGoesWithoutAWord() {
            for _ in 0..<20 {
                let hardware = ALSAHardware()
                #expect(hardware.descriptor >= 0)
                #expect(hardware.snapshot().wakes == 0)
                #expect(!hardware.findings().contains("a sound card does not answer"))
                #expect(throws: ResultCode.unsupportedProperty) { try hardware.simulate(.wake) }
            }
        }

        @Test func aPortThatHasGoneIsRefused() {
            let gone = Port(kind: .usbInput, device: 9_999, uid: "gone", name: "gone", alsaDevice: "null", channels: 1)
            #expect(throws: ResultCode.noHardware) { try ALSAHardware().perform(.inputGain(1), on: gone) }
        }
    }
}

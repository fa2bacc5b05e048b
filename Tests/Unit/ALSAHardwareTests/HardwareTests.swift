// SPDX-License-Identifier: Apache-2.0
import AudioHardware
import SessionModel
import Testing

@testable import ALSAHardware

// Serialized with the tests that add cards to the machine.
extension MachineTests {
    @Suite struct HardwareTests {
        /// The machine on which the tests run, with or without cards.
        @Test("The hardware of the machine is created and released repeatedly, and refuses a simulation")
        func hardwareIsCreatedAndReleasedRepeatedly() {
            for _ in 0..<20 {
                let hardware = ALSAHardware()
                #expect(hardware.descriptor >= 0)
                #expect(hardware.snapshot().wakes == 0)
                #expect(!hardware.findings().contains("a sound card does not answer"))
                // The machine may have a server. Its status says how to start it.
                #expect(hardware.server().map { !$0.command.isEmpty } ?? true)
                #expect(throws: ResultCode.unsupportedProperty) { try hardware.simulate(.wake) }
            }
        }

        @Test("A request for a removed port gives 'nohw'") func aRequestForARemovedPortIsRefused() {
            let gone = Port(kind: .usbInput, device: 9_999, uid: "gone", name: "gone", alsaDevice: "null", channels: 1)
            #expect(throws: ResultCode.noHardware) { try ALSAHardware().perform(.inputGain(1), on: gone) }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ALSAHardware

@Suite struct NamingTests {
    @Test("A card without a name is opened again with growing delays, and at last has its number as its name")
    func delays() {
        var nameRetry = CardNameRetry()
        var shouldWait: [Int32] = []
        nameRetry.beginRound()
        #expect(nameRetry.delay == -1)
        while nameRetry.shouldWait() {
            shouldWait.append(nameRetry.delay)
            nameRetry.beginRound()
        }
        #expect(shouldWait == [2, 4, 8, 16, 32, 64, 128, 256, 512])
        #expect(nameRetry.delay == -1)
        #expect(CardFacts(index: 3).device(1) == "hw:3,1")
        #expect(CardFacts(index: 3, id: "Audio").device(1) == "hw:CARD=Audio,DEV=1")
    }

    @Test("The delays begin again for the next card")
    func afterwards() {
        var nameRetry = CardNameRetry()
        nameRetry.beginRound()
        _ = nameRetry.shouldWait()
        nameRetry.beginRound()  // it has its name
        nameRetry.beginRound()
        #expect(nameRetry.shouldWait() && nameRetry.delay == 2)
    }
}

import Testing

@testable import ALSAHardware

@Suite struct NamingTests {
    @Test("A card that has no name yet is looked at again, each time later, and in the end goes by its number")
    func patience() {
        var naming = NamingPatience()
        var waits: [Int32] = []
        naming.beginRound()
        #expect(naming.milliseconds == -1)
        while naming.waits() {
            waits.append(naming.milliseconds)
            naming.beginRound()
        }
        #expect(waits == [2, 4, 8, 16, 32, 64, 128, 256, 512])
        #expect(naming.milliseconds == -1)
        #expect(CardFacts(index: 3).device(1) == "hw:3,1")
        #expect(CardFacts(index: 3, id: "Audio").device(1) == "hw:CARD=Audio,DEV=1")
    }

    @Test("A card that has got its name costs the next one nothing of its time")
    func afterwards() {
        var naming = NamingPatience()
        naming.beginRound()
        _ = naming.waits()
        naming.beginRound()  // it has its name
        naming.beginRound()
        #expect(naming.waits() && naming.milliseconds == 2)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ALSAHardware

@Suite("The attempts to connect to a server")
struct ConnectAttemptsTests {
    @Test("follow with growing delays, end after six failures, and begin again") func delays() {
        var attempts = ConnectAttempts()
        for _ in 0..<2 {
            var delays: [Int32] = []
            for _ in 0..<8 {
                delays.append(attempts.delay)
                #expect(attempts.areExhausted == (attempts.delay < 0))
                attempts.fail()
            }
            #expect(delays == [50, 100, 200, 400, 800, 1600, -1, -1])
            attempts.restart()
        }
    }
}

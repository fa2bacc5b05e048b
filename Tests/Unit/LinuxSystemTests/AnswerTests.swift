// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import Testing

@Suite("What a C function returns")
struct AnswerTests {
    @Test("A body that ends answers 0; one that throws answers the code of its error")
    func answers() {
        #expect(answer { () throws(SystemError) in } == 0)
        #expect(answer { () throws(SystemError) in throw .noSpace } == SystemError.noSpace.result)
        #expect(SystemError.noSpace.status == SystemError.noSpace.result && SystemError.noSpace.status < 0)
    }
}

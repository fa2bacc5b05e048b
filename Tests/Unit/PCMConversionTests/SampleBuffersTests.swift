// SPDX-License-Identifier: Apache-2.0
import PCMConversion
import Testing

@Suite("A list of buffers")
struct SampleBuffersTests {
    @Test("has at most eight buffers in their order, and empty ones behind them")
    func order() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 8)
        defer { memory.deallocate() }
        var buffers = SampleBuffers()
        for index in 0..<8 {
            #expect(buffers.count == index && buffers[index].isEmpty)
            let isAppended = buffers.append(UnsafeMutableRawBufferPointer(rebasing: memory[index..<16]))
            #expect(isAppended)
        }
        let hasNinth = buffers.append(memory)
        #expect(!hasNinth && buffers.count == 8)
        for index in 0..<8 { #expect(buffers[index].baseAddress == memory.baseAddress.map { $0 + index }) }
        #expect(buffers[8].isEmpty && buffers[-1].isEmpty)
        let rest = buffers.dropping(10)
        #expect(rest.count == 8 && (0..<8).allSatisfy { rest[$0].count == max(6 - $0, 0) })
        #expect((0..<8).allSatisfy { buffers.dropping(-3)[$0].count == 16 - $0 && buffers.dropping(17)[$0].isEmpty })
    }
}

// SPDX-License-Identifier: Apache-2.0
import MediaFormats
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Cents")
struct CentsTests {
    @Test(
        "and the ratios of frequencies correspond",
        arguments: [-2_400, -1_200, -700, -50, -0.01, 0, 1, 386.3, 599, 1_200, 2_400])
    func ratios(cents: Double) {
        let expected = exp2(cents / 1_200)
        #expect(abs(Double(cents: cents) / expected - 1) < 1e-14)
        #expect(abs(expected.cents - cents) < 1e-9)
    }

    @Test("have limits")
    func limits() {
        #expect(Double(cents: 1e300) == exp2(100) && Double(cents: -1e300) == exp2(-100))
        #expect(0.0.cents == 0 && (-1.0).cents == 0 && Double.infinity.cents == 0 && Double.nan.cents == 0)
    }
}

import Testing

@testable import SessionModel

@Suite("Property table")
struct TableTests {
    @Test("every property has exactly one row", arguments: Property.allCases)
    func oneRow(property: Property) {
        #expect(propertyTable.count { $0.property == property } == 1)
        #expect(!property.row.access.isEmpty)
    }

    @Test("the default category is solo ambient, and mixing is refused in it")
    func defaults() {
        var settings = SessionSettings()
        #expect(settings.category == .soloAmbientSound)
        #expect(throws: ResultCode.incompatibleCategory) { try settings.setMixesWithOthers(true) }
    }
}

// SPDX-License-Identifier: Apache-2.0
import LinuxSystem
import SessionModel

/// The part of a constant's name after the last underscore.
func shortName(_ name: StaticString) -> String {
    let name = "\(name)"
    guard let line = name.lastIndex(of: "_") else { return name }
    return name[name.index(after: line)...] + (name.hasPrefix("kAudioSessionLinux") ? " (Linux)" : "")
}

private func yes(_ condition: Bool) -> String { condition ? "yes" : "no" }

func categoryTable() -> Table {
    Table(
        "Code", "Category", "Mixes", "Silent switch", "Input", "Output",
        rows: Category.allCases.map { category in
            let traits = category.traits
            return [
                FourCC.text(category.rawValue), shortName(traits.name),
                traits.alwaysMixes ? "always" : traits.mayMix ? "if asked" : "never",
                traits.obeysSilentSwitch ? "obeys" : "ignores", yes(traits.hasInput), yes(traits.hasOutput),
            ]
        })
}

/// Tries each override in each category.
func overrideTable() -> Table {
    Table(
        "Property", "Categories",
        rows: [
            overrideRow(.overrideCategoryMixWithOthers) { (settings) in try settings.setMixesWithOthers(true) },
            overrideRow(.overrideCategoryDefaultToSpeaker) { (settings) in try settings.setDefaultsToSpeaker(true) },
            overrideRow(.overrideCategoryEnableBluetoothInput) { (settings) in try settings.setEnablesBluetoothInput(true) },
            overrideRow(.overrideAudioRoute) { (settings) in try settings.setOverridesToSpeaker(true) },
        ])
}

private func overrideRow(_ property: SessionProperty, _ attempt: (inout SessionSettings) throws -> Void) -> [String] {
    let allowing = Category.allCases.filter { category in
        var settings = SessionSettings()
        settings.setCategory(category)
        return (try? attempt(&settings)) != nil
    }
    return ["\(property.row.name)", names(allowing)]
}

func modeTable() -> Table {
    Table(
        "Code", "Mode", "Categories",
        rows: Mode.allCases.map { mode in
            [FourCC.text(mode.rawValue), shortName(mode.name), names(Category.allCases.filter { mode.fits($0) })]
        })
}

private func names(_ categories: [Category]) -> String {
    let others = Category.allCases.filter { !categories.contains($0) }
    if others.isEmpty { return "any" }
    if others.count < categories.count { return "any but " + names(others) }
    return categories.map { FourCC.text($0.rawValue) }.joined(separator: " ")
}

// SPDX-License-Identifier: Apache-2.0
// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AudioUnits
public import CAudioToolbox
import CoreFoundationTable
import LinuxSystem

// The functions of AudioComponent.h.

private let parameterError = OSStatus(kAudio_ParamError)

@c @implementation
public func AudioComponentFindNext(
    _ inComponent: AudioComponent?, _ inDesc: UnsafePointer<AudioComponentDescription>?
) -> AudioComponent? {
    guard let inDesc else {
        UnitLog.foundNothing(nil)
        return nil
    }
    var previous: Int?
    if let inComponent {
        guard let index = Components.index(of: inComponent) else { return nil }
        previous = index
    }
    let wanted = ComponentDescription(inDesc.pointee)
    let found = Components.table.next(after: previous, matching: wanted)
    // A search that finds no further component is not a mistake.
    if found == nil, previous == nil { UnitLog.foundNothing(wanted) }
    return found.map(Components.handle)
}

@c @implementation
public func AudioComponentCount(_ inDesc: UnsafePointer<AudioComponentDescription>?) -> UInt32 {
    guard let inDesc else { return 0 }
    return UInt32(clamping: Components.table.count(matching: ComponentDescription(inDesc.pointee)))
}

@c @implementation
public func AudioComponentGetDescription(
    _ inComponent: AudioComponent?, _ outDesc: UnsafeMutablePointer<AudioComponentDescription>?
) -> OSStatus {
    guard let row = Components.row(of: inComponent), let outDesc else { return parameterError }
    outDesc.pointee = AudioComponentDescription(
        componentType: row.description.type, componentSubType: row.description.subtype,
        componentManufacturer: row.description.manufacturer, componentFlags: 0, componentFlagsMask: 0)
    return 0
}

@c @implementation
public func AudioComponentGetVersion(_ inComponent: AudioComponent?, _ outVersion: UnsafeMutablePointer<UInt32>?) -> OSStatus {
    guard let row = Components.row(of: inComponent), let outVersion else { return parameterError }
    outVersion.pointee = row.version
    return 0
}

@c @implementation
public func AudioComponentCopyName(
    _ inComponent: AudioComponent?, _ outName: UnsafeMutablePointer<ConstantReference?>?
) -> OSStatus {
    guard let row = Components.row(of: inComponent), let outName else { return parameterError }
    // CoreFoundation is not loaded for the name, because a program without CoreFoundation cannot use it.
    guard let name = CoreFoundation.inProcess?.string("\(row.name)") else { return UnitError.unimplemented.rawValue }
    outName.pointee = name
    return 0
}

@c @implementation
public func AudioComponentInstanceNew(
    _ inComponent: AudioComponent?, _ outInstance: UnsafeMutablePointer<AudioComponentInstance?>?
) -> OSStatus {
    var unit: Unit?
    let status = answer { () throws(UnitError) in
        guard let outInstance, let inComponent, let index = Components.index(of: inComponent),
            let kind = UnitKind(component: index)
        else { throw .parameter }
        let made = try Unit.make(kind, in: ProcessUnits.context)
        outInstance.pointee = made.handle
        unit = made
    }
    return UnitLog.made(unit, of: inComponent, isWritten: outInstance != nil, status)
}

@c @implementation
public func AudioComponentInstanceDispose(_ inInstance: AudioComponentInstance?) -> OSStatus {
    let unit = ProcessUnits.context.table.object(inInstance)
    let status = withUnit(inInstance) { (unit: Unit) throws(UnitError) in
        guard unit.dispose() else { throw .parameter }
    }
    return UnitLog.instance("AudioComponentInstanceDispose", unit, status)
}

@c @implementation
public func AudioComponentInstanceGetComponent(_ inInstance: AudioComponentInstance?) -> AudioComponent? {
    ProcessUnits.context.table.object(inInstance).flatMap { Components.handle(of: $0.kind) }
}

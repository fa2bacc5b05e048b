// SPDX-License-Identifier: Apache-2.0
/// The description of a card, from its control device.
struct CardFacts: Equatable, Sendable {
    var index: UInt32 = 0
    /// The name by which programs open the card: "PCH".
    var id = ""
    var driver = ""
    var name = ""
    var longName = ""
    /// The identity of a USB device, "USB0b05:1996", or the codecs.
    var components = ""
    var pcms: [PCMFacts] = []
    var elements: [ElementFacts] = []
    /// The devices of its use-case profile; empty without a profile.
    var useCases: [UseCaseFacts] = []

    var isUSB: Bool { driver == "USB-Audio" }

    func element(_ number: UInt32?) -> ElementFacts? { elements.first { $0.number == number } }

    func device(_ pcm: UInt32) -> String { id.isEmpty ? "hw:\(index),\(pcm)" : "hw:CARD=\(id),DEV=\(pcm)" }
}

/// One direction of a PCM device.
struct PCMFacts: Equatable, Sendable {
    let device: UInt32
    let isPlayback: Bool
    let id: String
    let name: String
    let substreams: UInt32
}

/// A control element, without its values.
struct ElementFacts: Equatable, Sendable {
    enum Interface: UInt32, Sendable {
        case card = 0
        case mixer = 2
        case pcm = 3
    }

    enum Kind: UInt32, Sendable {
        case boolean = 1
        case integer = 2
        case enumerated = 3
    }

    let number: UInt32
    let interface: Interface
    let name: String
    var index: UInt32 = 0
    var device: UInt32 = 0
    let kind: Kind
    var count: UInt32 = 1
    var least: Int32 = 0
    var most: Int32 = 1
    var isWritable = false
    /// The items of an enumerated element.
    var items: [String] = []
}

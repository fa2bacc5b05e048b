// SPDX-License-Identifier: Apache-2.0

/// The names of channels, by label.
enum ChannelNames {
    static func name(_ label: UInt32) -> String {
        for row in all where row.label == label { return "\(row.name)" }
        return label >> 16 == 1 ? "Discrete \(label & 0xFFFF)" : "Unknown"
    }

    /// Discrete channels have only a number.
    static func shortName(_ label: UInt32) -> String {
        for row in all where row.label == label { return "\(row.short)" }
        return label >> 16 == 1 ? "\(label & 0xFFFF)" : "Unknown"
    }

    private static let all: [(label: UInt32, short: StaticString, name: StaticString)] = [
        (0, "Unused", "Unused"), (1, "L", "Left"), (2, "R", "Right"), (3, "C", "Center"), (4, "LFE", "LFE Screen"),
        (5, "Ls", "Left Surround"), (6, "Rs", "Right Surround"), (7, "Lc", "Left Center"), (8, "Rc", "Right Center"),
        (9, "Cs", "Center Surround"), (10, "Lsd", "Left Surround Direct"), (11, "Rsd", "Right Surround Direct"),
        (12, "Ts", "Top Center Surround"), (13, "Vhl", "Vertical Height Left"), (14, "Vhc", "Vertical Height Center"),
        (15, "Vhr", "Vertical Height Right"), (16, "Tbl", "Top Back Left"), (17, "Tbc", "Top Back Center"),
        (18, "Tbr", "Top Back Right"), (33, "Rls", "Rear Surround Left"), (34, "Rrs", "Rear Surround Right"),
        (35, "Lw", "Left Wide"), (36, "Rw", "Right Wide"), (37, "LFE2", "LFE 2"), (38, "Lt", "Left Total"),
        (39, "Rt", "Right Total"), (40, "HI", "Hearing Impaired"), (41, "Nar", "Narration"), (42, "M", "Mono"),
        (43, "DCM", "Dialog Centric Mix"), (44, "Csd", "Center Surround Direct"), (45, "Hap", "Haptic"),
        (49, "Ltm", "Left Top Middle"), (51, "Rtm", "Right Top Middle"), (52, "Ltr", "Left Top Rear"),
        (53, "Ctr", "Center Top Rear"), (54, "Rtr", "Right Top Rear"), (55, "Lss", "Left Side Surround"),
        (56, "Rss", "Right Side Surround"), (57, "Lb", "Left Bottom"), (58, "Rb", "Right Bottom"), (59, "Cb", "Center Bottom"),
        (60, "Lts", "Left Top Surround"), (61, "Rts", "Right Top Surround"), (62, "LFE3", "LFE 3"),
        (63, "Lbs", "Left Back Surround"), (64, "Rbs", "Right Back Surround"), (65, "Le", "Left Edge of Screen"),
        (66, "Re", "Right Edge of Screen"),
        (100, "Coordinates", "Coordinates"), (200, "W", "Ambisonic W"), (201, "X", "Ambisonic X"), (202, "Y", "Ambisonic Y"),
        (203, "Z", "Ambisonic Z"), (204, "Mid", "MS Mid"), (205, "Side", "MS Side"), (206, "X", "XY X"), (207, "Y", "XY Y"),
        (208, "Left", "Binaural Left"), (209, "Right", "Binaural Right"),
        (301, "HL", "Headphones Left"), (302, "HR", "Headphones Right"), (304, "Click", "Click Track"),
        (305, "Foreign", "Foreign Language"), (400, "Discrete", "Discrete"),
    ]
}

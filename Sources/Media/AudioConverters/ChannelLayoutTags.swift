// SPDX-License-Identifier: Apache-2.0

extension ChannelLayout {
    /// The tags, with their channels in order.
    static let tags: [(tag: UInt32, labels: [UInt32])] = {
        let rows: [(number: UInt32, labels: [UInt32])] = [
            (100, [mono]), (101, [left, right]), (102, [301, 302]), (103, [38, 39]), (104, [204, 205]), (105, [206, 207]),
            (106, [left, right]), (107, [200, 201, 202, 203]), (108, [left, right, leftSide, rightSide]),
            (109, [left, right, leftSide, rightSide, center]),
            (110, [left, right, leftSide, rightSide, center, centerBack]),
            (111, [left, right, leftSide, rightSide, center, centerBack, leftWide, rightWide]),
            (112, [left, right, leftSide, rightSide, leftHeight, rightHeight, leftTopBack, rightTopBack]),
            (113, [left, right, center]), (114, [center, left, right]), (115, [left, right, center, centerBack]),
            (116, [center, left, right, centerBack]), (117, [left, right, center, leftSide, rightSide]),
            (118, [left, right, leftSide, rightSide, center]), (119, [left, center, right, leftSide, rightSide]),
            (120, [center, left, right, leftSide, rightSide]), (121, [left, right, center, effects, leftSide, rightSide]),
            (122, [left, right, leftSide, rightSide, center, effects]),
            (123, [left, center, right, leftSide, rightSide, effects]),
            (124, [center, left, right, leftSide, rightSide, effects]),
            (125, [left, right, center, effects, leftSide, rightSide, centerBack]),
            (126, [left, right, center, effects, leftSide, rightSide, leftCenter, rightCenter]),
            (127, [center, leftCenter, rightCenter, left, right, leftSide, rightSide, effects]),
            (128, [left, right, center, effects, leftSide, rightSide, leftBack, rightBack]),
            (129, [left, right, leftSide, rightSide, center, effects, leftCenter, rightCenter]),
            (130, [left, right, center, effects, leftSide, rightSide, leftTotal, rightTotal]),
            (131, [left, right, centerBack]), (132, [left, right, leftSide, rightSide]), (133, [left, right, effects]),
            (134, [left, right, effects, centerBack]), (135, [left, right, effects, leftSide, rightSide]),
            (136, [left, right, center, effects]), (137, [left, right, center, effects, centerBack]),
            (138, [left, right, leftSide, rightSide, effects]),
            (139, [left, right, leftSide, rightSide, center, centerBack]),
            (140, [left, right, leftSide, rightSide, center, leftBack, rightBack]),
            (141, [center, left, right, leftSide, rightSide, centerBack]),
            (142, [center, left, right, leftSide, rightSide, centerBack, effects]),
            (143, [center, left, right, leftSide, rightSide, leftBack, rightBack]),
            (144, [center, left, right, leftSide, rightSide, leftBack, rightBack, centerBack]),
            (145, tenPointTwo), (146, tenPointTwo + [leftCenter, rightCenter, 40, 41, 45]),
            (148, [left, right, leftSide, rightSide, center, leftCenter, rightCenter]),
            (149, [center, effects]), (150, [left, center, right]), (151, [left, center, right, centerBack]),
            (152, [left, center, right, effects]), (153, [left, right, centerBack, effects]),
            (154, [left, center, right, centerBack, effects]),
            (155, [left, center, right, leftSide, rightSide, centerBack]),
            (156, [left, center, right, leftSide, rightSide, leftBack, rightBack]),
            (157, enhanced + [centerBack]), (158, enhanced + [top]), (159, enhanced + [centerHeight]),
            (160, enhanced + [leftBack, rightBack]), (161, enhanced + [leftCenter, rightCenter]),
            (162, enhanced + [leftDirect, rightDirect]), (163, enhanced + [leftWide, rightWide]),
            (164, enhanced + [leftHeight, rightHeight]), (165, enhanced + [centerBack, top]),
            (166, enhanced + [centerBack, centerHeight]), (167, enhanced + [top, centerHeight]),
            (168, [center, left, right, effects]), (169, [center, left, right, centerBack, effects]),
            (170, [leftCenter, rightCenter, left, right, leftSide, rightSide]),
            (171, [center, left, right, leftBack, rightBack, top]),
            (172, [center, centerBack, left, right, leftBack, rightBack]),
            (173, [leftCenter, rightCenter, left, right, leftSide, rightSide, effects]),
            (174, [center, left, right, leftBack, rightBack, top, effects]),
            (175, [center, centerBack, left, right, leftBack, rightBack, effects]),
            (176, [leftCenter, center, rightCenter, left, right, leftSide, rightSide]),
            (177, [leftCenter, center, rightCenter, left, right, leftSide, rightSide, effects]),
            (178, [leftCenter, rightCenter, left, right, leftSide, rightSide, leftBack, rightBack]),
            (179, [leftCenter, center, rightCenter, left, right, leftSide, centerBack, rightSide]),
            (180, [leftCenter, rightCenter, left, right, leftSide, rightSide, leftBack, rightBack, effects]),
            (181, [leftCenter, center, rightCenter, left, right, leftSide, centerBack, rightSide, effects]),
            (182, [center, left, right, leftSide, rightSide, effects, centerBack]),
            (183, [center, left, right, leftSide, rightSide, leftBack, rightBack, effects]),
            (184, [center, left, right, leftSide, rightSide, effects, leftHeight, rightHeight]),
            (185, [left, right, leftBack, rightBack]), (186, [left, right, center, leftBack, rightBack]),
            (187, [left, right, center, effects, leftBack, rightBack]),
            (188, [left, right, center, effects, centerBack, leftSide, rightSide]),
            (189, [left, right, center, effects, leftBack, rightBack, leftSide, rightSide]),
            (192, surround + [leftBack, rightBack, leftHeight, rightHeight, 52, 54]),
            (193, surround + [leftBack, rightBack, leftWide, rightWide, leftHeight, rightHeight, 49, 51, 52, 54]),
            (194, surround + [49, 51]),
        ]
        return rows.map { ($0.number << 16 | UInt32(clamping: $0.labels.count), $0.labels) }
    }()

    private static let left: UInt32 = 1, right: UInt32 = 2, center: UInt32 = 3, effects: UInt32 = 4
    private static let leftSide: UInt32 = 5, rightSide: UInt32 = 6, leftCenter: UInt32 = 7, rightCenter: UInt32 = 8
    private static let centerBack: UInt32 = 9, leftDirect: UInt32 = 10, rightDirect: UInt32 = 11, top: UInt32 = 12
    private static let leftHeight: UInt32 = 13, centerHeight: UInt32 = 14, rightHeight: UInt32 = 15
    private static let leftTopBack: UInt32 = 16, rightTopBack: UInt32 = 18
    private static let leftBack: UInt32 = 33, rightBack: UInt32 = 34, leftWide: UInt32 = 35, rightWide: UInt32 = 36
    private static let leftTotal: UInt32 = 38, rightTotal: UInt32 = 39, mono: UInt32 = 42
    /// The channels that layouts of Enhanced AC-3 with height channels, and those of Holman's layouts, begin with.
    private static let enhanced = [left, center, right, leftSide, rightSide, effects]
    /// The channels that layouts with loudspeakers above begin with. 49, 51, 52 and 54 are above at the sides and at the back.
    private static let surround = [left, right, center, effects, leftSide, rightSide]
    private static let tenPointTwo = [
        left, right, center, centerHeight, leftDirect, rightDirect, leftSide, rightSide, leftHeight, rightHeight, leftWide,
        rightWide, 44, centerBack, effects, 37,
    ]
}

/// Zones by the abbreviations that mails, feeds and log files write.
///
/// Some stand for several zones. These are the ones that RFC 5322 names, and otherwise those with the most people.
enum ZoneAbbreviations {
    /// Minutes east of UTC, by the name in capitals.
    private static let minutes: [String: Int64] = [
        "UT": 0, "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 60, "BST": 60, "CET": 60, "CEST": 120, "MET": 60,
        "MEST": 120, "MEZ": 60, "MESZ": 120, "EET": 120, "EEST": 180, "MSK": 180, "MSD": 240, "TRT": 180, "IDT": 180,
        "WAT": 60, "CAT": 120, "SAST": 120, "EAT": 180, "GST": 240, "PKT": 300, "IST": 330, "NPT": 345, "ICT": 420,
        "WIB": 420, "WITA": 480, "WIT": 540, "SGT": 480, "HKT": 480, "PHT": 480, "AWST": 480, "JST": 540, "KST": 540,
        "ACST": 570, "ACDT": 630, "AEST": 600, "AEDT": 660, "NZST": 720, "NZDT": 780, "EST": -300, "EDT": -240,
        "CST": -360, "CDT": -300, "MST": -420, "MDT": -360, "PST": -480, "PDT": -420, "AKST": -540, "AKDT": -480,
        "HST": -600, "AST": -240, "ADT": -180, "NST": -210, "NDT": -150, "BRT": -180, "BRST": -120, "ART": -180,
        "CLT": -240, "CLST": -180, "COT": -300, "PET": -300, "VET": -240,
    ]

    /// Those that RFC 5322 names, which are certain.
    static let certain: Set = ["UT", "UTC", "GMT", "Z", "z", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT"]

    /// Seconds east of UTC; `nil` if it is none of these, in any case.
    static func offset(_ name: some StringProtocol) -> Int64? { minutes[name.uppercased()].map { $0 * 60 } }
}

internal import GRDB
internal import LosslessJSON

extension SandboxStore {
    /// The HATApplicationObject: the definition with the state that this PDA computes.
    ///
    /// An `External` status counts as passed while the application is enabled: the sandbox does not call `statusUrl` yet.
    ///
    /// - Parameter dependencies: Whether all dependencies could be enabled, in the answer to a set-up only.
    func state(of application: KnownApplication, dependencies: Bool? = nil) async throws -> JSONValue {
        var members: [JSONObject.Member] = [
            ("application", application.definition),
            ("setup", .bool(application.setUpVersion != nil)),
            ("enabled", .bool(application.isEnabled)),
            ("active", .bool(application.isEnabled)),
        ]
        if application.isEnabled { members.append(("needsUpdating", .bool(application.needsUpdating))) }
        if let dependencies { members.append(("dependenciesEnabled", .bool(dependencies))) }
        // Compared exactly: a leading slash, as some definitions have it, never matches.
        if application.isEnabled,
            let endpoint = application.definition["status"]?["recentDataCheckEndpoint"]?.stringText,
            let date = try await newestDate(at: endpoint)
        {
            members.append(("mostRecentData", .text(Timestamp.text(milliseconds: date))))
        }
        return .object(JSONObject(members))
    }

    private func newestDate(at endpoint: String) async throws -> Int64? {
        try await read { database in
            try Int64.fetchOne(
                database,
                sql: "SELECT max(date) FROM records WHERE endpoint = (SELECT id FROM endpoints WHERE path = ?)",
                arguments: [endpoint]
            )
        }
    }
}

extension KnownApplication {
    /// Whether the definition demands a newer version than the one that was set up.
    var needsUpdating: Bool {
        guard let demanded = definition["status"]?["compatibility"]?.stringText.flatMap({ Version($0) }),
            let present = setUpVersion.flatMap({ Version($0) })
        else { return false }
        return present < demanded
    }
}

/// Three dotted integers, compared one by one.
struct Version: Comparable {
    var parts: [Int]

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, !parts.contains(where: { $0.map { $0 < 0 } ?? true }) else { return nil }
        self.parts = parts.compactMap { $0 }
    }

    static func < (left: Version, right: Version) -> Bool { left.parts.lexicographicallyPrecedes(right.parts) }
}

/// Points in time as texts.
enum Timestamp {
    /// `2024-05-01T07:00:03.120Z`
    static func text(milliseconds: Int64) -> String {
        let (day, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let (year, month, dayOfMonth) = date(daysSince1970: rest < 0 ? day - 1 : day)
        let inDay = Int(rest < 0 ? rest + 86_400_000 : rest)
        func padded(_ value: Int, _ count: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        let time = [inDay / 3_600_000, inDay / 60_000 % 60, inDay / 1000 % 60].map { padded($0, 2) }.joined(
            separator: ":"
        )
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))T\(time).\(padded(inDay % 1000, 3))Z"
    }

    /// The civil date of a day, counted in eras of 400 years that begin on 1 March.
    private static func date(daysSince1970: Int64) -> (Int, Int, Int) {
        let shifted = Int(daysSince1970) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

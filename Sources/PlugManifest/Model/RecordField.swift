package import LosslessJSON
package import PlugCore

/// A member of the mapped record that `fields` names.
package struct RecordField: Sendable {
    /// The member's name.
    package var name: String
    /// How its value is written.
    package var cast: Cast
    /// Whether its value is not shown to people.
    package var isSensitive = false
    /// Where it stands.
    package var location: Diagnostic.Location
}

/// What becomes of members of the mapped record that `fields` does not name.
package enum UnknownMembers: String, Sendable, CaseIterable {
    /// They stay.
    case keep
    /// They are left out.
    case drop
    /// They stay, and a run tells of them.
    case report
}

/// How the source's record goes into the member `raw` of the mapped one.
package enum RawMember: String, Sendable, CaseIterable {
    /// As it is.
    case keep
    /// As the SHA-256 of its canonical form, in hexadecimal digits.
    case hash
}

/// How the member of a mapped record is written.
package enum Cast: Sendable, Equatable {
    /// RFC 3339 in UTC.
    case time(TimeReading)
    /// A day, `2026-11-21`.
    case date(TimeReading)
    /// A whole number.
    case integer(NumberReading?)
    /// A number.
    case decimal(NumberReading?)
    /// Text.
    case string
    /// `true` or `false`.
    case boolean(BooleanWords?)
    /// As `map` gives it.
    case any

    /// The names of all casts.
    package static let words = ["time", "date", "integer", "decimal", "string", "boolean", "any"]

    /// Its name in a manifest.
    package var word: String {
        switch self {
        case .time: "time"
        case .date: "date"
        case .integer: "integer"
        case .decimal: "decimal"
        case .string: "string"
        case .boolean: "boolean"
        case .any: "any"
        }
    }

    /// A text for all that makes a difference to values: its name, and what the manifest says beside it.
    package var signature: String {
        let details: [String] =
            switch self {
            case .time(let reading), .date(let reading): reading.names + [reading.zone?.name].compactMap(\.self)
            case .integer(let reading), .decimal(let reading):
                reading.map { [$0.point, $0.group?.rawValue ?? ""] } ?? []
            case .boolean(let words): words.map { $0.values.map { "\($0.key)=\($0.value)" }.sorted() } ?? []
            case .string, .any: []
            }
        return details.isEmpty ? word : "\(word)(\(details.joined(separator: "|")))"
    }
}

/// What texts and numbers a cast takes for times.
package struct TimeReading: Sendable, Equatable {
    /// The formats to try, in order; empty for those that are usual.
    package var formats: [SinceFormat] = []
    /// The formats as the manifest names them.
    package var names: [String] = []
    /// Whose clocks are meant by a text that does not name a zone; `nil` for UTC.
    package var zone: NamedZone?

    /// The usual forms, in UTC.
    package init() {}
}

/// How texts write numbers.
package struct NumberReading: Sendable, Equatable {
    /// What stands between each three digits.
    package enum Group: String, Sendable {
        case point = "."
        case comma = ","
        /// Also the typographic one, U+2019.
        case apostrophe = "'"
        /// Also a no-break space, U+00A0, and a narrow one, U+202F.
        case space = " "

        /// The one that a manifest names.
        init?(written: String) {
            switch written {
            case "\u{2019}": self = .apostrophe
            case "\u{A0}", "\u{202F}": self = .space
            default: self.init(rawValue: written)
            }
        }
    }

    /// What stands before the fraction: `.` or `,`.
    package var point: String
    /// What may separate each three digits; `nil` for nothing.
    package var group: Group?
}

/// Which values mean `true` and which `false`.
package struct BooleanWords: Sendable, Equatable {
    /// By their texts: those of numbers in the one form of their value.
    package var values: [String: Bool]
}

extension JSONValue {
    /// A text that tells scalars apart by what they show: `yes`, `1`, `true`; `nil` for `null` and whatever has parts.
    package var shownText: String? {
        switch self {
        case .string(let string): string.text
        case .number(let number): number.canonicalText
        case .bool(let bool): bool ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}

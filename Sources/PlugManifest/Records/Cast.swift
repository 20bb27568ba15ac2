package import LosslessJSON
package import PlugCore

/// How a member of a mapped record is converted. A new one is a case, a row of `CastKind.all`, and what `FieldCast` of PlugNormalise
/// makes of values.
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
    /// Whatever `map` returns.
    case any

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

    /// Whether it reads values as times.
    package var isTime: Bool {
        switch self {
        case .time, .date: true
        case .integer, .decimal, .string, .boolean, .any: false
        }
    }

    /// A text that covers everything that affects values: its name, and its options in the manifest.
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

/// Which texts and numbers a cast accepts as times.
package struct TimeReading: Sendable, Equatable {
    /// The formats to try, in order; empty for the usual ones.
    package var formats: [SinceFormat] = []
    /// The formats as the manifest names them.
    package var names: [String] = []
    /// The time zone of texts that do not name one; `nil` for UTC.
    package var zone: NamedZone?

    /// The usual forms, in UTC.
    package init() {}
}

/// How numbers are written in texts.
package struct NumberReading: Sendable, Equatable {
    /// The separator between groups of three digits.
    package enum Group: String, Sendable {
        case point = "."
        case comma = ","
        /// Also the typographic one, U+2019.
        case apostrophe = "'"
        /// Also a no-break space, U+00A0, and a narrow one, U+202F.
        case space = " "

        /// Reads the separator that a manifest names.
        init?(written: String) {
            switch written {
            case "\u{2019}": self = .apostrophe
            case "\u{A0}", "\u{202F}": self = .space
            default: self.init(rawValue: written)
            }
        }
    }

    /// The decimal separator: `.` or `,`.
    package var point: String
    /// The separator allowed between groups of three digits; `nil` for none.
    package var group: Group?
}

/// Which values mean `true` and which `false`.
package struct BooleanWords: Sendable, Equatable {
    /// By their texts; numbers in the one canonical form of their value.
    package var values: [String: Bool]
}

extension JSONValue {
    /// A text that tells scalars apart by what they show: `yes`, `1`, `true`; `nil` for `null`, arrays and objects.
    package var shownText: String? {
        switch self {
        case .string(let string): string.text
        case .number(let number): number.canonicalText
        case .bool(let bool): bool ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}

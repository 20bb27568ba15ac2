package import LosslessJSON
internal import PlugCore
internal import PlugFetch
internal import PlugManifest

/// What the members of mapped records hold, judging by some of the records.
package struct ColumnSurvey: Sendable {
    /// One member.
    package struct Column: Sendable {
        /// Its name.
        package var name: String
        /// The JSON types of its values other than `null`, in the order in which they were met.
        package var types: [String] = []
        /// How many records have it.
        package var present = 0
        /// How many of them have `null`.
        package var nulls = 0
        /// The first value that is not `null`.
        package var example: JSONValue?
    }

    /// Further members are not counted: an object whose members are data may have any number.
    private static let limit = 300

    /// The members, in the order in which they were met.
    package private(set) var columns: [Column] = []
    /// The number of records.
    package private(set) var records = 0
    private let hidden: HiddenMembers
    private var places: [JSONString: Int] = [:]

    /// - Parameter hidden: The members that examples must not show.
    init(hiding hidden: HiddenMembers) { self.hidden = hidden }

    /// Takes in a canonical record.
    mutating func add(_ record: [UInt8]) {
        records += 1
        guard let object = (try? JSONValue(parsing: record))?.object else { return }
        for (key, value) in object.members where key != "_id" {
            guard let at = place(of: key) else { continue }
            columns[at].present += 1
            if value.isNull {
                columns[at].nulls += 1
            } else {
                if !columns[at].types.contains(value.typeName) { columns[at].types.append(value.typeName) }
                let isHidden = hidden.names.contains(key.text)
                columns[at].example = columns[at].example ?? (isHidden ? .text(HiddenMembers.mark) : value)
            }
        }
    }

    private mutating func place(of key: JSONString) -> Int? {
        if let at = places[key] { return at }
        guard columns.count < Self.limit else { return nil }
        places[key] = columns.count
        columns.append(Column(name: key.text))
        return columns.count - 1
    }

    /// The same survey, with examples that show no secret.
    func without(secretsOf redactor: Redactor) -> ColumnSurvey {
        var survey = self
        for at in columns.indices { survey.columns[at].example = columns[at].example?.without(secretsOf: redactor) }
        return survey
    }

    /// Reports members that are `null` throughout; `nil` if there are none.
    ///
    /// - Parameter enough: The minimum number of records for a verdict.
    func nullFault(_ stream: PlugManifest.Stream, enough: Int) -> PlugError? {
        let empty = columns.filter { $0.present == $0.nulls }
        guard records >= enough, !empty.isEmpty else { return nil }
        let names = empty.map { "'\(DisplayText.escaped(String($0.name.prefix(60))))'" }.joined(separator: ", ")
        let place = stream.map == nil ? "stream '\(stream.name)'" : stream.places["map"]
        return PlugError(
            .columnNull,
            "\(place): \(names) \(empty.count == 1 ? "is" : "are") null in all \(records) records",
            advice: "compare 'map' with a record of the source: a misspelt member gives null",
            stream: stream.name
        )
    }
}

extension JSONValue {
    /// The value with all its texts and names redacted for display.
    func without(secretsOf redactor: Redactor) -> JSONValue {
        switch self {
        case .string(let text): .text(redactor.shown(whole: text.text))
        case .number(let number):
            redactor.shown(whole: number.text) == number.text ? self : .text(redactor.shown(whole: number.text))
        case .array(let elements): .array(elements.map { $0.without(secretsOf: redactor) })
        case .object(let object):
            .object(
                JSONObject(
                    object.members.map {
                        (JSONString(redactor.shown(whole: $0.key.text)), $0.value.without(secretsOf: redactor))
                    }
                )
            )
        default: self
        }
    }
}

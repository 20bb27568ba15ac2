internal import LosslessJSON
internal import PlugCore

extension Placeholders {
    /// A value with placeholders.
    ///
    /// - Parameters:
    ///   - place: The names of the members above it.
    ///   - member: The nearest of them.
    func json(_ value: JSONValue, at place: String, member: String?) -> JSONValue {
        switch value {
        case .null, .bool: return value
        case .string(let string): return .text(text(string.text, member: member))
        case .number(let number): return .number(JSONNumber(notedNumber(number.text, member: member)) ?? number)
        case .array(let elements): return .array(elements.map { json($0, at: "\(place)[]", member: member) })
        case .object(let object):
            if isLooking { names.noteObject(at: place) }
            if let day = day(object) { return .object(day) }
            let members = object.members.map { key, value -> JSONObject.Member in
                let new =
                    kept.contains(key.text)
                    ? keptJSON(value, key.text) : json(value, at: "\(place).\(key.text)", member: key.text)
                return (JSONString(name(key.text, at: place)), new)
            }
            return .object(JSONObject(members))
        }
    }

    /// A day whose parts are members of an object, as in some services; `nil` for any other object.
    private func day(_ object: JSONObject) -> JSONObject? {
        guard object.count == 3, let year = object["year"]?.number?.int64, let month = object["month"]?.number?.int64,
            let day = object["day"]?.number?.int64, 1900...2200 ~= year,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        let new = CivilDate(daysSinceEpoch: date.daysSinceEpoch + times.days)
        var output = object
        for (name, value) in [("year", new.year), ("month", new.month), ("day", new.day)] {
            if !isLooking { output[JSONString(name)] = .integer(Int(value)) }
        }
        return output
    }

    /// What the author wants to keep: everything except what looks like a credential. A known one that does not is found before
    /// anything is written.
    private func keptJSON(_ value: JSONValue, _ member: String) -> JSONValue {
        switch value {
        case .string(let string): Self.hasForm(ofSecret: string.text) ? .text(hidden(string.text)) : value
        case .array(let elements): .array(elements.map { keptJSON($0, member) })
        case .object(let object): .object(JSONObject(object.members.map { ($0.key, keptJSON($0.value, $0.key.text)) }))
        default: value
        }
    }

    /// JSON values on a line each; `nil` if a line is not JSON.
    func jsonLines(_ lines: [String]) -> String? {
        var values: [JSONValue?] = []
        for line in lines {
            if line.allSatisfy(\.isWhitespace) {
                values.append(nil)
            } else {
                guard let value = try? JSONValue(parsing: line) else { return nil }
                values.append(value)
            }
        }
        guard values.contains(where: { $0 != nil }) else { return nil }
        return values.map { $0.map { json($0, at: "", member: nil).compactText } ?? "" }.joined(separator: "\n")
    }
}

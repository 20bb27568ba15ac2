internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// Casts a mapped member to the type that `fields` names.
struct FieldCast {
    /// Why a value cannot be cast; says nothing of the value itself.
    struct Failure: Error { var reason: String }

    let name: String
    let cast: Cast

    /// The cast value; `null` stays `null`.
    func apply(to value: JSONValue) throws(Failure) -> JSONValue {
        if value.isNull { return value }
        let result: JSONValue? =
            switch cast {
            case .time: calendarMoment(value).map { .text($0.rfc3339) }
            case .date: calendarMoment(value).map { .text($0.date) }
            case .integer: integer(value)
            case .decimal: decimal(value)
            case .string: string(value)
            case .boolean: boolean(value)
            }
        guard let result else {
            throw Failure(
                reason: "'\(name)' is \(withArticle(value.typeName)) that is not \(withArticle(cast.rawValue))"
            )
        }
        return result
    }

    private func withArticle(_ type: String) -> String {
        (type.first.map("aeiou".contains) == true ? "an " : "a ") + type
    }

    /// A moment of the years 0000 to 9999, which is all that RFC 3339 has.
    private func calendarMoment(_ value: JSONValue) -> Timestamp? {
        moment(value).flatMap { -62_167_219_200...253_402_300_799 ~= $0.seconds ? $0 : nil }
    }

    /// Texts in the usual forms; numbers are seconds since 1970, or milliseconds from 100,000,000,000 on (the year 5138
    /// in seconds, 1973 in milliseconds).
    private func moment(_ value: JSONValue) -> Timestamp? {
        switch value {
        case .string(let text): Timestamp(text.text)
        case .number(let number):
            abs(number.double) >= 1e11 ? Timestamp(epochMilliseconds: number.text) : Timestamp(epoch: number.text)
        default: nil
        }
    }

    private func integer(_ value: JSONValue) -> JSONValue? {
        guard let number = number(value) else { return nil }
        if number.text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || 0x30...0x39 ~= $0 }) { return .number(number) }
        return number.int64.map { .number(JSONNumber($0)) }
    }

    private func decimal(_ value: JSONValue) -> JSONValue? { number(value).map { .number($0) } }

    private func number(_ value: JSONValue) -> JSONNumber? {
        switch value {
        case .number(let number): number
        case .string(let text): JSONNumber(text.text)
        default: nil
        }
    }

    private func string(_ value: JSONValue) -> JSONValue? {
        switch value {
        case .string: value
        case .number(let number): .text(number.text)
        case .bool(let bool): .text(bool ? "true" : "false")
        default: nil
        }
    }

    private func boolean(_ value: JSONValue) -> JSONValue? {
        switch value {
        case .bool: value
        case .string(let text) where text.text == "true" || text.text == "false": .bool(text.text == "true")
        case .number(let number) where number == JSONNumber(0) || number == JSONNumber(1):
            .bool(number == JSONNumber(1))
        default: nil
        }
    }
}

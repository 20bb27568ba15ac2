internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// Casts a mapped member to the type that `fields` names.
struct FieldCast {
    /// Why a value cannot be cast; states how it is written, not what it is.
    struct Failure: Error { var reason: String }

    let name: String
    let cast: Cast

    /// The cast value; `null` stays `null`.
    func apply(to value: JSONValue) throws(Failure) -> JSONValue {
        if value.isNull { return value }
        let result: JSONValue? =
            switch cast {
            case .time(let reading): calendar(reading.time(value)?.moment(in: reading.zone)).map { .text($0.rfc3339) }
            case .date(let reading): calendar(reading.time(value)?.day(in: reading.zone)).map { .text($0.date) }
            case .integer(let reading): integer(value, reading)
            case .decimal(let reading): number(value, reading).map { .number($0) }
            case .string: string(value)
            case .boolean(let words): boolean(value, words)
            case .any: value
            }
        guard let result else {
            let form = (value.stringText ?? value.number?.text).map { " (of the form \"\(ValueShape($0))\")" } ?? ""
            let advice = CastAdvice.advice(value, self).map { "; \($0)" } ?? ""
            throw Failure(
                reason:
                    "'\(name)' is \(withArticle(value.typeName)) that is not \(withArticle(cast.word))\(form)\(advice)"
            )
        }
        return result
    }

    private func withArticle(_ type: String) -> String {
        (type.first.map("aeiou".contains) == true ? "an " : "a ") + type
    }

    /// A time in the years 0000 to 9999, which are all that RFC 3339 has.
    private func calendar(_ moment: Timestamp?) -> Timestamp? {
        moment.flatMap { -62_167_219_200...253_402_300_799 ~= $0.seconds ? $0 : nil }
    }

    private func integer(_ value: JSONValue, _ reading: NumberReading?) -> JSONValue? {
        guard let number = number(value, reading) else { return nil }
        if number.text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || 0x30...0x39 ~= $0 }) { return .number(number) }
        return number.int64.map { .number(JSONNumber($0)) }
    }

    private func number(_ value: JSONValue, _ reading: NumberReading?) -> JSONNumber? {
        switch value {
        case .number(let number): number
        case .string(let text): if let reading { reading.number(text.text) } else { JSONNumber(text.text) }
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

    private func boolean(_ value: JSONValue, _ words: BooleanWords?) -> JSONValue? {
        if let words {
            if let meaning = value.shownText.flatMap({ words.values[$0] }) { return .bool(meaning) }
            if case .bool = value { return value }
            return nil
        }
        switch value {
        case .bool: return value
        case .string(let text) where text.text == "true" || text.text == "false": return .bool(text.text == "true")
        case .number(let number) where number == JSONNumber(0) || number == JSONNumber(1):
            return .bool(number == JSONNumber(1))
        default: return nil
        }
    }
}

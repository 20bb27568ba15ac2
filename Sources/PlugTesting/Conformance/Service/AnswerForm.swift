import Decoding
import LosslessJSON
import PlugManifest

/// The format of simulated answers.
enum AnswerForm: Sendable {
    /// One JSON value.
    case json
    /// A JSON value on each line, represented here as a list.
    case lines
    /// A text with elements in it: a feed, a calendar.
    case text(CutText)

    /// `nil` for a format that cannot be simulated.
    init?(_ stream: PlugManifest.Stream) {
        switch stream.decoding?.format {
        case nil: self = .json
        case .jsonLines?: self = .lines
        case let format?:
            guard let text = CutText(format) else { return nil }
            self = .text(text)
        }
    }

    /// Whether answers can be made from records alone, without a recorded one.
    var isJSON: Bool { if case .text = self { false } else { true } }

    /// The value of a recorded body; `nil` if it is not of this form.
    func value(_ body: [UInt8]) -> JSONValue? {
        switch self {
        case .json: return try? JSONValue(parsing: body)
        case .lines:
            let lines = body.split(separator: UInt8(ascii: "\n"))
            let values = lines.compactMap { try? JSONValue(parsing: Array($0)) }
            return values.count == lines.count ? .array(values) : nil
        case .text(let text): return text.value(body)
        }
    }

    /// The body for a value.
    func bytes(_ value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        switch self {
        case .json: value.write(to: &bytes)
        case .lines:
            for line in value.elements ?? [] {
                line.write(to: &bytes)
                bytes.append(UInt8(ascii: "\n"))
            }
        case .text(let text): return text.bytes(value)
        }
        return bytes
    }

    /// The input of the programs of `page`.
    func pageInput(_ value: JSONValue) -> JSONValue {
        switch self {
        case .json: return value
        case .lines, .text:
            let records = recordInputs(value)
            return .members(("records", .integer(records.count)), ("last", records.last ?? .null))
        }
    }

    /// The inputs of `records`.
    func recordInputs(_ value: JSONValue) -> [JSONValue] {
        switch self {
        case .json: [value]
        case .lines: value.elements ?? []
        case .text(let text): text.records(value) ?? []
        }
    }
}

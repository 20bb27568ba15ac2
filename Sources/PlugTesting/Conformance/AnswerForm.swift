import Decoding
import LosslessJSON
import PlugManifest

/// How the answers that are made are written.
enum AnswerForm: Sendable {
    /// One JSON value.
    case json
    /// A JSON value on each line: a list of them here.
    case lines

    /// `nil` for what is not made.
    init?(_ stream: PlugManifest.Stream) {
        switch stream.decoding?.format {
        case nil: self = .json
        case .jsonLines?: self = .lines
        default: return nil
        }
    }

    /// What a recorded body holds; `nil` where it is not of this form.
    func value(_ body: [UInt8]) -> JSONValue? {
        switch self {
        case .json: return try? JSONValue(parsing: body)
        case .lines:
            let lines = body.split(separator: UInt8(ascii: "\n"))
            let values = lines.compactMap { try? JSONValue(parsing: Array($0)) }
            return values.count == lines.count ? .array(values) : nil
        }
    }

    /// The body that holds a value.
    func bytes(_ value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        switch self {
        case .json: value.write(to: &bytes)
        case .lines:
            for line in value.elements ?? [] {
                line.write(to: &bytes)
                bytes.append(UInt8(ascii: "\n"))
            }
        }
        return bytes
    }

    /// What the programs of `page` see of it.
    func pageInput(_ value: JSONValue) -> JSONValue {
        switch self {
        case .json: return value
        case .lines:
            let lines = value.elements ?? []
            return .members(("records", .integer(lines.count)), ("last", lines.last ?? .null))
        }
    }

    /// What `records` is run over.
    func recordInputs(_ value: JSONValue) -> [JSONValue] {
        switch self {
        case .json: [value]
        case .lines: value.elements ?? []
        }
    }
}

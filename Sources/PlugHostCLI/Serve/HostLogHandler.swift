internal import ArgumentParser
internal import Logging
internal import LosslessJSON
internal import PlugCore

/// The format of log lines.
enum LogForm: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// A time, a level and a sentence, for people.
    case text
    /// One JSON object, for programs.
    case json
}

/// Writes a host's log to stderr, one line per event.
struct HostLogHandler: LogHandler {
    private let form: LogForm
    private let context: CommandContext
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.info

    init(_ form: LogForm, _ context: CommandContext) { (self.form, self.context) = (form, context) }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let time = Timestamp(seconds: context.clock.now() / 1_000_000).rfc3339
        let fields = metadata.merging(event.metadata ?? [:]) { $1 }
        switch form {
        case .text:
            // One line, whatever foreign text it contains.
            let text = DisplayText.escaped("\(event.message)".replacing("\n", with: " "))
            context.errors.write("\(time) \(Self.padded(event.level)) \(text)\n")
        case .json:
            // An error's description ends with its advice.
            let parts = "\(event.message)".split(separator: "\n  help: ", maxSplits: 1)
            let message = parts.first.map { String($0.replacing("\n", with: " ")) } ?? ""
            var members: [JSONObject.Member] = [
                ("time", .text(time)), ("level", .text(event.level.rawValue)), ("message", .text(message)),
            ]
            if parts.count > 1 { members.append(("help", .text(String(parts[1].replacing("\n", with: " "))))) }
            for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
                members.append((JSONString(key), Self.json(value)))
            }
            context.errors.write(JSONValue.object(JSONObject(members)).compactText + "\n")
        }
    }

    private static func padded(_ level: Logger.Level) -> String {
        level.rawValue + String(repeating: " ", count: max(0, 7 - level.rawValue.count))
    }

    private static func json(_ value: Logger.MetadataValue) -> JSONValue {
        switch value {
        case .string(let text): .text(text)
        case .stringConvertible(let number as Int64): .number(JSONNumber(number))
        case .stringConvertible(let number as Int): .integer(number)
        case .stringConvertible(let other): .text(other.description)
        case .array(let values): .array(values.map(json))
        case .dictionary(let values): .object(JSONObject(values.map { (JSONString($0.key), json($0.value)) }))
        }
    }
}

internal import LosslessJSON
internal import PlugCore

/// JSON from a file or stdin.
enum PDAInput {
    /// The values in a file: one document, or one per line.
    ///
    /// - Throws: `PlugError` `pda-input` (data), and the errors of reading a file.
    static func values(_ path: String) throws(PlugError) -> [JSONValue] {
        let bytes = try Files.read(path, limit: 64 << 20, failing: .usage)
        if let value = try? JSONValue(parsing: bytes) { return [value] }
        var values: [JSONValue] = []
        for (at, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            do throws(JSONError) { values.append(try JSONValue(parsing: Array(line))) } catch {
                throw invalid("line \(at + 1) of \(shown(path)) is not JSON: \(error)")
            }
        }
        guard !values.isEmpty else { throw invalid("\(shown(path)) is empty") }
        return values
    }

    /// The values in a file that may also hold them as one list; throws as `values` does.
    static func list(_ path: String) throws(PlugError) -> [JSONValue] {
        let given = try values(path)
        return given.count == 1 ? given[0].elements ?? given : given
    }

    /// The single value in a file.
    static func value(_ path: String) throws(PlugError) -> JSONValue {
        let values = try values(path)
        guard values.count == 1 else { throw invalid("\(shown(path)) holds several values instead of one") }
        return values[0]
    }

    private static func shown(_ path: String) -> String { path == "-" ? "stdin" : DisplayText.escaped(path) }

    private static func invalid(_ message: String) -> PlugError {
        PlugError(.pdaInput, message, advice: "give one JSON document, or one per line")
    }
}

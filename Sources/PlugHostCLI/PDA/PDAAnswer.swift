internal import LosslessJSON
internal import PDAClient
internal import PlugCore

/// How the commands of `pda` answer: a table on a terminal, JSON for programs.
struct PDAAnswer {
    let context: CommandContext
    /// Whether JSON was asked for; without a terminal it is the answer anyway.
    let isJSON: Bool

    private var isTable: Bool { context.outputIsTerminal && !isJSON }

    /// Elements, a line of JSON each or a row each, and on stderr what could not be read.
    ///
    /// - Returns: 1 where an element could not be read.
    func list<Element: PDAShape>(
        _ list: PDAList<Element>,
        _ header: [String],
        limits: [Int],
        row: (Element) -> [String]
    ) -> ExitStatus {
        if isTable {
            context.output.write(TextTable.aligned([header] + list.elements.map(row), limits: limits))
        } else {
            for element in list.elements { context.answer(element.json) }
        }
        return tellUnreadable(list.undecodable)
    }

    /// Tells of elements that are not what they should be; programs get them as they came.
    func tellUnreadable(_ elements: [UndecodableElement]) -> ExitStatus {
        for element in elements {
            if !isTable { context.answer(element.json) }
            let reason = DisplayText.escaped(element.error.message)
            context.errors.write("warning: element \(element.index) cannot be read: \(reason)\n")
        }
        return elements.isEmpty ? .done : .failed
    }

    /// One object: laid out on a terminal, one line otherwise.
    func one(_ value: JSONValue) {
        if isTable {
            context.output.write(PrettyJSON(isForTerminal: true).text(value) + "\n")
        } else {
            context.answer(value)
        }
    }

    /// What was done: a sentence, or an object.
    func done(_ sentence: String, _ members: [JSONObject.Member]) {
        if isJSON { context.answer(.object(JSONObject(members))) } else { context.output.write(sentence + "\n") }
    }
}

/// JSON from a file or stdin.
enum PDAInput {
    /// The values of a file: one document, or a document a line.
    ///
    /// - Throws: `PlugError` `pda-input` (data), and what reading a file throws.
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

    /// The one value of a file.
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

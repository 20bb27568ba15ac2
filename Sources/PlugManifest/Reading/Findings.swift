package import PlugCore

/// Collects findings from all parts of the reader.
package final class Findings {
    /// The findings, in the order in which they were made.
    package private(set) var diagnostics: [Diagnostic] = []
    /// The tables of the file's language, in which a misplaced key may belong.
    let tables: [KeyTable]

    /// Creates a collection with the findings so far.
    package init(_ diagnostics: [Diagnostic] = [], of tables: [KeyTable] = []) {
        self.diagnostics = diagnostics
        self.tables = tables
    }

    /// Adds an error.
    package func error(
        _ code: PlugError.Code,
        _ message: String,
        at location: Diagnostic.Location?,
        help: String? = nil
    ) {
        diagnostics.append(Diagnostic(.error, code, message, at: location, help: help))
    }

    /// Adds a warning.
    package func warn(
        _ code: PlugError.Code,
        _ message: String,
        at location: Diagnostic.Location?,
        help: String? = nil
    ) {
        diagnostics.append(Diagnostic(.warning, code, message, at: location, help: help))
    }

    /// Warns about something that clients cannot decode.
    func warn(_ fault: ApplicationShape.Fault, at location: Diagnostic.Location) {
        diagnostics.append(fault.diagnostic(.warning, at: location))
    }

    func note(_ code: PlugError.Code, _ message: String, at location: Diagnostic.Location?, help: String? = nil) {
        diagnostics.append(Diagnostic(.note, code, message, at: location, help: help))
    }

    /// Everything by position; findings about the whole file come first. Duplicates, from parts that streams share, are listed
    /// once.
    package var sorted: [Diagnostic] {
        let start = Diagnostic.Location(line: 0, column: 0)
        var said: Set<String> = []
        return diagnostics.enumerated()
            .sorted { ($0.element.location ?? start, $0.offset) < ($1.element.location ?? start, $1.offset) }
            .map(\.element)
            .filter { finding in
                let place = finding.location ?? start
                return said.insert("\(place.line):\(place.column) \(finding.code.text) \(finding.message)").inserted
            }
    }

    /// Whether any of them is an error.
    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

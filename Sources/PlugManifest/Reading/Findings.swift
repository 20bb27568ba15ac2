import PlugCore

/// Collects what is found, wherever it is found.
final class Findings {
    private(set) var diagnostics: [Diagnostic] = []

    init(_ diagnostics: [Diagnostic] = []) { self.diagnostics = diagnostics }

    func error(_ code: PlugError.Code, _ message: String, at location: Diagnostic.Location?, help: String? = nil) {
        diagnostics.append(Diagnostic(.error, code, message, at: location, help: help))
    }

    func warn(_ code: PlugError.Code, _ message: String, at location: Diagnostic.Location?, help: String? = nil) {
        diagnostics.append(Diagnostic(.warning, code, message, at: location, help: help))
    }

    func note(_ code: PlugError.Code, _ message: String, at location: Diagnostic.Location?, help: String? = nil) {
        diagnostics.append(Diagnostic(.note, code, message, at: location, help: help))
    }

    /// Everything by position; what concerns the whole file comes first. What is found twice, because streams share it, is
    /// said once.
    var sorted: [Diagnostic] {
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

    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

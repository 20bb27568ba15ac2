public import LosslessJSON

/// Renders findings for a terminal, for GitHub's annotations or for programs.
///
/// Text from the file is shown with its control characters as `\u….`, so that a manifest cannot move the cursor of the person
/// reading.
public struct DiagnosticPrinter: Sendable {
    private let path: String
    private let lines: [[Unicode.Scalar]]

    /// A printer for the findings of one file.
    ///
    /// - Parameters:
    ///   - path: The file, as the user named it.
    ///   - text: Its text; lines end where YAML says so.
    public init(path: String, text: String) {
        self.path = path
        lines = Self.lines(of: text)
    }

    /// `path:line:col`, without what is not known.
    public func place(of diagnostic: Diagnostic) -> String {
        path + (diagnostic.location.map { ":\($0.line):\($0.column)" } ?? "")
    }

    /// `path:line:col: error: [code] text`, the line, a caret with tildes, and `help: …`; ends with a line break.
    public func text(_ diagnostic: Diagnostic) -> String {
        let message = DisplayText.escaped(diagnostic.message)
        var output =
            "\(DisplayText.escaped(place(of: diagnostic))): \(diagnostic.severity.rawValue): [\(diagnostic.code)] \(message)\n"
        if let location = diagnostic.location, lines.indices.contains(location.line - 1) {
            output += excerpt(lines[location.line - 1], location)
        }
        if let help = diagnostic.help { output += "  help: \(DisplayText.escaped(help))\n" }
        return output
    }

    /// `::error file=…,line=…,col=…,title=…::text`, as GitHub's runners read it; ends with a line break.
    public func github(_ diagnostic: Diagnostic) -> String {
        let command = diagnostic.severity == .note ? "notice" : diagnostic.severity.rawValue
        var properties = ["file=\(Self.property(path))"]
        if let location = diagnostic.location {
            properties += ["line=\(location.line)", "col=\(location.column)"]
        }
        properties.append("title=\(Self.property(diagnostic.code.text))")
        let help = diagnostic.help.map { " (\($0))" } ?? ""
        return "::\(command) \(properties.joined(separator: ","))::\(Self.data(diagnostic.message + help))\n"
    }

    /// An object: `path`, `line`, `column`, `length`, `severity`, `code`, `message`, `help`; `null` for absent values.
    public func json(_ diagnostic: Diagnostic) -> JSONValue {
        let location = diagnostic.location
        let members: [JSONObject.Member] = [
            ("path", .text(path)),
            ("line", Self.number(location?.line)),
            ("column", Self.number(location?.column)),
            ("length", Self.number(location?.length)),
            ("severity", .text(diagnostic.severity.rawValue)),
            ("code", .text(diagnostic.code.text)),
            ("message", .text(diagnostic.message)),
            ("help", diagnostic.help.map(JSONValue.text) ?? .null),
        ]
        return .object(JSONObject(members))
    }

    private static func number(_ value: Int?) -> JSONValue { value.map(JSONValue.integer) ?? .null }

    private func excerpt(_ line: [Unicode.Scalar], _ location: Diagnostic.Location) -> String {
        let start = min(location.column - 1, line.count)
        let end = min(start + location.length, line.count)
        // Tabs stay tabs, so that the caret is below its character however a terminal renders them.
        let margin = line[..<start].map { $0 == "\t" ? "\t" : String(repeating: " ", count: DisplayText.width($0)) }
        let width = max(1, line[start..<end].reduce(0) { $0 + DisplayText.width($1) })
        let shown = line.map { $0 == "\t" ? "\t" : DisplayText.escaped($0) }.joined()
        return "    \(shown)\n    \(margin.joined())^\(String(repeating: "~", count: width - 1))\n"
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }

    private static func data(_ text: String) -> String {
        DisplayText.escaped(text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A"))
    }

    private static func lines(of text: String) -> [[Unicode.Scalar]] {
        var lines: [[Unicode.Scalar]] = [[]]
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            switch scalar {
            case "\u{FEFF}" where previous == nil: continue
            case "\n" where previous == "\r": continue
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": lines.append([])
            default: lines[lines.count - 1].append(scalar)
            }
        }
        return lines
    }
}

internal import Importing
internal import LosslessJSON
internal import PlugCore

/// The report of an imported manifest, for people.
struct ImportText {
    private let plug: ImportedPlug
    private let path: String

    init(_ plug: ImportedPlug, of path: String) {
        self.plug = plug
        self.path = path
    }

    /// How much of it was carried over.
    var sum: String { "\(plug.carried.count) of \(plug.streams.count) streams are in the plug" }

    /// What was not, and what deserves a look, by lines.
    var missing: String {
        list("not carried over", plug.findings.filter { !$0.isNote }) + list("noted", plug.findings.filter(\.isNote))
    }

    /// What an import would produce.
    var checked: String { "\(sum)\n\(missing)" }

    private func list(_ title: String, _ findings: [ImportFinding]) -> String {
        let lines = findings.map { finding in
            let stream = finding.stream.map { "stream '\(DisplayText.escaped($0))': " } ?? ""
            return "  \(DisplayText.escaped(path)):\(finding.line): \(stream)\(DisplayText.escaped(finding.reason))\n"
        }
        return lines.isEmpty ? "" : "\(title):\n\(lines.joined())"
    }
}

/// The number of manifests by result.
struct ImportSum {
    private var whole = 0
    private var part = 0
    private var nothing = 0
    private var failed = 0
    private var streams = 0
    private var carried = 0

    /// Whether all are complete.
    var isWhole: Bool { part + nothing + failed == 0 }

    mutating func add(_ plug: ImportedPlug) {
        if plug.manifest == nil { nothing += 1 } else if plug.isWhole { whole += 1 } else { part += 1 }
        streams += plug.streams.count
        carried += plug.carried.count
    }

    mutating func addFailure() { failed += 1 }

    /// One line for people.
    var text: String {
        let parts = [
            (whole, "whole"), (part, "with something left out"), (nothing, "of which nothing can be carried over"),
            (failed, "failed"),
        ]
        let shown = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return "\(whole + part + nothing + failed) manifests: \(shown); \(carried) of \(streams) streams"
    }
}

extension ImportedPlug {
    /// One of several results, for programs.
    func json(file: String) -> JSONValue {
        var object = JSONObject([(JSONString("file"), .text(file))])
        for (key, value) in json.object?.members ?? [] { object[key] = value }
        return .object(object)
    }
}

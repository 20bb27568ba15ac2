internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugTesting

/// What a code means, whether a manifest or a run gave it.
struct Explanation {
    let code: String
    /// Whether it is found in a manifest, or met at work.
    let kind: String
    let cause: String
    /// A piece of a manifest that has it, for codes of manifests.
    let example: String?
    let fix: String

    var line: String {
        "\(code)\(String(repeating: " ", count: max(1, 28 - code.utf8.count)))\(cause)\n"
    }

    var text: String {
        let shown = example.map { "\nExample:\n\(Self.indented($0))\n" } ?? ""
        return "\(code)\n\n\(Self.indented(cause))\n\(shown)\nWhat to do:\n\(Self.indented(fix))\n"
    }

    var json: JSONValue {
        let members: [JSONObject.Member] = [
            ("code", .text(code)), ("kind", .text(kind)), ("cause", .text(cause)),
            ("example", example.map(JSONValue.text) ?? .null), ("fix", .text(fix)),
        ]
        return .object(JSONObject(members))
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n")
    }
}

/// All explanations.
enum Explanations {
    static let all = manifest + RunCodes.all + tests

    private static let manifest = DiagnosticCodes.all.map {
        Explanation(code: $0.code, kind: "manifest", cause: $0.cause, example: $0.example, fix: $0.fix)
    }

    private static let tests = TestCodes.all.map {
        Explanation(code: $0.code, kind: "test", cause: $0.cause, example: nil, fix: $0.fix)
    }

    /// - Throws: `PlugError` `unknown-code` (usage) with the nearest one.
    static func find(_ code: String) throws(PlugError) -> Explanation {
        let bare = code.hasPrefix("[") && code.hasSuffix("]") ? String(code.dropFirst().dropLast()) : code
        if let explanation = all.first(where: { $0.code == bare }) { return explanation }
        let nearest = Spelling.question(bare, in: all.map(\.code))
        throw PlugError(
            "unknown-code",
            exit: .usage,
            "there is no code '\(code)'",
            advice: nearest ?? "'plughost explain' lists them"
        )
    }
}

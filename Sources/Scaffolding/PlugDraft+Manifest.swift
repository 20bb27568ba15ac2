import LosslessJSON
import PlugCore

extension PlugDraft {
    /// The text of `plug.yaml`.
    package var manifest: String {
        var lines = [
            "# yaml-language-server: $schema=plug.schema.json",
            "# \(name.split { $0.isNewline }.joined(separator: " ")): say here whose data this plug copies.",
            "plug: \(id)",
            "api: 1",
            "version: 0.1.0",
            "released: \"2026-01-01\"      # the day of this version",
            "hosts: [\(YAMLWriting.text(host))]",
            "",
            "# What a PDA shows its owner. Change all of it.",
            "application:",
            "  info:",
            "    name: \(YAMLWriting.text(name))",
            "    headline: \(YAMLWriting.quoted("Your \(stream) from \(name)"))",
            "    description: {text: \(YAMLWriting.quoted("Copies your \(stream) from \(name) to your PDA."))}",
            "    termsUrl: \(YAMLWriting.quoted(terms))",
            "    dataUsePurpose: The plug only writes to your PDA; it reads nothing from it.",
            "    supportContact: you@example.org",
            "  developer: {id: you, name: Your name, url: \"https://example.org\", country: Your country}",
            "",
        ]
        if !questions.isEmpty { lines += ["config:"] + questions.map(Self.line) + [""] }
        lines += [
            "auth: \(auth)", "", "http:", "  base: \(YAMLWriting.quoted(base))",
            "  limits: [{rate: 60/60s}]      # what the service allows", "", "streams:", "  \(stream):",
            "    endpoint: \(stream)",
        ]
        lines += ["    request: \(request)", "    records: \(YAMLWriting.program(records))"]
        if let page { lines.append("    page: \(page)") }
        lines += ["    key: \(YAMLWriting.program(key))", "    version: \(YAMLWriting.program(version))"]
        let names = leftOut.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
        if !names.isEmpty { lines.append("    # Not carried over: \(names.joined(separator: ", ")).") }
        lines += map
        let casts = members.compactMap { member in member.cast.map { "\(member.name): \($0)" } }
        if !casts.isEmpty { lines.append("    fields: {\(casts.joined(separator: ", "))}") }
        lines.append("    every: 1h")
        if let example = examples.first {
            lines += [
                "    tests:", "      - in: \(example.compactText)", "        out: \(delivered(example).compactText)",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var host: String {
        let rest = base.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? ""
        return String(rest)
    }

    private static func line(_ question: Question) -> String {
        let secret = question.isSecret ? ", secret: true" : ""
        return "  \(question.key): {type: \(question.type)\(secret), title: \(YAMLWriting.quoted(question.title))}"
    }

    private var request: String {
        let parameters = query.map { "\(YAMLWriting.text($0.name)): \(YAMLWriting.text($0.value))" }
        let query = parameters.isEmpty ? "" : ", query: {\(parameters.joined(separator: ", "))}"
        let fields = headers.map { "\(YAMLWriting.text($0.name)): \(YAMLWriting.text($0.value))" }
        let headers = fields.isEmpty ? "" : ", headers: {\(fields.joined(separator: ", "))}"
        return "{path: \(YAMLWriting.text(path))\(query)\(headers)}"
    }

    private var page: String? {
        func counted(_ kind: String, _ parameter: String, _ sizeParameter: String?, _ size: Int, _ more: String)
            -> String
        {
            let sizes = sizeParameter.map { ", size: \(size), size_param: \(YAMLWriting.text($0))" }
            return
                "{\(kind): {param: \(YAMLWriting.text(parameter))\(more)\(sizes ?? (kind == "offset" ? ", size: \(size)" : ""))}}"
        }
        switch paging {
        case .none: return nil
        case .cursor(let from, let parameter):
            return "{cursor: {from: \(YAMLWriting.program(from)), param: \(YAMLWriting.text(parameter))}}"
        case .next(let program): return "{next: \(YAMLWriting.program(program))}"
        case .link: return "{link: next}"
        case .number(let parameter, let sizeParameter, let size):
            return counted("number", parameter, sizeParameter, size, ", from: 1")
        case .offset(let parameter, let sizeParameter, let size):
            return counted("offset", parameter, sizeParameter, size, "")
        }
    }

    /// The record that the members produce from a source record.
    private func delivered(_ record: JSONValue) -> JSONValue {
        .object(
            JSONObject(
                members.map { member in
                    let isText = member.program.hasSuffix("| tostring)")
                    let path =
                        isText ? String(member.program.dropFirst().dropLast(" | tostring)".count)) : member.program
                    let value = Self.value(at: path, in: record)
                    return (JSONString(member.name), isText ? .text(value.stringText ?? value.compactText) : value)
                }
            )
        )
    }

    /// The value at a path of plain and quoted names.
    private static func value(at path: String, in record: JSONValue) -> JSONValue {
        var (value, rest) = (record, path[...])
        while !rest.isEmpty, rest != "." {
            rest = rest.dropFirst()
            if rest.first == "[", let end = rest.firstIndex(of: "]") {
                let name = (try? JSONValue(parsing: String(rest[rest.index(after: rest.startIndex)..<end])))?.stringText
                value = name.flatMap { value[$0] } ?? .null
                rest = rest[rest.index(after: end)...]
            } else {
                let name = rest.prefix { $0 != "." }
                value = value[String(name)] ?? .null
                rest = rest.dropFirst(name.count)
            }
        }
        return value
    }

    private var map: [String] {
        let pieces = members.map { $0.program == ".\($0.name)" ? $0.name : "\($0.name): \($0.program)" }
        let line = "    map: '{\(pieces.joined(separator: ", "))}'"
        if line.count <= 100, !line.dropFirst(10).dropLast().contains("'") { return [line] }
        return ["    map: |", "      {"]
            + pieces.enumerated().map { at, piece in
                "        \(piece)\(at == pieces.count - 1 ? "" : ",")"
            } + ["      }"]
    }
}

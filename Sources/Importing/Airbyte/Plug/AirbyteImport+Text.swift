import LosslessJSON
import PlugCore

extension AirbyteImport {
    /// The text of `plug.yaml`.
    func text() -> String {
        let whole = PlugYAML.mapping(body())
        let written = whole.lines()
        let used = config.written { key in
            written.contains { $0.namesConfig(key.name) }
        } isNeeded: { key in
            written.contains { $0.contains("{{ config.\(key.name) }}") }
        }
        var lines = [
            "# yaml-language-server: $schema=plug.schema.json",
            "# Imported from a declarative manifest: say here whose data this plug copies.",
        ]
        lines += findings.filter { !$0.leavesOut || $0.stream != nil }.map { "# \(Self.todo($0))" }
        lines += [
            "plug: \(id)", "api: 1", "version: 0.1.0",
            "hosts: [\(hosts.map { YAMLWriting.text($0) }.joined(separator: ", "))]",
            "",
            "# What a PDA shows its owner. Change all of it.",
            "application:",
            "  info:",
            "    name: \(YAMLWriting.text(id))",
            "    headline: \(YAMLWriting.quoted("Your data from \(id)"))",
            "    description: {text: \(YAMLWriting.quoted("Copies your data from \(id) to your PDA."))}",
            "    termsUrl: \"https://example.org/terms\"",
            "    dataUsePurpose: The plug only writes to your PDA; it reads nothing from it.",
            "    supportContact: you@example.org",
            "  developer: {id: you, name: Your name, url: \"https://example.org\", country: Your country}",
            "",
        ]
        if let used { lines += ["config:"] + used.lines(indent: 2) + [""] }
        lines += written
        return lines.joined(separator: "\n") + "\n"
    }

    /// The comment for a finding in the plug.
    static func todo(_ finding: ImportFinding) -> String {
        let words = finding.reason.split { $0.isNewline || $0 == " " }.joined(separator: " ")
        if finding.isNote { return "NOTE line \(finding.line): \(words)" }
        guard let stream = finding.stream, finding.leavesOut else { return "TODO line \(finding.line): \(words)" }
        return "TODO line \(finding.line): the stream '\(stream)' is left out: \(words)"
    }

    private func body() -> [PlugYAML.Entry] {
        var entries = [PlugYAML.Entry(key: "auth", value: auth.value)]
        if let check { entries.append(PlugYAML.Entry(key: "check", value: .members(("stream", .text(check))))) }
        entries.append(PlugYAML.Entry(key: "http", value: http))
        entries.append(PlugYAML.Entry(key: "streams", value: .mapping(streams)))
        return entries
    }

    private var streams: [PlugYAML.Entry] {
        var entries: [PlugYAML.Entry] = []
        var comments: [String] = []
        for draft in drafts {
            let own = own.contains(draft.name)
            if draft.isLeftOut {
                comments += draft.findings.filter(\.leavesOut).prefix(1).map(Self.todo)
                continue
            }
            let endpoint = own ? [PlugYAML.Entry(key: "endpoint", value: .text(draft.name))] : []
            entries.append(
                PlugYAML.Entry(
                    key: draft.name,
                    value: .mapping(endpoint + draft.entries),
                    comments: comments + draft.findings.map(Self.todo),
                    isBlock: true
                )
            )
            comments = []
        }
        // Comments after the last entry go above it.
        if !comments.isEmpty, !entries.isEmpty {
            entries[entries.count - 1].comments = comments + entries[entries.count - 1].comments
        }
        return entries
    }

    // MARK: - The plug as a whole

    private var http: PlugYAML {
        let tries = drafts.compactMap(\.tries).max().map { min(20, $0) } ?? 0
        return .members(
            ("base", .text(base)),
            ("limits", limits.isEmpty ? nil : .list(limits)),
            ("retry", tries > 5 ? .members(("tries", .integer(tries))) : nil)
        )
    }

    /// The first stream that is read to check an account.
    private var check: String? {
        let names = ((try? root.member("check")?.member("stream_names")?.elements) ?? [])?.compactMap(\.text) ?? []
        let alive = drafts.filter {
            !$0.isLeftOut && own.contains($0.name) && $0.parents.isEmpty && $0["for_each"] == nil
        }
        return names.lazy.compactMap { name in alive.first { $0.source == name }?.name }.first
    }

    /// The service's rate limits. A limit for some paths in Airbyte applies to all here: no path is requested too often.
    private var limits: [PlugYAML] {
        var limits: [PlugYAML] = []
        for policy in ((try? root.member("api_budget")?.member("policies")?.elements) ?? nil) ?? [] {
            for rate in ((try? policy.member("rates")?.elements) ?? nil) ?? [] {
                guard let limit = (try? rate.member("limit"))?.integer,
                    let interval = (try? rate.member("interval"))?.text,
                    let duration = try? PythonTime.duration(interval), duration != "0s", !duration.hasSuffix("us")
                else { continue }
                let written = PlugYAML.members(("rate", .plain("\(limit)/\(duration)")))
                if limit > 0, !limits.contains(written) { limits.append(written) }
            }
            if let limit = (try? policy.member("call_limit"))?.integer,
                let period = (try? policy.member("period"))?.text,
                let duration = try? PythonTime.duration(period), limit > 0
            {
                limits.append(.members(("rate", .plain("\(limit)/\(duration)"))))
            }
        }
        if let count = (try? root.member("concurrency_level")?.member("default_concurrency"))?.integer,
            (1...64).contains(count)
        {
            limits.append(.members(("concurrency", .integer(count))))
        }
        return limits
    }
}

extension String {
    /// Whether it contains `config.name`, and not a longer name.
    fileprivate func namesConfig(_ name: String) -> Bool {
        for range in ranges(of: "config.\(name)") {
            guard range.upperBound < endIndex else { return true }
            let next = self[range.upperBound]
            if !next.isLetter, !next.isNumber, next != "_" { return true }
        }
        return false
    }
}

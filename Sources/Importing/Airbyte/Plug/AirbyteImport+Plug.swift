import PlugCore
import PlugManifest

extension AirbyteImport {
    /// The plug, with valid streams only; the others are left out with the reason.
    mutating func finish() -> ImportedPlug {
        leaveOutOrphans()
        do throws(Unsayable) { try settle() } catch { leaveOutAll(error.reason, line: error.line) }
        // Each iteration leaves out at least one stream.
        for _ in 0...drafts.count {
            guard drafts.contains(where: { !$0.isLeftOut && own.contains($0.name) }) else { break }
            let text = text()
            guard let problem = Self.problem(in: text) else { return result(text) }
            guard let stream = problem.stream else {
                leaveOutAll("the plug would not be valid: \(problem.message)", line: nil)
                break
            }
            leaveOut(stream, "the plug would not be valid: \(problem.message)")
            leaveOutOrphans()
        }
        return result(nil)
    }

    private mutating func leaveOutAll(_ reason: String, line: Int?) {
        for draft in drafts where !draft.isLeftOut { leaveOut(draft.name, reason, line: line) }
    }

    private func result(_ text: String?) -> ImportedPlug {
        let mine = drafts.filter { own.contains($0.name) }
        return ImportedPlug(
            id: id,
            manifest: text,
            findings: sorted(),
            streams: mine.map(\.source) + findings.compactMap { $0.leavesOut ? $0.stream : nil },
            carried: mine.filter { !$0.isLeftOut }.map(\.source)
        )
    }

    /// All findings, sorted by line, without duplicates.
    func sorted() -> [ImportFinding] {
        var seen: [ImportFinding] = []
        for finding in findings + drafts.filter({ own.contains($0.name) }).flatMap(\.findings)
        where !seen.contains(finding) {
            seen.append(finding)
        }
        return seen.sorted { ($0.line, $0.stream ?? "") < ($1.line, $1.stream ?? "") }
    }

    // MARK: - Streams that are left out

    private mutating func leaveOut(_ name: String, _ reason: String, line: Int? = nil) {
        guard let at = drafts.firstIndex(where: { $0.name == name }) else { return }
        drafts[at].findings.append(
            ImportFinding(line: line ?? drafts[at].line, reason: reason, stream: drafts[at].source, leavesOut: true)
        )
    }

    /// Streams are left out with their parents, and helpers with their children.
    private mutating func leaveOutOrphans() {
        var isChanged = true
        while isChanged {
            isChanged = false
            for draft in drafts where !draft.isLeftOut {
                for parent in draft.parents {
                    guard let found = drafts.first(where: { $0.name == parent }), found.isLeftOut else { continue }
                    leaveOut(draft.name, "its parent '\(found.source)' is left out")
                    isChanged = true
                    break
                }
            }
        }
        let needed = drafts.filter { !$0.isLeftOut }.flatMap(\.parents)
        let idle = drafts.filter { !own.contains($0.name) && !needed.contains($0.name) }
        guard !idle.isEmpty else { return }
        drafts.removeAll { draft in idle.contains { $0.name == draft.name } }
        leaveOutOrphans()
    }

    // MARK: - What streams share

    /// Gives all streams one base, one authorisation, and their hosts.
    private mutating func settle() throws(Unsayable) {
        var hosts = AirbyteHosts(config: config)
        for at in drafts.indices where !drafts[at].isLeftOut {
            do throws(Unsayable) {
                drafts[at].base = try hosts.add(drafts[at].base, among: drafts[at].addresses)
                try hosts.add(addresses: drafts[at].auth.addresses)
                if drafts[at].path.hasPrefix("https://") { hosts.add(address: drafts[at].path) }
            } catch {
                leaveOut(drafts[at].name, error.reason, line: error.line)
            }
        }
        leaveOutOrphans()
        // A literal address of a token is implied; one that is chosen is not.
        for draft in drafts where !draft.isLeftOut { draft.auth.value.texts.forEach { hosts.add(choicesOf: $0) } }
        config = hosts.config
        self.hosts = hosts.hosts
        for key in hosts.wholeHosts where drafts.contains(where: { !$0.isLeftOut && $0.uses(key) }) {
            throw Unsayable("the setting '\(key)' is a part of a host, and of something else")
        }
        // Whatever began with an address now begins with the host.
        for at in drafts.indices {
            drafts[at].auth.value = drafts[at].auth.value.mapTexts { text in
                guard let key = hosts.addressKeys.first(where: { text.hasPrefix("{{ config.\($0) }}") }) else {
                    return text
                }
                let rest = text.dropFirst("{{ config.\(key) }}".count)
                return "https://{{ config.\(key) }}" + (rest.isEmpty || rest.hasPrefix("/") ? "" : "/") + rest
            }
        }
        for at in drafts.indices { drafts[at].auth.value = drafts[at].auth.value.namingScheme(of: ["url"]) }
        let alive = drafts.filter { !$0.isLeftOut }
        base = Self.mostFrequent(alive.map(\.base)) ?? ""
        let authorisations = alive.map(\.auth)
        auth = authorisations.first { !$0.fitsStream } ?? Self.mostFrequent(authorisations) ?? .none
        for draft in alive where draft.auth != auth && !draft.auth.fitsStream {
            leaveOut(
                draft.name,
                "it has an authorisation of its own that streams cannot have: tokens belong to the connection"
            )
        }
        leaveOutOrphans()
        for at in drafts.indices where !drafts[at].isLeftOut {
            drafts[at].settlePath(base)
            if drafts[at].auth != auth { drafts[at]["auth"] = drafts[at].auth.value }
        }
    }

    private static func mostFrequent<Value: Equatable>(_ values: [Value]) -> Value? {
        var counts: [(value: Value, count: Int)] = []
        for value in values {
            if let at = counts.firstIndex(where: { $0.value == value }) {
                counts[at].count += 1
            } else {
                counts.append((value, 1))
            }
        }
        // Among equal counts, the first.
        return counts.reduce(nil as (value: Value, count: Int)?) { best, next in
            if let best, best.count >= next.count { best } else { next }
        }?.value
    }

    // MARK: - Whether it is valid

    private static func problem(in text: String) -> (stream: String?, message: String)? {
        let result = ManifestReader.read(path: "plug.yaml", text: Array(text.utf8))
        guard let error = result.diagnostics.first(where: { $0.severity == .error }) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let line = error.location?.line else { return (nil, error.message) }
        guard let start = lines.firstIndex(of: "streams:"), line > start + 1 else { return (nil, error.message) }
        for at in stride(from: min(line, lines.count) - 1, to: start, by: -1) {
            let text = lines[at]
            if text.hasPrefix("  "), !text.hasPrefix("   "), !text.hasPrefix("  #"),
                let colon = text.firstIndex(of: ":")
            {
                let name = text[..<colon].split { $0 == " " || $0 == "\"" }.joined()
                return (name, error.message)
            }
        }
        return (nil, error.message)
    }
}

extension PlugYAML {
    /// The same, with the scheme outside of templates that return a whole address: tokens go to https only.
    fileprivate func namingScheme(of keys: Set<String>) -> PlugYAML {
        switch self {
        case .list(let elements): .list(elements.map { $0.namingScheme(of: keys) })
        case .mapping(let entries):
            .mapping(
                entries.map { entry in
                    var entry = entry
                    if keys.contains(entry.key), case .text(let text) = entry.value, text.hasPrefix("{{ "),
                        let close = text.firstRange(of: " }}")
                    {
                        let program = text.dropFirst(3).prefix(upTo: close.lowerBound)
                        entry.value = .text(
                            "https://{{ (\(program)) | ltrimstr(\"https://\") }}\(text[close.upperBound...])"
                        )
                    } else {
                        entry.value = entry.value.namingScheme(of: keys)
                    }
                    return entry
                }
            )
        default: self
        }
    }
}

extension StreamDraft {
    /// Whether anything besides the base depends on a setting.
    fileprivate func uses(_ key: String) -> Bool {
        let name = "config.\(key)"
        return auth.value.contains(name) || entries.contains { $0.value.contains(name) }
    }

    /// The path in the plug: below the base, or a full address.
    fileprivate mutating func settlePath(_ common: String) {
        guard case .mapping(var entries)? = self["request"], let at = entries.firstIndex(where: { $0.key == "path" })
        else {
            return
        }
        entries[at].value = .text(address(common))
        self["request"] = .mapping(entries)
    }

    private func address(_ common: String) -> String {
        if path.hasPrefix("https://") || path.hasPrefix("http://") { return path }
        let isTemplate = path.hasPrefix("{{") && path.hasSuffix("}}") && path.ranges(of: "{{").count == 1
        let hasSlash = path.split(separator: "{{").dropFirst().contains { part in
            part.split(separator: "}}").first.map { $0.contains("/") } ?? false
        }
        if isTemplate || hasSlash, let prefix = try? PlugText.joined([base + "/"]),
            let rest = try? PlugText.joined([path])
        {
            // The output of a template may have slashes, or be a complete address.
            return
                "{{ \(rest) as $p | if $p | test(\"^https?://\") then $p else \(prefix) + ($p | ltrimstr(\"/\")) end }}"
        }
        let below = path.isEmpty || path.hasPrefix("/") || path.hasPrefix("?") ? path : "/" + path
        if base == common { return below.isEmpty ? "/" : below }
        // Only what a single template gives may be an address.
        if base.hasPrefix("{{"), let head = try? PlugText.joined([base]),
            let tail = try? PlugText.joined([below], encoding: true)
        {
            return "{{ \(head) + \(tail) }}"
        }
        return base + below
    }
}

import LosslessJSON
import PlugCore

extension ManifestBuilder {
    /// The examples of a stream.
    func tests(_ keys: CheckedMapping) -> [InlineTest] {
        (keys["tests"]?.sequence ?? []).compactMap { node in
            CheckedMapping(node, Tables.test, at: node.location, findings).flatMap { test($0, of: keys) }
        }
    }

    private func test(_ test: CheckedMapping, of stream: CheckedMapping) -> InlineTest? {
        guard let input = test["in"] else { return nil }
        let isDropped = test["dropped"]?.scalar?.bool == true
        guard let output = test["out"]?.jsonValue ?? (isDropped ? .null : nil) else {
            if !test.isWritten("out"), !test.node.mapping.isMisspelt("out") {
                let help = "write the record that it must become, or 'dropped: true'"
                findings.error(.missingKey, "'out' is missing in a test", at: test.place, help: help)
            }
            return nil
        }
        checkParents(test, of: stream)
        checkEntry(test, of: stream)
        checkIdentity(test, of: stream, isDropped: isDropped || output == .null)
        checkConfig(test)
        let ancestors = test["ancestors"]?.sequence?.map(\.jsonValue) ?? []
        return InlineTest(
            input: input.jsonValue,
            output: output,
            parents: test["parent"].map { ancestors + [$0.jsonValue] } ?? [],
            config: test["config"]?.jsonValue.object ?? JSONObject(),
            key: test.text("key"),
            version: test.text("version"),
            bounds: FetchedPage.Bounds(lower: test["since"]?.jsonValue, upper: test["until"]?.jsonValue),
            entry: test.text("entry"),
            location: test.node.location
        )
    }

    private func checkParents(_ test: CheckedMapping, of stream: CheckedMapping) {
        if !stream.isWritten("for_each"), let entry = test.entry("parent") ?? test.entry("ancestors") {
            let help = "only a stream with 'for_each' has a parent"
            findings.error(.testUnfit, "this stream has no parent", at: entry.keyLocation, help: help)
        } else if let entry = test.entry("ancestors"), !test.isWritten("parent") {
            let help = "write 'parent' for the record that the stream is read for"
            findings.error(.testUnfit, "'ancestors' need a 'parent'", at: entry.keyLocation, help: help)
        }
    }

    private func checkEntry(_ test: CheckedMapping, of stream: CheckedMapping) {
        guard !stream.isWritten("archive"), let entry = test.entry("entry") else { return }
        let help = "only a stream with 'archive' has entries"
        findings.error(.testUnfit, "this stream reads no archive", at: entry.keyLocation, help: help)
    }

    /// A dropped record has no `_id`, nor do records of a stream without identity.
    private func checkIdentity(_ test: CheckedMapping, of stream: CheckedMapping, isDropped: Bool) {
        for name in ["key", "version"] {
            guard let entry = test.entry(name) else { continue }
            if isDropped {
                let help = "remove '\(name)', or say what the record becomes"
                findings.error(.testUnfit, "a record that is left out has no _id", at: entry.keyLocation, help: help)
            } else if stream.text("identity") == "off" || !stream.isWritten("endpoint") {
                let help = "remove '\(name)'"
                findings.error(.testUnfit, "the records of this stream have no _id", at: entry.keyLocation, help: help)
            }
        }
    }

    private func checkConfig(_ test: CheckedMapping) {
        for entry in test["config"]?.mapping ?? [] where !configNames.contains(entry.key) {
            let help = MessageText.help(for: entry.key, in: configNames, called: "config keys")
            let message = "there is no config key '\(MessageText.shortened(entry.key))'"
            findings.error(.open(.unknownConfig), message, at: entry.keyLocation, help: help)
        }
    }
}

extension [YAMLEntry]? {
    /// Whether an existing key was probably a misspelling of this one: that has been reported already.
    fileprivate func isMisspelt(_ key: String) -> Bool {
        self?.contains { Tables.test[$0.key] == nil && Spelling.nearest($0.key, in: Tables.test.names) == key } ?? false
    }
}

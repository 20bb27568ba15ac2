import PlugCore
import PlugModules

// Streams that are read by a fetcher in Swift.
extension ManifestBuilder {
    /// The fetcher and its options; `nil` without 'swift', or if it has an error.
    func module(_ keys: CheckedMapping) -> ModuleSource? {
        guard let entry = keys.entry("swift") else { return nil }
        var name: YAMLNode? = entry.value
        var options: JSONTemplate?
        if entry.value.mapping != nil {
            guard let module = CheckedMapping(entry.value, Tables.module, at: entry.keyLocation, findings) else {
                return nil
            }
            name = module["fetcher"]
            if let node = module["options"] {
                // Options may be made from secrets: the fetcher is part of the host.
                guard let read = jsonTemplate(node, .template("'swift.options'", Self.connectionRoots)) else {
                    return nil
                }
                options = read
            }
        }
        guard let name, let text = name.scalar?.text else { return nil }
        if let fetcher = fetchers[text] { return ModuleSource(fetcher: fetcher, options: options) }
        let registered =
            fetchers.names.isEmpty
            ? "none is registered" : "registered are: \(fetchers.names.joined(separator: ", "))"
        findings.error(
            .unknownFetcher,
            "no fetcher '\(MessageText.shortened(text))' is registered with this host",
            at: name.location,
            help: Spelling.question(text, in: fetchers.names).map { "\($0) (\(registered))" }
                ?? "\(registered); a plug with a fetcher of its own runs in the program that its package builds"
        )
        return nil
    }
}

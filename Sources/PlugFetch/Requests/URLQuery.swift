import CurlTransport
internal import PlugCore

extension HTTPURL {
    /// The URL with these parameters, which replace those with the same names. All others stay as written.
    func settingQuery(_ parameters: [(name: String, value: String)]) -> HTTPURL {
        guard !parameters.isEmpty else { return self }
        let kept = removingQuery(parameters.map(\.name)).query
        let added = parameters.map { "\(PercentEncoding.segment($0.name))=\(PercentEncoding.segment($0.value))" }
        let parts = (kept.map { $0.isEmpty ? [] : [$0] } ?? []) + added
        return with(query: parts.joined(separator: "&"))
    }

    /// The URL with those of these parameters whose names it does not yet have.
    func addingQuery(_ parameters: [(name: String, value: String)]) -> HTTPURL {
        let parts = query?.split(separator: "&") ?? []
        let names = Set(parts.map { PercentEncoding.decode($0.prefix { $0 != "=" }, plusIsSpace: true) })
        return settingQuery(parameters.filter { !names.contains($0.name) })
    }

    /// The URL without the parameters of these names.
    func removingQuery(_ names: [String]) -> HTTPURL {
        guard let query, !query.isEmpty else { return self }
        let encoded = Set(names.map { PercentEncoding.segment($0) }).union(names)
        let parts = query.split(separator: "&", omittingEmptySubsequences: false)
        let kept = parts.filter { part in !encoded.contains(String(part.prefix { $0 != "=" })) }
        guard kept.count < parts.count else { return self }
        return with(query: kept.isEmpty ? nil : kept.joined(separator: "&"))
    }
}

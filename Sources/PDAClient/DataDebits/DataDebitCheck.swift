internal import LosslessJSON
internal import PDAWire

extension DataDebitCreationObject {
    /// Checks for anything that a PDA would refuse, or accept and ignore. Sending does this first.
    ///
    /// - Throws: `PDAError` `invalid_request`; the message names the member's path.
    public func check() throws(PDAError) {
        try DebitName.check(dataDebitKey, at: "dataDebitKey")
        if let fault = Period(period).fault {
            throw .unsendable("period", fault, advice: "give a Duration of whole milliseconds")
        }
        if start.timestamp == nil {
            throw .unsendable("start", "is not a time", advice: "write it as 2024-05-06T00:00:00Z")
        }
        try bundle.check(at: "bundle")
        try conditions?.check(at: "conditions")
        if let conditions, conditions.name == bundle.name {
            throw .unsendable("conditions.name", "is also the bundle's name", advice: "give each bundle its own name")
        }
    }
}

extension DataBundle {
    /// Checks for anything that a PDA would refuse, or accept and ignore.
    ///
    /// - Throws: `PDAError` `invalid_request`; the message names the member's path.
    public func check() throws(PDAError) { try check(at: "") }

    func check(at path: String) throws(PDAError) {
        let path = path.isEmpty ? "" : "\(path)."
        try DebitName.check(name, at: "\(path)name")
        for (name, property) in bundle.entries { try property.check(at: "\(path)bundle.\(name)") }
    }
}

extension PropertyQuery {
    func check(at path: String) throws(PDAError) {
        if endpoints.isEmpty {
            throw .unsendable("\(path).endpoints", "is empty", advice: "name at least one endpoint")
        }
        if let ordering, ordering != .ascending, ordering != .descending {
            throw .unsendable(
                "\(path).ordering",
                "is neither ascending nor descending",
                advice: "a PDA would treat '\(ordering.rawValue.prefix(40))' as ascending"
            )
        }
        if let limit, limit < 0 { throw .unsendable("\(path).limit", "is negative") }
        for (at, query) in endpoints.enumerated() { try query.check(at: "\(path).endpoints[\(at)]") }
    }
}

extension EndpointQuery {
    func check(at path: String) throws(PDAError) {
        _ = try DataAddress.path(endpoint, at: "\(path).endpoint")
        if let fault = mapping?.fault { throw .unsendable("\(path).mapping", fault) }
        for (at, filter) in (filters ?? []).enumerated() { try filter.check(at: "\(path).filters[\(at)]") }
        if let links, links.isEmpty {
            throw .unsendable("\(path).links", "is empty", advice: "leave it out if no links are wanted")
        }
        for (at, link) in (links ?? []).enumerated() { try link.check(at: "\(path).links[\(at)]") }
    }
}

extension DataFilter {
    func check(at path: String) throws(PDAError) {
        guard let compared = `operator`?.kind else {
            throw .unsendable("\(path).operator", "is missing", advice: "use contains, in, between or find")
        }
        let isSearchable = transformation?.kind == .searchable
        if case .find = compared, !isSearchable {
            throw .unsendable(
                path,
                "has the operator find without the transformation searchable",
                advice: "a PDA ignores such a filter and gives every record; add the transformation searchable"
            )
        }
        if case .find = compared { return }
        if isSearchable {
            throw .unsendable(
                path,
                "has the transformation searchable without the operator find",
                advice: "a PDA ignores such a filter and gives every record; use find, or another transformation"
            )
        }
    }
}

extension DebitName {
    static func check(_ name: String, at path: String) throws(PDAError) {
        guard accepts(name) else {
            throw .unsendable(path, "is not a name", advice: "use the letters a to z, digits and '-'")
        }
    }
}

extension PDAError {
    static func unsendable(_ path: String, _ problem: String, advice: String? = nil) -> PDAError {
        PDAError(.invalidRequest, "'\(path)' \(problem)", advice: advice)
    }
}

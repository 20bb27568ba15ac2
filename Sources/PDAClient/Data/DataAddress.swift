internal import LosslessJSON
internal import PDAWire
internal import PlugCore

/// Checks the target of a call before it is sent: a PDA answers an unknown path with a page, not an error.
enum DataAddress {
    /// `namespace/endpoint`: `[0-9a-z-]+`, then `[0-9a-z-/]+`.
    static func path(_ endpoint: String, at place: String = "endpoint") throws(PDAError) -> DataPath {
        let parts = endpoint.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let path = DataPath(namespace: String(parts[0]), endpoint: String(parts[1])) else {
            throw .unsendable(
                place,
                "is not an endpoint",
                advice: "write namespace/endpoint with lower-case letters, digits and '-'; use '/' "
                    + "only after the namespace"
            )
        }
        return path
    }

    /// The query of a call that names records.
    ///
    /// - Throws: `invalid_request` for no ids, an empty one, a repeated one (which a PDA refuses), or more than fit in a URL that
    ///   every server accepts.
    static func records(_ ids: [String]) throws(PDAError) -> JSONValue {
        guard !ids.isEmpty else {
            throw PDAError(.invalidRequest, "there are no record ids", advice: "do not make the call")
        }
        guard ids.allSatisfy({ !$0.isEmpty }) else { throw PDAError(.invalidRequest, "a record id is empty") }
        guard Set(ids.map { $0.lowercased() }).count == ids.count else { throw repeated }
        let bytes = ids.reduce(0) { $0 + "records=&".utf8.count + PercentEncoding.segment($1).utf8.count }
        guard ids.count <= PDA.recordsPerURL, bytes <= queryBytes else {
            throw PDAError(
                .invalidRequest,
                "\(ids.count) record ids do not fit into one URL",
                advice: "give at most \(PDA.recordsPerURL), or delete with deleteInParts(records:)"
            )
        }
        return .object(["records": .array(ids.map(JSONValue.text))])
    }

    static let repeated = PDAError(.invalidRequest, "a record id appears twice", advice: "name each record once")

    /// The reference server accepts URLs of 2 kB; this leaves 200 bytes for the path.
    private static let queryBytes = 1848
}

extension PDA {
    /// How many record ids one URL can hold: 40 UUIDs are 1.8 of the 2 kB that the reference server reads.
    public static let recordsPerURL = 40
}

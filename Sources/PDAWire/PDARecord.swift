public import LosslessJSON

/// A record as a PDA returns it: `{"endpoint", "recordId", "data", "links"?}`, read in place.
public struct PDARecord: Sendable {
    /// `namespace/endpoint`, without a leading slash.
    public var endpoint: String
    /// A UUID; `nil` if a client left it out.
    public var recordID: String?
    /// The data, a view into the answer.
    public var data: JSONView
    /// The linked records; `nil` if the member is missing.
    public var links: [PDARecord]?

    /// Reads a record, `nil` if `endpoint` or `data` is missing.
    public init?(_ view: JSONView) {
        guard let endpoint = view["endpoint"]?.text, let data = view["data"] else { return nil }
        self.endpoint = endpoint
        self.data = data
        recordID = view["recordId"]?.text
        links = view["links"]?.elements.map { $0.compactMap { PDARecord($0) } }
    }

    /// The records of an answer to a POST: the one object of a single value, or the elements of an array; `nil` if it
    /// is neither or an element is not a record.
    public static func records(in body: JSONView) -> [PDARecord]? {
        guard let elements = body.elements else { return PDARecord(body).map { [$0] } }
        let records = elements.compactMap { PDARecord($0) }
        return records.count == elements.count ? records : nil
    }

    /// Appends a record as the reference server writes it.
    ///
    /// - Parameters:
    ///   - data: Compact JSON.
    ///   - links: The linked records as they are to be written, `nil` to leave the member out.
    public static func write(
        endpoint: String,
        recordID: String,
        data: some Sequence<UInt8>,
        links: [[UInt8]]? = nil,
        to bytes: inout [UInt8]
    ) {
        bytes.append(contentsOf: #"{"endpoint":"#.utf8)
        JSONText.appendQuoted(endpoint, to: &bytes)
        bytes.append(contentsOf: #","recordId":"#.utf8)
        JSONText.appendQuoted(recordID, to: &bytes)
        bytes.append(contentsOf: #","data":"#.utf8)
        bytes.append(contentsOf: data)
        if let links {
            bytes.append(contentsOf: #","links":["#.utf8)
            for (at, link) in links.enumerated() {
                if at > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes.append(contentsOf: link)
            }
            bytes.append(UInt8(ascii: "]"))
        }
        bytes.append(UInt8(ascii: "}"))
    }
}

public import LosslessJSON

/// A record of a PDA: `{"endpoint", "recordId", "data"}`, as it is read, changed and returned by data debits (S11, S12).
public struct DataRecord: PDAShape {
    /// The `namespace/endpoint` at which it is stored; some pages of the documentation leave the namespace out.
    public var endpoint: String
    /// A UUID, assigned by the PDA; `nil` in a record that is not stored yet.
    public var recordID: String?
    /// The data, any JSON value, with every digit. PDAs do not keep the order of an object's members.
    public var data: JSONValue
    /// The linked records: those requested in a data debit; empty in the answer to creating; `nil` elsewhere.
    public var links: PDAList<DataRecord>?
    /// When it happened, according to the source. PDAs accept it and do not keep it.
    public var sourceTimestamp: PDATime?
    /// The source's own id. PDAs accept it and do not keep it.
    public var sourceUniqueID: String?

    var original = JSONObject()

    /// A record, for `createBatch(_:)` without an id, for `update(_:)` with one.
    public init(endpoint: String, recordID: String? = nil, data: JSONValue, links: [DataRecord]? = nil) {
        self.endpoint = endpoint
        self.recordID = recordID
        self.data = data
        self.links = links.map { PDAList($0) }
    }

    /// A record with a value of your own type.
    ///
    /// - Throws: `PDAError` `invalid_request` if the value cannot be encoded; the message names the coding path.
    public init(
        endpoint: String,
        recordID: String? = nil,
        encoding value: some Encodable
    ) throws(PDAError) {
        self.init(endpoint: endpoint, recordID: recordID, data: try JSONValue(encodingForPDA: value))
    }

    /// The data as your own type.
    ///
    /// - Throws: `DecodingError` with the coding path of the mismatch.
    public func data<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSONValueDecoder().decode(type, from: data)
    }
}

extension DataRecord: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        endpoint = try members.required("endpoint")
        recordID = try members.optional("recordId")
        data = try members.required("data")
        links = try members.optional("links")
        sourceTimestamp = try members.optional("sourceTimestamp")
        sourceUniqueID = try members.optional("sourceUniqueId")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("endpoint", endpoint)
        members.set("recordId", recordID)
        members.set("data", data)
        members.set("links", links)
        members.set("sourceTimestamp", sourceTimestamp)
        members.set("sourceUniqueId", sourceUniqueID)
    }
}

extension JSONValue {
    init(encodingForPDA value: some Encodable) throws(PDAError) {
        do {
            self = try JSONValueEncoder().encode(value)
        } catch EncodingError.invalidValue(_, let context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw .unsendable(path.isEmpty ? "data" : path, "cannot be encoded")
        } catch {
            throw .unsendable("data", "cannot be encoded")
        }
    }
}

public import LosslessJSON

/// The data of a data debit (S33).
public struct DataDebitValuesObject: PDAShape {
    /// Whether each condition yields a record, by name; `nil` where the data debit has none. If one does not, `bundle` is
    /// empty.
    public var conditions: PDAMap<Bool>?
    /// The records by property, already mapped, filtered, ordered and limited. A record that could not be read is in its
    /// list's `undecodable`.
    public var bundle: PDAMap<PDAList<DataDebitRecord>>

    var original = JSONObject()

    /// Whether no condition stands in the data's way.
    public var meetsConditions: Bool { conditions?.values.allSatisfy { $0 } ?? true }
}

extension DataDebitValuesObject: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        conditions = try members.optional("conditions")
        bundle = try members.required("bundle")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("conditions", conditions)
        members.set("bundle", bundle)
    }
}

/// A record that a data debit gives.
public struct DataDebitRecord: PDAShape {
    /// `namespace/endpoint` that it is stored at.
    public var endpoint: String
    /// A UUID; some pages of the documentation leave it out.
    public var recordID: String?
    /// The data as the mapping leaves it, with every digit.
    public var data: JSONValue
    /// The linked records that were asked for.
    public var links: PDAList<DataDebitRecord>?
    /// When the source says that it happened.
    public var sourceTimestamp: PDATime?
    /// The source's own id.
    public var sourceUniqueID: String?

    var original = JSONObject()

    /// The data as one's own type.
    ///
    /// - Throws: `DecodingError` with the coding path of what does not fit.
    public func data<Value: Decodable>(as type: Value.Type) throws -> Value {
        try JSONValueDecoder().decode(type, from: data)
    }
}

extension DataDebitRecord: ObjectShape {
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

internal import LosslessJSON

/// The data of a data debit (S33).
public struct DataDebitValuesObject: PDAShape {
    /// Whether each condition yields a record, by name; `nil` if the data debit has no conditions. If any does not, `bundle` is
    /// empty.
    public var conditions: PDAMap<Bool>?
    /// The records by property, already mapped, filtered, ordered and limited. A record that could not be read is in its
    /// list's `undecodable`.
    public var bundle: PDAMap<PDAList<DataRecord>>

    var original = JSONObject()

    /// Whether all conditions are met, so that data flows.
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

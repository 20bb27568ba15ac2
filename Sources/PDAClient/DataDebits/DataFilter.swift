internal import LosslessJSON

/// A condition on a record (S27). A record without the field never satisfies it.
public struct DataFilter: PDAShape {
    /// The field of the data, with dots; as stored, before any mapping.
    public var field: String
    /// The transformation of the field before it is compared; none means `identity`.
    public var transformation: FilterTransformation?
    /// The comparison. The documentation calls it optional; servers refuse a filter without it, and so does sending.
    public var `operator`: FilterOperator?

    var original = JSONObject()

    /// A filter.
    public init(field: String, transformation: FilterTransformation? = nil, operator: FilterOperator) {
        self.field = field
        self.transformation = transformation
        self.operator = `operator`
    }
}

extension DataFilter: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        field = try members.required("field")
        transformation = try members.optional("transformation")
        `operator` = try members.optional("operator")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("field", field)
        members.set("transformation", transformation)
        members.set("operator", `operator`)
    }
}

internal import LosslessJSON

/// Records of one endpoint: which of them, and which of their fields (S26). Only `endpoint` is needed.
public struct EndpointQuery: PDAShape {
    /// `namespace/endpoint`, `[0-9a-z-/]+`.
    public var endpoint: String
    /// The mapping of each record's data; without it the data stays as it is.
    public var mapping: DataMapping?
    /// All of them must hold. They apply to the data before the mapping.
    public var filters: [DataFilter]?
    /// Which linked records come with each record; one level only. Without it, none do.
    public var links: [EndpointQuery]?

    var original = JSONObject()

    /// A query.
    public init(
        _ endpoint: String,
        mapping: DataMapping? = nil,
        filters: [DataFilter]? = nil,
        links: [EndpointQuery]? = nil
    ) {
        self.endpoint = endpoint
        self.mapping = mapping
        self.filters = filters
        self.links = links
    }
}

extension EndpointQuery: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        endpoint = try members.required("endpoint")
        mapping = try members.optional("mapping")
        filters = try members.optional("filters")
        links = try members.optional("links")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("endpoint", endpoint)
        members.set("mapping", mapping)
        members.set("filters", filters)
        members.set("links", links)
    }
}

internal import LosslessJSON

/// Which data a recipient gets: a definition that a PDA evaluates each time the values are requested (S25, S29).
///
/// The documentation's name is `DataOfferRequiredDataDefinitionObjectV2`. `conditions` of a data debit have the same
/// shape and a name of their own.
public struct DataBundle: PDAShape {
    /// `[0-9a-zA-Z-]+`, not used by anything else in the PDA (S21).
    public var name: String
    /// The properties by name; each becomes an array in the values.
    public var bundle: PDAMap<PropertyQuery>

    var original = JSONObject()

    /// A bundle.
    public init(name: String, bundle: PDAMap<PropertyQuery>) {
        self.name = name
        self.bundle = bundle
    }
}

extension DataBundle: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        name = try members.required("name")
        bundle = try members.required("bundle")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("name", name)
        members.set("bundle", bundle)
    }
}

/// The contents of one property of a bundle: records of several endpoints, merged, then ordered and limited together.
public struct PropertyQuery: PDAShape {
    /// The order of records. Servers treat every word other than `descending` as `ascending`.
    public struct Ordering: RawRepresentable, Sendable, Hashable {
        /// The word on the wire.
        public let rawValue: String
        /// Another word; sending it is refused.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Smallest first; records without the field come last.
        public static let ascending = Ordering(rawValue: "ascending")
        /// Largest first.
        public static let descending = Ordering(rawValue: "descending")
    }

    /// The sources of the records; at least one.
    public var endpoints: [EndpointQuery]
    /// A field of the mapping's result, or otherwise of the record, with dots; without it the oldest record comes first.
    public var orderBy: String?
    /// The direction.
    public var ordering: Ordering?
    /// The maximum number of records; `nil` for all.
    public var limit: Int?

    var original = JSONObject()

    /// A property.
    public init(
        endpoints: [EndpointQuery],
        orderBy: String? = nil,
        ordering: Ordering? = nil,
        limit: Int? = nil
    ) {
        self.endpoints = endpoints
        self.orderBy = orderBy
        self.ordering = ordering
        self.limit = limit
    }
}

extension PropertyQuery: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        endpoints = try members.required("endpoints")
        orderBy = try members.optional("orderBy")
        ordering = try members.optional("ordering")
        limit = try members.optional("limit")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("endpoints", endpoints)
        members.set("orderBy", orderBy)
        members.set("ordering", ordering)
        members.set("limit", limit)
    }
}

extension PropertyQuery.Ordering: OpenWord {}

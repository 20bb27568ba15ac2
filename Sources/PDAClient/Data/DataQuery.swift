internal import LosslessJSON

/// Which records of an endpoint to read, and in which order.
public struct DataQuery: Sendable, Hashable {
    /// A field of the data, with dots for nested ones (`steps.count`; a number is an index into an array). Objects come before
    /// arrays, booleans, numbers, texts and `null`; records without the field come last. `nil` means the time of storing
    /// or changing, which records of one call share.
    public var orderBy: String?
    /// The direction; `nil` for ascending, without `orderBy` the oldest first. Records without the field come last both ways.
    public var ordering: PropertyQuery.Ordering?
    /// How many records to skip, `nil` for none.
    public var skip: Int?
    /// The maximum number of records, `nil` for the PDA's default: 1000.
    public var take: Int?

    /// A query.
    public init(
        orderBy: String? = nil,
        ordering: PropertyQuery.Ordering? = nil,
        skip: Int? = nil,
        take: Int? = nil
    ) {
        self.orderBy = orderBy
        self.ordering = ordering
        self.skip = skip
        self.take = take
    }

    /// The query on the wire. Only these four names: a PDA treats any other as a filter.
    func parameters() throws(PDAError) -> JSONValue {
        var parameters = JSONObject()
        if let orderBy {
            guard !orderBy.split(separator: ".", omittingEmptySubsequences: false).contains("") else {
                throw .unsendable("orderBy", "is not a field", advice: "write names separated by dots")
            }
            parameters["orderBy"] = .text(orderBy)
        }
        if let ordering {
            guard [.ascending, .descending].contains(ordering) else {
                throw .unsendable("ordering", "is neither ascending nor descending")
            }
            parameters["ordering"] = .text(ordering.rawValue)
        }
        for (name, value) in [("skip", skip), ("take", take)] {
            guard let value else { continue }
            // The reference server reads 32 bits, and fails on negative numbers.
            guard 0...Int(Int32.max) ~= value else { throw .unsendable(name, "is negative or above 2147483647") }
            parameters[JSONString(name)] = .integer(value)
        }
        return .object(parameters)
    }
}

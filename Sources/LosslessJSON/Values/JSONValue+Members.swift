extension JSONValue {
    /// An object of these members, in order.
    public static func members(_ members: (String, JSONValue)...) -> JSONValue {
        .object(JSONObject(members.map { (JSONString($0.0), $0.1) }))
    }
}

import LosslessJSON

extension JSONValue {
    /// The steps of a dotted path, `filter.from`.
    static func path(_ name: String) -> [String] { name.split(separator: ".").map(String.init) }

    /// The value with another one set at a path; missing objects on the way to it are created.
    ///
    /// - Returns: `nil` if something on the way is not an object.
    func setting(_ value: JSONValue, at path: ArraySlice<String>) -> JSONValue? {
        guard let first = path.first else { return value }
        guard var object else { return nil }
        let name = JSONString(first)
        guard let inner = (object[name] ?? .object(JSONObject())).setting(value, at: path.dropFirst()) else {
            return nil
        }
        object[name] = inner
        return .object(object)
    }
}

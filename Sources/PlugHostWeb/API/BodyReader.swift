internal import LosslessJSON
internal import PlugCore

/// Reads the members of a body, and refuses unread ones: a misspelt one would be silently lost.
struct BodyReader {
    private let object: JSONObject
    private var read: Set<String> = []

    init(_ object: JSONObject) { self.object = object }

    /// Whether a member is present, even if it is `null`.
    mutating func has(_ name: String) -> Bool {
        read.insert(name)
        return object[JSONString(name)] != nil
    }

    /// A text; `nil` if it is missing or `null`.
    mutating func text(_ name: String) throws -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.stringText else { throw Self.wrong(name, "a text") }
        return text
    }

    /// A required text.
    mutating func required(_ name: String) throws -> String {
        guard let text = try text(name) else { throw Self.wrong(name, "a text, and there") }
        return text
    }

    /// `true` or `false`; `false` if it is missing.
    mutating func flag(_ name: String) throws -> Bool {
        guard let value = value(name) else { return false }
        guard let flag = value.bool else { throw Self.wrong(name, "true or false") }
        return flag
    }

    /// An object; an empty one if it is missing.
    mutating func object(_ name: String) throws -> JSONObject {
        guard let value = value(name) else { return JSONObject() }
        guard let object = value.object else { throw Self.wrong(name, "an object") }
        return object
    }

    /// A list of texts; `nil` if it is missing or `null`.
    mutating func texts(_ name: String) throws -> [String]? {
        guard let value = value(name) else { return nil }
        let texts = value.elements?.map(\.stringText)
        guard let texts, !texts.isEmpty, !texts.contains(nil) else { throw Self.wrong(name, "a list of texts") }
        return texts.compactMap { $0 }
    }

    /// - Throws: `HostRefusal` (400) if a member was not read.
    func finish() throws {
        guard let other = object.members.first(where: { !read.contains($0.key.text) }) else { return }
        let known = read.sorted()
        throw HostRefusal(
            400,
            PlugError(
                .bodyUnreadable,
                "the body has a member '\(DisplayText.escaped(other.key.text))', which is not known",
                advice: Spelling.question(other.key.text, in: known) ?? "known are: \(known.joined(separator: ", "))"
            )
        )
    }

    private mutating func value(_ name: String) -> JSONValue? {
        read.insert(name)
        return object[JSONString(name)].flatMap { $0.isNull ? nil : $0 }
    }

    private static func wrong(_ name: String, _ what: String) -> HostRefusal {
        HostRefusal(400, PlugError(.bodyUnreadable, "'\(name)' must be \(what)"))
    }
}

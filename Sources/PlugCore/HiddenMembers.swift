public import LosslessJSON

/// What is hidden from people in a stream's records, although it is delivered.
public struct HiddenMembers: Sendable, Equatable {
    /// What is shown in place of a hidden value.
    public static let mark = "<hidden>"

    /// Names of members of the records.
    public var names: [String]
    /// Whether the `_id` may reveal their values.
    public var hidesIdentity: Bool

    /// What is hidden; nothing without names.
    public init(_ names: [String] = [], hidesIdentity: Bool = false) {
        self.names = names
        self.hidesIdentity = hidesIdentity
    }

    /// Whether everything may be shown.
    public var isEmpty: Bool { names.isEmpty && !hidesIdentity }

    /// All names, including members that repeat the `_id`.
    public var allNames: [String] { names + (hidesIdentity ? ["_id", "of"] : []) }

    /// A record as it may be shown. `null` is shown.
    public func shown(_ record: JSONValue) -> JSONValue {
        guard !isEmpty, var object = record.object else { return record }
        for name in names + (hidesIdentity ? ["_id"] : []) { Self.hide(name, in: &object) }
        // A deletion names the thing deleted.
        if hidesIdentity, object["deleted"] == .bool(true) { Self.hide("of", in: &object) }
        return .object(object)
    }

    private static func hide(_ name: String, in object: inout JSONObject) {
        let key = JSONString(name)
        if let value = object[key], !value.isNull { object[key] = .text(mark) }
    }

    /// A record's bytes as they may be shown, in canonical form.
    public func shown(_ record: [UInt8]) -> [UInt8] {
        if isEmpty { return record }
        var writer = CanonicalJSON()
        writer.append((try? JSONValue(parsing: record)).map(shown) ?? .text(Self.mark))
        return writer.bytes
    }

    /// The text of an `_id` as it may be shown.
    public func shown(identity: String) -> String { hidesIdentity && !identity.isEmpty ? Self.mark : identity }

    /// Everything that either of the two hides.
    public func union(_ other: HiddenMembers) -> HiddenMembers {
        HiddenMembers(
            names + other.names.filter { !names.contains($0) },
            hidesIdentity: hidesIdentity || other.hidesIdentity
        )
    }
}

extension DeadLetter {
    /// The letter as it may be shown: a PDA's reply about a record may repeat it, and which members of the source's own record
    /// become the hidden ones is unknown.
    public func shown(hiding hidden: HiddenMembers) -> DeadLetter {
        if hidden.isEmpty { return self }
        var letter = self
        letter.identity = hidden.shown(identity: identity)
        switch stage {
        case .normalise: letter.record = Array("\"\(HiddenMembers.mark)\"".utf8)
        case .deliver:
            letter.record = hidden.shown(record)
            letter.reason = "\(reason.prefix { $0.isNumber }) \(HiddenMembers.mark)"
        }
        return letter
    }
}

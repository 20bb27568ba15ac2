package import PlugCore

/// A member of the mapped record that `fields` names.
package struct RecordField: Sendable {
    /// The member's name.
    package var name: String
    /// How its value is converted.
    package var cast: Cast
    /// Whether its value is hidden from people.
    package var isSensitive = false
    /// Its location in the manifest.
    package var location: Diagnostic.Location
}

/// What happens to members of the mapped record that `fields` does not name.
package enum UnknownMembers: String, Sendable, CaseIterable {
    /// They are kept.
    case keep
    /// They are dropped.
    case drop
    /// They are kept, and the run reports them.
    case report
}

/// How the source record is stored in the member `raw` of the mapped one.
package enum RawMember: String, Sendable, CaseIterable {
    /// As it is.
    case keep
    /// As the SHA-256 of its canonical form, in hexadecimal digits.
    case hash
}

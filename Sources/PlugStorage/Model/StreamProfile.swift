package import PlugCore

/// What runs have learnt about a stream, apart from their progress: a rewind leaves it.
package struct StreamProfile: Sendable, Equatable {
    /// Which members of its records are hidden.
    package var hidden: HiddenMembers
    /// The members of its source's records; `nil` until a pass had enough of them.
    package var members: KnownMembers?

    /// Creates a profile.
    package init(hidden: HiddenMembers = HiddenMembers(), members: KnownMembers? = nil) {
        self.hidden = hidden
        self.members = members
    }

    /// Its fields in the form in which they are sealed.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(Int64(hidden.hidesIdentity ? 1 : 0))
        writer.append(Int64(hidden.names.count))
        for name in hidden.names { writer.append(name) }
        members?.encode(to: &writer)
        return writer.bytes
    }

    /// Reads what `encoded` wrote; `nil` for anything else.
    init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let hidesIdentity = reader.number(), let count = reader.number(), count >= 0 else { return nil }
        var names: [String] = []
        for _ in 0..<count {
            guard let name = reader.text() else { return nil }
            names.append(name)
        }
        var members: KnownMembers?
        if !reader.isAtEnd {
            guard let known = KnownMembers(&reader), reader.isAtEnd else { return nil }
            members = known
        }
        self.init(hidden: HiddenMembers(names, hidesIdentity: hidesIdentity != 0), members: members)
    }
}

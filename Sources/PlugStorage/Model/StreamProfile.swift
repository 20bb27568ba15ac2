package import PlugCore

/// What runs have learnt of a stream, beside how far they have come: a rewind leaves it.
package struct StreamProfile: Sendable, Equatable {
    /// What is not shown of its records.
    package var hidden: HiddenMembers

    /// A profile.
    package init(hidden: HiddenMembers = HiddenMembers()) { self.hidden = hidden }

    /// Its fields, as they are sealed.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(Int64(hidden.hidesIdentity ? 1 : 0))
        writer.append(Int64(hidden.names.count))
        for name in hidden.names { writer.append(name) }
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
        guard reader.isAtEnd else { return nil }
        self.init(hidden: HiddenMembers(names, hidesIdentity: hidesIdentity != 0))
    }
}

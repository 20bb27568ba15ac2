/// Why an archive cannot be read, or cannot be read any further.
package struct ArchiveFault: Error, Sendable, Equatable {
    /// What sort of fault it is.
    package enum Kind: Sendable, Equatable {
        /// There is no file of this name, or it cannot be opened.
        case unopened
        /// The disk does not give its bytes.
        case unreadable
        /// It ends too soon, or contradicts itself.
        case damaged
        /// It is protected with a password.
        case encrypted
        /// It has more in it than a limit allows.
        case overLimit
        /// It holds something that is never read: a link, a name that leads elsewhere, a format that is not known.
        case refused
    }

    /// What sort of fault it is.
    package var kind: Kind
    /// What is wrong, in words that quote nothing of the contents.
    package var reason: String
    /// The entry at fault; `nil` where the archive itself is.
    package var entry: String?
    /// Whether other entries can still be read.
    package var concernsEntry = false

    /// A fault.
    package init(_ kind: Kind, _ reason: String, entry: String? = nil, concernsEntry: Bool = false) {
        self.kind = kind
        self.reason = reason
        self.entry = entry
        self.concernsEntry = concernsEntry
    }
}

/// What reading an archive may take.
package struct ArchiveLimits: Sendable, Equatable {
    /// How many entries it may have: some 200 bytes are kept for each.
    package var entries = 250_000
    /// How many bytes are read before a zip archive's first entry: what it says of its entries.
    package var directory = 64 << 20
    /// How many bytes a name may have.
    package var name = 4096
    /// How many times larger than in the archive an entry may become, beyond `ratioFrom` bytes.
    package var ratio = 250
    /// From how many bytes on the ratio counts: a few megabytes harm nobody.
    package var ratioFrom = 64 << 20

    /// The usual ones.
    package init() {}
}

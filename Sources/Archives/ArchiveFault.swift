/// Why an archive cannot be read, or cannot be read any further.
package struct ArchiveFault: Error, Sendable, Equatable {
    /// The kind of fault.
    package enum Kind: Sendable, Equatable {
        /// There is no file of this name, or it cannot be opened.
        case unopened
        /// The disk does not return its bytes.
        case unreadable
        /// It ends too soon, or contradicts itself.
        case damaged
        /// It is password-protected.
        case encrypted
        /// It contains more than a limit allows.
        case overLimit
        /// It is compressed in a way that is not read.
        case unsupported
        /// It contains something that is never read: a link, a name that leads elsewhere, an unknown format.
        case refused
    }

    /// The kind of fault.
    package var kind: Kind
    /// What is wrong, in words that quote none of the contents.
    package var reason: String
    /// The entry at fault; `nil` if it is the archive itself.
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

/// Limits on reading an archive.
package struct ArchiveLimits: Sendable, Equatable {
    /// The maximum number of entries: some 200 bytes are kept for each.
    package var entries = 250_000
    /// How many entries are passed once more, in all, to get behind those whose data is damaged.
    package var repeats = 1_000_000
    /// How many bytes are read before a zip archive's first entry: its description of its entries.
    package var directory = 64 << 20
    /// The maximum length of a name in bytes.
    package var name = 4096
    /// How many times its size in the archive an entry may reach, beyond `ratioFrom` bytes.
    package var ratio = 250
    /// The size in bytes from which the ratio counts: a few megabytes do no harm.
    package var ratioFrom = 64 << 20

    /// The default limits.
    package init() {}
}

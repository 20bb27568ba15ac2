internal import CLibArchive
internal import Glibc

/// A file in an archive.
package struct ArchiveEntry: Sendable, Equatable {
    /// Its name, with slashes between the parts and no leading `./`. In a zip a name that is not UTF-8 is read as code page 437,
    /// in a tar anything that is not UTF-8 becomes U+FFFD.
    package var name: String
    /// Its index among all entries of the archive, from 0.
    package var number: Int

    /// An entry.
    package init(name: String, number: Int) { (self.name, self.number) = (name, number) }
}

/// Reads a zip or tar archive, one compressed with gzip, or a single file, entry by entry, from first to last. Nothing is ever
/// written to disk: a name is only a name.
///
/// Not Sendable: one thread at a time uses it; its calls block on the disk.
package final class ArchiveReader {
    private var input: ArchiveInput
    private let limits: ArchiveLimits
    /// `struct archive`, freed with this object, or when another takes its place. One thread uses it at a time; libarchive allows a different one each time.
    private var archive: OpaquePointer
    private let kind: ArchiveKind
    /// How many entries its end counts, if it is a zip with its directory: then an entry can be reached without reading those
    /// before it.
    private let listed: Int?
    /// Whether libarchive has given up on an entry's data, and has to begin anew behind it.
    private var hasGivenUp = false
    /// How many entries it has passed once more for that.
    private var repeats = 0
    private let takes: (String) -> Bool
    /// `AE_IFREG`, a macro that Swift does not see.
    static let regularFile: UInt32 = 0o100000
    /// The index of the last entry examined, wanted or not.
    package private(set) var number = -1
    /// Whether it is not an archive, but a file that is its own only entry; known from the first entry on.
    package private(set) var isSingleFile = false
    private var current: String?
    /// Where in the archive the current entry began, and how many bytes it has yielded.
    private var begin = 0
    private var given = 0

    /// Opens an archive.
    ///
    /// - Parameter takes: Whether an entry is wanted, by its name: an unwanted one is never a fault, whatever its kind.
    package init(
        _ file: ArchiveFile,
        _ limits: ArchiveLimits = ArchiveLimits(),
        takes: @escaping (String) -> Bool
    ) throws(ArchiveFault) {
        self.limits = limits
        self.takes = takes
        kind = ArchiveKind(try file.head(ArchiveKind.reach))
        if case .unread(let words) = kind {
            throw ArchiveFault(.refused, "\(words), which is not supported")
        }
        let end = try ZipEnd.find(in: file)
        if let entries = end?.entries, entries < 0 || entries > limits.entries { throw Self.tooMany(limits) }
        if end?.hasParts == true {
            throw ArchiveFault(.refused, "it is one of several parts of an archive: join them first")
        }
        listed = end?.entries
        input = try Self.input(file, kind, limits)
        archive = try Self.made(kind)
        try open()
    }

    private static func input(
        _ file: ArchiveFile,
        _ kind: ArchiveKind,
        _ limits: ArchiveLimits
    ) throws(ArchiveFault) -> ArchiveInput {
        try ArchiveInput(file, allowance: kind == .zip ? limits.directory : nil, isPacked: kind == .gzip)
    }

    /// A `struct archive` that knows the formats of a kind; the caller frees it.
    private static func made(_ kind: ArchiveKind) throws(ArchiveFault) -> OpaquePointer {
        // archive_read_new(3) returns `NULL` only if memory is short.
        guard let archive = archive_read_new() else {
            throw ArchiveFault(.unreadable, "there is no memory for it")
        }
        archive_read_support_filter_none(archive)
        switch kind {
        case .zip: archive_read_support_format_zip(archive)
        default:
            archive_read_support_format_tar(archive)
            archive_read_support_format_gnutar(archive)
            archive_read_support_format_raw(archive)
        }
        return archive
    }

    private func open() throws(ArchiveFault) {
        let (input, archive) = (input, archive)
        guard NameLocale.with({ input.open(archive) }) == ARCHIVE_OK else { throw fault() }
    }

    /// Begins anew, and goes to where it was: after a fatal error libarchive reads nothing more, though the directory of a zip
    /// says where the other entries are.
    private func restart() throws(ArchiveFault) {
        hasGivenUp = false
        repeats += number + 1
        let new = try Self.input(input.file, kind, limits)
        let again = try Self.made(kind)
        // Before its input: libarchive still points at it.
        archive_read_free(archive)
        (archive, input) = (again, new)
        try open()
        for _ in 0...number {
            var entry: OpaquePointer?
            let code = NameLocale.with { archive_read_next_header(archive, &entry) }
            guard code == ARCHIVE_OK || code == ARCHIVE_WARN else { throw fault() }
            input.allowance = nil
        }
    }

    /// archive_read_free(3) closes and frees; its result is no longer of use.
    deinit { archive_read_free(archive) }

    /// The next wanted entry; `nil` after the last one.
    ///
    /// - Throws: `ArchiveFault`; if it concerns only an entry, the next call continues after that entry.
    package func next() throws(ArchiveFault) -> ArchiveEntry? {
        while let (name, entry) = try header() {
            if name.isEmpty, kind == .zip { throw Self.nameless }
            guard takes(name) else { continue }
            if let fault = strangeness(of: name, entry) { throw fault }
            (current, begin, given) = (name, input.taken, 0)
            return ArchiveEntry(name: name, number: number)
        }
        current = nil
        return nil
    }

    /// The next header, of whatever kind; `nil` after the last one.
    private func header() throws(ArchiveFault) -> (name: String, OpaquePointer)? {
        current = nil
        if hasGivenUp { try restart() }
        // The entry belongs to the archive, and is valid until the next header.
        var entry: OpaquePointer?
        let code = NameLocale.with { archive_read_next_header(archive, &entry) }
        input.allowance = nil
        if code == ARCHIVE_EOF {
            // libarchive considers a tar that ends between two entries whole.
            if number >= 0, archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_TAR,
                !(try input.endsWithZeros())
            {
                throw ArchiveFault(.damaged, "it ends too soon: the zeros that end a tar archive are missing")
            }
            // Without a directory libarchive takes the entries that it meets, and a zip that ends between two for whole.
            if kind == .zip {
                guard let listed else {
                    throw ArchiveFault(.damaged, "it ends too soon: the list of its entries is missing or incomplete")
                }
                // Some programs have 16 bits for the number, however many entries they write.
                if (number + 1 - listed) % 65_536 != 0 {
                    let reason = "its end counts \(listed) entries, and it has \(number + 1): some may be missing"
                    throw ArchiveFault(.damaged, reason)
                }
            }
            // A tar ends before its file does, and the file's checksum comes at its very end.
            if kind == .gzip, !input.drain() { throw fault() }
            return nil
        }
        // A warning is, for instance, a name that is not in the encoding that the archive declares.
        guard code == ARCHIVE_OK || code == ARCHIVE_WARN, let entry else { throw fault() }
        number += 1
        if number >= limits.entries { throw Self.tooMany(limits) }
        isSingleFile = archive_format(archive) == ARCHIVE_FORMAT_RAW
        if isSingleFile { try checkSingleFile() }
        return (name(of: entry), entry)
    }

    /// A file in no known format is its own only entry, unless it should have been an archive: a page of the service instead of the
    /// download, or a part of one.
    private func checkSingleFile() throws(ArchiveFault) {
        let name = input.file.name.lowercased()
        if let ending = Self.endings.first(where: { name.hasSuffix($0) }) {
            let head = String(decoding: try input.file.head(64), as: UTF8.self).lowercased().drop(while: \.isWhitespace)
            let isPage = kind == .other && (head.hasPrefix("<!doctype html") || head.hasPrefix("<html"))
            throw ArchiveFault(
                .damaged,
                isPage
                    ? "it is a web page, not an archive: perhaps the link has expired, or asked for a log-in"
                    : "its name ends in '\(ending)', but it is no such archive"
            )
        }
        if kind == .other, try ZipEnd.isAtTheEnd(of: input.file) {
            throw ArchiveFault(.damaged, "it has the end of a zip archive, but not its beginning")
        }
    }

    private static let endings = [".zip", ".tar", ".tgz", ".tar.gz"]

    private func name(of entry: OpaquePointer) -> String {
        if isSingleFile {
            let name = input.file.name
            let isPacked = kind == .gzip && name.lowercased().hasSuffix(".gz")
            return isPacked ? String(name.dropLast(3)) : name
        }
        let isZip = archive_format(archive) & ARCHIVE_FORMAT_BASE_MASK == ARCHIVE_FORMAT_ZIP
        // The text belongs to the entry; it is copied at once. `NULL` if there is no name.
        let name = NameLocale.with {
            guard let name = archive_entry_pathname(entry) else { return "" }
            return isZip ? ZipName.text(name) : String(cString: name)
        }
        // `tar czf export.tgz .` writes `./` before all names; the folder itself keeps it.
        var rest = name[...]
        while rest.hasPrefix("./"), rest != "./" {
            let inner = rest.dropFirst(2).drop { $0 == "/" }
            if inner.isEmpty { break }
            rest = inner
        }
        return String(rest)
    }

    /// Why an entry is not read although it is wanted; `nil` for a regular file.
    private func strangeness(of name: String, _ entry: OpaquePointer) -> ArchiveFault? {
        func refused(_ reason: String, _ kind: ArchiveFault.Kind = .refused) -> ArchiveFault {
            ArchiveFault(kind, reason, entry: name, concernsEntry: true)
        }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        if name.hasPrefix("/") || parts.contains("..") || name.contains("\\") {
            return refused("its name leads out of the archive")
        }
        if name.utf8.count > limits.name { return refused("its name has more than \(limits.name) bytes", .overLimit) }
        if archive_entry_hardlink(entry) != nil || archive_entry_symlink(entry) != nil {
            return refused("it is a link, not a file")
        }
        if archive_entry_filetype(entry) != Self.regularFile { return refused("it is not a file") }
        if archive_entry_is_encrypted(entry) != 0 { return refused("it is protected with a password", .encrypted) }
        return nil
    }

    /// Reads on in the current entry.
    ///
    /// - Returns: How many bytes; 0 only at the entry's end.
    package func read(into memory: UnsafeMutableRawBufferPointer) throws(ArchiveFault) -> Int {
        guard let name = current else { return 0 }
        // archive_read_data(3): fills at most `memory`; 0 is the end of the entry. Sizes that an archive states are not trusted:
        // if they differ from the data, that is a warning at the end, and an error here.
        let count = archive_read_data(archive, memory.baseAddress, memory.count)
        if count == 0 { return 0 }
        guard count > 0 else {
            var fault = fault(in: name)
            // After a warning or a failure the reader continues with the next entry; a fatal error is the end.
            fault.concernsEntry = count != Int(ARCHIVE_FATAL) && !input.hasReachedEnd
            if !fault.concernsEntry, listed != nil, repeats + number < limits.repeats, input.fault == nil {
                (hasGivenUp, fault.concernsEntry) = (true, true)
            }
            throw fault
        }
        given += count
        let taken = max(1, input.taken - begin)
        if given > limits.ratioFrom, given / limits.ratio > taken {
            throw ArchiveFault(
                .overLimit,
                "it expands to more than \(limits.ratio) times its size in the archive",
                entry: name,
                concernsEntry: true
            )
        }
        return count
    }

    /// What libarchive failed on. Its words are its own, and quote nothing but names.
    private func fault(in entry: String? = nil) -> ArchiveFault {
        if var fault = input.fault {
            fault.entry = entry
            return fault
        }
        // The text belongs to the archive; it is copied at once.
        let words = archive_error_string(archive).map { String(cString: $0) } ?? "it cannot be read"
        if words.lowercased().contains("passphrase") || words.lowercased().contains("encrypt") {
            return ArchiveFault(.encrypted, "it is protected with a password", entry: entry)
        }
        if input.hasReachedEnd || words.lowercased().contains("truncated") {
            return ArchiveFault(.damaged, "it ends too soon: the file was not copied completely", entry: entry)
        }
        if words.lowercased().contains("unsupported") {
            let reason = "it is compressed in a way that is not supported (\(words))"
            return ArchiveFault(.unsupported, reason, entry: entry)
        }
        if archive_errno(archive) == ENOMEM {
            return ArchiveFault(.overLimit, "it wants too much memory", entry: entry)
        }
        return ArchiveFault(.damaged, "it is damaged (\(words))", entry: entry)
    }

    /// libarchive gives no name that is flagged as UTF-8 but is not: it is unknown whether the entry is wanted.
    private static let nameless = ArchiveFault(
        .damaged,
        "its name is not UTF-8, although the archive says so",
        entry: "",
        concernsEntry: true
    )

    private static func tooMany(_ limits: ArchiveLimits) -> ArchiveFault {
        ArchiveFault(.overLimit, "it has more than \(limits.entries) entries")
    }
}

import Archives
import Decoding

/// Provides a decoder with the bytes of an archive's current entry.
///
/// Not Sendable: it belongs to one `ArchiveSession`, whose lock it is used under.
final class EntrySource: ByteSource {
    private let reader: ArchiveReader
    /// The fault that ended it, in more detail than a decoder needs.
    private(set) var fault: ArchiveFault?

    init(_ reader: ArchiveReader) { self.reader = reader }

    /// Entries are read from beginning to end.
    var count: Int? { nil }

    func seek(to offset: Int) {}

    func read(into memory: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        do throws(ArchiveFault) { return try reader.read(into: memory) } catch {
            fault = error
            throw DecodingFault(.unreadable, error.reason)
        }
    }
}

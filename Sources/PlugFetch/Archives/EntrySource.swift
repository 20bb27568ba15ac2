import Archives
import Decoding

/// Gives the bytes of an archive's current entry to a decoder.
///
/// Not Sendable: it belongs to one `ArchiveSession`, whose lock it is used under.
final class EntrySource: ByteSource {
    private let reader: ArchiveReader
    /// What ended it, with more than a decoder has to know.
    private(set) var fault: ArchiveFault?

    init(_ reader: ArchiveReader) { self.reader = reader }

    /// Entries come from their beginnings to their ends.
    var count: Int? { nil }

    func seek(to offset: Int) {}

    func read(into memory: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        do throws(ArchiveFault) { return try reader.read(into: memory) } catch {
            fault = error
            throw DecodingFault(.unreadable, error.reason)
        }
    }
}

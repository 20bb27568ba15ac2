internal import PlugCore
internal import PlugStorage

/// The file of a large ledger, with ledger-specific error messages.
struct LedgerFile: Sendable {
    private let file: ScratchFile

    /// Creates one in the state folder.
    ///
    /// - Throws: `PlugError` `store-failed` (75).
    init(in folder: String) throws(PlugError) {
        do throws(FileError) { file = try ScratchFile(in: folder) } catch { throw Self.failure("made", error) }
    }

    /// Writes values at an offset in bytes.
    ///
    /// - Throws: `PlugError` `store-failed` (75), for example if the disk is full.
    func write<Value: BitwiseCopyable>(_ values: [Value], at start: Int) throws(PlugError) {
        do throws(FileError) { try file.write(values, at: start) } catch { throw Self.failure("written", error) }
    }

    /// Reads values from an offset in bytes.
    ///
    /// - Throws: `PlugError` `store-failed` (75), also if the file is too short.
    func read<Value: BitwiseCopyable>(into values: inout [Value], at start: Int) throws(PlugError) {
        do throws(FileError) { try file.read(into: &values, at: start) } catch { throw Self.failure("read", error) }
    }

    /// Reads into a buffer from an offset in bytes.
    ///
    /// - Throws: `PlugError` `store-failed` (75), also if the file is too short.
    func read(into bytes: UnsafeMutableRawBufferPointer, at start: Int) throws(PlugError) {
        do throws(FileError) { try file.read(into: bytes, at: start) } catch { throw Self.failure("read", error) }
    }

    /// Maps its first bytes, which must have been written, into memory.
    ///
    /// - Throws: `PlugError` `store-failed` (75).
    func mapping(_ count: Int) throws(PlugError) -> FileMapping {
        do throws(FileError) { return try file.mapping(count) } catch { throw Self.failure("mapped", error) }
    }

    private static func failure(_ done: String, _ error: FileError) -> PlugError {
        PlugError(
            .storeFailed,
            exit: .tryLater,
            "a file for the ledger could not be \(done) in the state folder: \(error.reason)",
            advice: "check whether the disk is full; nothing is lost: run it again"
        )
    }
}

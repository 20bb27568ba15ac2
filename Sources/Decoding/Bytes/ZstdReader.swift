internal import CZstd

/// Frames of Zstandard (RFC 8878), one after another.
final class ZstdReader {
    /// The largest window that a frame may ask for, as a power of two: 32 MiB.
    private static let windowLog: Int32 = 25

    private let context: OpaquePointer

    init() throws(DecodingFault) {
        // Owned here, freed in `deinit`; NULL if memory is short.
        guard let context = ZSTD_createDCtx() else { throw DecodingFault(.noMemory, "zstd cannot be started") }
        self.context = context
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.windowLog)
    }

    deinit { ZSTD_freeDCtx(context) }

    /// Decompresses the available input; `isEnd` at the end of a frame, which another may follow.
    func decompress(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) -> Step {
        var from = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var to = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let status = ZSTD_decompressStream(context, &to, &from)
        if ZSTD_isError(status) != 0 {
            // The name is static text of the library.
            let name = String(cString: ZSTD_getErrorName(status))
            let kind: DecodingFault.Kind =
                switch ZSTD_getErrorCode(status) {
                case ZSTD_error_memory_allocation: .noMemory
                case ZSTD_error_frameParameter_windowTooLarge: .overLimit
                default: .malformed
                }
            throw DecodingFault(kind, "the compressed data is broken: \(name)")
        }
        return Step(taken: from.pos, given: to.pos, isEnd: status == 0)
    }
}

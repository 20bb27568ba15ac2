internal import CZlib

/// A deflated stream (RFC 1951), bare or in zlib's or gzip's frame.
package final class Inflater {
    package enum Frame: Int32, Sendable {
        case none = -15
        case zlib = 15
        // zlib's convention: 16 more means gzip.
        case gzip = 31
    }

    /// The result of one call.
    package struct Step {
        /// Bytes taken from the input.
        package var taken: Int
        /// Bytes given to the output.
        package var given: Int
        /// Whether the stream ended.
        package var isEnd: Bool
    }

    /// Why a stream cannot be decompressed.
    package struct Fault: Error, Equatable {
        package enum Kind: Sendable { case broken, needsDictionary, outOfMemory }
        package var kind: Kind
        package var reason: String
    }

    // zlib keeps this address from init to end, so it must not move: we own it, and free it in `deinit`.
    private let stream: UnsafeMutablePointer<z_stream>

    package init(_ frame: Frame) throws(Fault) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Allocates its window with malloc; fails for lack of memory, or if header and library differ.
        let status = inflateInit2_(stream, frame.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw Fault(kind: .outOfMemory, reason: "zlib cannot be started (\(status))") }
    }

    deinit {
        // Frees what `inflateInit2_` allocated; after its failure it only returns an error.
        inflateEnd(stream)
        stream.deinitialize(count: 1)
        stream.deallocate()
    }

    /// Starts another stream with the same frame.
    package func reset() { inflateReset(stream) }

    /// Decompresses the available input. A gzip or zlib frame with a wrong checksum is broken.
    package func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(Fault) -> Step {
        // zlib only reads `next_in`, whose type predates const.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.assumingMemoryBound(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.assumingMemoryBound(to: UInt8.self).baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        let status = inflate(stream, Z_NO_FLUSH)
        switch status {
        // Z_BUF_ERROR: no progress was possible, but nothing is wrong.
        case Z_OK, Z_STREAM_END, Z_BUF_ERROR: break
        case Z_NEED_DICT:
            throw Fault(kind: .needsDictionary, reason: "the compressed data needs a dictionary")
        case Z_MEM_ERROR:
            throw Fault(kind: .outOfMemory, reason: "there is not enough memory to decompress it")
        default: throw Fault(kind: .broken, reason: "the compressed data is broken")
        }
        return Step(
            taken: input.count - Int(stream.pointee.avail_in),
            given: output.count - Int(stream.pointee.avail_out),
            isEnd: status == Z_STREAM_END
        )
    }
}

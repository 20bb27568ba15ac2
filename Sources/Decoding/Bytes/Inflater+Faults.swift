internal import Compression

/// What one call of a decompressor came to.
struct Step {
    /// Bytes taken from the input.
    var taken: Int
    /// Bytes given to the output.
    var given: Int
    /// Whether the stream ended.
    var isEnd: Bool
}

extension Inflater {
    /// One with faults as decoders have them.
    static func started(_ frame: Frame) throws(DecodingFault) -> Inflater {
        do throws(Fault) { return try Inflater(frame) } catch { throw DecodingFault(error) }
    }

    /// As `step`, with faults as decoders have them.
    func inflate(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault) -> Decoding.Step {
        do throws(Fault) {
            let step = try step(input, into: output)
            return Decoding.Step(taken: step.taken, given: step.given, isEnd: step.isEnd)
        } catch { throw DecodingFault(error) }
    }
}

extension DecodingFault {
    fileprivate init(_ fault: Inflater.Fault) {
        let kind: Kind =
            switch fault.kind {
            case .broken: .malformed
            case .needsDictionary: .refused
            case .outOfMemory: .overLimit
            }
        self.init(kind, fault.reason)
    }
}

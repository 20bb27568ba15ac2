internal import Compression

/// The result of one call of a decompressor.
struct Step {
    /// Bytes consumed from the input.
    var taken: Int
    /// Bytes written to the output.
    var given: Int
    /// Whether the stream ended.
    var isEnd: Bool
}

extension Inflater {
    /// An inflater that throws decoding faults.
    static func started(_ frame: Frame) throws(DecodingFault) -> Inflater {
        do throws(Fault) { return try Inflater(frame) } catch { throw DecodingFault(error) }
    }

    /// Like `step`, but throws decoding faults.
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
            case .outOfMemory: .noMemory
            }
        self.init(kind, fault.reason)
    }
}

import Foundation
import LosslessJSON
import TestKit

@testable import Decoding

/// What a decoder makes of a text that comes in pieces.
struct Decoded: Equatable {
    var records: [String] = []
    var broken: [BrokenRecord] = []

    /// - Parameter piece: How many bytes come at a time.
    init(
        _ text: some Collection<UInt8>,
        piece: Int,
        _ decoder: some RecordDecoder,
        _ limits: DecodingLimits = DecodingLimits()
    ) throws {
        var decoder = decoder
        let block = BlockBuilder(limits)
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        let bytes = Array(text)
        var at = 0
        while at < bytes.count {
            let end = min(bytes.count, at + piece)
            try bytes[at..<end].withUnsafeBytes { try decoder.take($0, into: block) }
            at = end
            while decoder.isBehind {
                try add(block)
                try decoder.take(nothing, into: block)
            }
        }
        repeat {
            try decoder.finish(into: block)
            try add(block)
        } while decoder.isBehind
    }

    private mutating func add(_ block: BlockBuilder) throws {
        let sealed = try block.seal()
        records += sealed.records.map { String(decoding: $0.slice, as: UTF8.self) }
        broken += sealed.broken
    }

    /// What comes of it, the same however large the pieces are.
    static func always(_ text: String, _ decoder: some RecordDecoder) throws -> Decoded {
        try always(Array(text.utf8), decoder)
    }

    static func always(_ bytes: [UInt8], _ decoder: some RecordDecoder) throws -> Decoded {
        let whole = try Decoded(bytes, piece: max(1, bytes.count), decoder)
        for piece in [1, 2, 3, 7] {
            let other = try Decoded(bytes, piece: piece, decoder)
            if other != whole { throw PiecesDiffer(piece: piece, whole: whole, other: other) }
        }
        return whole
    }

    struct PiecesDiffer: Error {
        var piece: Int
        var whole: Decoded
        var other: Decoded
    }

    /// The fault that decoding ends with, the same however large the pieces are.
    static func fault(_ text: String, _ decoder: some RecordDecoder) -> DecodingFault? {
        var faults: [DecodingFault?] = []
        for piece in [1, 5, max(1, text.utf8.count)] {
            do {
                _ = try Decoded(text.utf8, piece: piece, decoder)
                faults.append(nil)
            } catch { faults.append(error as? DecodingFault) }
        }
        return faults.allSatisfy { $0 == faults[0] } ? faults[0] : DecodingFault(.malformed, "faults differ: \(faults)")
    }
}

/// Examples that public documentation of services has, from `PLUGHOST_TEST_DATA` (default `../shared/data`).
enum Examples {
    static let folder = (ProcessInfo.processInfo.environment["PLUGHOST_TEST_DATA"] ?? "../shared/data") + "/providers"

    static func arePresent(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder)/\(path)") }

    static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(folder)/\(path)")))
    }
}

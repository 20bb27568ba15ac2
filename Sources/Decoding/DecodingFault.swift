internal import LosslessJSON

/// Why a file cannot be decoded any further. What precedes the fault is good; what follows it is unknown.
package struct DecodingFault: Error, Sendable, Equatable {
    /// The kind of fault.
    package enum Kind: Sendable, Equatable {
        /// The file is not what it is said to be, or ends too soon.
        case malformed
        /// It is something else, such as an HTML page where a feed should be.
        case otherFormat
        /// It is larger than a limit allows, or nested too deep.
        case overLimit
        /// It expands too much when it is decompressed.
        case growsTooMuch
        /// It uses a feature that is never read, such as entities of its own or encryption.
        case refused
        /// Nothing is wrong with it: the disk that holds it did not return it.
        case unreadable
        /// Nothing is wrong: the task reading it was cancelled.
        case interrupted
        /// Nothing is known to be wrong: the system gave no memory for reading it.
        case noMemory
    }

    /// The kind of fault.
    package var kind: Kind
    /// What is wrong, without values from the file: `the quote that begins here does not end`.
    package var reason: String
    /// The line at fault, from 1, if known.
    package var line: Int?
    /// The archived file at fault.
    package var file: String?

    /// A fault.
    package init(_ kind: Kind, _ reason: String, line: Int? = nil) {
        self.kind = kind
        self.reason = reason
        self.line = line
    }

    /// What keeps a document from being read.
    init(_ error: JSONError, _ what: String, line: Int? = nil) {
        let kind: Kind =
            switch error.kind {
            case .noMemory: .noMemory
            case .tooDeep: .overLimit
            case .malformed, .tooLarge, .tooManyTokens: .malformed
            }
        self.init(kind, "\(what): \(error.reason)", line: line)
    }
}

/// A broken record in a file that can still be read.
package struct BrokenRecord: Sendable, Equatable {
    /// The line on which it begins, from 1.
    package var line: Int
    /// The archived file that contains it.
    package var file: String?
    /// What is wrong, without its values.
    package var reason: String
    /// Its beginning, as it arrived: `textLimit` bytes at most.
    package var text: [UInt8]

    /// How many bytes of a broken record are kept.
    package static let textLimit = 64 << 10

    init(line: Int, reason: String, _ text: UnsafeRawBufferPointer) {
        self.line = line
        self.reason = reason
        self.text = Array(text.prefix(Self.textLimit))
    }
}

/// Limits on the memory that decoding may take.
package struct DecodingLimits: Sendable, Equatable {
    /// The bytes of all files of an answer, decompressed.
    package var total: Int
    /// The bytes of one record, as it is written in the file, in UTF-8.
    package var record: Int
    /// The bytes of a JSON file that is not read in pieces.
    package var whole: Int
    /// How many times its sent size anything over 1 MiB may become.
    package var ratio: Int
    /// When a block is full: bytes of JSON.
    package var blockBytes: Int
    /// When a block is full: records.
    package var blockRecords: Int

    /// Limits, with the usual ones by default.
    package init(
        total: Int = 64 << 20,
        record: Int = 4 << 20,
        whole: Int = 64 << 20,
        ratio: Int = 100,
        blockBytes: Int = 1 << 20,
        blockRecords: Int = 1000
    ) {
        self.total = total
        self.record = record
        self.whole = whole
        self.ratio = ratio
        self.blockBytes = blockBytes
        self.blockRecords = blockRecords
    }
}

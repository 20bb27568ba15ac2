import Archives
import Decoding
import PlugCore
import PlugManifest

/// Describes faults of an archive or its entries: where, what was kept, and what to do.
struct ArchiveFaults: Sendable {
    /// The fault of the first faulty entry.
    private var first: PlugError?
    private var count = 0
    /// The names of some of the others.
    private var others: [String] = []

    /// Adds an entry that could not be read.
    mutating func add(_ error: PlugError, entry: String) {
        if first == nil { first = error } else if others.count < 5 { others.append("'\(Self.shown(entry))'") }
        count += 1
    }

    /// The error of a pass with such entries, `nil` if there are none.
    var summary: PlugError? {
        guard var error = first else { return nil }
        if count > 1 {
            let names = others.joined(separator: ", ") + (count - 1 > others.count ? ", …" : "")
            error.message += "; \(count - 1) more of its entries cannot be read: \(names)"
        }
        return error
    }

    /// The error for an archive that cannot be read any further.
    func error(_ fault: ArchiveFault, _ source: ArchiveSource, _ stream: PlugManifest.Stream) -> PlugError {
        let file = "the file in 'config.\(source.file)'"
        if fault.kind == .unopened {
            return PlugError(
                .archiveUnopened,
                "\(file) cannot be opened: \(fault.reason)",
                advice: "give its path, as in --config \(source.file)=export.zip"
            )
        }
        let entry = fault.entry.map { ", entry '\(Self.shown($0))'" } ?? ""
        let others = count > 0 ? "; before that, \(count) of its entries could not be read" : ""
        let kept = "what was read before that is delivered, and nothing is delivered twice"
        let advice =
            switch fault.kind {
            case .unopened, .damaged:
                "\(kept): download the export again, compare the sizes, and give the new file"
            case .unreadable: "\(kept): check the disk, and run it again"
            case .encrypted: "unpack it with the password, pack the files again without one, and give that file"
            case .overLimit:
                "\(kept): this is more than an export has; ask the service for smaller archives, or pack what you need into one"
            case .refused, .unsupported: "give it as zip, or as tar compressed with gzip"
            }
        return PlugError(
            .archiveUnreadable,
            "\(file) cannot be read\(entry): \(fault.reason)\(others)",
            advice: advice,
            stream: stream.name,
            reach: .stream
        )
    }

    /// The error for an entry.
    func error(
        _ broken: ArchiveSession.EntryFault,
        _ format: RecordFormat,
        _ stream: PlugManifest.Stream
    ) -> PlugError {
        let kept = "what comes before it is delivered, and so are the other entries"
        let name = Self.shown(broken.entry.name)
        switch broken.reason {
        case .archive(let fault):
            let advice =
                switch fault.kind {
                case .encrypted: "\(kept): pack the files again without a password, and give that file"
                case .refused: "\(kept): an export has no such entries; remove it if you trust the others"
                case .unsupported:
                    "\(kept): unpack the archive, pack the files again as a usual zip, and give that file"
                case .overLimit:
                    "\(kept): no export expands so much; if you trust it, pack its files again without compression"
                default: "\(kept): download the export again, compare the sizes, and give the new file"
                }
            return PlugError(
                .archiveEntry,
                "the entry '\(name)' of the archive cannot be read: \(fault.reason)",
                advice: advice,
                stream: stream.name,
                reach: .item
            )
        case .decoding(let fault):
            let line = fault.line.map { ", line \($0)" } ?? ""
            let advice =
                switch fault.kind {
                case .otherFormat: "\(kept): correct 'decode' or 'entries', or ask for the export in another format"
                case .overLimit where format.mayBeWhole:
                    "\(kept): 'http.max_body' in the manifest raises the limit for entries that are read as a whole; the other "
                        + "limits are fixed"
                case .overLimit: "\(kept): the limit is fixed; if the entry is right, leave it out of 'entries'"
                default: "\(kept): look at the entry there; if it is right, correct 'decode'"
                }
            return PlugError(
                .archiveEntry,
                "the entry '\(name)' of the archive cannot be read as \(format.name)\(line): \(fault.reason)",
                advice: advice,
                stream: stream.name,
                reach: .item
            )
        }
    }

    /// The error for a file that was written to meanwhile.
    func changed(_ source: ArchiveSource, _ stream: PlugManifest.Stream) -> PlugError {
        PlugError(
            .archiveUnreadable,
            "the file in 'config.\(source.file)' was changed while it was read",
            advice:
                "wait until it is completely copied or downloaded, and run it again: known records are not delivered again",
            stream: stream.name,
            reach: .stream
        )
    }

    /// The message for an archive without any entry for a stream.
    func lacking(_ source: ArchiveSource) -> String {
        let patterns = source.entries.prefix(5).map { "'\($0.text)'" }.joined(separator: ", ")
        return "the file in 'config.\(source.file)' has no entry that matches \(patterns): nothing was read"
    }

    private static func shown(_ name: String) -> String { DisplayText.escaped(String(name.suffix(200))) }
}

extension RecordFormat {
    /// Whether a file may have to be read as a whole.
    fileprivate var mayBeWhole: Bool { if case .json = self { true } else { false } }
}

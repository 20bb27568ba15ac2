internal import Glibc
internal import JQ
internal import LosslessJSON
internal import PlugCore

/// The documents of a list of files, or of stdin, one by one as they arrive.
struct FilterInput {
    let paths: [String]

    /// The depth that jq reads. Documents are not parsed into trees, whose traversal takes native stack.
    private static let limits = JSONLimits(depth: 10_000, bytes: 1 << 30)

    /// Passes on each document in turn.
    ///
    /// - Throws: `PlugError` `jq-input` or `file-…` (data).
    func forEach(_ body: (JQInput) -> Void) throws(PlugError) {
        for path in paths.isEmpty ? ["-"] : paths {
            guard let file = path == "-" ? FileDescriptor.standardInput() : FileDescriptor(path, O_RDONLY) else {
                let reason = FileError.system(errno).reason
                throw PlugError(.fileUnreadable, exit: .data, "cannot read \(path): \(reason)")
            }
            var sequence = JSONSequence()
            while true {
                guard let chunk = file.next() else { throw Files.failure(path, errno, .data) }
                if chunk.isEmpty { break }
                sequence.append(chunk)
                while let document = sequence.next(atEnd: false) { body(try parse(document, path)) }
                guard sequence.pendingBytes <= Self.limits.bytes else {
                    let reason = "a document has more than \(Self.limits.bytes) bytes"
                    throw PlugError(.jqInput, "\(Self.name(path)) cannot be read: \(reason)")
                }
            }
            while let document = sequence.next(atEnd: true) { body(try parse(document, path)) }
        }
    }

    private static func name(_ path: String) -> String { path == "-" ? "the input" : path }

    private func parse(
        _ document: (bytes: ArraySlice<UInt8>, offset: Int),
        _ path: String
    ) throws(PlugError) -> JQInput {
        do {
            return JQInput(try JSONDocument(bytes: document.bytes, limits: Self.limits).root)
        } catch {
            throw PlugError(
                .jqInput,
                "\(Self.name(path)) is not JSON: \(error.reason) at byte offset \(document.offset + error.offset)"
            )
        }
    }
}

import LosslessJSON
import PlugCore

/// What a page may hold. All limits derive from one key of the manifest, `http.max_body`, so that there is one thing to raise: in
/// memory a page takes some eight times its bytes if its values are small, and these bounds keep it there.
struct PageLimits: Sendable {
    /// Bytes of the body, decompressed.
    let bytes: Int

    init(_ bytes: Int) { self.bytes = bytes }

    /// Values, keys and marks: one per four bytes. Real pages have at most one per eight bytes.
    private var tokens: Int { bytes / 4 }
    /// Records: one per 64 bytes.
    var records: Int { bytes / 64 }

    /// The limits of reading a page.
    var json: JSONLimits { JSONLimits(bytes: .max, tokens: tokens) }

    /// The error for a page that is too large to be read whole, and is not a list that could be read in pieces.
    func tooManyBytes(_ request: String) -> PlugError {
        let limit = HumanSize.text(bytes)
        return PlugError(
            .pageTooLarge,
            "\(request) was answered with more than \(limit) that cannot be read in pieces: 'records' finds no list",
            advice: "look at the answer; what is no list may have \(limit), whatever 'http.max_body' says",
            reach: .item
        )
    }

    /// The error for a page with too many values.
    func tooManyValues(_ request: String) -> PlugError {
        tooLarge("\(request) was answered with more than \(tokens) JSON values and punctuation marks")
    }

    /// The error for a page with too many records.
    func tooManyRecords(_ request: String) -> PlugError {
        tooLarge("\(request) was answered with more than \(records) records")
    }

    private func tooLarge(_ message: String) -> PlugError {
        PlugError(
            .pageTooLarge,
            "\(message), the limit that 'http.max_body' (\(HumanSize.text(bytes))) sets",
            advice:
                "ask for smaller pages, or raise 'http.max_body' in the manifest (and the host's memory)",
            reach: .item
        )
    }
}

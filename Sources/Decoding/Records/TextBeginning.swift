/// Looks at the first characters of a text file: servers answer with a page or an error in JSON when something is wrong, and
/// each of its lines would pass for a row.
struct TextBeginning {
    /// What a file may be instead of the expected text.
    enum Other: CaseIterable {
        case html
        case xml
        case json

        /// How it begins, in lower case.
        var beginnings: [String] {
            switch self {
            case .html: ["<!doctype", "<html"]
            case .xml: ["<?xml"]
            case .json: ["{\"", "[{\""]
            }
        }

        var reason: String {
            switch self {
            case .html: "it is an HTML page"
            case .xml: "it is XML"
            case .json: "it is JSON"
            }
        }
    }

    /// As long as the longest beginning.
    private static let size = 9

    private let refused: [Other]
    /// The first non-blank characters.
    private var head: [UInt8] = []

    init(refuses refused: [Other]) { self.refused = refused }

    /// Inspects a piece before any of it is read.
    mutating func look(at bytes: UnsafeRawBufferPointer) throws(DecodingFault) {
        if head.count >= Self.size { return }
        for byte in bytes {
            if head.count == Self.size { break }
            if byte > 0x20 { head.append(byte) }
        }
        let text = String(decoding: head, as: UTF8.self).lowercased()
        for other in refused where other.beginnings.contains(where: { text.hasPrefix($0) }) {
            throw DecodingFault(.otherFormat, other.reason)
        }
    }
}

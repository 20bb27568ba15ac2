internal import Decoding
internal import PlugManifest

/// The text of an answer whose encoding is not UTF-8, but declared: by the manifest, or by the answer's header.
struct RecordedText {
    /// What a fixture writes before such a text, so that it is read as UTF-8 whatever the manifest declares.
    static let mark = "\u{FEFF}"
    private let charsets: [Charset]

    init(_ manifest: Manifest) {
        charsets = manifest.streams.compactMap(\.decoding?.charset).filter { $0 != .utf8 }
    }

    /// The text in UTF-8; `nil` if none of the declared encodings is the answer's.
    func utf8(_ bytes: [UInt8], type: String) -> [UInt8]? {
        let declared = type.split(separator: ";").lazy.compactMap { part -> Charset? in
            let pair = part.split(separator: "=").map { $0.filter { !$0.isWhitespace && $0 != "\"" } }
            return pair.count == 2 && pair[0] == "charset" ? Charset(pair[1]) : nil
        }
        for charset in charsets + declared.prefix(1) {
            let transcoder = Transcoder(given: charset)
            var text: [UInt8] = []
            do throws(DecodingFault) {
                var outcome: Result<Void, DecodingFault> = .success(())
                bytes.withUnsafeBytes { all in
                    do throws(DecodingFault) { try transcoder.take(all) { text += $0 } } catch {
                        outcome = .failure(error)
                    }
                }
                try outcome.get()
                try transcoder.finish { text += $0 }
            } catch {
                // Another kind of file, whatever it is declared to be: the caller reports it.
                continue
            }
            if transcoder.replaced == 0, !text.contains(0) { return text }
        }
        return nil
    }
}

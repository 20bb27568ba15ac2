internal import LosslessJSON
internal import PlugCore

/// The error in a response body.
struct ToldError {
    /// Its name, if it can be shown.
    let code: String?
    /// What the service says about it.
    private let detail: String?

    /// The maximum number of characters of a detail to show.
    private static let detailLimit = 200

    /// The member `error` (RFC 6749, section 5.2), or the object that some services have there. `nil` if there is none; `null`,
    /// `false`, `0` and the empty text count as none.
    init?(_ answer: ReceivedAnswer) {
        guard let value = answer.value, let error = value["error"] else { return nil }
        switch error {
        case .null, .bool(false): return nil
        case .number(let number) where number.int64 == 0: return nil
        case .string(let text) where text.text.isEmpty: return nil
        default: break
        }
        let names = [
            error.stringText, error["code"]?.stringText, error["type"]?.stringText, error["status"]?.stringText,
        ]
        code = names.compactMap { $0 }.first(where: Self.isName)
        detail =
            [value["error_description"], error["message"], value["message"]].lazy.compactMap { $0?.stringText }.first
    }

    /// An error that came with a redirect.
    init(code: String, detail: String?) {
        self.code = Self.isName(code) ? code : nil
        self.detail = detail
    }

    /// The service's error as part of a sentence, without secrets.
    func words(_ hidden: HiddenTexts) -> String {
        guard let detail = quote(hidden) else {
            return code == nil ? "it refuses with an error that has no name" : "it refuses"
        }
        return "it refuses and says '\(detail)'"
    }

    /// The service's own words in `words`; `nil` if it gave none.
    func quote(_ hidden: HiddenTexts) -> String? {
        detail.map { Self.quotable($0, hidden) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The error's name, unless it contains a secret.
    func name(_ hidden: HiddenTexts) -> String? { code.flatMap { hidden.removed(from: $0) == $0 ? $0 : nil } }

    /// The service's words with the error's name: part of a sentence.
    func sentence(_ hidden: HiddenTexts) -> String { words(hidden) + (name(hidden).map { ": \($0)" } ?? "") }

    private static func isName(_ text: String) -> Bool {
        1...64 ~= text.utf8.count
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
            && !isLikeToken(Substring(text))
    }

    /// The text on one line, without secrets and words that look like them: services quote what they refuse.
    private static func quotable(_ text: String, _ hidden: HiddenTexts) -> String {
        // Before it is cut: a part of a secret is secret too.
        let words = hidden.removed(from: text).split(whereSeparator: \.isWhitespace).map {
            isLikeToken($0) ? "…" : String($0)
        }
        let line = words.joined(separator: " ")
        return DisplayText.escaped(String(line.prefix(detailLimit))) + (line.count > detailLimit ? "…" : "")
    }

    /// Whether a word is long and has a digit, like tokens and codes and unlike words of a language.
    private static func isLikeToken(_ word: Substring) -> Bool {
        word.utf8.count >= 24 && word.utf8.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}

internal import CurlTransport
internal import LosslessJSON
internal import PlugCore

extension Placeholders {
    /// A text that is a value, or its placeholder.
    ///
    /// - Parameter member: The member that has the value; `nil` if none does.
    func text(_ text: String, member: String? = nil) -> String {
        if text.isEmpty { return text }
        if !looksSecret(text) {
            if let member, kept.contains(member) {
                return noted(text, text, NumberForm(text) == nil ? PlaceholderTally.Kind(ofWords: text) : .number)
            }
            if let time = times.shifted(text) { return noted(text, isLooking ? text : time, .time) }
            // A text with an exponent is more likely a hexadecimal id than a number.
            if NumberForm(text)?.hasExponent == false { return notedNumber(text, member: member) }
            if isKind(text, of: member) || isConstant(text) { return noted(text, text, .constant) }
        }
        if text.contains("://"), !text.contains(where: \.isWhitespace) {
            return noted(text, uncounted { address(text) }, isOfService(text) ? .serviceAddress : .address)
        }
        if let mail = mail(text) { return noted(text, mail, .mail) }
        for scheme in ["mailto:", "tel:"] where text.hasPrefix(scheme) {
            return scheme + self.text(String(text.dropFirst(scheme.count)))
        }
        if let duration = duration(text) { return noted(text, duration, .number) }
        // A nested document.
        if text.first == "{" || text.first == "[", let value = try? JSONValue(parsing: text),
            value.object != nil || value.elements != nil
        {
            return json(value, at: "text of \(member ?? "")", member: member).compactText
        }
        if text.contains("</") || text.contains("<br") { return markup(text) }
        if PercentText.isEncoded(text) {
            return PercentEncoding.segment(self.text(PercentText.decoded(text), member: member))
        }
        if isLooking { notePersonal(text) }
        let isProse = text.contains(where: \.isWhitespace)
        let isSecret = looksSecret(text)
        let new = words(of: text, keepingKnown: !isProse && !isSecret)
        return noted(text, new, isSecret ? .credential : PlaceholderTally.Kind(ofWords: text))
    }

    /// The placeholder of a value of which nothing may be kept.
    func hidden(_ text: String) -> String {
        if isLooking { notePersonal(text) }
        return noted(text, words(of: text, keepingKnown: false), .credential)
    }

    /// Counts what was done with a value.
    private func noted(_ old: String, _ new: String, _ kind: PlaceholderTally.Kind) -> String {
        if !isLooking, isCounting, old.contains(where: { $0.isLetter || $0.isNumber }) { tally.note(old, new, kind) }
        return new
    }

    /// A number that is a value of its own.
    func notedNumber(_ text: String, member: String?) -> String {
        let isTime = NumberForm(text).map { times.shifted(digits: $0.whole) != nil } ?? false
        return noted(text, number(text, member: member), isTime ? .time : .number)
    }

    /// A number as JSON writes it, or another one with the same number of digits.
    func number(_ text: String, member: String?) -> String {
        guard let form = NumberForm(text) else { return text }
        if let member {
            if kept.contains(member) { return text }
            // The number of records or pages determines how many requests follow.
            if words.counting.contains(member), form.fraction.isEmpty, form.whole.utf8.count <= 6 { return text }
        }
        if form.fraction.isEmpty, words.numbers.contains(String(form.whole)) { return text }
        if let shifted = times.shifted(digits: form.whole) {
            return isLooking ? text : form.text(whole: shifted, fraction: String(form.fraction))
        }
        let isSmallID = form.fraction.isEmpty && form.whole.utf8.count == 1 && KnownWords.isID(member)
        if isLooking {
            if isSmallID {
                ids.note(whole: form.whole, fraction: "")
            } else {
                numbers.note(whole: form.whole, fraction: form.fraction)
            }
            return text
        }
        let other = (isSmallID ? ids : numbers).replaced(whole: form.whole, fraction: form.fraction)
        return form.text(whole: other.whole, fraction: other.fraction)
    }

    /// Each word of a text replaced by its placeholder; what is between words is kept.
    ///
    /// - Parameter keepingKnown: Whether the manifest's words are kept, such as the first one of `service:kind:id`.
    func words(of text: String, keepingKnown: Bool) -> String {
        // A UUID is replaced as a whole: its shorter parts would otherwise be words.
        if text.utf8.count >= 36,
            let found = text.firstMatch(of: #/[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/#)
        {
            let (before, after) = (String(text[..<found.range.lowerBound]), String(text[found.range.upperBound...]))
            let new = isLooking ? String(found.output) : tokens.placeholder(uuid: String(found.output))
            return words(of: before, keepingKnown: keepingKnown) + new + words(of: after, keepingKnown: keepingKnown)
        }
        var output = ""
        var rest = Substring(text)
        while let first = rest.first {
            guard first.isLetter || first.isNumber else {
                // A character beyond ASCII is treated as a letter: an emoji may be personal.
                let stays = first.isASCII || first.isPunctuation || first.isWhitespace
                output += stays ? String(first) : isLooking ? String(first) : tokens.placeholder(String(first))
                rest = rest.dropFirst()
                continue
            }
            let word = rest.prefix { $0.isLetter || $0.isNumber }
            rest = rest.dropFirst(word.count)
            output += self.word(String(word), keepingKnown: keepingKnown)
        }
        return output
    }

    /// `PT1H30M` with other digits; `nil` if it is not an ISO 8601 duration.
    private func duration(_ text: String) -> String? {
        guard text.utf8.count < 40, text.wholeMatch(of: #/P(?:\d+[YMWD])*(?:T(?:\d+(?:\.\d+)?[HMS])+)?/#) != nil,
            text.contains(where: \.isNumber)
        else { return nil }
        return text.replacing(#/\d+/#) { self.number(String($0.output), member: nil) }
    }

    private func word(_ word: String, keepingKnown: Bool) -> String {
        if word.allSatisfy({ $0.isASCII && $0.isNumber }) { return number(word, member: nil) }
        let digits = word.prefix { $0.isASCII && $0.isNumber }
        let unit = word.dropFirst(digits.count)
        if !digits.isEmpty, KnownWords.units.contains(String(unit)) {
            return number(String(digits), member: nil) + unit
        }
        let isWord = word.count > 1 && word.allSatisfy { $0.isASCII && $0.isLetter }
        if keepingKnown, isWord, words.constants.contains(word) { return word }
        return isLooking ? word : tokens.placeholder(word)
    }

    private func notePersonal(_ text: String) {
        personal.insert(text)
        let words = text.split { !$0.isLetter }
        // A name has few words; prose has those of the language.
        if words.count <= 3 { for word in words where word.count > 2 { personal.insert(word.lowercased()) } }
    }

    /// Whether a value is a kind or a state, which many records share.
    private func isKind(_ text: String, of member: String?) -> Bool {
        if KnownWords.values.contains(text) || KnownWords.codes.contains(text) { return true }
        if KnownWords.mediaTypes.contains(text.lowercased()) { return true }
        guard let member, text.utf8.count <= 32, text.utf8.count > 1,
            text.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "_" || $0 == "-" || $0 == ".") }),
            KnownWords.kinds.contains(member.lowercased())
                || KnownWords.parts(of: member).last.map(KnownWords.kinds.contains) ?? false
        else { return false }
        if isLooking {
            kinds[member, default: [:]][text, default: 0] += 1
            return true
        }
        return kinds[member]?[text] ?? 0 > 1 && !personal.contains(text)
            && !KnownWords.parts(of: text).contains { personal.contains($0) && !KnownWords.values.contains($0) }
    }

    /// Whether the manifest names a value.
    private func isConstant(_ text: String) -> Bool {
        if let known = constants[text] { return known }
        let isConstant = text.utf8.count > 1 && text.utf8.count < 200 && words.hasConstant(text)
        constants[text] = isConstant
        return isConstant
    }

    /// Whether a text is or contains a credential: by its form, or because the host knows it.
    func looksSecret(_ text: String) -> Bool {
        if let known = secretForms[text] { return known }
        let looks = text.utf8.count >= 4 && secrets.contains { text.contains($0) } || Self.hasForm(ofSecret: text)
        secretForms[text] = looks
        return looks
    }

    /// Whether a text has the form of a credential.
    static func hasForm(ofSecret text: String) -> Bool {
        guard text.utf8.count >= 12 else { return false }
        return CredentialShapes.isLongToken(text) || CredentialShapes.blotted(text) != text
    }
}

/// A number in JSON or a text: `-12.50e3`.
struct NumberForm {
    private let sign: Substring
    let whole: Substring
    let fraction: Substring
    private let rest: Substring

    init?(_ text: String) {
        sign = text.prefix { $0 == "-" || $0 == "+" }
        var rest = text[sign.endIndex...]
        whole = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest[whole.endIndex...]
        if rest.first == "." {
            fraction = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            rest = rest[fraction.endIndex...]
            if fraction.isEmpty { return nil }
        } else {
            fraction = ""
        }
        if rest.first == "e" || rest.first == "E" {
            let power = rest.dropFirst().drop { $0 == "-" || $0 == "+" }
            guard !power.isEmpty, power.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
            // No service has such large numbers: the digits may be personal.
            if power.count > 3 { rest = "e300" }
        } else if !rest.isEmpty {
            return nil
        }
        self.rest = rest
        guard !whole.isEmpty, sign.count < 2 else { return nil }
    }

    /// Whether it has an exponent.
    var hasExponent: Bool { !rest.isEmpty }

    func text(whole: String, fraction: String) -> String {
        "\(sign)\(whole)\(fraction.isEmpty ? "" : ".\(fraction)")\(rest)"
    }
}

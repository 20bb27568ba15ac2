extension Placeholders {
    /// XML or HTML: names of elements and attributes are kept, texts and values are not.
    func markup(_ text: String) -> String {
        var output = ""
        var rest = Substring(text)
        var element: String?
        while let first = rest.first {
            guard first == "<" else {
                let piece = rest.prefix { $0 != "<" }
                rest = rest.dropFirst(piece.count)
                output += markupText(String(piece), of: element)
                continue
            }
            if rest.hasPrefix("<![CDATA[") {
                let end = rest.firstRange(of: "]]>")?.lowerBound ?? rest.endIndex
                let content = rest[..<end].dropFirst("<![CDATA[".count)
                output += "<![CDATA[\(markupText(String(content), of: element))"
                rest = rest[end...]
                if rest.hasPrefix("]]>") {
                    output += "]]>"
                    rest = rest.dropFirst(3)
                }
                continue
            }
            if rest.hasPrefix("<!--") {
                // Comments and the like are not worth keeping.
                rest = rest.firstRange(of: "-->").map { rest[$0.upperBound...] } ?? ""
                continue
            }
            let end = tagEnd(rest)
            let tag = rest[..<end]
            rest = rest[end...]
            if tag.hasPrefix("<?xml ") {
                output += attributes(in: String(tag))
            } else if tag.hasPrefix("<?") || tag.hasPrefix("<!") {
                // Processing instructions, and entity definitions.
                output += tag.lowercased().hasPrefix("<!doctype html") ? "<!DOCTYPE html>" : ""
            } else {
                let isEnd = tag.hasPrefix("</")
                let name = tag.dropFirst(isEnd ? 2 : 1).prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
                if !name.isEmpty, !isEnd { element = String(name) }
                let rest = tag[name.endIndex...]
                output += "\(isEnd ? "</" : "<")\(elementName(String(name)))\(attributes(in: String(rest)))"
            }
        }
        return output
    }

    /// The end of a tag: a `>` in a quoted value is part of it.
    private func tagEnd(_ text: Substring) -> Substring.Index {
        var quote: Character?
        var at = text.startIndex
        while at < text.endIndex {
            let character = text[at]
            at = text.index(after: at)
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == ">" {
                return at
            }
        }
        return text.endIndex
    }

    private func attributes(in tag: String) -> String {
        tag.replacing(
            #/(?<start>[\s](?<name>[A-Za-z_:][A-Za-z0-9_:.\-]*)\s*=\s*)(?:"(?<double>[^"]*)"|'(?<single>[^']*)')/#
        ) { match in
            let name = String(match.name)
            let value = String(match.double ?? match.single ?? "")
            let start = match.start.replacing(match.name, with: self.elementName(name))
            let isFixed =
                name == "xmlns" || name.hasPrefix("xmlns:")
                || ["version", "rel", "encoding", "lang", "xml:lang"].contains(name)
            let quote = match.double == nil ? "'" : "\""
            let isSafe =
                isFixed && !self.looksSecret(value)
                && (name.hasPrefix("xmlns") || NameStatistics.isWord(value) || value.count < 6)
            return "\(start)\(quote)\(isSafe ? value : self.markupText(value, of: name))\(quote)"
        }
    }

    /// The name of an element or an attribute, with its prefix: the service's, or a placeholder.
    private func elementName(_ name: String) -> String {
        if name.hasPrefix("xmlns") { return name }
        return name.split(separator: ":", omittingEmptySubsequences: false).map { part in
            let text = String(part)
            let isKnown =
                KnownWords.markup.contains(text.lowercased()) || KnownWords.areAll(of: text)
                || words.words.contains(text)
            return isKnown || kept.contains(text) ? text : words(of: text, keepingKnown: false)
        }.joined(separator: ":")
    }

    /// A text between tags; character references are kept.
    private func markupText(_ text: String, of element: String?) -> String {
        let trimmed = text.split(whereSeparator: \.isWhitespace)
        guard let first = trimmed.first, let last = trimmed.last else { return text }
        let (head, tail) = (text[..<first.startIndex], text[last.endIndex...])
        let content = String(text[first.startIndex..<last.endIndex])
        if !content.contains("&") { return "\(head)\(self.text(content, member: element))\(tail)" }
        let plain = content.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&apos;", with: "'").replacing("&amp;", with: "&")
        let new = plain.contains("<") ? markup(plain) : self.text(plain, member: element)
        let escaped = new.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
        return "\(head)\(escaped)\(tail)"
    }
}

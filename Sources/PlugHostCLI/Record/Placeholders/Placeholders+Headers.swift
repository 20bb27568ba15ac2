internal import CurlTransport

extension Placeholders {
    /// The headers that a replay needs, with placeholders: what the plug reads of an answer besides its body, and nothing else.
    func headers(_ headers: HTTPHeaders, status: Int) -> [HTTPHeader] {
        headers.fields.compactMap { field in
            let name = field.name.lowercased()
            return value(of: field.value, name, status).map { HTTPHeader(field.name, $0) }
        }
    }

    private func value(of value: String, _ name: String, _ status: Int) -> String? {
        switch name {
        case "content-type": return mediaType(value)
        case "link": return links(value)
        case "location", "content-location": return (300...399).contains(status) ? link(value) : nil
        case "retry-after":
            let isNumber = value.utf8.count <= 6 && value.allSatisfy { $0.isASCII && $0.isNumber }
            return isNumber ? value : times.shifted(value).map { isLooking ? value : $0 }
        case "www-authenticate", "cookie", "date": return nil
        default:
            let isRead = words.reads(header: name)
            guard isRead || Self.tellsQuota(name) else { return nil }
            return name == "set-cookie" ? cookie(value) : quota(value, name)
        }
    }

    /// Whether a header describes a quota, and not its holder.
    private static func tellsQuota(_ name: String) -> Bool {
        guard name.contains("ratelimit") || name.contains("rate-limit") else { return false }
        let known: Set = [
            "x", "rate", "ratelimit", "limit", "remaining", "reset", "used", "policy", "retry", "after", "window",
            "interval", "requests",
        ]
        return name.split(separator: "-").allSatisfy { known.contains(String($0)) }
    }

    /// `application/json; charset=utf-8`
    private func mediaType(_ value: String) -> String? {
        let parts = value.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
        guard let type = parts.first, type.utf8.count < 80, type.contains("/"), !looksSecret(value),
            type.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "/+.-".contains($0)) })
        else { return nil }
        let charset = parts.dropFirst().first { part in
            part.lowercased().hasPrefix("charset=") && part.utf8.count < 30
                && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "=-_\"".contains($0)) }
        }
        let subtype = type.split(separator: "/").last.map(String.init) ?? ""
        let known = [
            "json", "xml", "html", "csv", "plain", "calendar", "rss", "atom", "octet-stream", "form-urlencoded",
            "tab-separated-values", "zip", "x-ndjson",
        ]
        guard known.contains(where: subtype.contains) else { return "application/octet-stream" }
        // Whatever a service writes before the plus may be personal.
        let isVendor = subtype.contains("vnd.") || subtype.contains("+")
        let plain = isVendor ? known.first(where: subtype.contains).map { "application/\($0)" } ?? type : type
        return charset.map { "\(plain); \($0)" } ?? plain
    }

    /// `<https://…>; rel="next"`, and more of them.
    private func links(_ value: String) -> String {
        value.split(separator: "<").compactMap { piece -> String? in
            guard let close = piece.firstIndex(of: ">") else { return nil }
            let target = link(String(piece[..<close]))
            let relation =
                piece[close...].firstMatch(of: #/rel\s*=\s*"?(?<words>[A-Za-z ]{1,40})"?/#).map { String($0.words) }
                ?? ""
            let known = relation.split(separator: " ").filter {
                KnownWords.values.contains($0.lowercased()) || self.words.words.contains(String($0))
            }
            return known.isEmpty ? nil : "<\(target)>; rel=\"\(known.joined(separator: " "))\""
        }.joined(separator: ", ")
    }

    private func link(_ text: String) -> String { text.contains("://") ? address(text) : reference(text) }

    /// Numbers of requests and seconds are kept; a time is shifted, and anything else replaced.
    private func quota(_ value: String, _ name: String) -> String {
        let isSmall = value.utf8.count <= 9 && value.allSatisfy { $0.isASCII && ($0.isNumber || ", ./".contains($0)) }
        if isSmall { return value }
        return value.contains("://") ? address(value) : text(value)
    }

    /// A cookie that the manifest reads: its name and attributes are kept.
    private func cookie(_ value: String) -> String {
        let pair = value.prefix { $0 != ";" }
        let name = pair.prefix { $0 != "=" }
        let shown = words.words.contains(String(name)) ? String(name) : words(of: String(name), keepingKnown: true)
        return "\(shown)=\(hidden(String(pair.dropFirst(name.count + 1)))); Path=/"
    }
}

extension ManifestWords {
    /// Whether a program, or another key of the manifest, names a header.
    func reads(header name: String) -> Bool { headerNames.contains(name) }
}

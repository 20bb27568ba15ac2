import JQ
import PlugCore
import PlugManifest

extension PassFindings {
    /// Warns of things that may, but need not, be wrong with a complete pass.
    ///
    /// - Parameters:
    ///   - name: The name of the last page's request.
    ///   - facts: The facts of the last page.
    ///   - warn: Receives the stream, a code and a message.
    func tellDoubts(
        _ stream: PlugManifest.Stream,
        _ name: String,
        _ facts: PageFacts,
        _ warn: (String, PlugError.Code, String) -> Void
    ) {
        if let message = tokenDoubt(stream, name, facts) ?? linkDoubt(stream, name, facts) {
            warn(stream.name, .pageTokenDoubtful, message)
        }
        // A source may include it only on the first page, and may omit it if there is nothing.
        guard hasFirst, hasRecords, let paging = stream.paging else { return }
        let counts = [("page.total", paging.total, hasTotal), ("page.pages", paging.pages, hasPages)]
        let missing = counts.compactMap { key, program, hasNumber in
            hasNumber ? nil : program.map { (key: key, name: "'\(key)' (\($0.source))") }
        }
        guard let first = missing.first else { return }
        let message =
            "\(stream.places[first.key]): \(missing.map(\.name).joined(separator: " and ")) "
            + "\(missing.count == 1 ? "gives" : "give") no number in any answer of this pass, so nothing is checked"
        warn(stream.name, .pageCountMissing, message)
    }

    /// The warning for times that a wrong unit puts hundreds of years ahead, or next to 1970: the watermark would stay at the
    /// beginning of each pass, or never move on.
    func unitDoubt(_ stream: PlugManifest.Stream, _ name: String) -> String? {
        guard let since = stream.since, case .moment(let latest) = latest else { return nil }
        let other: Since.Kind
        switch since.type {
        case .epochMilliseconds where 1..<100_000_000 ~= latest.seconds: other = .epoch
        case .epoch where Self.implausible ~= latest.seconds: other = .epochMilliseconds
        case .time, .date, .epochMilliseconds:
            guard Self.implausible ~= latest.seconds else { return nil }
            return
                "\(stream.places["since.field"]): \(name): as '\(since.type.rawValue)', the newest 'since.field' is "
                + "\(latest.rfc3339), so the watermark stays at the beginning of each pass: write the type that it has, or leave such "
                + "a value out with 'select'"
        default: return nil
        }
        return
            "\(stream.places["since.type"]): \(name): as '\(since.type.rawValue)', the newest 'since.field' is \(latest.rfc3339): write "
            + "'type: \(other.rawValue)'"
    }

    /// From the year 2200 on, in seconds.
    private static let implausible = Int64(7_258_118_400)...

    /// The warning for a last page without a member for the token, if it may not be the last.
    private func tokenDoubt(_ stream: PlugManifest.Stream, _ name: String, _ facts: PageFacts) -> String? {
        guard facts.hangsOnToken else { return nil }
        let (key, program) = Self.token(stream)
        let missing = "has no member for '\(key)' (\(program))"
        let help = "if the last page leaves the member out, write '\(program) // null'"
        let (place, count) = (stream.places[key], facts.count)
        if isSingle {
            guard RoundSize.contains(count), count < size ?? .max else { return nil }
            let asked = size.map { " of the \($0) records requested" } ?? " records"
            return
                "\(place): \(name) gives \(count)\(asked), and its answer \(missing): if \(count) is the service's page "
                + "size, there are more pages; \(help)"
        }
        // One record per page is a size that every page has. A run that continues at the last page knows the requested size.
        guard let full = fullest ?? size, full > 1, count == full else { return nil }
        let like = fullest == nil ? "requested" : "the pages before"
        return
            "\(place): \(name) gives \(count) records, as many as \(like), and its answer \(missing): there may be more "
            + "pages; \(help)"
    }

    /// The warning for a single full page whose headers link to no other page. A later page was reached by such a link.
    private func linkDoubt(_ stream: PlugManifest.Stream, _ name: String, _ facts: PageFacts) -> String? {
        guard facts.hangsOnLink, isSingle, !hasLinks, stream.paging?.mayBeFull(facts.count) == true else { return nil }
        let asked = size == nil ? "\(facts.count) records" : "\(facts.count) records, as many as requested"
        return
            "\(stream.places["page.link"]): \(name) gives \(asked), and its answer has no 'Link' header with rel=\"next\": if there "
            + "is more, the service names the next page elsewhere"
    }
}

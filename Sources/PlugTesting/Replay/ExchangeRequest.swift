import CurlTransport
import LosslessJSON
internal import PlugCore

/// The request that an exchange expects, and how another one differs from it.
struct ExchangeRequest {
    private let exchange: Cassette.Exchange

    init(_ exchange: Cassette.Exchange) { self.exchange = exchange }

    /// One line for each difference; empty if the request fits.
    func differences(from asked: AskedRequest) -> [String] {
        var lines: [String] = []
        func compare(_ what: String, _ expected: String, _ actual: String) {
            if expected != actual { lines.append("\(what): expected \(expected), asked \(actual)") }
        }
        compare("method", exchange.method, asked.method)
        compare("host", exchange.url.origin, asked.url.origin)
        compare("path", exchange.url.path, asked.url.path)
        lines += queryDifferences(from: asked.url)
        for header in exchange.requestHeaders {
            let value = asked.headers.first(header.name)
            compare("header \(header.name)", "'\(header.value)'", value.map { "'\($0)'" } ?? "without it")
        }
        lines += bodyDifferences(from: asked)
        return lines
    }

    /// How different a request is: another path weighs more than another parameter.
    func distance(from asked: AskedRequest) -> Int {
        differences(from: asked).reduce(0) { sum, line in
            sum + (line.hasPrefix("path:") ? 20 : line.hasPrefix("host:") || line.hasPrefix("method:") ? 10 : 1)
        }
    }

    /// How many words of a body of text only one of the two has: a cursor may be one of many.
    func differingWords(from asked: AskedRequest) -> Int {
        guard let expected = exchange.requestBody?.stringText, let bytes = asked.body, !asked.isForm,
            let text = String(validating: bytes, as: UTF8.self), text != expected
        else { return 0 }
        var counts: [Substring: Int] = [:]
        for (words, step) in [(expected, 1), (text, -1)] {
            for word in words.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                counts[word, default: 0] += step
            }
        }
        return counts.values.reduce(0) { $0 + abs($1) }
    }

    private func queryDifferences(from url: HTTPURL) -> [String] {
        Self.differences(
            "query",
            QueryParameters(exchange.url.query),
            QueryParameters(url.query),
            ignoring: exchange.ignoredQuery
        )
    }

    private static func differences(
        _ what: String,
        _ expected: QueryParameters,
        _ actual: QueryParameters,
        ignoring ignored: [String]
    ) -> [String] {
        var (expected, actual, lines) = (expected, actual, [String]())
        for name in ignored {
            if actual.values(of: name).isEmpty { lines.append("\(what) \(name): expected with any value, not asked") }
            expected.remove(name)
            actual.remove(name)
        }
        for name in expected.names.union(actual.names).sorted() {
            let (wanted, got) = (expected.values(of: name), actual.values(of: name))
            if wanted == got { continue }
            let left = wanted.isEmpty ? "expected without it" : "expected \(list(wanted))"
            lines.append("\(what) \(name): \(left), \(got.isEmpty ? "not asked" : "asked \(list(got))")")
        }
        return lines
    }

    private func bodyDifferences(from request: AskedRequest) -> [String] {
        switch (exchange.requestBody, request.body) {
        case (nil, nil): return []
        case (nil, _?): return ["body: expected none, asked with one"]
        case (_?, nil): return ["body: expected one, asked without"]
        case (let expected?, let bytes?):
            // A form, or another text, is a text in a fixture.
            let asked = String(validating: bytes, as: UTF8.self)
            if let text = expected.stringText {
                if asked == text { return [] }
                if let asked, request.isForm {
                    return Self.differences(
                        "form",
                        QueryParameters(text),
                        QueryParameters(asked),
                        ignoring: exchange.ignoredBody
                    )
                }
            }
            guard var actual = try? JSONDocument(bytes: bytes).root.value else {
                return ["body: expected JSON, asked with something else"]
            }
            var expected = expected
            var missing: [String] = []
            for name in exchange.ignoredBody {
                if actual[name] == nil { missing.append("body.\(name): expected with any value, not asked") }
                (expected, actual) = (expected.without(name), actual.without(name))
            }
            return missing + JSONDifference.between(expected, actual).map { "body\($0.description(verb: "asked"))" }
        }
    }

    private static func list(_ values: [String]) -> String { values.map { "'\($0)'" }.joined(separator: ", ") }
}

extension JSONValue {
    fileprivate func without(_ name: String) -> JSONValue {
        guard var object else { return self }
        object[JSONString(name)] = nil
        return .object(object)
    }
}

/// The parameters of a query, decoded. The order of different names does not matter; that of one name's values does.
struct QueryParameters {
    private var pairs: [(name: String, value: String)]

    init(_ query: String?) {
        pairs = (query ?? "").split(separator: "&").map { part in
            let name = part.prefix { $0 != "=" }
            let value = part.dropFirst(name.count + 1)
            return (
                PercentEncoding.decode(name, plusIsSpace: true), PercentEncoding.decode(value, plusIsSpace: true)
            )
        }
    }

    var names: Set<String> { Set(pairs.map(\.name)) }
    func values(of name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }
    mutating func remove(_ name: String) { pairs.removeAll { $0.name == name } }
}

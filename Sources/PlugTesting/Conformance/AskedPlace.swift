import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest

/// The page and the time that a request asks for.
struct AskedPlace {
    private let asked: AskedRequest
    private let headers: [HTTPHeader]
    private let query: QueryParameters
    private let json: JSONValue?

    init(_ asked: AskedRequest, headers: [HTTPHeader]) {
        self.asked = asked
        self.headers = headers
        query = QueryParameters(asked.url.query)
        json = asked.isForm ? nil : asked.body.flatMap { try? JSONValue(parsing: $0) }
    }

    /// The value of a parameter, `nil` if the request does not have it.
    func value(of name: String, in place: Paging.Place) -> String? {
        switch place {
        case .query: return query.values(of: name).last
        case .header: return headers.first { $0.name.lowercased() == name.lowercased() }?.value
        case .form: return QueryParameters(asked.body.map { String(decoding: $0, as: UTF8.self) }).values(of: name).last
        case .json, .variables:
            let steps = name.split(separator: ".").map { JSONPlace.Step.member(String($0)) }
            let found = json?.at(JSONPlace((place == .variables ? [.member("variables")] : []) + steps))
            return found.map { $0.stringText ?? $0.compactText }
        }
    }

    /// Whether a text occurs anywhere in the address, the headers or the body.
    func mentions(_ text: String) -> Bool {
        let inQuery = query.names.contains { query.values(of: $0).contains { $0.contains(text) } }
        return inQuery || asked.url.description.contains(text) || headers.contains { $0.value.contains(text) }
            || asked.body.map { String(decoding: $0, as: UTF8.self).contains(text) } ?? false
    }

    /// What the request asks for, regardless of the page and time: the same for all requests of one list.
    ///
    /// - Parameter names: The parameters for the page and the time.
    func series(without names: Set<String>) -> String {
        let parameters = query.names.subtracting(names).sorted().map { "\($0)=\(query.values(of: $0))" }
        var body = ""
        if let json { body = Self.stripped(json, names.union(names.map { "variables.\($0)" })).compactText }
        if asked.isForm, let bytes = asked.body {
            let form = QueryParameters(String(decoding: bytes, as: UTF8.self))
            body = form.names.subtracting(names).sorted().map { "\($0)=\(form.values(of: $0))" }.joined(separator: "&")
        }
        let path = asked.url.path.split(separator: "/").map { WallTime(String($0)) == nil ? String($0) : "*" }
        return
            "\(asked.method) \(asked.url.origin)/\(path.joined(separator: "/"))?\(parameters.joined(separator: "&")) \(body)"
    }

    /// A body without the members of these names or paths, such as `page.offset`, and without the objects that only had those: the
    /// first page may lack them.
    private static func stripped(_ value: JSONValue, _ names: Set<String>, _ path: String = "") -> JSONValue {
        switch value {
        case .object(let object):
            var kept: [(JSONString, JSONValue)] = []
            for (key, member) in object.members {
                let below = path.isEmpty ? key.text : "\(path).\(key.text)"
                if names.contains(key.text) || names.contains(below) { continue }
                let rest = stripped(member, names, below)
                if rest.object?.members.isEmpty == true, names.contains(where: { $0.hasPrefix("\(below).") }) {
                    continue
                }
                kept.append((key, rest))
            }
            return .object(JSONObject(kept))
        case .array(let elements): return .array(elements.map { stripped($0, names, path) })
        default: return value
        }
    }

    /// The bounds that the request sends, if they can be read: those of `send` and `until`, or the days in its path.
    func bounds(_ since: Since) -> (lower: Bound?, upper: Bound?) {
        var lower = since.send.compactMap { bound in
            value(of: bound.name, in: bound.place).map { Bound($0, bound.format) }
        }
        .first
        var upper = since.until.compactMap { bound in
            value(of: bound.name, in: bound.place).map { Bound($0, bound.format) }
        }
        .first
        // Otherwise they are texts of a template: days in the path, a condition in a parameter.
        if since.window != nil, lower == nil || upper == nil {
            // The parameter of one bound does not contain the other.
            let others = query.names.subtracting((since.send + since.until).map(\.name)).sorted()
            let texts = asked.url.path.split(separator: "/").map(String.init) + others.flatMap(query.values)
            for text in texts {
                let times = Self.times(in: text)
                if times.count == 1, lower == nil {
                    lower = times[0]
                } else if times.count == 1 {
                    upper = upper ?? times[0]
                }
                if times.count == 2 { (lower, upper) = (times[0], times[1]) }
            }
        }
        return (lower, upper)
    }

    /// The ISO 8601 times in a text.
    private static func times(in text: String) -> [Bound] {
        text.split { !($0.isASCII && ($0.isNumber || "-T:.Z+".contains($0))) }.compactMap { part in
            var part = String(part)
            while part.last == "." { part.removeLast() }
            guard let time = WallTime(part) else { return nil }
            return Bound(part, time.isDay ? .date : .internet)
        }
    }

    /// A bound of a request.
    struct Bound: Equatable {
        let text: String
        let format: SinceFormat

        init(_ text: String, _ format: SinceFormat) {
            self.text = text
            self.format = format
        }

        /// The moment, truncated to the precision of its format; `nil` if it cannot be read.
        var moment: Timestamp? {
            switch format {
            case .internet, .date, .plain: Timestamp(text)
            case .epoch: Timestamp(epoch: text)
            case .epochMilliseconds: Timestamp(epochMilliseconds: text)
            case .epochMicroseconds: Timestamp(epochMicroseconds: text)
            case .pattern(let pattern): pattern.read(text)?.moment()
            }
        }

    }
}

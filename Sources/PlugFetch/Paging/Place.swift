import LosslessJSON

/// The position of a page in its stream.
enum Place: Sendable, Equatable {
    /// The first page of a stream without page numbers.
    case start
    /// The page with a number.
    case number(Int)
    /// The page after this many records.
    case offset(Int)
    /// The page of a token: a text or a number, as given by the source.
    case token(JSONValue)
    /// The page at an absolute URL.
    case url(String)

    /// The place this many records earlier; only an offset has one.
    func earlier(by records: Int) -> Place {
        if case .offset(let offset) = self { return .offset(max(0, offset - records)) }
        return self
    }

    /// `null`, `{"number": 3}`, `{"offset": 200}`, `{"token": …}` or `{"url": …}`.
    var json: JSONValue {
        switch self {
        case .start: .null
        case .number(let number): .members(("number", .integer(number)))
        case .offset(let offset): .members(("offset", .integer(offset)))
        case .token(let token): .members(("token", token))
        case .url(let url): .members(("url", .text(url)))
        }
    }

    /// Reads what `json` wrote.
    init?(_ json: JSONValue) {
        if json.isNull {
            self = .start
        } else if let number = json["number"]?.number?.int64 {
            self = .number(Int(number))
        } else if let offset = json["offset"]?.number?.int64 {
            self = .offset(Int(offset))
        } else if let token = json["token"] {
            self = .token(token)
        } else if let url = json["url"]?.stringText {
            self = .url(url)
        } else {
            return nil
        }
    }
}

internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

extension TimeReading {
    /// The time that a value expresses, `nil` if none of the formats fits.
    func time(_ value: JSONValue) -> WrittenTime? {
        if formats.isEmpty { return Self.usual(value) }
        return formats.lazy.compactMap { $0.time(value) }.first
    }

    /// Texts in the usual forms; numbers are seconds since 1970, or milliseconds from 100,000,000,000 on (the year 5138
    /// in seconds, 1973 in milliseconds). Eight digits that form a date (20261122) are that day.
    private static func usual(_ value: JSONValue) -> WrittenTime? {
        switch value {
        case .string(let text):
            return WrittenTime(text.text) ?? Timestamp(compactDay: text.text).map { WrittenTime($0) }
        case .number(let number):
            if let day = Timestamp(compactDay: number.text) { return WrittenTime(day) }
            let isMilliseconds = abs(number.double) >= 1e11
            let moment = isMilliseconds ? Timestamp(epochMilliseconds: number.text) : Timestamp(epoch: number.text)
            return moment.map { WrittenTime($0) }
        default: return nil
        }
    }
}

extension SinceFormat {
    /// The time that a value expresses in this format.
    fileprivate func time(_ value: JSONValue) -> WrittenTime? {
        let text =
            switch value {
            case .string(let string): string.text
            case .number(let number): number.text
            default: ""
            }
        switch self {
        case .internet: return WrittenTime(internet: text)
        case .date: return text.utf8.count == 10 ? WrittenTime(internet: text) : nil
        case .epoch: return Timestamp(epoch: text).map { WrittenTime($0) }
        case .epochMilliseconds: return Timestamp(epochMilliseconds: text).map { WrittenTime($0) }
        case .epochMicroseconds: return Timestamp(epochMicroseconds: text).map { WrittenTime($0) }
        case .pattern(let pattern): return pattern.read(text)
        case .plain: return nil
        }
    }
}

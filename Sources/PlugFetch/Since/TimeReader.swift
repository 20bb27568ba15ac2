import LosslessJSON
import PlugCore

/// Reads the times of many records: the common form `2026-11-21T04:08:00.120Z` directly from its bytes, caching the day.
struct TimeReader: Sendable {
    private var day: [UInt8] = []
    private var daySeconds: Int64 = 0

    /// The moment, `nil` if the text is not in the common form or not a valid time; `Timestamp` handles the other forms.
    mutating func read(_ text: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        guard text.count >= 20, text.count <= 34, text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"),
            text[16] == UInt8(ascii: ":"), text[text.count - 1] == UInt8(ascii: "Z"),
            let hour = Self.two(text, 11), hour < 24, let minute = Self.two(text, 14), minute < 60,
            let second = Self.two(text, 17), second < 60, let fraction = Self.fraction(text), know(text)
        else { return nil }
        return Timestamp(seconds: daySeconds + hour * 3600 + minute * 60 + second, fraction: fraction)
    }

    private mutating func know(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let date = UnsafeBufferPointer(rebasing: text[..<10])
        if day.elementsEqual(date) { return true }
        guard let moment = Timestamp(String(decoding: date, as: UTF8.self)) else { return false }
        day = Array(date)
        daySeconds = moment.seconds
        return true
    }

    private static func two(_ text: UnsafeBufferPointer<UInt8>, _ at: Int) -> Int64? {
        let (tens, ones) = (text[at] &- 0x30, text[at + 1] &- 0x30)
        return tens < 10 && ones < 10 ? Int64(tens) * 10 + Int64(ones) : nil
    }

    private static func fraction(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        if text.count == 20 { return "" }
        let digits = UnsafeBufferPointer(rebasing: text[20..<(text.count - 1)])
        guard text[19] == UInt8(ascii: "."), !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return nil
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

/// Bytes as lower-case hexadecimal digits, two for each.
public enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// The digits of some bytes.
    public static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

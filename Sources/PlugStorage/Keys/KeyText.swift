internal import FoundationEssentials
internal import PlugCore

/// The form in which a key file is written: 64 hex digits and a line feed. Base64 and 32 raw bytes can be read too.
enum KeyText {
    /// The 32 bytes in a key file; `nil` if it holds no key.
    static func key(in file: [UInt8]) -> [UInt8]? {
        if file.count == 32 { return file }
        let text = file.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let key = text.count == 64 ? fromHexadecimal(text) : Data(base64Encoded: Data(text)).map { [UInt8]($0) }
        return key?.count == 32 ? key : nil
    }

    private static func fromHexadecimal(_ text: [UInt8]) -> [UInt8]? {
        let digits = text.compactMap { Hexadecimal.value(of: $0) }
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

/// The name of an entry of a zip. Unless a flag marks it as UTF-8, it is in IBM's code page 437 (APPNOTE 4.4.4, appendix D),
/// though many programs write UTF-8 without the flag.
enum ZipName {
    /// Of the bytes from 0x80 on.
    private static let codePage437 = Array(
        """
        ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
        αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
        """.unicodeScalars
    )

    /// The text of a zero-terminated name.
    static func text(_ name: UnsafePointer<CChar>) -> String {
        if let text = String(validatingCString: name) { return text }
        var text = String.UnicodeScalarView()
        var at = name
        while at.pointee != 0 {
            let byte = UInt8(bitPattern: at.pointee)
            text.append(byte < 0x80 ? Unicode.Scalar(byte) : codePage437[Int(byte) - 0x80])
            at += 1
        }
        return String(text)
    }
}

/// What is kept of a part of a message: its text, or its size.
struct MailBody {
    /// The kind of content.
    enum Kind {
        case text
        case html
        case attachment(name: String?, type: String)
    }

    /// How its bytes are encoded (RFC 2045, 6).
    private enum Encoding {
        case plain
        case base64
        case quotedPrintable
    }

    let kind: Kind
    private let encoding: Encoding
    private let charset: String?
    private let limit: Int
    private var lines: [UInt8] = []
    /// Base64 characters still to be decoded; three quarters of their number are bytes.
    private var letters = 0
    private var plainSize = 0
    /// Whether there was more than is kept.
    private(set) var isCut = false

    init(_ kind: Kind, encoding: String, charset: String?, limit: Int) {
        self.kind = kind
        self.charset = charset
        self.limit = limit
        self.encoding =
            switch encoding.mailTrimmed().lowercased() {
            case "base64": .base64
            case "quoted-printable": .quotedPrintable
            default: .plain
            }
    }

    /// Takes a line or a part of one.
    mutating func add(_ line: UnsafeRawBufferPointer, endsLine: Bool) {
        if case .base64 = encoding {
            var count = 0
            for byte in line where byte > 0x20 && byte != 0x3D { count += 1 }
            letters += count
        } else {
            plainSize += line.count + (endsLine ? 1 : 0)
        }
        if case .attachment = kind { return }
        // Nothing that follows the place of a cut is kept: a shorter line would seem to follow what comes before it.
        if isCut { return }
        let room = limit - lines.count
        if line.count > room {
            isCut = true
            lines += line.prefix(room)
        } else {
            lines += line
            if endsLine, line.count < room { lines.append(0x0A) }
        }
    }

    /// Its decoded size in bytes; for quoted-printable, roughly the number written.
    var size: Int { encoding == .base64 ? letters * 3 / 4 : plainSize }

    /// Its text.
    var text: String {
        let bytes: [UInt8] =
            switch encoding {
            case .plain: lines
            case .base64: MailText.base64(lines)
            case .quotedPrintable: MailText.quotedPrintable(isCut ? MailText.withoutCutEscape(lines) : lines)
            }
        var text =
            isCut ? MailText.beginning(of: bytes, charset: charset) : MailText.text(of: bytes, charset: charset)
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }
}

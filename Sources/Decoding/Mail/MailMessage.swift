/// One message, read line by line: its headers, its texts, and its attachments (RFC 5322, RFC 2045, RFC 2046).
struct MailMessage {
    /// How deep parts may be nested, and how many there may be.
    private static let depthLimit = 16
    private static let partLimit = 1000

    private let textLimit: Int
    private let headerLimit: Int
    private var size = 0
    private var headers: MailHeaders
    /// The headers of the part being read.
    private var partHeaders: MailHeaders
    private var body: MailBody?
    /// Whether headers are being read, of the message or of a part.
    private var isInHeaders = true
    private var isInPart = false
    /// Whether what is read comes before the first boundary: words for old programs, or all of it if that boundary never comes.
    private var isPreamble = false
    /// The boundaries of the parts, outermost first.
    private var boundaries: [[UInt8]] = []
    private var text: String?
    private var html: String?
    private var isCut = false
    private var attachments: [(name: String?, type: String, size: Int)] = []

    /// - Parameters:
    ///   - textLimit: How many bytes of a text are kept.
    ///   - headerLimit: How many bytes of a header are kept.
    init(textLimit: Int, headerLimit: Int) {
        (self.textLimit, self.headerLimit) = (textLimit, headerLimit)
        headers = MailHeaders(limit: headerLimit)
        partHeaders = headers
    }

    /// Takes a line, without its end, or a part of one.
    mutating func add(_ line: UnsafeRawBufferPointer, _ part: MailLines.Part) {
        size += line.count + (part.isLast ? 1 : 0)
        if case .long(let isFirst, let isLast) = part {
            // It is not a boundary, and what a header has beyond its first part is not kept.
            if !isInHeaders { body?.add(line, endsLine: isLast) } else if isFirst { addHeader(line) }
        } else if let level = boundaries.lastIndex(where: { Self.isBoundary(line, $0) }) {
            if isPreamble, level == boundaries.count - 1 { body = nil }
            endPart()
            let isLast = line.dropFirst(2 + boundaries[level].count).starts(with: [0x2D, 0x2D])
            boundaries.removeLast(boundaries.count - level - (isLast ? 0 : 1))
            // The last part may be followed by words for old programs.
            (isInPart, isInHeaders, partHeaders) = (!isLast, !isLast, MailHeaders(limit: headerLimit))
        } else if isInHeaders {
            if line.isEmpty { beginBody() } else { addHeader(line) }
        } else {
            body?.add(line, endsLine: true)
        }
    }

    private mutating func addHeader(_ line: UnsafeRawBufferPointer) {
        if isInPart { partHeaders.add(line) } else { headers.add(line) }
    }

    private static func isBoundary(_ line: UnsafeRawBufferPointer, _ boundary: [UInt8]) -> Bool {
        guard line.count >= boundary.count + 2, line[0] == 0x2D, line[1] == 0x2D,
            line[2..<(2 + boundary.count)].elementsEqual(boundary)
        else { return false }
        return line[(2 + boundary.count)...].allSatisfy { $0 == 0x2D || $0 == 0x20 || $0 == 0x09 }
    }

    /// Ends the headers of the message or of a part.
    private mutating func beginBody() {
        isInHeaders = false
        let headers = isInPart ? partHeaders : self.headers
        isCut = isCut || headers.isCut
        let type = MailParameters(headers.first("content-type") ?? "text/plain")
        if type.value.hasPrefix("multipart/"), let boundary = type["boundary"], !boundary.isEmpty,
            boundaries.count < Self.depthLimit
        {
            boundaries.append(Array(boundary.utf8))
            isPreamble = text == nil
            body = isPreamble ? MailBody(.text, encoding: "", charset: type["charset"], limit: textLimit) : nil
            return
        }
        let disposition = MailParameters(headers.first("content-disposition") ?? "")
        let name = disposition["filename"] ?? type["name"]
        let isAttached = disposition.value == "attachment" || name != nil
        let kind: MailBody.Kind =
            switch type.value {
            case "text/plain" where !isAttached && text == nil: .text
            case "text/html" where !isAttached && html == nil: .html
            default: .attachment(name: name.map(MailWords.decoded), type: type.value)
            }
        body = MailBody(
            kind,
            encoding: headers.first("content-transfer-encoding") ?? "",
            charset: type["charset"],
            limit: textLimit
        )
    }

    private mutating func endPart() {
        defer { isPreamble = false }
        guard let ended = body else { return }
        body = nil
        switch ended.kind {
        case .text where isPreamble && ended.size == 0: break
        case .text: text = ended.text
        case .html: html = ended.text
        case .attachment(let name, let type):
            if attachments.count < Self.partLimit { attachments.append((name, type, ended.size)) }
        }
        isCut = isCut || ended.isCut
    }

    /// Ends the message, and writes it as a record.
    mutating func write(to block: BlockBuilder) {
        if isInHeaders { beginBody() }
        endPart()
        block.begin()
        let json = block.json
        json.append("{")
        func member(_ name: StaticString, _ value: String?) {
            json.append(name)
            if let value { json.appendString(value) } else { json.append("null") }
        }
        func addresses(_ name: StaticString, _ header: String) {
            json.append(name)
            json.append("[")
            for (at, address) in MailWords.addresses(headers.all(header)).enumerated() {
                if at > 0 { json.append(",") }
                json.appendString(address)
            }
            json.append("]")
        }
        member(#""id":"#, headers.first("message-id")?.mailTrimmed("<>"))
        member(#","in_reply_to":"#, headers.first("in-reply-to")?.mailTrimmed("<>"))
        member(#","date":"#, headers.first("date"))
        member(#","subject":"#, headers.first("subject").map(MailWords.decoded))
        member(#","from":"#, MailWords.addresses(headers.all("from")).first)
        addresses(#","to":"#, "to")
        addresses(#","cc":"#, "cc")
        member(#","text":"#, text)
        member(#","html":"#, html)
        json.append(isCut ? #","cut":true,"attachments":["# : #","cut":false,"attachments":["#)
        for (at, attachment) in attachments.enumerated() {
            if at > 0 { json.append(",") }
            json.append("{")
            member(#""name":"#, attachment.name)
            member(#","type":"#, attachment.type)
            json.append(#","size":"#)
            json.append(attachment.size)
            json.append("}")
        }
        json.append(#"],"headers":"#)
        headers.write(to: json)
        json.append(#","size":"#)
        json.append(size)
        json.append("}")
    }
}

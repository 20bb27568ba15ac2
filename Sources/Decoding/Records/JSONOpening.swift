/// What may precede a JSON value in an export: blanks, a byte order mark, and an assignment such as
/// `window.YTD.tweets.part0 = `, with which a page of the export loads the file as a script.
struct JSONOpening {
    /// The maximum size of an assignment in bytes.
    private static let limit = 1024

    private var taken: [UInt8] = []
    private(set) var isAssignment = false

    /// Takes bytes from the front until the value begins.
    ///
    /// - Returns: How many are consumed, and whether the value begins after them.
    mutating func take(_ bytes: UnsafeRawBufferPointer) throws(DecodingFault) -> (taken: Int, isOpen: Bool) {
        for (at, byte) in bytes.enumerated() {
            if isAssignment {
                if [0x20, 0x09, 0x0A, 0x0D].contains(byte) { continue }
                return (at, true)
            }
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF:
                if !taken.isEmpty { taken.append(byte) }
            case 0x3D where !taken.isEmpty: isAssignment = true
            case 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24, 0x2E, 0x30...0x39:
                // A number or a word is itself a value: what follows distinguishes it, and it contains no list.
                taken.append(byte)
            default:
                if taken.isEmpty { return (at, true) }
                throw Self.wrong
            }
            if taken.count > Self.limit { throw Self.wrong }
        }
        return (bytes.count, false)
    }

    private static let wrong = DecodingFault(.otherFormat, "it does not begin as JSON does", line: 1)
}

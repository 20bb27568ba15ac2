/// What may stand before a JSON value in an export: blanks, a byte order mark, and an assignment such as
/// `window.YTD.tweets.part0 = `, with which a page of the export loads the file as a program.
struct JSONOpening {
    /// How many bytes an assignment may have.
    private static let limit = 1024

    private var taken: [UInt8] = []
    private(set) var isAssignment = false

    /// Takes bytes from the front until the value begins.
    ///
    /// - Returns: How many are done with, and whether the value begins behind them.
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
                // A number or a word is a value by itself: it is told by what follows, and there is no list in it.
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

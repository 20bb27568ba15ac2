/// What a file is, by its first bytes.
enum ArchiveKind: Equatable {
    case zip
    /// Compressed with gzip: a tar archive, or a single file.
    case gzip
    /// Anything else: a tar archive, or a single file as it is.
    case other
    /// A format that is not read, in words.
    case unread(String)

    /// How many bytes are examined.
    static let reach = 8

    private static let unread: [(bytes: [UInt8], words: String)] = [
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "it is a 7z archive"),
        (Array("Rar!".utf8) + [0x1A, 0x07], "it is a RAR archive"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "it is compressed with xz"),
        (Array("BZh".utf8), "it is compressed with bzip2"),
        ([0x28, 0xB5, 0x2F, 0xFD], "it is compressed with zstd"),
    ]

    init(_ head: [UInt8]) {
        if head.starts(with: [0x50, 0x4B]), head.count >= 4,
            [0x0403, 0x0605, 0x0807].contains(Int(head[3]) << 8 | Int(head[2]))
        {
            self = .zip
        } else if head.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if let found = Self.unread.first(where: { head.starts(with: $0.bytes) }) {
            self = .unread(found.words)
        } else {
            self = .other
        }
    }
}

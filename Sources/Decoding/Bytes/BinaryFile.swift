/// Kinds of files that are not text, by their first bytes: as rows they would be rubbish, without any error.
enum BinaryFile {
    private static let beginnings: [(bytes: [UInt8], kind: String)] = [
        (Array("%PDF-".utf8), "a PDF file"),
        ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "a file of Microsoft Office 97–2003, such as XLS"),
        (Array("PAR1".utf8), "a Parquet file"),
        (Array("Obj\u{1}".utf8), "an Avro file"),
        (Array("SQLite format 3\0".utf8), "an SQLite database"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "compressed with xz, which is not supported"),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7z archive, which is not supported"),
        (Array("Rar!".utf8) + [0x1A, 0x07], "a RAR archive, which is not supported"),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A], "an image"),
        ([0xFF, 0xD8, 0xFF], "an image"),
    ]

    /// The kind of file, `nil` for anything that may be text.
    static func kind(of head: UnsafeRawBufferPointer) -> String? {
        for (bytes, kind) in beginnings where head.starts(with: bytes) { return kind }
        // bzip2: its letters, a digit for the block size, and the digits of pi.
        if head.count > 10, head.starts(with: Array("BZh".utf8)), head[4..<7].elementsEqual([0x31, 0x41, 0x59]) {
            return "compressed with bzip2, which is not supported"
        }
        // The word follows the name and the numbers of the first file.
        if head.count > 262, head[257..<262].elementsEqual("ustar".utf8) {
            return "a tar archive, which is not supported"
        }
        return nil
    }
}

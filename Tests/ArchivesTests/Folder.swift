import Foundation
import Testing

@testable import Archives

/// A folder for one test.
struct Folder: ~Copyable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/archives-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, and gives its path.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }

    /// Makes an archive, and gives its path.
    func archive(_ files: [(String, String)], _ form: ArchiveWriter.Form = .zip, as name: String = "a.zip") throws
        -> String
    {
        let path = "\(path)/\(name)"
        try ArchiveWriter.write(files.map { ArchiveWriter.File($0, Array($1.utf8)) }, to: path, as: form)
        return path
    }
}

/// What reading an archive gives.
struct Contents: Equatable {
    var entries: [String] = []
    var texts: [String] = []
    var numbers: [Int] = []
    var faults: [ArchiveFault] = []

    init() {}

    /// Reads all entries that are wanted, and goes on behind those that cannot be read.
    init(_ path: String, _ limits: ArchiveLimits = ArchiveLimits(), takes: @escaping (String) -> Bool = { _ in true }) {
        do throws(ArchiveFault) {
            let reader = try ArchiveReader(ArchiveFile(path), limits, takes: takes)
            while true {
                do throws(ArchiveFault) {
                    guard let entry = try reader.next() else { return }
                    entries.append(entry.name)
                    numbers.append(entry.number)
                    texts.append(String(decoding: try Self.bytes(reader), as: UTF8.self))
                } catch {
                    faults.append(error)
                    if !error.concernsEntry { return }
                }
            }
        } catch { faults.append(error) }
    }

    private static func bytes(_ reader: ArchiveReader) throws(ArchiveFault) -> [UInt8] {
        var all: [UInt8] = []
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 8)
        defer { memory.deallocate() }
        while true {
            let count = try reader.read(into: memory)
            if count == 0 { return all }
            all += memory[..<count]
        }
    }
}

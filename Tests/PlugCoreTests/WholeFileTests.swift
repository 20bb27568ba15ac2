import Foundation
import PlugCore
import Testing

@Suite("Whole files")
struct WholeFileTests {
    /// A folder that is gone afterwards.
    private func inFolder(_ work: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try work(folder)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("a file is replaced as a whole, for its owner only, and no draft stays")
    func replaces() throws {
        try inFolder { folder in
            let path = "\(folder)/a"
            try WholeFile.replace(path, with: Array("one".utf8))
            try WholeFile.replace(path, with: Array("two, longer".utf8))
            #expect(try WholeFile.read(path, limit: 100) == Array("two, longer".utf8))
            #expect(try mode(path) == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a"])
        }
    }

    @Test("what cannot be written leaves what was there")
    func leavesTheOld() throws {
        try inFolder { folder in
            #expect(throws: FileError.system(ENOENT)) { try WholeFile.replace("\(folder)/none/a", with: [1]) }
            // rename(2) refuses a file in a folder's place.
            #expect(throws: FileError.system(EISDIR)) { try WholeFile.replace(folder, with: [1]) }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names == [])
        }
    }

    @Test("reading stops at its limit")
    func readsNotMore() throws {
        try inFolder { folder in
            let path = "\(folder)/a"
            try WholeFile.replace(path, with: Array(repeating: 7, count: 100_000))
            #expect(try WholeFile.read(path, limit: 100_000).count == 100_000)
            #expect(throws: FileError.tooLarge) { try WholeFile.read(path, limit: 99_999) }
            #expect(try WholeFile.read(path, upTo: 70_000, .regular).count == 70_000)
        }
    }

    @Test("a folder is no file, and a link is none where links are not wanted")
    func keepsToItsRules() throws {
        try inFolder { folder in
            let (path, link) = ("\(folder)/a", "\(folder)/link")
            try WholeFile.replace(path, with: [1])
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            #expect(throws: FileError.notRegular) { try WholeFile.read(folder, limit: 10, .regular) }
            #expect(throws: FileError.system(ELOOP)) { try WholeFile.read(link, limit: 10, .noLink) }
            #expect(try WholeFile.read(link, limit: 10, .regular) == [1])
        }
    }

    @Test("a pipe that nobody writes to holds nobody up", .timeLimit(.minutes(60)))
    func doesNotWaitForPipes() throws {
        try inFolder { folder in
            let pipe = "\(folder)/pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            #expect(throws: FileError.notRegular) { try WholeFile.read(pipe, limit: 10, .regular) }
        }
    }

    @Test("folders are made with those above them, and the one that cannot be made is named")
    func makesFolders() throws {
        try inFolder { folder in
            #expect(WholeFile.makeFolders("\(folder)/a/b") == nil)
            #expect(WholeFile.makeFolders("\(folder)/a/b/") == nil)
            #expect(try mode("\(folder)/a/b") == 0o700)
            try WholeFile.replace("\(folder)/file", with: [1])
            #expect(WholeFile.makeFolders("\(folder)/file/c") == "\(folder)/file/c")
        }
    }
}

/// Files below a folder.
struct FilesBeneathTests {
    @Test func onlyWhatLiesBelowIsRead() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: "\(folder)/a/b", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try WholeFile.replace("\(folder)/a/b/c", with: [1, 2, 3])
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "a")
        #expect(try WholeFile.read(["a", "b", "c"], beneath: folder, limit: 3) == [1, 2, 3])
        #expect(throws: FileError.tooLarge) { try WholeFile.read(["a", "b", "c"], beneath: folder, limit: 2) }
        #expect(throws: FileError.notRegular) { try WholeFile.read(["a", "b"], beneath: folder, limit: 3) }
        #expect(throws: FileError.system(ENOTDIR)) {
            try WholeFile.read(["link", "b", "c"], beneath: folder, limit: 3)
        }
        #expect(throws: FileError.system(ELOOP)) { try WholeFile.read(["link"], beneath: folder, limit: 3) }
        #expect(throws: FileError.system(ENOENT)) { try WholeFile.read(["none"], beneath: folder, limit: 3) }
        #expect(throws: FileError.system(ENOENT)) { try WholeFile.read(["a"], beneath: "\(folder)/none", limit: 3) }
    }
}

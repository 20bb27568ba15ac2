internal import FoundationEssentials
internal import Glibc
internal import PlugCore

/// The folder for a demonstration's files: a fresh one that is removed again, or one that was named.
struct DemoFolder {
    let path: String
    let isTemporary: Bool

    /// - Throws: `PlugError` `file-unwritable` (78).
    init(_ named: String?, _ environment: [String: String]) throws(PlugError) {
        if let named {
            path = named
            isTemporary = false
            return
        }
        var base = environment["TMPDIR"] ?? "/tmp"
        while base.count > 1, base.hasSuffix("/") { base.removeLast() }
        var template = Array("\(base)/plughost-demo-XXXXXX".utf8CString)
        // mkdtemp(3) writes the name of the folder that it makes (0700) into the template, and returns NULL if it fails.
        guard mkdtemp(&template) != nil else {
            throw PlugError(
                .fileUnwritable,
                "cannot create a folder in \(base): \(String(cString: strerror(errno)))",
                advice: "name a folder with --state DIR"
            )
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        isTemporary = true
    }

    /// Removes a temporary folder and its contents.
    func remove() {
        guard isTemporary else { return }
        // What cannot be removed is in the system's folder for temporary files, which is emptied automatically.
        try? FileManager.default.removeItem(atPath: path)
    }
}

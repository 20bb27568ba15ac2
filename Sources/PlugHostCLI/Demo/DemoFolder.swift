internal import FoundationEssentials
internal import Glibc
internal import PlugCore

/// Where a demonstration keeps what it makes: a fresh folder that goes away again, or one that was named.
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
        // mkdtemp(3) writes the name that it made (0700) into the template, and gives NULL where it failed.
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

    /// Removes a temporary folder with what is in it.
    func remove() {
        guard isTemporary else { return }
        // What cannot be removed lies in the system's folder for such things, which is emptied by itself.
        try? FileManager.default.removeItem(atPath: path)
    }
}

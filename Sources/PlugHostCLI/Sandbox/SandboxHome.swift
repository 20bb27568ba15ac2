internal import Glibc
internal import HostConfiguration
internal import PlugCore

/// A sandbox's folder, and its owner's password in it.
struct SandboxHome {
    let folder: String

    init(folder: String) { self.folder = folder }

    init(_ named: String?, _ environment: [String: String]) throws(PlugError) {
        if let named { folder = named } else { folder = try StateFolders.sandbox(environment) }
    }

    /// The owner's password and the file that holds it: the named one, or one in the folder, created at first use.
    func password(_ named: String?) throws(PlugError) -> (password: Secret, file: String) {
        if let named {
            let text = try Files.secret(named, failing: .configuration)
            if text.isEmpty {
                let advice = "write a password into it, or leave out the option"
                throw PlugError(.passwordEmpty, "\(named) holds no password", advice: advice)
            }
            return (Secret(text), named)
        }
        try Files.makeFolder(folder)
        let file = folder.hasSuffix("/") ? "\(folder)password" : "\(folder)/password"
        if Files.exists(file) {
            let text = try Files.secret(file, failing: .configuration)
            if !text.isEmpty { return (Secret(text), file) }
        }
        let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
        // 24 of 31 letters: 118 bits from the system's generator.
        let text = String((0..<24).map { _ in letters[Int.random(in: letters.indices)] })
        try Files.writePrivately(text + "\n", to: file)
        return (Secret(text), file)
    }
}

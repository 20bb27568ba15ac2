internal import CurlTransport
internal import PlugCore

/// The address at which the host of a state listens, in a file of the state folder, for commands beside it.
enum RecordedAddress {
    private static func path(_ folder: String) -> String { "\(folder)/address" }

    /// Records the address of a host that is ready.
    ///
    /// - Throws: `FileError` if the file cannot be written.
    static func record(_ url: String, in folder: String) throws(FileError) {
        try WholeFile.replace(path(folder), with: Array("\(url)\n".utf8), mode: 0o600)
    }

    /// The origin at which the host listens, or last did; `nil` if none is recorded.
    static func origin(in folder: String) -> String? {
        // Without it, a command uses the configured address, as before the host's first start.
        guard let bytes = try? WholeFile.read(path(folder), limit: 1_000) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" }
        return (try? HTTPURL(String(text)))?.origin
    }
}

internal import CurlTransport
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import Programs

/// `--connections`: a line of JSON for each person's set-up of one plug.
struct ConnectionsFile: Sendable {
    /// One line.
    struct Entry: Sendable {
        var connection: String
        /// The PDA's origin.
        var pda: HTTPURL
        /// The token file's path, relative to this process's folder.
        var tokenFile: String
        var config: ConfigFile
    }

    private static let keys = ["connection", "pda", "token_file", "config"]
    private let path: String
    private let bytes: [UInt8]
    /// The offsets of non-empty lines, with their numbers.
    private let lines: [(number: Int, range: Range<Int>)]

    /// The number of connections.
    var count: Int { lines.count }

    /// Reads a file and checks all its lines, so that none fails for its format after others have run.
    ///
    /// - Throws: `PlugError` `connections-malformed` (78) with the place, and the errors of `Files.read`.
    init(path: String) throws(PlugError) {
        self.path = path
        bytes = try Files.read(path, limit: 1 << 30, failing: .configuration)
        var lines: [(number: Int, range: Range<Int>)] = []
        var start = 0
        var number = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            number += 1
            if bytes[start..<end].contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) {
                lines.append((number, start..<end))
            }
            start = end + 1
        }
        self.lines = lines
        try check()
        if lines.isEmpty {
            throw PlugError(
                .connectionsMalformed,
                "\(DisplayText.escaped(path)) has no connections",
                advice: Self.form
            )
        }
    }

    /// The number of mistakes reported.
    private static let shownMistakes = 20

    /// Checks every line, so that all mistakes can be fixed at once.
    private func check() throws(PlugError) {
        var mistakes: [PlugError] = []
        var count = 0
        func note(_ mistake: PlugError) {
            count += 1
            if mistakes.count < Self.shownMistakes { mistakes.append(mistake) }
        }
        var places: [String: Int] = [:]
        for at in lines.indices {
            let entry: Entry
            do { entry = try self.entry(at) } catch {
                note(error)
                continue
            }
            guard let first = places[entry.connection] else {
                places[entry.connection] = lines[at].number
                continue
            }
            let problem = "the connection '\(DisplayText.escaped(entry.connection))' is also on line \(first)"
            note(malformed(at, problem, "give each connection its own name"))
        }
        guard count > 1 else {
            if let mistake = mistakes.first { throw mistake }
            return
        }
        let rest = count > mistakes.count ? ["and \(count - mistakes.count) more"] : []
        let list = (mistakes.map(\.message) + rest).map { "\n  \($0)" }.joined()
        throw PlugError(
            .connectionsMalformed,
            "\(DisplayText.escaped(path)) has \(count) errors; nothing was run:\(list)",
            advice: Self.form
        )
    }

    /// All connections: those that never ran, in the file's order, then the others, the oldest newest run first, so that what one
    /// interruption left out is not left out again by the next.
    ///
    /// - Parameter newest: The numbers of the newest runs.
    func fairOrder(after newest: [ConnectionID: Int64]) -> [Int] {
        if newest.isEmpty { return Array(lines.indices) }
        // A file that has been checked has no unreadable line.
        let keyed = lines.indices.map { at in
            (run: (try? entry(at)).flatMap { newest[ConnectionID($0.connection)] } ?? 0, at: at)
        }
        return keyed.sorted { ($0.run, $0.at) < ($1.run, $1.at) }.map(\.at)
    }

    /// One of the connections.
    ///
    /// - Throws: As `init`.
    func entry(_ at: Int) throws(PlugError) -> Entry {
        guard let object = (try? JSONValue(parsing: Array(bytes[lines[at].range])))?.object else {
            throw malformed(at, "this is not a JSON object")
        }
        for (key, _) in object.members where !Self.keys.contains(key.text) {
            throw malformed(
                at,
                "there is no '\(DisplayText.escaped(key.text))'",
                Spelling.question(key.text, in: Self.keys)
            )
        }
        let connection = try text("connection", of: object, at)
        guard RunWorld.isConnectionName(connection) else {
            throw malformed(at, RunWorld.notAName(connection), RunWorld.nameAdvice)
        }
        let pda: HTTPURL
        do { pda = try PDAOptions.address(of: try text("pda", of: object, at)) } catch {
            throw malformed(at, error.message, error.advice)
        }
        let answers: ConfigFile
        switch object["config"] {
        case nil, .null?: answers = try ConfigFile(path: place(at), object: JSONObject())
        case .object(let values)?: answers = try ConfigFile(path: place(at), object: values)
        default: throw malformed(at, "'config' is not an object")
        }
        let token = try text("token_file", of: object, at)
        return Entry(connection: connection, pda: pda, tokenFile: token, config: answers)
    }

    private func text(_ key: String, of object: JSONObject, _ at: Int) throws(PlugError) -> String {
        guard let value = object[JSONString(key)] else { throw malformed(at, "'\(key)' is missing") }
        guard let text = value.stringText, !text.isEmpty else { throw malformed(at, "'\(key)' is not a text") }
        return text
    }

    /// The token that a connection names; an error gives the connection's line.
    func token(of entry: Entry, _ at: Int) throws(PlugError) -> Secret {
        do { return try PDAOptions.token(in: entry.tokenFile) } catch {
            var error = error
            error.message = "\(place(at)): \(error.message)"
            throw error
        }
    }

    /// The number of token files hidden from a program one by one; if there are more, their folders are.
    private static let hiddenFiles = 100

    /// The token files to hide from programs: the files, or the folders that they are in.
    var tokenPlaces: (files: [String], folders: [String]) {
        let files = Set(lines.indices.compactMap { at in (try? entry(at)).flatMap { RealPath.of($0.tokenFile) } })
        if files.count <= Self.hiddenFiles { return (files.sorted(), []) }
        return ([], Set(files.map(RealPath.parent)).sorted())
    }

    private func place(_ at: Int) -> String { "\(DisplayText.escaped(path)):\(lines[at].number)" }

    private func malformed(_ at: Int, _ problem: String, _ advice: String? = nil) -> PlugError {
        PlugError(
            .connectionsMalformed,
            "\(place(at)): \(problem)",
            advice: advice ?? Self.form
        )
    }

    private static let form =
        #"write a line {"connection": "ada", "pda": "https://ada.example", "token_file": "ada.token", "config": {…}} for each"#
}

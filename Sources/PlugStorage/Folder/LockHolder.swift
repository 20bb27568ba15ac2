internal import Glibc
internal import PlugCore

/// The holder of a lock on a state folder, as recorded for others to name.
struct LockHolder: Equatable, CustomStringConvertible {
    var pid: Int32
    var since: String
    var command: String

    /// This process.
    static func current(at now: Int64) -> LockHolder {
        LockHolder(pid: getpid(), since: Timestamp(seconds: now / 1_000_000).rfc3339, command: ownCommand)
    }

    /// This process's command. Only the program and the command are recorded: the rest of the command line may be private.
    static let ownCommand = CommandLine.arguments.prefix(2)
        .map { $0.split(separator: "/").last.map(String.init) ?? $0 }.joined(separator: " ")

    init(pid: Int32, since: String, command: String) {
        self.pid = pid
        self.since = since
        self.command = command
    }

    /// Three lines: `pid 17`, `since 2026-11-21T05:40:00Z`, `command plughost run`.
    var text: String { "pid \(pid)\nsince \(since)\ncommand \(command)\n" }

    /// Parses such lines; `nil` if they are incomplete. Only printable ASCII is displayed again.
    init?(parsing bytes: [UInt8]) {
        let printable = bytes.filter { $0 == 0x0A || (0x20..<0x7F).contains($0) }
        var fields: [Substring: String] = [:]
        for line in String(decoding: printable, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1)
            if words.count == 2 { fields[words[0]] = String(words[1]) }
        }
        guard let pid = fields["pid"].flatMap({ Int32($0) }), let since = fields["since"] else { return nil }
        self.init(pid: pid, since: since, command: fields["command"] ?? "unknown")
    }

    /// `process 17 (plughost run) since 2026-11-21T05:40:00Z`.
    var description: String { "process \(pid) (\(command)) since \(since)" }
}

internal import LosslessJSON
internal import PDAClient
internal import PDASandbox
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime

/// A demonstration's output, step by step.
struct DemoTalk {
    private static let width = 78
    private static let column = 12
    let context: CommandContext

    func title(_ plug: DemoPlug) {
        let streams = plug.manifest.streams.compactMap(\.path).map(\.description).joined(separator: ", ")
        write("From \(plug.name) into a personal data account (PDA) on this machine.")
        write("The plug is \(plug.manifest.source.path); it writes to \(streams).")
        write("")
    }

    func ready(_ address: SandboxAddress) { say("PDA", "a sandbox runs at \(address.url)") }

    func setUp(_ plug: DemoPlug, from before: ApplicationState, to after: ApplicationState) {
        let id = plug.manifest.id
        say("set up", "the owner logs in and sets up '\(id)': \(before.rawValue) -> \(after.rawValue)")
        say("", "its token only allows writing to '\(plug.manifest.namespace)'")
    }

    func source(_ source: DemoSource, _ plug: DemoPlug) {
        guard let reason = source.reason else {
            say("source", "LIVE: answers from \(plug.name) itself")
            say("", asked(source, plug))
            return
        }
        say("source", "RECORDED ANSWERS of \(plug.name), served from this machine")
        say("", "(not live: \(reason))")
    }

    /// `(user Jimbo Wales, from 2026-01-01)`, without secrets.
    private func asked(_ source: DemoSource, _ plug: DemoPlug) -> String {
        let parts = plug.manifest.config.filter { !$0.isSecret }.compactMap { field in
            source.config[JSONString(field.name)].map { "\(field.name) \($0.stringText ?? $0.compactText)" }
        }
        return "(\(parts.isEmpty ? "it asks for nothing" : parts.joined(separator: ", ")))"
    }

    func ran(_ report: RunReport, isFirst: Bool) {
        for (at, stream) in report.streams.enumerated() {
            let counts = stream.counts
            let isKnown = counts.fetched > 0 && counts.fetched == counts.known
            let line = isKnown ? "nothing new: \(counts.known) known" : RunSummary.line(counts)
            say(at == 0 ? (isFirst ? "run" : "run again") : "", "\(stream.name): \(line)")
        }
    }

    func arrived(_ records: [(path: DataPath, count: Int, first: [JSONValue])], of plug: DemoPlug) {
        for (path, count, first) in records {
            say("in the PDA", "\(count.counted("record")) in \(path), as the owner reads them:")
            let hidden = plug.manifest.hidden(at: path.description)
            for record in first { say("", "  \(line(hidden.shown(record), plug))") }
            if count > first.count { say("", "  … and \(count - first.count) more") }
        }
    }

    func stands(_ plug: DemoPlug, _ before: ApplicationState, _ now: ApplicationState) {
        say("state", "'\(plug.manifest.id)', as the PDA sees it: \(before.rawValue) -> \(now.rawValue)")
    }

    func look(at page: Secret) {
        write("")
        say("look at it", page.reveal())
        say("", "(the address works once, in one browser)")
    }

    func stays() { say("", "the PDA runs until Ctrl-C") }

    /// Prints how to start the PDA again.
    func ends(_ sandbox: String) {

        say("", "without a terminal, the demo and its PDA end here")
        say("again", "\(context.program) sandbox --listen 127.0.0.1:0 --state \(sandbox)")
    }

    /// A record in a line: its time and its most readable text, else its JSON.
    private func line(_ record: JSONValue, _ plug: DemoPlug) -> String {
        let times = plug.manifest.streams.flatMap(\.fields).filter { ["time", "date"].contains($0.cast.word) }
        var parts: [String] = []
        if let time = times.lazy.compactMap({ record[$0.name]?.stringText }).first {
            parts.append(Self.minute(time))
        }
        let speaking = ["title", "name", "text", "html", "comment", "summary", "description"]
        parts += speaking.compactMap { record[$0]?.stringText }.filter { !$0.isEmpty }.prefix(2)
        let spoken = parts.joined(separator: "  ").replacing(#/<[^>]*>/#, with: "")
        let text = parts.count > 1 ? spoken : record.compactText
        return text.count > Self.width - Self.column ? text.prefix(Self.width - Self.column - 1) + "…" : text
    }

    /// `2019-01-14 08:01` of an RFC 3339 time.
    private static func minute(_ time: String) -> String { String(time.prefix(16)).replacing("T", with: " ") }

    /// A step: its name in a column of its own, and foreign text sanitised.
    private func say(_ step: String, _ text: String) {
        let column = step + String(repeating: " ", count: max(0, Self.column - step.count))
        write(column + text)
    }

    private func write(_ text: String) {
        context.output.write(DisplayText.escaped(text) + "\n")
        context.output.flush()
    }
}

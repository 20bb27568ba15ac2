internal import Connecting
internal import PlugCore
internal import PlugManifest
internal import PlugStorage
internal import Syncing

/// A connection in a list.
struct ConnectionCard {
    let html: HTML
    /// Whether it is stopped until its owner does something.
    let needsPerson: Bool

    init(
        _ connection: Connection,
        in store: any PlugStore,
        _ plugs: HostPlugs,
        for reader: RunTrouble.Reader = .person
    ) async throws {
        let setup = try await store.setup(of: connection.id)
        let last = try await store.runs(of: connection.id, limit: 1).first
        let account = try await KeptAccount.label(of: connection.id, in: store)
        let name = plugs.current.manifests[connection.plug].map { PlugFacts($0).name } ?? connection.plug
        let state = ConnectionState(setup?.status, connection.trouble)
        let word = state.word(for: reader)
        let since: HTML? = state.since(for: reader).map { " \($0)" }
        let ran = last.map { run -> HTML in "Last run \(Words.time(run.start.at))" } ?? "Not run yet"
        needsPerson = setup?.status == .reconnect || setup?.status == .disabled
        let refused = try await store.deadLetterSize(of: connection.id).letters
        let why: String? =
            switch setup?.status {
            case .disabled: ConnectionSetup.Status.disabledSentence(for: reader)
            case .reconnect:
                last.flatMap { $0.endedAt == nil ? nil : RunText($0, for: reader).trouble?.what }
                    ?? "The account is not connected."
            default:
                refused > 0 ? "\(refused.counted("record")) could not be stored." : nil
            }
        let line: HTML? = why.map { "<p>\($0)</p>" }
        html = """
            <li><h2><a href="\(ConnectionPath(connection.id))">\(name)\(account.map { " · \($0)" } ?? "")</a></h2>
            <p><span class="\(word.style)">\(word.text)</span>\(since) <span class="quiet">\(ran) · \(connection.id.name)</span></p>\(line)</li>
            """
    }
}

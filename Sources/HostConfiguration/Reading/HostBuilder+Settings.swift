internal import CurlTransport
internal import OAuth
internal import PlugCore
internal import PlugManifest

extension HostBuilder {
    /// Every value; `nil` if anything is wrong.
    ///
    /// - Throws: `PlugError` `state-nowhere`, and the errors of `providers.yaml` and of the variables of OAuth clients (78).
    func settings(_ environment: [String: String]) throws(PlugError) -> HostSettings? {
        let usual = ListenAddress(host: "127.0.0.1", port: HostDefaults.port)
        let listen = listen(usual)
        let state = state()
        let folder =
            if let path = state.value { path } else { try StateFolders.defaultFolder(environment) }
        let written = clients()
        var settings = HostSettings(
            listen: listen,
            publicURL: publicURL(for: listen),
            trustedProxies: networks("trusted_proxies"),
            state: Setting(folder, state.origin),
            plugs: plugs(),
            clients: HostClients.none,
            pda: HostSettings.PDA(networks: networks("pda.networks"), directoryUpstream: directoryUpstream()),
            source: HostSettings.Source(networks: networks("source.networks")),
            programs: HostSettings.Programs(
                trust: setting("programs.trust", []) { texts("trust", $0, $1) },
                folders: setting("programs.folders", []) { node, layer in
                    texts("folders", node, layer).map { $0.map(layer.resolved) }
                }
            ),
            limits: HostLimits(self),
            schedule: HostSettings.Schedule(every: every(), quiet: quiet(), zone: zone()),
            retention: HostSettings.Retention(
                runs: runs(),
                deadLetters: age("retention.dead_letters"),
                outbox: age("retention.outbox")
            ),
            notify: notify(environment),
            operators: setting("operators", []) { texts("operators", $0, $1) }
        )
        guard !layers.contains(where: \.findings.hasErrors) else { return nil }
        let providers = try ClientFile(named: nil, folder: folder)
        settings.privateFiles = layers.flatMap(\.privateFiles) + (providers?.privateFiles ?? [])
        var named = try providers?.settings() ?? [:]
        named.merge(written) { $1 }
        settings.clients = try HostClients(named, environment)
        return settings
    }

    /// The public address; the listen address if only this machine can reach the host.
    private func publicURL(for listen: Setting<ListenAddress>) -> Setting<HTTPURL?> {
        let written = publicURL()
        if written.value != nil || layers.contains(where: { $0.entry("public_url") != nil }) { return written }
        if listen.value.isLoopback {
            return Setting(listen.value.port == 0 ? nil : try? HTTPURL("http://\(listen.value)"), .default)
        }
        if let (node, layer) = effective("listen") {
            layer.findings.error(
                .publicURLMissing,
                "the host listens on \(listen.value), and 'public_url' does not say how others reach it",
                at: node.location,
                help: "add public_url: https://plugs.example.org, or listen on 127.0.0.1:\(listen.value.port)"
            )
        }
        return written
    }

    private func plugs() -> Setting<[String]?> {
        let paths = setting("plugs", nil) { node, layer in
            texts("plugs", node, layer).map { $0.map(layer.resolved) }
        }
        // Only those in effect: others may be for another machine.
        guard let (node, layer) = effective("plugs") else { return paths }
        for element in node.sequence ?? [] {
            guard let text = element.scalar?.text, OneLine.isOne(text) else { continue }
            let path = layer.resolved(text)
            if !PlugPaths.manifests(at: path).isEmpty { continue }
            layer.findings.error(
                .plugsMissing,
                "'plugs' names \(path), and no manifest is there",
                at: element.location,
                help: "name a manifest, a folder with a plug.yaml, or a folder of such folders"
            )
        }
        return paths
    }

    /// The OAuth clients of the file, with their secrets.
    private func clients() -> [String: Setting<ClientIdentity>] {
        guard let (node, layer) = effective("providers") else { return [:] }
        let written = ClientReading(findings: layer.findings).clients(node)
        var clients: [String: Setting<ClientIdentity>] = [:]
        var isChecked = false
        for entry in node.mapping ?? [] {
            guard let client = written[entry.key] else { continue }
            let place = entry.value["client_secret"]?.location ?? entry.keyLocation
            do throws(PlugError) {
                clients[entry.key] = Setting(try client.identity(in: layer.folder ?? "."), layer.origin(of: entry))
                // One finding covers all secrets in the file.
                if client.holdsSecret, !isChecked {
                    isChecked = true
                    try PrivateFile.check(layer.name)
                }
            } catch {
                layer.findings.error(error.code, error.message, at: place, help: error.advice)
            }
        }
        return clients
    }
}

internal import CurlTransport
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// Reads the values of all layers. Errors are reported where they are, even if a layer of higher precedence has a valid value.
struct HostBuilder {
    /// The layers, in order of increasing precedence.
    let layers: [HostLayer]

    /// A value: the default, or that of the layer with the highest precedence that has the key.
    func setting<Value>(
        _ key: String,
        _ fallback: Value,
        _ read: (YAMLNode, HostLayer) -> Value?
    ) -> Setting<Value> {
        var setting = Setting(fallback, .default)
        for layer in layers {
            guard let entry = layer.entry(key), let value = read(entry.value, layer) else { continue }
            setting = Setting(value, layer.origin(of: entry))
        }
        return setting
    }

    /// The layer with the highest precedence that has a key, and its value there.
    func effective(_ key: String) -> (node: YAMLNode, layer: HostLayer)? {
        for layer in layers.reversed() { if let entry = layer.entry(key) { return (entry.value, layer) } }
        return nil
    }

    // MARK: - Addresses

    func listen(_ fallback: ListenAddress) -> Setting<ListenAddress> {
        setting("listen", fallback) { node, layer in
            guard let text = line(node, "listen", layer) else { return nil }
            let address = ListenAddress(text)
            if let address, address.host == "localhost" || IPAddress(address.host) != nil { return address }
            let help =
                if UInt16(text) != nil {
                    "write 127.0.0.1:\(text)"
                } else if let address {
                    "write the address itself; 0.0.0.0:\(address.port) is all of this machine's"
                } else {
                    "write an address and a port, such as 127.0.0.1:22100 or [::1]:22100"
                }
            let message = "'\(MessageText.shortened(text))' is not an address and a port to listen on"
            layer.findings.error(.badListen, message, at: node.location, help: help)
            return nil
        }
    }

    func publicURL() -> Setting<HTTPURL?> {
        setting("public_url", nil) { node, layer in
            guard let text = line(node, "public_url", layer) else { return nil }
            func refuse(_ message: String, _ help: String) -> HTTPURL?? {
                layer.findings.error(.badPublicURL, message, at: node.location, help: help)
                return nil
            }
            guard let url = try? HTTPURL(text) else {
                let help = "write the scheme and the host: https://plugs.example.org"
                return refuse("'public_url' is not an http or https URL", help)
            }
            guard url.isSecure || ListenAddress.isLoopback(ListenAddress.host(ofHeader: url.host)) else {
                let help = "write https://\(url.host); http is for this machine alone"
                return refuse("'public_url' must be https: consents and tokens pass through it", help)
            }
            guard url.path == "/", url.query == nil else {
                return refuse("'public_url' has more than a scheme and a host", "write \(url.origin)")
            }
            return url
        }
    }

    func directoryUpstream() -> Setting<HTTPURL?> {
        setting("pda.directory_upstream", nil) { node, layer in
            guard let text = line(node, "directory_upstream", layer) else { return nil }
            if let url = try? HTTPURL(text), url.query == nil { return url }
            layer.findings.error(
                .badUpstream,
                "'directory_upstream' is not the http or https address of a directory",
                at: node.location,
                help: "write it without a query: https://dex.example.org"
            )
            return nil
        }
    }

    func networks(_ key: String) -> Setting<[CIDR]> { setting(key, []) { networks($0, $1) } }

    func networks(_ node: YAMLNode, _ layer: HostLayer) -> [CIDR]? {
        let nodes = node.sequence ?? []
        let networks = nodes.compactMap { node -> CIDR? in
            let text = node.scalar?.text ?? ""
            if let network = CIDR(text) { return network }
            let message = "'\(MessageText.shortened(text))' is not a network"
            let help = "write the network's first address and its bits, such as 10.0.0.0/8 or fd00::/8"
            layer.findings.error(.badCIDR, message, at: node.location, help: help)
            return nil
        }
        return networks.count == nodes.count ? networks : nil
    }

    // MARK: - Values

    func number(_ key: String, _ fallback: Int) -> Setting<Int> {
        setting(key, fallback) { node, _ in (node.scalar?.number?.int64).map { Int($0) } }
    }

    func size(_ key: String, _ fallback: Int) -> Setting<Int> {
        setting(key, fallback) { node, _ in node.scalar.flatMap { HumanSize.parse($0.text) } }
    }

    func every() -> Setting<Duration> {
        setting("schedule.every", HostDefaults.every) { node, layer in
            guard let every = node.scalar.flatMap({ HumanDuration.parse($0.text) }) else { return nil }
            if every >= .seconds(60) { return every }
            layer.findings.error(.outOfRange, "'every' must be 1m or more", at: node.location)
            return nil
        }
    }

    func quiet() -> Setting<String?> {
        setting("schedule.quiet", nil) { node, layer in
            guard let text = line(node, "quiet", layer) else { return nil }
            let times = text.split(separator: "-", omittingEmptySubsequences: false)
            if times.count == 2, times.allSatisfy(Self.isTime), times[0] != times[1] { return text }
            let message = "'\(MessageText.shortened(text))' is not a pair of times of the day"
            let help = "write the beginning and the end: \"22:00-06:00\""
            layer.findings.error(.badQuiet, message, at: node.location, help: help)
            return nil
        }
    }

    /// Whether a text has the form `06:30`.
    private static func isTime(_ text: Substring) -> Bool {
        let bytes = Array(text.utf8)
        let digits = bytes.enumerated().allSatisfy { $0.offset == 2 ? $0.element == 0x3A : 0x30...0x39 ~= $0.element }
        guard bytes.count == 5, digits, let hour = Int(text.prefix(2)), let minute = Int(text.suffix(2)) else {
            return false
        }
        return hour < 24 && minute < 60
    }

    func zone() -> Setting<String> {
        setting("schedule.zone", HostDefaults.zone) { node, layer in
            guard let text = line(node, "zone", layer) else { return nil }
            return layer.findings.zone(text, at: node.location)?.name
        }
    }

    func runs() -> Setting<HostSettings.Retention.Runs> {
        setting("retention.runs", .count(HostDefaults.runs)) { node, _ in
            guard let scalar = node.scalar else { return nil }
            if let count = scalar.number?.int64 { return .count(Int(count)) }
            return HumanDuration.parse(scalar.text).map { .age($0) }
        }
    }

    func age(_ key: String) -> Setting<Duration?> {
        setting(key, nil) { node, _ in node.scalar.flatMap { HumanDuration.parse($0.text) } }
    }

    // MARK: - Texts

    func state() -> Setting<String?> {
        setting("state", nil) { node, layer in line(node, "state", layer).map(layer.resolved) }
    }

    func texts(_ key: String, _ node: YAMLNode, _ layer: HostLayer) -> [String]? {
        let nodes = node.sequence ?? []
        let texts = nodes.compactMap { line($0, key, layer) }
        return texts.count == nodes.count ? texts : nil
    }

    func line(_ node: YAMLNode, _ key: String, _ layer: HostLayer) -> String? {
        guard let text = node.scalar?.text else { return nil }
        if OneLine.isOne(text) { return text }
        let message = text.isEmpty ? "'\(key)' is empty" : "'\(key)' is not a text on one line"
        layer.findings.error(.wrongValue, message, at: node.location)
        return nil
    }
}
